"""Run features/v3/verify.feature: Verify price and availability."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, responses, traffic
from conformance.v3.steps import flights

use_steps(observations, responses, traffic, flights)
scenarios(str(resource("features") / "v3" / "verify.feature"))
