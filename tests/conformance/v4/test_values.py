"""Run features/v4/values.feature: Values in responses."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, responses
from conformance.v4.steps import offers, orders
from conformance.v4.steps import requests as v4_requests

use_steps(observations, responses, offers, orders, v4_requests)
scenarios(str(resource("features") / "v4" / "values.feature"))
