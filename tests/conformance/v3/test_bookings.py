"""Run features/v3/bookings.feature: Create bookings."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses, traffic
from conformance.v3.steps import booked_passengers, booking_requests, bookings, flights, retrieved_bookings

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
)
scenarios(str(resource("features") / "v3" / "bookings.feature"))
