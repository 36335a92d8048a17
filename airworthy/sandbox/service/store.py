"""Everything that the sandbox remembers."""

from email.message import EmailMessage
from itertools import count
from typing import Final

from airworthy.sandbox.model.seats import SeatHolds
from airworthy.sandbox.model.tables import BoundedTable
from airworthy.sandbox.resources.v3.states import Booking, BookingRequest
from airworthy.sandbox.resources.v4.states import Offer, Order, Reservation

MAX_EMAILS: Final = 100


class SandboxStore:
    """The records of one running service, in memory."""

    def __init__(self) -> None:
        self.offers: BoundedTable[Offer] = BoundedTable()
        self.orders: BoundedTable[Order] = BoundedTable()
        self.reservations: BoundedTable[Reservation] = BoundedTable()
        # For dialects that repeat ids: the id returned earlier, by the requested item.
        self.repeated_ids: BoundedTable[str] = BoundedTable()
        self.booking_requests: BoundedTable[BookingRequest] = BoundedTable()
        self.seats = SeatHolds()
        # All bookings with one reference, by version and reference.
        self.bookings: BoundedTable[tuple[Booking, ...]] = BoundedTable()
        # Confirmation e-mails, by version and reference of the booking.
        self.emails: BoundedTable[EmailMessage] = BoundedTable(MAX_EMAILS)
        self.request_ids, self.booking_ids, self.passenger_ids = count(700_001), count(300_001), count(900_001)
