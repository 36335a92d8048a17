"""Run features/v3/missing_flights.feature: Booking requests for unavailable flights."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, responses
from conformance.v3.steps import booking_requests, last_seats

use_steps(observations, responses, booking_requests, last_seats)
scenarios(str(resource("features") / "v3" / "missing_flights.feature"))
