"""Routes with a purpose: what no client can provoke by itself happens on these, and nowhere else.

They stand to flights as test cards stand to payments. Every other pair of airports sells ordinary flights.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Situation:
    """What is special about a route.

    ``type`` is the location type of both ends. ``sections`` is how many sections each itinerary has at least (0:
    mixed). ``documents`` are the identification types that the supplier lists, ``additional_fields`` what it demands.
    ``in_profile`` says whether a suite's profile has a name for it. ``daily`` flights have ``seats`` each (0: as it
    comes). What follows ``supplier_fails`` is about the request-based interfaces alone.
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
        """The route as a profile names it."""
        ends = {"origin": self.origin, "destination": self.destination}
        return ends | ({"origin_type": "CITY", "destination_type": "CITY"} if self.type == "CITY" else {})


_RESIDENT_FIELDS = ("BIRTH_DATE", "LOCALITY_CODE_OF_RESIDENCY")
_DOCUMENTS = ("PASSPORT", "NATIONAL_ID_CARD", "NIE", "NIF")
# So many that no run of a suite books a flight out.
_ROOM = 2000
_ALL = (
    Situation("regular", "MAD", "BCN", "Direct flights that can be booked", sections=1),
    Situation("city", "LON", "MIL", "From any airport of a city to any of another", type="CITY"),
    Situation("connecting", "BIO", "ATH", "Connections of two and three sections", sections=2),
    Situation(
        "technical_stop",
        "LIS",
        "WAW",
        "Flights that land on their way",
        sections=1,
        technical_stop=True,
        in_profile=False,
    ),
    Situation("nothing_found", "CIA", "EDI", "No flights at all", sold=False, in_profile=False),
    Situation("sold_out", "MAD", "SVQ", "Found by Search, gone at Get Offer", sold_out=True),
    Situation("price_changed", "BCN", "PMI", "Dearer at Get Offer than at Search", price_factor=1.15),
    Situation("no_baggage", "MAD", "OPO", "No paid baggage options", baggage=False),
    Situation("birth_date_optional", "BCN", "NCE", "Adults need no birthDate", additional_fields=()),
    Situation("birth_date_required", "MAD", "AGP", "Adults need a birthDate"),
    Situation("identification_required", "MAD", "LHR", "Lists identification types", documents=_DOCUMENTS),
    Situation(
        "resident",
        "MAD",
        "LPA",
        "Fares for residents",
        documents=("NIF", "NIE"),
        additional_fields=_RESIDENT_FIELDS,
        in_profile=False,
    ),
    Situation("no_card_fee", "LIS", "MAD", "Paying by card costs nothing more", card_fee=False, in_profile=False),
    Situation("no_infants", "MAD", "BIO", "No offers with infants", infants=False, in_profile=False),
    Situation("supplier_fails", "GVA", "OSL", "No supplier can be reached: 500", supplier_fails=True, in_profile=False),
    Situation("flights_regular", "MAD", "PMI", "Direct flights with bags and infants", sections=1, seats=_ROOM),
    Situation("flights_connecting", "BIO", "HEL", "Flights of two and three segments", sections=2, seats=_ROOM),
    Situation("flights_many", "LHR", "DUB", "40 flights a day: more than one page of them", daily=40, seats=_ROOM),
    Situation("flights_no_infants", "MAD", "IBZ", "No infants are sold", infants=False, seats=_ROOM),
    Situation("flights_no_bags", "BCN", "IBZ", "No bags are sold", baggage=False, seats=_ROOM),
    Situation("flights_round_trip_fares", "MAD", "FCO", "Has round-trip fares", round_trip_fares=True, seats=_ROOM),
    Situation("flights_no_fares", "LIS", "CDG", "Has no round-trip fares"),
    Situation("flights_sold_out_at_request", "MAD", "ZRH", "Found, gone at the request", gone_at_request=True),
    Situation(
        "flights_sold_out_at_booking", "MAD", "GVA", "Requested, gone at the booking", gone_at_booking=True, seats=_ROOM
    ),
    Situation("flights_price_moves", "MAD", "BRU", "Dearer at the booking", price_moves=True, seats=_ROOM),
    Situation("flights_charter", "MAN", "PMI", "Charter: confirmed at once", charter=True, seats=_ROOM),
    Situation("flights_schedule_change", "STN", "LIN", "Moved after the booking", schedule_change=True, seats=_ROOM),
    Situation(
        "flights_need_apis", "LGW", "AGP", "Needs travel documents", need_apis=True, seats=_ROOM, in_profile=False
    ),
)
SITUATIONS: Mapping[str, Situation] = MappingProxyType({each.name: each for each in _ALL})
_ORDINARY = Situation("", "", "", "An ordinary route")
_BY_ROUTE = {(each.origin, each.destination): each for each in _ALL if each.type == "AIRPORT"}


def situation(origin: str, destination: str) -> Situation:
    """Return what is special about a route between two airports; for most, nothing is."""
    return _BY_ROUTE.get((origin, destination), _ORDINARY)
