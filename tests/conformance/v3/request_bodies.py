"""The requests that the suite sends to v2 and v3, built from earlier responses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import combinations
from typing import Any, Final, Literal, TypeVar

from airworthy.contract.http.transaction import as_number
from conformance.request_draft import RequestDraft
from conformance.v4.request_bodies import PassengerCounts, contacts, surnames

T = TypeVar("T")
Interface = Literal["v2", "v3"]
BagKind = Literal["checked", "cabin"]
Pieces = Sequence[int]
"""The pieces of each bag option for sale, the dearest one first."""
Bags = Mapping[BagKind, Pieces]
ONE: Final[Pieces] = (1,)
INTERFACES: tuple[Interface, ...] = ("v2", "v3")
# In the words of the features.
INTERFACE = f"(?P<interface>{'|'.join(INTERFACES)})"

# The values of gender are not documented (OPEN-83): the suite uses the first pair that the service accepts.
GENDERS: tuple[tuple[str, str], ...] = (
    *(("male", "female"), ("M", "F"), ("MALE", "FEMALE"), ("m", "f")),
    *(("Male", "Female"), ("MR", "MRS"), ("Mr", "Mrs")),
)
# The formats of birth and passport dates are not documented either (OPEN-10).
DATE_FORMATS = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%Y-%m-%dT%H:%M:%S")
# An id that identifies nothing: larger than any in use, and still a 32-bit integer.
UNKNOWN_ID = 2_147_483_629
# It has no word of an error message, because no text of a report repeats the words of a private value.
UNKNOWN_CUSTOMER = "AIRWORTHY-NOBODY"
_FEW_PIECES = 2
# The most flights of a request, and booking requests of a booking (v3, Limits).
MOST_TOGETHER: Mapping[Interface, int] = {"v3": 2, "v2": 3}
_SIDES = ("width", "height", "length")
_OPERATIONS = {
    "searchFlights": ("GET", "flights"),
    "verifyFlight": ("POST", "flights/verify"),
    "createRequests": ("POST", "requests"),
    "createBookings": ("POST", "bookings"),
    "getBookings": ("GET", "bookings"),
}


@dataclass(frozen=True, slots=True)
class PersonNotation:
    """How a service writes dates of birth and genders, which the documents leave open (OPEN-10, OPEN-83)."""

    date_format: str = "%Y-%m-%d"
    genders: tuple[str, str] = GENDERS[0]


def draft(interface: Interface, operation: str, **parts: Any) -> RequestDraft:
    """Build a request of an operation, named as in v3, from the parts of `RequestDraft`."""
    method, path = _OPERATIONS[operation]
    name = f"{operation}V2" if interface == "v2" else operation
    return RequestDraft(name, method, f"/{interface}/{path}", **parts)


def search_flights(interface: Interface, origin: str, destination: str, start: date, days: int = 3) -> RequestDraft:
    """Build a flight search over a window of days (v3, GET /v3/flights)."""
    end = start + timedelta(days=days)
    query = {"origin": origin, "destination": destination, "start": start.isoformat(), "end": end.isoformat()}
    return draft(interface, "searchFlights", query=query)


def verify_flight(flight_id: Any, customer_code: str) -> RequestDraft:
    """Build a verification (v3, POST /v3/flights/verify)."""
    body = {"flight_id": flight_id, "passengers": {"adults": 1}, "customer_code": customer_code}
    return draft("v3", "verifyFlight", body=body)


_SURNAME, _CONTACT = surnames("Flightworthy"), contacts("Flightworthy")
# No name is part of another or of a middle name: a record tells whose it is even if the service joins names.
_COUNTRIES = ("ES", "PT", "FR")
_FIRST_NAMES = ("Santos", "Lucia", "Bruno", "Vera", "Diego", "Elena", "Felix", "Clara", "Oscar")
_MIDDLE_NAMES = ("Maria", "Dumont")


def surname() -> str:
    """Return a surname that was not used before."""
    return next(_SURNAME)


def passengers(party: PassengerCounts, today: date, notation: PersonNotation) -> list[dict[str, Any]]:
    """Build passenger objects of different people of one family, each with a passport (v3, POST /v3/requests).

    A service may reject a person who is on the flight already (v3, Errors, 409).
    """
    # An infant is one at the flight, too, however far ahead that is (OPEN-84).
    ages_in_days = {"child": 7 * 365, "infant": 60}
    # One of two adults was born before 1970, and in another season.
    adults = 35 * 365, 75 * 365 + 182
    name = surname()

    def written(about: date) -> str:
        """Write a day of that month which a service may confuse with a month."""
        return about.replace(day=1 + about.day % 12).strftime(notation.date_format)

    return [
        {
            "first_name": _FIRST_NAMES[index % len(_FIRST_NAMES)],
            "middle_name": _MIDDLE_NAMES[index % 2],
            "last_name": name,
            "gender": notation.genders[index % 2],
            "date_of_birth": written(today - timedelta(days=ages_in_days.get(kind, adults[index % 2]) + index)),
            "birth_country": _COUNTRIES[(index + 1) % 3],
            "passport_number": f"AW{index:02d}{name[-3:].upper()}7X",
            "passport_expiry_date": written(today + timedelta(days=5 * 365 + index)),
            "passport_country_of_issue": _COUNTRIES[(index + 2) % 3],
            "nationality": _COUNTRIES[index % 3],
        }
        for index, kind in enumerate(party.types)
    ]


def options(flight: Mapping[str, Any], interface: Interface, kind: BagKind) -> list[Mapping[str, Any]]:
    """Return the options of a kind of bag that a flight lists; v2 knows checked ones only."""
    listed = flight.get("luggage_options") if interface == "v2" else (flight.get("bags") or {}).get(kind)
    return [option for option in listed or () if isinstance(option, Mapping)]


def bag_options(flight: Mapping[str, Any], bags: Bags | None = None) -> dict[str, list[dict[str, Any]]]:
    """List every bag option of a v3 flight as the search showed it, with the pieces of some ``bags``.

    The price is left out: whether it may be sent is left open (OPEN-86).
    """
    listed: dict[str, list[dict[str, Any]]] = {}
    kinds: tuple[BagKind, ...] = ("checked", "cabin")
    for kind in kinds:
        shown = options(flight, "v3", kind)
        chosen = _quantities(shown, (bags or {}).get(kind, ()))
        listed[kind] = [_measures(option) | {"quantity": each} for option, each in zip(shown, chosen, strict=True)]
    return listed


def _quantities(shown: Sequence[Mapping[str, Any]], pieces: Pieces) -> list[int]:
    """Return how many pieces each bag option gets: a quantity of 0 may say that none is left (OPEN-81).

    The price of a bag shows in every total only if it is not free. A quantity below three may say that no more can be
    chosen (OPEN-81).
    """
    quantities = [as_number(option.get("quantity")) for option in shown]
    prices = [as_number(option.get("price")) or 0 for option in shown]
    for_sale = [at for at, quantity in enumerate(quantities) if quantity != 0] or range(len(shown))
    dearest = sorted(for_sale, key=lambda at: (prices[at], at), reverse=True)
    chosen = dict(zip(dearest, pieces, strict=False))
    wanted = [chosen.get(at, 0) for at in range(len(shown))]
    return [
        each if each <= (quantity or each) else min(each, _FEW_PIECES)
        for each, quantity in zip(wanted, quantities, strict=True)
    ]


def _measures(option: Mapping[str, Any]) -> dict[str, Any]:
    """Return the documented members by which a bag option is recognised; a service may reject any other (OPEN-47)."""
    measures = {name: option[name] for name in ("weight", "dimensions") if option.get(name) is not None}
    dimensions = measures.get("dimensions")
    if isinstance(dimensions, Mapping):
        measures["dimensions"] = {side: dimensions[side] for side in _SIDES if side in dimensions}
    return measures


def in_order(travellers: Sequence[T]) -> list[T]:
    """Return the passengers of a v3 booking request with the second adult last: the order shows no infants."""
    first, *others = travellers
    return [first, *others[1:], *others[:1]]


def create_requests(
    flights: Sequence[Mapping[str, Any]],
    travellers: Sequence[Mapping[str, Any]],
    customer_code: str,
    *,
    bags: Bags | None = None,
) -> RequestDraft:
    """Build a v3 booking request with every bag option of its flights (v3, POST /v3/requests)."""
    body = {
        "flight_ids": [flight["id"] for flight in flights],
        "customer_code": customer_code,
        "passengers": in_order(travellers),
        "bags": {str(flight["id"]): bag_options(flight, bags) for flight in flights},
        "fare_type": "one_way",
    }
    return draft("v3", "createRequests", body=body)


def create_requests_v2(
    flights: Sequence[Mapping[str, Any]], party: PassengerCounts, customer_code: str
) -> RequestDraft:
    """Build a v2 booking request (v3, v2 endpoints)."""
    counts = {"adults": party.adults, "children": party.children, "infants": party.infants}
    body = {"flights": [flight["id"] for flight in flights], "customer_code": customer_code, "passengers": counts}
    return draft("v2", "createRequests", body=body)


def cancel_request(request_id: Any) -> RequestDraft:
    """Build a cancellation (v3, POST /v3/requests/{request_id}/cancel).

    A service may require that it is declared as JSON, as the other POST requests, and so has a body (OPEN-89).
    """
    return RequestDraft("cancelRequest", "POST", f"/v3/requests/{request_id}/cancel", body={})


def _external_id() -> str:
    """Return a text of letters of both cases, digits and other characters, as clients use for tracing."""
    return f"Trace_{surname()}/1.b:2"


def _booker(genders: Sequence[str]) -> dict[str, Any]:
    contact = next(_CONTACT)
    return {
        "first_name": contact.name,
        "last_name": surname(),
        "gender": genders[contact.gender],
        "email": contact.email,
        "phonenumber": f"{contact.phone_prefix}{contact.phone}{contact.digit}",
        "address": f"Calle de la Prueba {contact.digit}",
        "city_name": contact.city,
        "country_code": contact.country,
        "postal_code": contact.postal_code,
    }


def create_bookings(
    requests: Sequence[Mapping[str, Any]], customer_code: str, notation: PersonNotation, payment: Mapping[str, Any]
) -> RequestDraft:
    """Build a v3 booking of one or two requests (v3, POST /v3/bookings)."""
    body = {
        "request_ids": [request["id"] for request in requests],
        "external_id": _external_id(),
        "customer_code": customer_code,
        **_booker(notation.genders),
        **payment,
    }
    return draft("v3", "createBookings", body=body)


def luggage(requests: Sequence[Mapping[str, Any]], pieces: Pieces = ()) -> dict[str, list[dict[str, Any]]]:
    """List every luggage option of the requests' flights, with some ``pieces`` of each flight."""
    listed = {str(request["id"]): options(request.get("flight") or {}, "v2", "checked") for request in requests}
    return {
        key: [
            {"weight": option["weight"], "price": option["price"], "quantity": each}
            for option, each in zip(found, _quantities(found, pieces), strict=True)
        ]
        for key, found in listed.items()
    }


