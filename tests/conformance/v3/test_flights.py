"""Run features/v3/flights.feature: Search flights."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses
from conformance.v3.steps import flights

use_steps(observations, requests, responses, flights)
scenarios(str(resource("features") / "v3" / "flights.feature"))
