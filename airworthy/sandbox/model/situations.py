"""Routes on which something happens that a client cannot cause by a request, as with test cards.

Every other pair of airports sells ordinary flights.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


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


_RESIDENT = ("BIRTH_DATE", "LOCALITY_CODE_OF_RESIDENCY")
DOCUMENTS = ("PASSPORT", "NATIONAL_ID_CARD", "NIE", "NIF")
# Enough seats for any number of test runs.
_ROOM = 2000
_ALL = (
    Situation("regular", "MAD", "BCN", "Direct flights that can be booked", sections=1),
    Situation("city", "LON", "MIL", "Cities with several airports", type="CITY"),
    Situation("connecting", "BIO", "ATH", "Connections of two and three sections", sections=2),
    Situation("technical_stop", "LIS", "WAW", "Flights with a stop", sections=1, technical_stop=True, in_profile=False),
    Situation("nothing_found", "CIA", "EDI", "No flights at all", sold=False, in_profile=False),
    Situation("sold_out", "MAD", "SVQ", "Found by Search without a free seat, sold out at Get Offer", sold_out=True),
    Situation("price_changed", "BCN", "PMI", "Costs more at Get Offer than at Search", price_factor=1.15),
    Situation("no_baggage", "MAD", "OPO", "No paid baggage options", baggage=False),
    Situation("birth_date_optional", "BCN", "NCE", "birthDate is optional for adults", additional_fields=()),
    Situation("birth_date_required", "MAD", "AGP", "birthDate is required for adults"),
    Situation("identification_required", "MAD", "LHR", "Offers list identification types", documents=DOCUMENTS),
    Situation(
        "resident",
        "MAD",
        "LPA",
        "Fares for residents",
        documents=("NIF", "NIE"),
        additional_fields=_RESIDENT,
        in_profile=False,
    ),
    Situation("no_card_fee", "LIS", "MAD", "No fee for payment by card", card_fee=False, in_profile=False),
    Situation("no_infants", "MAD", "BIO", "No offers with infants", infants=False, in_profile=False),
    Situation("supplier_fails", "GVA", "OSL", "The supplier fails: 500", supplier_fails=True, in_profile=False),
    Situation(
        "response_lost",
        "MAD",
        "VLC",
        "The first confirmation or booking succeeds, but the response is 504",
        sections=1,
        response_lost=True,
        in_profile=False,
        seats=_ROOM,
    ),
    Situation("flights_regular", "MAD", "PMI", "Direct flights with bags and infants", sections=1, seats=_ROOM),
    Situation("flights_connecting", "BIO", "HEL", "Flights of two and three segments", sections=2, seats=_ROOM),
    Situation("flights_many", "LHR", "DUB", "40 flights a day: several pages", daily=40, seats=_ROOM),
    Situation("flights_no_infants", "MAD", "IBZ", "No infant tickets", infants=False, seats=_ROOM),
    Situation("flights_no_bags", "BCN", "IBZ", "No bags", baggage=False, seats=_ROOM),
    Situation("flights_round_trip_fares", "MAD", "FCO", "Special round-trip fares", round_trip_fares=True, seats=_ROOM),
    Situation("flights_no_fares", "LIS", "CDG", "No special round-trip fares"),
    Situation("flights_sold_out_at_request", "MAD", "ZRH", "Sold out at POST requests", gone_at_request=True),
    Situation("flights_last_seats", "SVQ", "BCN", "Three seats on each flight", sections=1, seats=3),
    Situation(
        "flights_sold_out_at_booking", "MAD", "GVA", "Sold out at POST bookings", gone_at_booking=True, seats=_ROOM
    ),
    Situation("flights_price_moves", "MAD", "BRU", "Costs more at POST bookings", price_moves=True, seats=_ROOM),
    Situation("flights_charter", "MAN", "PMI", "Charter: confirmed at once", charter=True, seats=_ROOM),
    Situation(
        "flights_schedule_change", "STN", "LIN", "A later change of the schedule", schedule_change=True, seats=_ROOM
    ),
    Situation(
        "flights_need_apis", "LGW", "AGP", "Requires travel documents", need_apis=True, seats=_ROOM, in_profile=False
    ),
)
SITUATIONS: Mapping[str, Situation] = MappingProxyType({each.name: each for each in _ALL})
_ORDINARY = Situation("", "", "", "An ordinary route")
_BY_ROUTE = {(each.origin, each.destination): each for each in _ALL if each.type == "AIRPORT"}


def situation(origin: str, destination: str) -> Situation:
    """Return the situation of a route between two airports, which is ordinary for most."""
    return _BY_ROUTE.get((origin, destination), _ORDINARY)
