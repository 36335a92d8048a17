"""Run features/v4/fares.feature: Get Fares."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, responses
from conformance.v4.steps import aged_offers, offers

use_steps(observations, responses, aged_offers, offers)
scenarios(str(resource("features") / "v4" / "fares.feature"))
