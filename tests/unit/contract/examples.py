"""A conforming conversation of each interface, and functions that change one thing in it.

The bodies are the examples of the OpenAPI documents, with more optional members.
"""

import json
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from airworthy.contract import Exchange, Request, Response
from airworthy.contract.bodies.body import Json
from exchange_parts import changed_response, response_of
from unit.contract.documented import documented

START = datetime(2026, 11, 2, 10, 0, tzinfo=UTC)
BASE = "https://service.example"
HEADERS = (("Authorization", "test-key"), ("Accept", "application/json"), ("Content-Type", "application/json"))
BEARER_HEADERS = (("Authorization", "Bearer test-token"), *HEADERS[1:])
JSON = (("Content-Type", "application/json; charset=utf-8"),)
# A verification is judged only before the operation ended, in minutes after the start.
VERIFICATION = -60 * 24 * 60.0

Change = Callable[[Any], None]


def put(path: str, value: object) -> Change:
    """Set the value at a path such as ``passengers[0].type``."""

    def change(body: Json) -> None:
        holder, last = _holder(body, path)
        if isinstance(holder, list) and last == len(holder):
            holder.append(deepcopy(value))
        else:
            holder[last] = deepcopy(value)

    return change


def add(path: str, members: Mapping[str, object]) -> Change:
    """Set members of the object at a path."""

    def change(body: Json) -> None:
        holder, last = _holder(body, path)
        holder[last] |= deepcopy(dict(members))

    return change


def drop(path: str) -> Change:
    """Remove the value at a path."""

    def change(body: Json) -> None:
        holder, last = _holder(body, path)
        del holder[last]

    return change


def changed(body: Json, *changes: Change) -> Json:
    """Return a copy of a body with changes made to it."""
    copy = deepcopy(body)
    for change in changes:
        change(copy)
    return copy


def _holder(body: Json, path: str) -> tuple[Json, Any]:
    """Return what holds the value at a path, and its name or index there."""
    *way, last = (int(index) if index else name for index, name in re.findall(r"\[(\d+)\]|([^.\[]+)", path))
    for part in way:
        body = body[part]
    return body, last


_EXAMPLES = {each.operation: each for version in ("v4", "v3", "v2") for each in documented(version)}

# v4

IDENTIFICATION = {
    "type": "PASSPORT",
    "identificationNumber": "XDA123456",
    "expirationDate": "2040-05-01",
    "issueCountryCode": "ES",
}
_PERSON = {"secondLastName": None, "nationalityCountryCode": "ES", "identification": IDENTIFICATION}
_ITEM = "selectedBaggage[0]"
_PRICE = _EXAMPLES["createOrder"].returned["selectedBaggage"][0]["pricePerPiece"]
_SECTION: dict[str, Any] = {"technicalStops": []}
_CHECKED = {"quantity": 1, "descriptor": {"weight": None}, "type": "CHECK_IN"}
_ORDER = [
    add("passengers[0]", _PERSON),
    put(f"{_ITEM}.outboundSegmentBaggageSelection[0].pricePerPiece", _PRICE),
    drop(f"{_ITEM}.pricePerPiece"),
    add("offer.outboundSegment.sections[0]", _SECTION),
    *map(drop, ("passengers[0].middleName", "offer.inboundSegment")),
    *(drop(f"offer.outboundSegment.sections[0].{end}Terminal") for end in ("departure", "arrival")),
    put("offer.fare.includedBaggage[1]", _CHECKED),
]
_RESERVATION = [
    put("passengers[0].nationalityCountryCode", "ES"),
    drop(f"{_ITEM}.pricePerPiece"),
    add("outboundSegment.sections[0]", _SECTION),
    *(drop(f"outboundSegment.sections[0].{end}Terminal") for end in ("departure", "arrival")),
    drop("inboundSegment"),
    put("fare", {}),
]
_OPTIONS = "providerAdditionalPassengerInformationByPassengerType.adult.providerIdentificationTypeOptions"

# v3 and v2

