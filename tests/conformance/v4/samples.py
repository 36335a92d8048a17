"""One documented conversation through v4, as traffic, from which the checks of client requests start."""

import base64
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from airworthy.contract.http.exchange import Exchange, Headers, Request, Response
from conformance.request_draft import RequestDraft, with_field
from conformance.v4 import request_bodies as bodies
from conformance.v4.request_bodies import OrderOptions, PassengerCounts, SearchedTrip, SearchPlace

BASE = "https://service.example"
PROVIDER = "https://payments.example"
_START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
_TODAY = _START.date()
_OFFER = "8c2a4c1e-0d4e-4f64-9a35-5a0f6a3b7c11"
_FARE = "1f7d3f0a-6f0b-4a39-8a55-0c8f6c9d2e22"
_ORDER = "5b9e8d7c-3a2b-4c1d-9e8f-7a6b5c4d3e33"
_RESERVATION = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c44"


def money(amount: float) -> dict[str, Any]:
    """Build a money object (v4, Resources and their fields / Conventions)."""
    return {"amount": amount, "currency": "EUR"}


def _section(*, searched: bool) -> dict[str, Any]:
    section: dict[str, Any] = {
        "origin": "MAD",
        "destination": "PMI",
        "departureDate": "2026-12-14T07:15:00",
        "arrivalDate": "2026-12-14T08:40:00",
        "travelClass": "ECONOMY",
        "flightNumber": "3912",
        "operatingCarrierCode": "I2",
        "marketingCarrierCode": "IB",
        "technicalStops": [],
    }
    return section | ({"availableSeats": 9} if searched else {"departureTerminal": "4", "arrivalTerminal": None})


def _pricing(party: PassengerCounts) -> dict[str, Any]:
    counts = {"adult": party.adults, "child": party.children, "infant": party.infants}
    return {
        kind: {"fareAmount": money(40.0), "taxAmount": money(12.5), "numberOfPassengers": count}
        for kind, count in counts.items()
        if count
    }


def _fare(party: PassengerCounts) -> dict[str, Any]:
    return {
        "id": _FARE,
        "passengerPricingByPassengerType": _pricing(party),
        "includedBaggage": [{"quantity": 1, "descriptor": {"weight": 10}, "type": "CABIN"}],
        "totalPrice": money(52.5),
    }


_PAYMENT_OPTIONS = [{"type": "card", "fee": money(1.5)}, {"type": "balance", "fee": money(0)}]


def conversation(party: PassengerCounts | None = None) -> list[Exchange]:
    """Return a conforming conversation from search to reservation, with half a minute between its exchanges."""
    party = party or PassengerCounts()
    trip = SearchedTrip(SearchPlace("MAD"), SearchPlace("PMI"), date(2026, 12, 14))
    search = bodies.search_offers(trip, party, "AGENCY")
    searched = [_section(searched=True)]
    found = {
        "id": _OFFER,
        "outboundSegment": {"sections": searched},
        "inboundSegment": None,
        "fare": {
            "passengerPricingByPassengerType": _pricing(party),
            "includedBaggage": {"checkedBaggageQuantity": 0, "cabinBaggageQuantity": 1},
            "price": {"totalAmount": 52.5, "sourceAmount": 52.5, "currency": "EUR"},
        },
        "paymentOptions": _PAYMENT_OPTIONS,
    }
    offer = bodies.get_offer(searched, None, party, "AGENCY")
    stored = {
        "id": _OFFER,
        "outboundSegment": {"sections": [_section(searched=False)]},
        "inboundSegment": None,
        "cheapestFare": _fare(party),
        "providerAdditionalPassengerInformationByPassengerType": {
            kind: {
                "providerIdentificationTypeOptions": ["PASSPORT"],
                "providerRequiredAdditionalFields": ["BIRTH_DATE"],
            }
            for kind in _pricing(party)
        },
        "paymentOptions": _PAYMENT_OPTIONS,
    }
    bag = {"type": "CHECK_IN", "maxPiecesPerPassenger": 2, "maxKilosPerPiece": 20, "pricePerPiece": money(30)}
    baggage = {
        "fareBaggageOptions": [{"fareId": _FARE, "outboundSegmentOptions": [bag], "inboundSegmentOptions": None}]
    }
    ordering = bodies.create_order(
        _OFFER, _FARE, party, OrderOptions(bags=1), _TODAY, bags={"outbound": [bag]}, documents=["PASSPORT"]
    )
    order = {
        "id": _ORDER,
        "offer": {"id": _OFFER, "outboundSegment": stored["outboundSegment"], "fare": _fare(party)},
        "passengers": ordering.body["passengers"],
        "selectedBaggage": with_field(
            ordering.body["selectedBaggage"], "[0].outboundSegmentBaggageSelection[0].pricePerPiece", money(30)
        ),
        "customerContact": ordering.body["customerContact"],
        "paymentMethod": {"card": True},
        "status": "OPEN",
        "totalPrice": money(84.0),
    }
    booked = order | {"status": "BOOKED", "reservationId": _RESERVATION}
    names = ("number", "type", "title", "name", "firstLastName", "gender", "birthDate", "nationalityCountryCode")
    reservation = {
        "id": _RESERVATION,
        "orderId": _ORDER,
        "pnr": "AW7X2Q",
        "email": ordering.body["customerContact"]["email"],
        "outboundSegment": stored["outboundSegment"],
        "passengers": [{name: passenger[name] for name in names} for passenger in ordering.body["passengers"]],
        "selectedBaggage": order["selectedBaggage"],
        "customerContact": ordering.body["customerContact"],
        "fare": {},
    }
    confirmation = bodies.confirm_order(_ORDER, "card", payment_method="pm_1airworthy")
    drafts: list[tuple[RequestDraft, Any]] = [
        (search, {"offers": [found]}),
        (offer, stored),
        (bodies.get_fares(_OFFER), {"fares": [_fare(party)]}),
        (bodies.get_baggage(_OFFER), baggage),
        (ordering, order),
        (confirmation, booked),
        (bodies.get_order(_ORDER), booked),
        (bodies.get_reservation(_RESERVATION), reservation),
        (bodies.find_reservation(_ORDER), reservation),
    ]
    return [
        exchange_of(draft, body, _START + timedelta(seconds=30 * index), f"sample-{index}", "sample-key")
        for index, (draft, body) in enumerate(drafts)
    ]


