"""Run features/v4/errors.feature: Errors."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import responses
from conformance.v4.steps import requests as v4_requests

use_steps(responses, v4_requests)
scenarios(str(resource("features") / "v4" / "errors.feature"))
