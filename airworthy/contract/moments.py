"""Times such as ``created_at`` of booking requests, bookings and passenger records."""

from datetime import datetime, timedelta

from airworthy.contract.body import Json

# A response may show fractions of a second that another one leaves out.
TOLERANCE = timedelta(seconds=1)


def moment(value: Json) -> datetime | None:
    """Return the time in a text in ISO 8601 format, or None; the documents name no format for bookings."""
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def are_apart(one: datetime | None, other: datetime | None) -> bool:
    """Return whether two times differ; a time without a zone is not compared with one that has one."""
    if one is None or other is None or (one.tzinfo is None) != (other.tzinfo is None):
        return False
    return abs(one - other) > TOLERANCE
