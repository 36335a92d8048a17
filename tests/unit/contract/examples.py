"""A conforming conversation of v4, and functions that change one thing in it."""

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

START = datetime(2026, 11, 2, 10, 0, tzinfo=UTC)
BASE = "https://service.example/v4"
OFFER = "5f0c1f6e-3f7e-4a0e-9f43-0a8c6a1f2b01"
FARE = "0b8d8f0a-27ad-4f4c-8d3b-7a9f3f6f5c02"
ORDER = "c7a1b2d3-1c2b-4d5e-8f90-1234567890ab"
RESERVATION = "d1e2f3a4-5b6c-4d7e-9f80-abcdefabcdef"
HEADERS = (("Authorization", "test-key"), ("Accept", "application/json"), ("Content-Type", "application/json"))
JSON = (("Content-Type", "application/json; charset=utf-8"),)

Change = Callable[[Any], None]


def money(amount: float) -> dict[str, Any]:
    return {"amount": amount, "currency": "EUR"}


def section(**more: object) -> dict[str, Any]:
    return {
        "origin": "MAD",
        "destination": "PMI",
        "departureDate": "2027-03-14T10:00:00",
        "arrivalDate": "2027-03-14T11:20:00",
        "travelClass": "ECONOMY",
        "flightNumber": "3912",
        "operatingCarrierCode": "I2",
        "marketingCarrierCode": "IB",
        "technicalStops": [],
    } | more


def pricing(adults: int = 1, children: int = 0, infants: int = 0) -> dict[str, Any]:
    counts = {"adult": adults, "child": children, "infant": infants}
    return {
        kind: {"fareAmount": money(100.0), "taxAmount": money(20.5), "numberOfPassengers": count}
        for kind, count in counts.items()
        if count
    }


CONTACT = {
    "name": "Ada",
    "lastNames": "Lovelace King",
    "gender": "FEMALE",
    "email": "ada@example.com",
    "countryCode": "ES",
    "phone": {"number": "600123456", "countryCode": "ES"},
    "address": "Calle Mayor 1",
    "cityName": "Madrid",
    "zipCode": "28013",
}

THREE_D = {
    "version": "2.2.0",
    "electronic_commerce_indicator": "05",
    "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
    "transaction_id": "f25084f0-5b16-4c0a-ae5d-b24808a95e4b",
}

PASSENGER = {
    "number": 1,
    "type": "adult",
    "title": "MS",
    "name": "Ada",
    "firstLastName": "Lovelace",
    "secondLastName": None,
    "gender": "FEMALE",
    "birthDate": "1990-12-10",
    "nationalityCountryCode": "ES",
    "identification": {
        "type": "PASSPORT",
        "identificationNumber": "XDA123456",
        "expirationDate": "2031-05-01",
        "issueCountryCode": "ES",
    },
}

BAG = {"type": "CHECK_IN", "numberOfPieces": 1, "kilosPerPiece": 20}

SENT: Mapping[str, Any] = {
    "searchOffers": {
        "adults": 1,
        "children": 0,
        "infants": 0,
        "tripType": "ONE_WAY",
        "travelClass": "ECONOMY",
        "customerCode": "AGENCY1",
        "outboundSegment": {
            "origin": {"code": "MAD", "type": "AIRPORT"},
            "destination": {"code": "PMI", "type": "AIRPORT"},
            "departureDate": "2027-03-14",
        },
        "inboundSegment": None,
    },
    "getOffer": {
        "adults": 1,
        "children": 0,
        "infants": 0,
        "tripType": "ONE_WAY",
        "customerCode": "AGENCY1",
        "outboundSegment": {
            "sections": [
                {
                    key: value
                    for key, value in section().items()
                    if key not in ("technicalStops", "availableSeats", "travelClass")
                }
            ]
        },
        "inboundSegment": None,
    },
    "createOrder": {
        "passengers": [PASSENGER],
        "selectedBaggage": [{"passengerNumber": 1, "outboundSegmentBaggageSelection": [BAG]}],
        "customerContact": CONTACT,
        "paymentMethod": {"card": True},
    },
    "confirmOrder": {"paymentMethod": {"card": True}, "payment_method": "pm_1AbC"},
}

