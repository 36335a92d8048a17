"""How many pieces of baggage a booking request or a booking of v3 and v2 names."""

from collections import Counter

from airworthy.contract.body import Json
from airworthy.contract.transaction import items, member, whole

KINDS = ("checked", "cabin")
MOST_OPTIONS = 50

Pieces = frozenset[tuple[str, int]]
"""The numbers of pieces, by kind and, for checked bags, by weight."""


def pieces(bags: Json) -> Pieces | None:
    """Return the pieces among bag options, or None if they cannot be compared.

    The weight of a cabin bag may be left out (OPEN-16).
    """
    if not any(isinstance(member(bags, kind), list) for kind in KINDS):
        return None
    counted: Counter[str] = Counter()
    for kind in KINDS:
        options = items(bags, kind)
        for option in options:
            quantity, weight = whole(option.get("quantity")), option.get("weight")
            is_weighed = isinstance(weight, int | float) and not isinstance(weight, bool)
            if quantity is None or (kind == "checked" and not is_weighed) or len(options) > MOST_OPTIONS:
                return None
            counted[f"{kind} {weight:g}" if kind == "checked" else kind] += quantity
    return frozenset((+counted).items())


def of_luggage(luggage: Json) -> Pieces | None:
    """Return the pieces among the luggage options of v2, which are all checked."""
    return pieces({"checked": luggage})


def of_booking(booking: Json) -> Pieces | None:
    """Return the pieces of a booking; whether v3 lists them under the id of the flight is open."""
    luggage, bags, flight = (member(booking, name) for name in ("luggage", "bags", "flight_id"))
    return of_luggage(luggage) if luggage is not None else pieces(member(bags, str(flight)) or bags)
