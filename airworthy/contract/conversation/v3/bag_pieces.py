"""How many pieces of baggage a booking request or a booking of v3 and v2 names."""

from collections import Counter

from airworthy.contract.bodies.body import Json
from airworthy.contract.conversation.v3.bag_options import checked_bag
from airworthy.contract.http.transaction import items, member, whole

KINDS = ("checked", "cabin")
MOST_OPTIONS = 50

Pieces = frozenset[tuple[str, int]]
"""The numbers of pieces by kind."""


def pieces(bags: Json) -> Pieces | None:
    """Return the pieces among bag options, or None if they cannot be compared.

    Weights are compared elsewhere: that of a cabin bag may be left out (OPEN-16).
    """
    listed = {kind: member(bags, kind) for kind in KINDS}
    if not any(isinstance(options, list) for options in listed.values()):
        return None
    counted: Counter[str] = Counter()
    for kind, array in listed.items():
        options = items(bags, kind)
        if array is not None and (not isinstance(array, list) or len(options) < len(array)):
            return None
        for option in options:
            quantity = whole(option.get("quantity"))
            if quantity is None or len(options) > MOST_OPTIONS:
                return None
            counted[kind] += quantity
    return frozenset((+counted).items())


def of_request(bags: Json, flight: Json) -> Pieces | None:
    """Return the requested pieces, or None if there are more options than the flight offers (OPEN-86)."""
    offered = {kind: member(flight, "bags", kind) for kind in KINDS}
    is_more = any(isinstance(each, list) and len(items(bags, kind)) > len(each) for kind, each in offered.items())
    return None if is_more else pieces(bags)


def booked_bags(booking: Json, version: str) -> Json:
    """Return the bags of a booking by their kinds; in v3 it may list them under the id of its flight."""
    if version == "v2":
        return {"checked": member(booking, "luggage")}
    bags = member(booking, "bags")
    if bags == {}:
        return {"checked": []}
    return member(bags, str(member(booking, "flight_id"))) or bags


def weights(checked: Json) -> tuple[float, ...]:
    """Return the weights of the checked bags that were chosen, or nothing if one of them is not known."""
    chosen = [each for each in items(checked)[:MOST_OPTIONS] if whole(each.get("quantity"))]
    known = [weight for each in chosen if (weight := checked_bag(each)) is not None]
    return tuple(sorted(known)) if len(known) == len(chosen) else ()


def are_fewer(shown: Pieces, expected: Pieces) -> bool:
    """Return whether there are fewer pieces of a kind than expected."""
    of_kind = dict(shown)
    return any(of_kind.get(kind, 0) < number for kind, number in expected)
