"""Documented exchanges of v2 and v3, as traffic: what the checks of a client's mistakes start from."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from airworthy.contract.http.exchange import Exchange
from conformance.request_draft import RequestDraft
from conformance.v3 import request_bodies as bodies
from conformance.v3.request_bodies import Interface, PersonNotation
from conformance.v4.request_bodies import PassengerCounts
from conformance.v4.samples import exchange_of

_START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
_TODAY = _START.date()
_WORDS = PersonNotation()
_FLIGHT = 815001
_REQUEST = 4711
_REFERENCE = "AW7X2Q"


def _place(code: str, city: str) -> dict[str, Any]:
    return {"iata_code": code, "city_name": city, "country_name": "Spain", "timezone": "Europe/Madrid"}


def _flight(interface: Interface, *, need_apis: bool) -> dict[str, Any]:
    places = {"origin": _place("MAD", "Madrid"), "destination": _place("PMI", "Palma")}
    times = {"departure_date": "2026-12-14 07:15:00", "arrival_date": "2026-12-14 08:40:00", "duration": "01:25"}
    carrier = {"name": "Iberia", "iata_code": "IB"}
    segment = {
        "via_airport": None,
        "operating_carrier_flight_number": 3912,
        "operating_carrier": carrier,
        "marketing_carrier_flight_number": 3912,
        "marketing_carrier": carrier,
    }
    checked = {"weight": 20, "quantity": 1, "price": 30}
    cabin = {"dimensions": {"width": 40, "height": 55, "length": 20}, "weight": 10, "quantity": 1, "price": 15}
    bags = {"bags": {"checked": [checked], "cabin": [cabin]}} if interface == "v3" else {"luggage_options": [checked]}
    return {
        "id": _FLIGHT,
        "need_apis": need_apis,
        "cabin_class": "economy",
        "booking_class": "Y",
        "included_airport_tax": 12.5,
        **times,
        **bags,
        **places,
        "segments": [{**segment, **places, **times}],
        "available_seats": 9,
        "price": 52.5,
        "infant_price": None,
        "cc_fee": 0.03,
    }


def _request(interface: Interface, flight: Mapping[str, Any]) -> dict[str, Any]:
    customer = {
        "name": "Agency",
        "email": "agency@example.com",
        "is_company": True,
        "company_codes": [],
        "verified": True,
        "phonenumber": None,
        "gender": None,
        "address": "Calle de la Prueba 1",
        "postal_code": "28001",
        "city_name": "Madrid",
        "country_code": "ES",
        "country_name": "Spain",
        "vat_number": None,
        "registration_number": None,
        "created_at": "2020-01-01T00:00:00Z",
        "updated_at": "2020-01-01T00:00:00Z",
    }
    fee = {"bags_fee": {"checked": 0, "cabin": 0}} if interface == "v3" else {}
    return {
        "id": _REQUEST,
        "passengers": {"adults": 1, "children": 0, "infants": 0},
        "price": 52.5,
        "infant_price": None,
        **fee,
        "cc_fee": 0.03,
        "customer_code": "AGENCY",
        "created_at": "2026-11-02T09:01:00Z",
        "flight": flight,
        "customer": customer,
    }


def _booking(
    interface: Interface, flight: Mapping[str, Any], booking: RequestDraft, travellers: list[Any]
) -> dict[str, Any]:
    record = {
        **{name: value for name, value in travellers[0].items() if name != "middle_name"},
        "id": 1,
        "booking_id": 77,
        "is_infant": False,
        "confirmed": False,
        "confirmed_at": None,
        "canceled": False,
        "canceled_at": None,
        "created_at": "2026-11-02 09:02:00",
        "updated_at": "2026-11-02 09:02:00",
    }
    names = ("first_name", "last_name", "gender", "email", "phonenumber", "address", "country_code", "postal_code")
    bags = (
        {"bags": {"checked": [], "cabin": []}, "bags_fee": {"checked": 0, "cabin": 0}}
        if interface == "v3"
        else {"luggage": [], "luggage_fee": 0}
    )
    return {
        "id": 77,
        "flight_id": _FLIGHT,
        "request_id": _REQUEST,
        "cp_reference": _REFERENCE,
        "pnr_airline": None,
        "status": "AWAITING_PNR_AIRLINE",
        **{name: booking.body[name] for name in names},
        "passenger_count": 1,
        "infant_count": 0,
        "passengers": [record],
        **bags,
        "cc_fee": 1.58,
        "created_at": "2026-11-02 09:02:00",
        "price": 52.5,
        "infant_price": None,
        "total_price": 54.08,
        "external_id": booking.body["external_id"],
        "flight": flight,
    }


def conversation(interface: Interface, *, need_apis: bool = False) -> list[Exchange]:
    """Return a conforming conversation from search to retrieval, with half a minute between its exchanges."""
    flight = _flight(interface, need_apis=need_apis)
    travellers = bodies.passengers(PassengerCounts(), _TODAY, _WORDS)
    search = bodies.search_flights(interface, "MAD", "PMI", date(2026, 12, 13))
    request = _request(interface, flight)
    payment = {"payment_method": "pm_1airworthy"}
    if interface == "v3":
        requesting = bodies.create_requests([flight], travellers, "AGENCY")
        booking = bodies.create_bookings([request], "AGENCY", _WORDS, payment)
    else:
        requesting = bodies.create_requests_v2([flight], PassengerCounts(), "AGENCY")
        booking = bodies.create_bookings_v2([request], travellers, "AGENCY", _WORDS, payment)
    booked = _booking(interface, flight, booking, travellers)
    retrieved = booked | {"type": "outward", "final_flight": flight, "flight_changes": None}
    drafts: list[tuple[RequestDraft, Any]] = [
        (search, {"results": [flight], "next_page_id": None}),
        (requesting, {"requests": [request]}),
        (booking, {"bookings": [booked]}),
        (bodies.get_bookings(interface, _REFERENCE), {"bookings": [retrieved]}),
    ]
    return [
        exchange_of(draft, body, _START + timedelta(seconds=30 * index), f"sample-{index}", "Bearer sample-token")
        for index, (draft, body) in enumerate(drafts)
    ]


def verification() -> Exchange:
    """Return a documented verification from before its deprecation."""
    response = {
        "price": 52.5,
        "currency": "EUR",
        "infant_price": None,
        "total_price": 52.5,
        "included_airport_tax": 12.5,
    }
    before = datetime(2026, 9, 1, 9, 0, tzinfo=UTC)
    return exchange_of(
        bodies.verify_flight(_FLIGHT, "AGENCY"), response, before, "sample-verify", "Bearer sample-token"
    )


def sample(operation: str) -> Exchange | None:
    """Return one documented exchange of an operation of v2 or v3, or None if it is none of theirs."""
    if operation == "verifyFlight":
        return verification()
    places = {"searchFlights": 0, "createRequests": 1, "createBookings": 2, "getBookings": 3}
    place = places.get(operation.removesuffix("V2"))
    return None if place is None else conversation("v2" if operation.endswith("V2") else "v3")[place]
