"""Run features/v3/organisations.feature: Booking requests and bookings of another organisation."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import responses
from conformance.v3.steps import booking_requests, bookings, limits, retrieved_bookings

use_steps(responses, booking_requests, bookings, limits, retrieved_bookings)
scenarios(str(resource("features") / "v3" / "organisations.feature"))
