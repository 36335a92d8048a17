"""Run features/v4/consistency.feature: Responses that must agree."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import responses
from conformance.v4.steps import consistency, offers, orders

use_steps(responses, consistency, offers, orders)
scenarios(str(resource("features") / "v4" / "consistency.feature"))