def create_bookings_v2(
    requests: Sequence[Mapping[str, Any]],
    travellers: Sequence[Mapping[str, Any]],
    customer_code: str,
    notation: PersonNotation,
    payment: Mapping[str, Any],
    *,
    infants: int = 0,
    pieces: Pieces = (),
) -> RequestDraft:
    """Build a v2 booking, with its passengers (the last ones are the infants) and luggage (v3, v2 endpoints)."""
    seated = len(travellers) - infants
    body = {
        "requests": [request["id"] for request in requests],
        "external_id": _external_id(),
        "customer_code": customer_code,
        **_booker(notation.genders),
        "passengers": [{**traveller, "is_infant": at >= seated} for at, traveller in enumerate(travellers)],
        "luggage": luggage(requests, pieces),
        **payment,
    }
    return draft("v2", "createBookings", body=body)


def of_one_request(booking: RequestDraft, request_id: Any) -> RequestDraft:
    """Return a booking of one of its booking requests."""
    if "request_ids" in booking.body:
        return booking.with_value("request_ids", [request_id])
    luggage_of_one = {str(request_id): booking.body["luggage"][str(request_id)]}
    return booking.with_value("requests", [request_id]).with_value("luggage", luggage_of_one)


def with_another_request(booking: RequestDraft, request: Mapping[str, Any], *, is_first: bool = False) -> RequestDraft:
    """Return a booking of one more booking request, the first or the last of them."""
    name = "request_ids" if "request_ids" in booking.body else "requests"
    listed = booking.body[name]
    together = booking.with_value(name, [request["id"], *listed] if is_first else [*listed, request["id"]])
    if name == "request_ids":
        return together
    return together.with_value("luggage", booking.body["luggage"] | luggage([request]))


