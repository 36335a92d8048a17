"""What stays the same about a booking of v3 and v2: its original flight, its prices, its creation, its passengers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from airworthy.contract.body import Json
from airworthy.contract.limits import PRICE_TOLERANCE
from airworthy.contract.transaction import as_number, items, member, whole

LENGTH_OF_A_TIME = len("YYYY-MM-DD HH:mm:ss")
LENGTH_OF_A_CARRIER = len("IB")
# A response may show fractions of a second that another one leaves out.
MOMENT_TOLERANCE = timedelta(seconds=1)
PRICES = ("price", "infant_price")
MOST_RECORDS = 50

Journey = tuple[str, str, str, str, str]
"""Where a flight departs and arrives, when, and as which flights; an empty string for what a response does not show."""
NO_JOURNEY: Journey = ("", "", "", "", "")
AIRPORTS = ("origin", "destination")
JOURNEY = (*AIRPORTS, "departure_date", "arrival_date", "segments")
MOST_SEGMENTS = 3


@dataclass(frozen=True, slots=True)
class LastingValues:
    """The prices and the time of creation of a booking, and the ids of its passengers with theirs.

    None stands for what a response does not show.
    """

    prices: tuple[float | None, ...]
    created: datetime | None
    passengers: Mapping[int, datetime | None] | None

    @classmethod
    def of(cls, booking: Json) -> "LastingValues":
        """Return what a booking in a response shows."""
        return cls(
            tuple(as_number(member(booking, name)) for name in PRICES),
            moment(member(booking, "created_at")),
            _records(booking),
        )

    def unlike(self, later: "LastingValues") -> Iterator[str]:
        """Yield the names of the members that differ in a later response; what either does not show is not compared."""
        for name, before, now in zip(PRICES, self.prices, later.prices, strict=True):
            if before is not None and now is not None and abs(before - now) > PRICE_TOLERANCE:
                yield name
        if are_apart(self.created, later.created):
            yield "created_at"
        # Another number of records has a finding of its own.
        records, shown = self.passengers or {}, later.passengers or {}
        if len(records) == len(shown) and any(
            each not in shown or are_apart(created, shown[each]) for each, created in records.items()
        ):
            yield "passengers"


def journey(flight: Json) -> Journey:
    """Return where, when and under which numbers a flight flies."""
    return (
        _airport(flight, "origin"),
        _airport(flight, "destination"),
        _time(flight, "departure_date"),
        _time(flight, "arrival_date"),
        _numbers(flight),
    )


def other_journey(before: Journey, now: Journey) -> str:
    """Return the first member in which two journeys differ, or an empty string; what either lacks is not compared."""
    differing = (name for name, one, other in zip(JOURNEY, before, now, strict=True) if one and other and one != other)
    return "" if before == now else next(differing, "")


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
    return abs(one - other) > MOMENT_TOLERANCE


def _airport(flight: Json, end: str) -> str:
    code = member(flight, end, "iata_code")
    return code.upper() if isinstance(code, str) else ""


def _time(flight: Json, name: str) -> str:
    time = member(flight, name)
    return time if isinstance(time, str) and len(time) == LENGTH_OF_A_TIME else ""


def _numbers(flight: Json) -> str:
    """Return the marketing flight numbers of a flight; its segments may be listed in another order (OPEN-80)."""
    numbers = set()
    for segment in items(flight, "segments")[: MOST_SEGMENTS + 1]:
        carrier = member(segment.get("marketing_carrier"), "iata_code")
        number = whole(segment.get("marketing_carrier_flight_number"))
        if not isinstance(carrier, str) or len(carrier) > LENGTH_OF_A_CARRIER or number is None:
            return ""
        numbers.add(f"{carrier.upper()}{number}")
    return " ".join(sorted(numbers)) if len(numbers) <= MOST_SEGMENTS else ""


def _records(booking: Json) -> Mapping[int, datetime | None] | None:
    """Return when each passenger record was created, by its id, or None if the ids are not unique integers."""
    records = items(booking, "passengers")
    created = {whole(record.get("id")): moment(record.get("created_at")) for record in records[:MOST_RECORDS]}
    known = {key: time for key, time in created.items() if key is not None}
    return known if len(known) == len(records) else None
