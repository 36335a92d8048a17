"""Run features/v3/flights.feature: Search flights."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses
from conformance.v3.steps import flights, search_consistency

use_steps(observations, requests, responses, flights, search_consistency)
scenarios(str(resource("features") / "v3" / "flights.feature"))