_FARE = {
    "id": FARE,
    "passengerPricingByPassengerType": pricing(),
    "includedBaggage": [
        {
            "quantity": 1,
            "descriptor": {"weight": 10, "dimensions": {"width": 40, "height": 55, "depth": 20.5}},
            "type": "CABIN",
        },
        {"quantity": 1, "descriptor": {"weight": None}, "type": "CHECK_IN"},
    ],
    "totalPrice": money(120.5),
}
_ORDER = {
    "id": ORDER,
    "offer": {"id": OFFER, "outboundSegment": {"sections": [section()]}, "fare": _FARE},
    "passengers": [PASSENGER],
    "selectedBaggage": [
        {"passengerNumber": 1, "outboundSegmentBaggageSelection": [BAG | {"pricePerPiece": money(35)}]}
    ],
    "customerContact": CONTACT,
    "paymentMethod": {"card": True},
    "status": "OPEN",
    "totalPrice": money(158.0),
}
_BOOKED = _ORDER | {"status": "BOOKED", "reservationId": RESERVATION}
_RESERVATION = {
    "id": RESERVATION,
    "orderId": ORDER,
    "pnr": "AB12CD",
    "email": "ada@example.com",
    "outboundSegment": {"sections": [section()]},
    "passengers": [
        {key: PASSENGER[key] for key in ("number", "type", "title", "name", "firstLastName", "gender", "birthDate")}
        | {"nationalityCountryCode": "ES"}
    ],
    "selectedBaggage": [{"passengerNumber": 1, "outboundSegmentBaggageSelection": [BAG]}],
    "customerContact": CONTACT,
    "fare": {},
}

RETURNED: Mapping[str, Any] = {
    "searchOffers": {
        "offers": [
            {
                "id": OFFER,
                "outboundSegment": {"sections": [section(availableSeats=9)]},
                "inboundSegment": None,
                "fare": {
                    "passengerPricingByPassengerType": pricing(),
                    "includedBaggage": {"checkedBaggageQuantity": 0, "cabinBaggageQuantity": 1},
                    "price": {"totalAmount": 120.5, "sourceAmount": 118, "currency": "EUR"},
                },
                "paymentOptions": [{"type": "card", "fee": money(2.5)}, {"type": "balance"}],
            }
        ]
    },
    "getOffer": {
        "id": OFFER,
        "outboundSegment": {"sections": [section(departureTerminal="4", arrivalTerminal=None)]},
        "inboundSegment": None,
        "cheapestFare": _FARE,
        "providerAdditionalPassengerInformationByPassengerType": {
            "adult": {
                "providerIdentificationTypeOptions": ["PASSPORT", "NIF"],
                "providerRequiredAdditionalFields": ["BIRTH_DATE"],
            }
        },
        "paymentOptions": [{"type": "card", "fee": money(2.5)}, {"type": "balance", "fee": None}],
    },
    "getFares": {"fares": [{"id": FARE, "totalPrice": money(120.5)}]},
    "getBaggage": {
        "fareBaggageOptions": [
            {
                "fareId": FARE,
                "outboundSegmentOptions": [
                    {"type": "CHECK_IN", "maxPiecesPerPassenger": 2, "maxKilosPerPiece": 23, "pricePerPiece": money(35)}
                ],
                "inboundSegmentOptions": None,
            }
        ]
    },
    "createOrder": _ORDER,
    "confirmOrder": _BOOKED,
    "getOrder": _BOOKED,
    "getReservation": _RESERVATION,
    "findReservation": _RESERVATION,
}

ENDPOINTS: Mapping[str, tuple[str, str]] = {
    "searchOffers": ("POST", "/search"),
    "getOffer": ("POST", "/offer"),
    "getFares": ("GET", f"/offer/{OFFER}/fares"),
    "getBaggage": ("GET", f"/offer/{OFFER}/baggage"),
    "createOrder": ("POST", f"/order?offerId={OFFER}&fareId={FARE}"),
    "confirmOrder": ("POST", f"/order/{ORDER}/confirm"),
    "getOrder": ("GET", f"/order/{ORDER}"),
    "getReservation": ("GET", f"/reservation/{RESERVATION}"),
    "findReservation": ("GET", f"/reservation?orderId={ORDER}"),
}
OPERATIONS = tuple(ENDPOINTS)
POSTS = tuple(SENT)


def exchange(
    operation: str,
    *,
    sent: object = None,
    returned: object = None,
    status: int = 200,
    after: float = 0.0,
    elapsed: float = 0.2,
    name: str = "1",
    url: str = "",
    headers: tuple[tuple[str, str], ...] = HEADERS,
) -> Exchange:
    """Return an exchange of the conversation; ``after`` are minutes since its start.

    ``sent`` and ``returned`` are bodies, or a change or a tuple of changes of those of the example.
    """
    body, content = content_of(SENT.get(operation), sent), content_of(RETURNED[operation], returned)
    method, path = ENDPOINTS[operation]
    made = Request(method, url or BASE + path, headers, as_bytes(body))
    return Exchange(name, START + timedelta(minutes=after), elapsed, made, Response(status, JSON, as_bytes(content)))


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


def put(path: str, value: object) -> Change:
    """Set the value at a path such as ``passengers[0].type``."""

    def change(body: Json) -> None:
        holder, last = _holder(body, path)
        if isinstance(holder, list) and last == len(holder):
            holder.append(deepcopy(value))
        else:
            holder[last] = deepcopy(value)

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


def as_bytes(body: Json) -> bytes:
    if isinstance(body, bytes):
        return body
    return b"" if body is None else json.dumps(body).encode()
