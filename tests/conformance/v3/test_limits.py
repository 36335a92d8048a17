"""Run features/v3/limits.feature: Limits and optional members."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations
from conformance.v3.steps import booking_consistency, limits

use_steps(observations, booking_consistency, limits)
scenarios(str(resource("features") / "v3" / "limits.feature"))
