"""Run features/v3/round_trip_parameters.feature: Parameters of the search for round-trip fares."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.v3.steps import round_trip_parameters, search_consistency

use_steps(round_trip_parameters, search_consistency)
scenarios(str(resource("features") / "v3" / "round_trip_parameters.feature"))
