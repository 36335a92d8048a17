"""Run features/v3/bookings.feature: Create bookings."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses, traffic, validation
from conformance.v3.steps import booked_passengers, booking_requests, bookings, flights, retrieved_bookings
from conformance.v3.steps import validation as v3_validation

use_steps(
    observations,
    requests,
    responses,
    traffic,
    booked_passengers,
    booking_requests,
    bookings,
    flights,
    retrieved_bookings,
    validation,
    v3_validation,
)
scenarios(str(resource("features") / "v3" / "bookings.feature"))
