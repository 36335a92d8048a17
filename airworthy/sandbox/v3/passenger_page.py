"""The passenger's page at ``/lookup``: the current state of the bookings with a reference."""

from collections.abc import Sequence
from datetime import datetime

from airworthy.sandbox.http.templating import render
from airworthy.sandbox.resources.v3.responses import V3Resources
from airworthy.sandbox.resources.v3.states import Booking


def passenger_page(reference: str, bookings: Sequence[Booking], resources: V3Resources, now: datetime) -> str:
    """Return the page as HTML; for an empty reference, only the form."""
    shown = [resources.booking(each, 0, now, retrieved=True) for each in bookings]
    return render("passenger.html", reference=reference, bookings=shown)