def sample(operation: str, party: PassengerCounts | None = None) -> Exchange:
    """Return one documented exchange of an operation."""
    if operation == "createPaymentMethod":
        return _payment_method()
    places = {
        "searchOffers": 0,
        "getOffer": 1,
        "getFares": 2,
        "getBaggage": 3,
        "createOrder": 4,
        "confirmOrder": 5,
        "getOrder": 6,
        "getReservation": 7,
        "findReservation": 8,
    }
    return conversation(party)[places[operation]]


def exchange_of(draft: RequestDraft, response: Any, started: datetime, identifier: str, authorization: str) -> Exchange:
    """Return an exchange of a request and a response with status 200."""
    headers: Headers = (("Authorization", authorization), ("Accept", "application/json"))
    body = b""
    if draft.body is not None:
        headers += (("Content-Type", "application/json"),)
        body = json.dumps(draft.body).encode()
    query = f"?{urlencode(draft.query)}" if draft.query else ""
    request = Request(draft.method, f"{BASE}{draft.path}{query}", headers, body)
    response = Response(200, (("Content-Type", "application/json"),), json.dumps(response).encode())
    return Exchange(identifier, started, 0.2, request, response)


def _payment_method() -> Exchange:
    form = {
        "type": "card",
        "card[number]": "4242424242424242",
        "card[exp_month]": "12",
        "card[exp_year]": "2034",
        "card[cvc]": "123",
    }
    token = base64.b64encode(b"rk_test_sample:").decode()
    headers = (("Authorization", f"Basic {token}"), ("Content-Type", "application/x-www-form-urlencoded"))
    request = Request("POST", f"{PROVIDER}/v1/payment_methods", headers, urlencode(form).encode())
    response = Response(
        200, (("Content-Type", "application/json"),), b'{"id": "pm_1airworthy", "object": "payment_method"}'
    )
    return Exchange("sample-payment", _START, 0.2, request, response)


def with_request(exchange: Exchange, body: Any) -> Exchange:
    """Return the exchange with another JSON body sent."""
    return replace(exchange, request=replace(exchange.request, body=json.dumps(body).encode()))


def with_response_body(exchange: Exchange, body: Any) -> Exchange:
    """Return the exchange with another JSON body in its response."""
    assert exchange.response is not None
    return replace(exchange, response=replace(exchange.response, body=json.dumps(body).encode()))


def with_header(exchange: Exchange, name: str, value: str | None) -> Exchange:
    """Return the exchange with another request header, or without it."""
    others = tuple((key, held) for key, held in exchange.request.headers if key.lower() != name.lower())
    headers = others if value is None else (*others, (name, value))
    return replace(exchange, request=replace(exchange.request, headers=headers))


def with_form(exchange: Exchange, fields: Mapping[str, str]) -> Exchange:
    """Return the exchange with another form sent."""
    return replace(exchange, request=replace(exchange.request, body=urlencode(fields).encode()))
