"""Routes on which something happens that a client cannot cause by a request, as with test cards.

``situations.toml`` lists them. Every other pair of airports sells ordinary flights.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Situation:
    """The special behaviour of a route.

    ``type`` is the location type of both ends. ``sections`` is the smallest number of sections of an itinerary (0:
    any). ``documents`` are the identification types that the supplier lists, ``additional_fields`` the fields that it
    requires. ``in_profile`` says whether profiles have a name for the route. ``daily`` is the number of flights a day,
    ``seats`` the number of seats of each (0: any). The fields after ``response_lost`` concern v3 and v2 only.
    """

    name: str
    origin: str
    destination: str
    description: str
    type: str = "AIRPORT"
    in_profile: bool = True
    sections: int = 0
    technical_stop: bool = False
    sold: bool = True
    sold_out: bool = False
    price_factor: float = 1.0
    baggage: bool = True
    card_fee: bool = True
    infants: bool = True
    documents: tuple[str, ...] = ()
    additional_fields: tuple[str, ...] = ("BIRTH_DATE",)
    supplier_fails: bool = False
    response_lost: bool = False
    daily: int = 0
    seats: int = 0
    round_trip_fares: bool = False
    gone_at_request: bool = False
    gone_at_booking: bool = False
    price_moves: bool = False
    charter: bool = False
    schedule_change: bool = False
    need_apis: bool = False

    @property
    def route(self) -> dict[str, str]:
        """The route as it appears in a profile."""
        ends = {"origin": self.origin, "destination": self.destination}
        return ends | ({"origin_type": "CITY", "destination_type": "CITY"} if self.type == "CITY" else {})


DOCUMENTS = ("PASSPORT", "NATIONAL_ID_CARD", "NIE", "NIF")


def _situation(name: str, row: list[Any]) -> Situation:
    origin, destination, description, *rest = row
    more = rest[0] if rest else {}
    members: dict[str, Any] = {key: tuple(each) if isinstance(each, list) else each for key, each in more.items()}
    return Situation(name, origin, destination, description, **members)


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
SITUATIONS: Mapping[str, Situation] = {name: _situation(name, row) for name, row in _TABLE.items()}
_ORDINARY = Situation("", "", "", "An ordinary route")
# The schedule changes of the flights back, too.
_BY_ROUTE = {(each.destination, each.origin): each for each in SITUATIONS.values() if each.schedule_change}
_BY_ROUTE |= {(each.origin, each.destination): each for each in SITUATIONS.values() if each.type == "AIRPORT"}


def situation(origin: str, destination: str) -> Situation:
    """Return the situation of a route between two airports, which is ordinary for most."""
    return _BY_ROUTE.get((origin, destination), _ORDINARY)