_ADDRESS = {"address": "Calle Mayor 1", "country_code": "ES", "postal_code": "28013"}
_BOOKER = [put(name, value) for name, value in (_ADDRESS | {"city_name": "Madrid"}).items()]
_FLIGHT = _EXAMPLES["searchFlights"].returned["results"][0]
_LATER = {"departure_date": "2035-03-14 08:35:00", "arrival_date": "2035-03-14 10:50:00"}
CHANGE: dict[str, Any] = {
    "status": "WAITING",
    "data": {
        "flight_id": _FLIGHT["id"],
        "oldFlight": {
            "need_apis": False,
            "segment_1_departure_date": _FLIGHT["departure_date"],
            "segment_1_airline_iata_code": "AZ",
            "segment_1_airline_name": "ITA Airways",
        },
        "newFlight": {
            "segment_1_departure_date": _LATER["departure_date"],
            "segment_1_origin_airport": "MAD",
            "segment_1_origin_timezone": "Europe/Madrid",
            "segment_1_flight_number": "AZ3210",
            "segment_2_airline_iata_code": "AZ",
            "segment_2_departure_date": _LATER["departure_date"],
            "segment_3_flight_number": "AZ3209",
        },
    },
    "created_at": "2035-01-16T08:00:00Z",
    "updated_at": "2035-01-16T08:00:00Z",
}
_BOOKED = [
    add("bookings[0]", _ADDRESS | {"infant_price": None}),
    put("bookings[0].flight.segments[0].duration", _FLIGHT["duration"]),
]
_BAGS = [put("bookings[0].bags.cabin", []), drop("bookings[0].bags.checked[1]")]
_MOVED = [
    *_BOOKED,
    put("bookings[0].passengers[0].updated_at", "2035-01-15T09:30:00+00:00"),
    put("bookings[0].final_flight.segments[0].duration", _FLIGHT["duration"]),
    add("bookings[0].final_flight", _LATER),
    add("bookings[0].final_flight.segments[0]", _LATER | {"marketing_carrier_flight_number": 3210}),
    put("bookings[0].flight_changes", [CHANGE]),
]
_REQUESTED = [
    put("requests[0].infant_price", None),
    put("requests[0].flight.segments[0].duration", _FLIGHT["duration"]),
    put("requests[0].customer.vat_number", "ESB12345678"),
    put("requests[0].customer.company_codes", []),
]

_SENT: Mapping[str, list[Change]] = {
    "getOffer": [drop("travelClass")],
    "createOrder": [add("passengers[0]", _PERSON)],
    "createBookings": _BOOKER,
    "createBookingsV2": _BOOKER,
}
_RETURNED: Mapping[str, list[Change]] = {
    "searchOffers": [drop("offers[1]"), add("offers[0].outboundSegment.sections[0]", _SECTION)],
    "getOffer": [
        add("outboundSegment.sections[0]", _SECTION | {"arrivalTerminal": None}),
        put("cheapestFare.includedBaggage[1]", _CHECKED),
        put(_OPTIONS, ["PASSPORT", "NIF"]),
        put("paymentOptions[1].fee", None),
    ],
    "getFares": [drop("fares[1]"), drop("fares[0].includedBaggage")],
    "getBaggage": [
        drop("fareBaggageOptions[1]"),
        drop("fareBaggageOptions[0].outboundSegmentOptions[2]"),
        drop("fareBaggageOptions[0].outboundSegmentOptions[1]"),
    ],
    "createOrder": [*_ORDER, drop("reservationId")],
    "confirmOrder": _ORDER,
    "getOrder": _ORDER,
    "getReservation": _RESERVATION,
    "findReservation": _RESERVATION,
    "searchFlights": [drop("results[1]")],
    "searchFlightsV2": [drop("results[1]")],
    "searchRoundTrips": [put("next_page_id", "cursor-2")],
    "createRequests": _REQUESTED,
    "createRequestsV2": _REQUESTED,
    "createBookings": [*_BOOKED, *_BAGS],
    "createBookingsV2": _BOOKED,
    "getBookings": [*_MOVED, *_BAGS],
    "getBookingsV2": _MOVED,
}

