"""Run features/v4/search.feature: Search Offers."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses
from conformance.v4.steps import consistency, offers

use_steps(observations, requests, responses, consistency, offers)
scenarios(str(resource("features") / "v4" / "search.feature"))