def with_customer_data(booking: RequestDraft, *optional: str) -> RequestDraft:
    """Return a v2 booking whose customer, who is not the booker, is described instead of named by a code."""
    customer = _booker(next(each for each in GENDERS if booking.body["gender"] in each))
    data = {name: customer[name] for name in (*BOOKER, *optional)} | {"is_company": False}
    data["email"] = f"customer.{data['email']}"
    return booking.without("customer_code").with_value("customer_data", data)


def with_complete_customer_data(booking: RequestDraft, *, is_company: bool) -> RequestDraft:
    """Return a v2 booking whose customer is described with every member that the documents name."""
    described = with_customer_data(booking, "address", "city_name", "country_code", "postal_code")
    company = {"registration_number": "B84711001", "vat_number": "ESB84711001", "is_company": is_company}
    return described.with_value("customer_data", described.body["customer_data"] | company)


BOOKER = ("first_name", "last_name", "gender", "email", "phonenumber")
"""The required fields of a booker."""
_OPTIONAL = ("external_id", "address", "city_name", "country_code", "postal_code")
TRAVEL_DOCUMENT = (
    *("passport_number", "passport_expiry_date", "passport_country_of_issue"),
    *("nationality", "birth_country"),
)


def without_optional_fields(draft: RequestDraft, *, passports: bool = True) -> RequestDraft:
    """Return a booking request or booking without its optional fields; ``passports`` keeps travel documents."""
    body = {name: value for name, value in draft.body.items() if name not in _OPTIONAL}
    travellers = body.get("passengers")
    if isinstance(travellers, list):
        left_out = {"middle_name", *(() if passports else TRAVEL_DOCUMENT)}
        body["passengers"] = [
            {name: value for name, value in each.items() if name not in left_out} for each in travellers
        ]
    elif isinstance(travellers, Mapping):
        body["passengers"] = {"adults": travellers["adults"]}
    return replace(draft, body=body)


def with_some_optional_fields(draft: RequestDraft) -> RequestDraft:
    """Return a booking request or booking in which some of four passengers send each optional field, and others not.

    For any two fields, one of the passengers sends the first without the second.
    """
    senders = dict(zip(("middle_name", *TRAVEL_DOCUMENT), combinations(range(4), 2), strict=True))
    travellers = [
        {name: value for name, value in each.items() if number in senders.get(name, (number,))}
        for number, each in enumerate(draft.body["passengers"])
    ]
    return draft.with_value("passengers", travellers)


def get_bookings(interface: Interface, reference: str) -> RequestDraft:
    """Build the retrieval of bookings (v3, GET /v3/bookings)."""
    return draft(interface, "getBookings", query={"cp_reference": reference})