SENT: dict[str, Json] = {
    name: changed(each.sent, *_SENT.get(name, ())) for name, each in _EXAMPLES.items() if each.sent is not None
}
RETURNED: dict[str, Json] = {name: changed(each.returned, *_RETURNED.get(name, ())) for name, each in _EXAMPLES.items()}
ENDPOINTS: dict[str, tuple[str, str]] = {
    name: (each.method, f"/{each.version}{each.path}") for name, each in _EXAMPLES.items()
}
# The documented cancellation is of another booking request.
ENDPOINTS["cancelRequest"] = ("POST", f"/v3/requests/{RETURNED['createRequests']['requests'][0]['id']}/cancel")
HEADERS_OF = {name: HEADERS if each.version == "v4" else BEARER_HEADERS for name, each in _EXAMPLES.items()}
OF_V4 = tuple(name for name, each in _EXAMPLES.items() if each.version == "v4")

OFFER, FARE, ORDER = RETURNED["getOffer"]["id"], RETURNED["getFares"]["fares"][0]["id"], RETURNED["getOrder"]["id"]
RESERVATION = RETURNED["getReservation"]["id"]
[PASSENGER], CONTACT = SENT["createOrder"]["passengers"], SENT["createOrder"]["customerContact"]
[BAG] = SENT["createOrder"]["selectedBaggage"][0]["outboundSegmentBaggageSelection"]
THREE_D = {
    "version": "2.2.0",
    "electronic_commerce_indicator": "05",
    "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
    "transaction_id": "f25084f0-5b16-4c0a-ae5d-b24808a95e4b",
}


def money(amount: float) -> dict[str, Any]:
    return {"amount": amount, "currency": "EUR"}


def section(**more: object) -> dict[str, Any]:
    return {**RETURNED["createOrder"]["offer"]["outboundSegment"]["sections"][0], **more}


def pricing(adults: int = 1, children: int = 0, infants: int = 0) -> dict[str, Any]:
    of_one = RETURNED["getOffer"]["cheapestFare"]["passengerPricingByPassengerType"]["adult"]
    counts = {"adult": adults, "child": children, "infant": infants}
    return {kind: of_one | {"numberOfPassengers": count} for kind, count in counts.items() if count}


def exchange(
    operation: str,
    *,
    sent: object = None,
    returned: object = None,
    status: int = 200,
    after: float | None = None,
    elapsed: float = 0.2,
    name: str = "1",
    url: str = "",
    headers: tuple[tuple[str, str], ...] | None = None,
) -> Exchange:
    """Return an exchange of a conversation; ``after`` are minutes since its start.

    ``sent`` and ``returned`` are bodies, or a change or a tuple of changes of those of the example.
    """
    body, content = content_of(SENT.get(operation), sent), content_of(RETURNED[operation], returned)
    method, path = ENDPOINTS[operation]
    made = Request(method, url or BASE + path, HEADERS_OF[operation] if headers is None else headers, as_bytes(body))
    minutes = after if after is not None else VERIFICATION if operation == "verifyFlight" else 0.0
    return Exchange(name, START + timedelta(minutes=minutes), elapsed, made, Response(status, JSON, as_bytes(content)))


def content_of(example: Json, given: object) -> Json:
    """Return an example, changed or replaced by what is given."""
    if given is None:
        return example
    changes = (given,) if callable(given) else given
    return changed(example, *changes) if isinstance(changes, tuple) else changes


def error(status: int, text: str, message: str = "no") -> dict[str, Any]:
    return {"statusCode": status, "error": text, "message": message}


def rejected(made: Exchange, status: int = 400, text: str = "Bad Request") -> Exchange:
    """Return an exchange that the service rejected."""
    return replace(made, response=Response(status, JSON, as_bytes(error(status, text))))


def dated(made: Exchange, minutes: float) -> Exchange:
    """Return an exchange whose response says that it is sent so many minutes after the start of the conversation."""
    sent = format_datetime(START + timedelta(minutes=minutes), usegmt=True)
    return changed_response(made, headers=(*response_of(made).headers, ("Date", sent)))


def as_bytes(body: Json) -> bytes:
    if isinstance(body, bytes):
        return body
    return b"" if body is None else json.dumps(body).encode()
