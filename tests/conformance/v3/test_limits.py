"""Run features/v3/limits.feature: Limits and optional members."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, responses, validation
from conformance.v3.steps import booking_consistency, booking_requests, last_seats, limits
from conformance.v3.steps import validation as v3_validation

use_steps(
    *(observations, responses, booking_consistency, booking_requests, last_seats, limits, validation, v3_validation)
)
scenarios(str(resource("features") / "v3" / "limits.feature"))
