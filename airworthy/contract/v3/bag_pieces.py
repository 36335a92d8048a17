"""How many pieces of baggage a booking request or a booking of v3 and v2 names."""

from collections import Counter

from airworthy.contract.body import Json
from airworthy.contract.transaction import items, member, whole

KINDS = ("checked", "cabin")
MOST_OPTIONS = 50

Pieces = frozenset[tuple[str, int]]
"""The numbers of pieces by kind."""


def pieces(bags: Json) -> Pieces | None:
    """Return the pieces among bag options, or None if they cannot be compared.

    Weights are not compared: that of a cabin bag may be left out (OPEN-16), and those in a booking are redacted in
    evidence, as the documents do not describe them.
    """
    if not any(isinstance(member(bags, kind), list) for kind in KINDS):
        return None
    counted: Counter[str] = Counter()
    for kind in KINDS:
        options = items(bags, kind)
        for option in options:
            quantity = whole(option.get("quantity"))
            if quantity is None or len(options) > MOST_OPTIONS:
                return None
            counted[kind] += quantity
    return frozenset((+counted).items())


def of_luggage(luggage: Json) -> Pieces | None:
    """Return the pieces among the luggage options of v2, which are all checked."""
    return pieces({"checked": luggage})


def of_booking(booking: Json) -> Pieces | None:
    """Return the pieces of a booking, or None if it lists them under the ids of flights, whose form is open."""
    luggage = member(booking, "luggage")
    return of_luggage(luggage) if luggage is not None else pieces(member(booking, "bags"))
