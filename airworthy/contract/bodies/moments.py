"""Times such as ``created_at`` of bookings, and how far the local times of a flight may seem to go back."""

from datetime import datetime, timedelta

from airworthy.contract.bodies.body import Json

# A response may show fractions of a second that another one leaves out.
TOLERANCE = timedelta(seconds=1)
ALMOST_A_DAY = timedelta(days=1) - TOLERANCE
FURTHEST_BACK = timedelta(days=1)
"""Across the date line a flight arrives on the day before its departure, in local time."""
FURTHEST_CLOCK_CHANGE = timedelta(hours=1)
"""The clocks at an airport may go back by this much between an arrival and the next departure."""


def moment(value: Json) -> datetime | None:
    """Return the time in a text in ISO 8601 format, or None; the documents name no format for bookings."""
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def between(one: Json, other: Json) -> timedelta | None:
    """Return the time from one local time to another, or None if one of them is malformed."""
    try:
        return datetime.fromisoformat(str(other)) - datetime.fromisoformat(str(one))
    except (TypeError, ValueError):
        return None


def are_apart(one: datetime | None, other: datetime | None, *, tolerance: timedelta = TOLERANCE) -> bool:
    """Return whether two times differ; a time without a zone is not compared with one that has one."""
    if one is None or other is None or (one.tzinfo is None) != (other.tzinfo is None):
        return False
    return abs(one - other) > tolerance
