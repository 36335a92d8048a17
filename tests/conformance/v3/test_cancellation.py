"""Run features/v3/cancellation.feature: Cancel booking requests."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import responses
from conformance.v3.steps import booking_consistency, booking_requests, bookings, last_seats, limits, simultaneous

use_steps(responses, booking_requests, bookings, booking_consistency, last_seats, limits, simultaneous)
scenarios(str(resource("features") / "v3" / "cancellation.feature"))
