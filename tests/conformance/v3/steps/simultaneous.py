"""Steps that send several requests about a booking request at the same time."""

from conformance.fixtures import RecordWarning
from conformance.scenario_context import ScenarioContext
from conformance.simultaneous import expect_serial_outcome, send_at_once
from conformance.step_table import then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import BookingClient
from conformance.v3.flight_client import FlightCriteria

# Seconds; a service that takes longer gets the cancellation earlier.
_LONGEST_BOOKING = 10.0


@when(
    "the client cancels the booking request and books it at the same time", "V3-BOOKINGS-CANCELLED", "V3-CANCEL-PENDING"
)
def _cancel_and_book(booking_client: BookingClient, context: ScenarioContext) -> None:
    pending = context.booking_requests
    # A rejection shows something only if the service accepts the same requests one at a time.
    booked = booking_client.booked(FlightCriteria("v3"))
    booking_client.service.once("cancelled", booking_client.cancelled)
    drafts = (
        booking_client.booking(pending),
        bodies.cancel_request(pending.requests[0]["id"]),
    )
    # The cancellation arrives while the service is paying, if it takes as long as it did for another booking.
    half = min(booked.response.exchange.elapsed, _LONGEST_BOOKING) / 2
    read = bodies.get_bookings("v3", booked.reference)
    context.together = send_at_once(booking_client.service, drafts, read, apart=half)
    context.response = context.together[-1]


@then("the booking request is either cancelled or booked")
def _it_is_either_cancelled_or_booked(context: ScenarioContext, warn: RecordWarning) -> None:
    booked, cancelled = context.together
    expect_serial_outcome(
        context.together,
        succeeded=(cancelled.succeeded and cancelled.member("success") is True) + bool(booked.array("bookings")),
        allowed=1,
        message="the service must either cancel a booking request or book it",
        warn=warn,
    )
