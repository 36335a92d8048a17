"""Run features/v3/limits.feature: Limits and optional members."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, responses
from conformance.v3.steps import booking_consistency, booking_requests, last_seats, limits

use_steps(observations, responses, booking_consistency, booking_requests, last_seats, limits)
scenarios(str(resource("features") / "v3" / "limits.feature"))
