"""Where, when and under which numbers flights of v3 and v2 fly: what identifies them in many search results."""

from airworthy.contract.bodies.body import Json
from airworthy.contract.http.transaction import items, member, whole

LENGTH_OF_A_TIME = len("YYYY-MM-DD HH:mm:ss")
LENGTH_OF_A_CARRIER = len("IB")

Journey = tuple[str, str, str, str, str]
"""Where a flight departs and arrives, when, and as which flights; an empty string for what a response does not show."""
NO_JOURNEY: Journey = ("", "", "", "", "")
AIRPORTS = ("origin", "destination")
JOURNEY = (*AIRPORTS, "departure_date", "arrival_date", "segments")
_CARRIERS = ("marketing_carrier", "operating_carrier")
MOST_SEGMENTS = 3


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


def is_there_and_back(there: Journey, back: Journey) -> bool:
    """Return whether one journey is the return of another: between the same airports, and after it."""
    arrival, departure = there[JOURNEY.index("arrival_date")], back[JOURNEY.index("departure_date")]
    return "" not in there[:2] and there[:2] == back[1::-1] and "" < arrival < departure


def _airport(flight: Json, end: str) -> str:
    code = member(flight, end, "iata_code")
    return code.upper() if isinstance(code, str) else ""


def _time(flight: Json, name: str) -> str:
    time = member(flight, name)
    return time if isinstance(time, str) and len(time) == LENGTH_OF_A_TIME else ""


def _numbers(flight: Json) -> str:
    """Return the flight numbers of a flight; its segments may be listed in another order (OPEN-80)."""
    numbers = set()
    for segment in items(flight, "segments")[: MOST_SEGMENTS + 1]:
        own = [_number(segment, carrier) for carrier in _CARRIERS]
        if not all(own):
            return ""
        numbers.add("/".join(dict.fromkeys(own)))
    return " ".join(sorted(numbers)) if len(numbers) <= MOST_SEGMENTS else ""


def _number(segment: Json, carrier: str) -> str:
    code, number = member(segment, carrier, "iata_code"), whole(member(segment, f"{carrier}_flight_number"))
    is_known = isinstance(code, str) and len(code) <= LENGTH_OF_A_CARRIER and number is not None
    return f"{code.upper()}{number}" if is_known else ""
