"""A conforming conversation of v3 and one of v2; `unit.contract.examples` has functions that change them."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from airworthy.contract import Exchange, Request, Response
from airworthy.contract.bodies.body import Json
from unit.contract.examples import JSON, START, Change, as_bytes, content_of, put

BASE = "https://service.example"
HEADERS = (("Authorization", "Bearer test-token"), ("Accept", "application/json"), ("Content-Type", "application/json"))
FLIGHT, BACK, REQUEST, BOOKING = 812345, 812399, 4711, 9001
REFERENCE, LOCATOR, CLIENT_ID = "CPAB12", "XY98ZK", "order-77"
WINDOW = "origin=MAD&destination=PMI&start=2026-12-01&end=2026-12-03"


def place(code: str) -> dict[str, Any]:
    return {"iata_code": code, "city_name": "Palma", "country_name": "Spain", "timezone": "Europe/Madrid"}


def carrier(code: str) -> dict[str, Any]:
    return {"name": "Iberia", "iata_code": code}


def segment(**more: object) -> dict[str, Any]:
    return {
        "via_airport": None,
        "origin": place("MAD"),
        "destination": place("PMI"),
        "operating_carrier_flight_number": 3912,
        "operating_carrier": carrier("I2"),
        "marketing_carrier_flight_number": 3912,
        "marketing_carrier": carrier("IB"),
        "departure_date": "2026-12-02 10:00:00",
        "arrival_date": "2026-12-02 11:20:00",
        "duration": "01:20",
    } | more


CHECKED = {"weight": 20, "quantity": 2, "price": 35.5}
HEAVY = {"weight": 32, "quantity": 1, "price": 60}
CABIN = {"dimensions": {"width": 40, "height": 55, "length": 20}, "weight": 10, "quantity": 1, "price": 12}
NO_BAGS: dict[str, list[object]] = {"checked": [], "cabin": []}
BAGS = {"checked": [CHECKED, HEAVY], "cabin": [CABIN]}


def flight(**more: object) -> dict[str, Any]:
    return {
        "id": FLIGHT,
        "need_apis": False,
        "cabin_class": "economy",
        "booking_class": "Y",
        "included_airport_tax": 12.5,
        "duration": "01:20",
        "departure_date": "2026-12-02 10:00:00",
        "arrival_date": "2026-12-02 11:20:00",
        "origin": place("MAD"),
        "destination": place("PMI"),
        "segments": [segment()],
        "available_seats": 9,
        "price": 80.5,
        "infant_price": 10,
        "cc_fee": 0.03,
    } | more


def times(departs: str, arrives: str) -> dict[str, Any]:
    """Return the times of a flight with one segment."""
    both = {"departure_date": departs, "arrival_date": arrives}
    return both | {"segments": [segment() | both]}


def returning(**more: object) -> dict[str, Any]:
    """Return a flight with one segment in the opposite direction."""
    there = flight(**more)
    ends = {"origin": there["destination"], "destination": there["origin"]}
    return there | ends | {"segments": [each | ends for each in there["segments"]]}


FOUND = {"v3": flight(bags=BAGS), "v2": flight(luggage_options=[CHECKED, HEAVY])}
PASSENGER = {"first_name": "Ada", "last_name": "Lovelace", "gender": "female", "date_of_birth": "1990-12-10"}
BOOKER = {
    "first_name": "Ada",
    "last_name": "Lovelace",
    "gender": "female",
    "email": "ada@example.com",
    "phonenumber": "+34600123456",
    "address": "Calle Mayor 1",
    "city_name": "Madrid",
    "country_code": "ES",
    "postal_code": "28013",
}
ORDER = BOOKER | {"external_id": CLIENT_ID, "customer_code": "AGENCY1", "payment_method": "pm_1AbC"}
CUSTOMER = {
    "name": "Agency One",
    "email": "agency@example.com",
    "is_company": True,
    "company_codes": [],
    "verified": True,
    "phonenumber": "+34910000000",
    "gender": None,
    "address": "Calle Menor 2",
    "postal_code": "28014",
    "city_name": "Madrid",
    "country_code": "ES",
    "country_name": "Spain",
    "vat_number": "ESB12345678",
    "registration_number": None,
    "created_at": "2024-01-01 00:00:00",
    "updated_at": "2024-01-01 00:00:00",
}
RECORD = {
    "id": 1,
    "booking_id": BOOKING,
    "gender": "female",
    "last_name": "LOVELACE",
    "first_name": "ADA",
    "is_infant": False,
    "date_of_birth": "1990-12-10",
    "nationality": None,
    "confirmed": True,
    "confirmed_at": "2026-11-02T10:02:00Z",
    "canceled": False,
    "canceled_at": None,
    "passport_number": None,
    "passport_expiry_date": None,
    "passport_country_of_issue": None,
    "created_at": "2026-11-02T10:02:00Z",
    "updated_at": "2026-11-02T10:02:00Z",
    "birth_country": None,
}
CHANGE: dict[str, Any] = {
    "status": "WAITING",
    "data": {
        "flight_id": FLIGHT,
        "oldFlight": {
            "need_apis": False,
            "segment_1_departure_date": "2026-12-02 10:00:00",
            "segment_1_airline_iata_code": "IB",
            "segment_1_airline_name": "Iberia",
        },
        "newFlight": {
            "segment_1_departure_date": "2026-12-02 12:00:00",
            "segment_1_origin_airport": "MAD",
            "segment_1_origin_timezone": "Europe/Madrid",
            "segment_1_flight_number": "IB3913",
            "segment_2_airline_iata_code": "IB",
            "segment_2_departure_date": "2026-12-02 12:00:00",
            "segment_3_flight_number": "IB3912",
        },
    },
    "created_at": "2026-11-03T08:00:00Z",
    "updated_at": "2026-11-03T08:00:00Z",
}

SENT: Mapping[str, Any] = {
    "verifyFlight": {"flight_id": FLIGHT, "passengers": {"adults": 1}, "customer_code": "AGENCY1"},
    "createRequests": {
        "flight_ids": [FLIGHT],
        "customer_code": "AGENCY1",
        "passengers": [PASSENGER],
        "bags": {
            str(FLIGHT): {
                "checked": [{"quantity": 1, "weight": 20}, {"quantity": 0, "weight": 32}],
                "cabin": [{"quantity": 0, "dimensions": CABIN["dimensions"], "weight": 10}],
            }
        },
        "fare_type": "one_way",
    },
    "createBookings": ORDER | {"request_ids": [REQUEST]},
    "createRequestsV2": {
        "flights": [FLIGHT],
        "customer_code": "AGENCY1",
        "passengers": {"adults": 1, "children": 0, "infants": 0},
    },
    "createBookingsV2": ORDER
    | {
        "requests": [REQUEST],
        "passengers": [PASSENGER | {"is_infant": False}],
        "luggage": {str(REQUEST): [{"weight": 20, "price": 35.5, "quantity": 1}]},
    },
}

_REQUEST = {
    "id": REQUEST,
    "passengers": {"adults": 1, "children": 0, "infants": 0},
    "price": 80.5,
    "infant_price": None,
    "cc_fee": 0.03,
    "customer_code": "AGENCY1",
    "customer": CUSTOMER,
    "created_at": "2026-11-02T10:01:00Z",
}
_BOOKING = BOOKER | {
    "id": BOOKING,
    "flight_id": FLIGHT,
    "request_id": REQUEST,
    "cp_reference": REFERENCE,
    "pnr_airline": None,
    "status": "AWAITING_PNR_AIRLINE",
    "passenger_count": 1,
    "infant_count": 0,
    "passengers": [RECORD],
    "cc_fee": 2.4,
    "created_at": "2026-11-02T10:02:00Z",
    "price": 80.5,
    "infant_price": None,
    "total_price": 118.4,
    "external_id": CLIENT_ID,
}
del _BOOKING["city_name"]
_LATER = times("2026-12-02 12:00:00", "2026-12-02 13:20:00")
_LATER["segments"][0]["marketing_carrier_flight_number"] = 3913
_RETRIEVED = {"status": "CONFIRMED", "pnr_airline": LOCATOR, "type": "outward", "flight_changes": [CHANGE]}
_BOOKED = CHECKED | {"quantity": 1}
_V3 = {"bags": {"checked": [_BOOKED], "cabin": []}, "bags_fee": {"checked": 35.5, "cabin": 0}, "flight": FOUND["v3"]}
_V2 = {"luggage": [_BOOKED], "luggage_fee": 35.5, "flight": FOUND["v2"]}

RETURNED: Mapping[str, Any] = {
    "searchFlights": {"results": [FOUND["v3"]], "next_page_id": None},
    "searchRoundTrips": {
        "fares": [
            {
                "outward_id": FLIGHT,
                "return_id": BACK,
                "price": 150,
                "infant_price": None,
                "checked_bags_prices": [60],
                "cabin_bags_prices": [],
                "included_airport_tax": 25,
                "cc_fees": 0.03,
                "available_seats": 4,
            }
        ],
        "flights": [flight(), returning(id=BACK, **times("2026-12-08 10:00:00", "2026-12-08 11:20:00"))],
        "next_page_id": "cursor-2",
    },
    "verifyFlight": {"price": 80.5, "currency": "EUR", "total_price": 80.5, "included_airport_tax": 12.5},
    "createRequests": {"requests": [_REQUEST | {"bags_fee": {"checked": 35.5, "cabin": 0}, "flight": FOUND["v3"]}]},
    "cancelRequest": {"success": True},
    "createBookings": {"bookings": [_BOOKING | _V3]},
    "getBookings": {"bookings": [_BOOKING | _V3 | _RETRIEVED | {"final_flight": FOUND["v3"] | _LATER}]},
    "searchFlightsV2": {"results": [FOUND["v2"]], "next_page_id": None},
    "createRequestsV2": {"requests": [_REQUEST | {"flight": FOUND["v2"]}]},
    "createBookingsV2": {"bookings": [_BOOKING | _V2]},
    "getBookingsV2": {"bookings": [_BOOKING | _V2 | _RETRIEVED | {"final_flight": FOUND["v2"] | _LATER}]},
}

ENDPOINTS: Mapping[str, tuple[str, str]] = {
    "searchFlights": ("GET", f"/v3/flights?{WINDOW}&seats=2&customerCode=AGENCY1"),
    "searchRoundTrips": ("GET", f"/v3/roundTrips?{WINDOW}&returnStart=2026-12-08&returnEnd=2026-12-11"),
    "verifyFlight": ("POST", "/v3/flights/verify"),
    "createRequests": ("POST", "/v3/requests"),
    "cancelRequest": ("POST", f"/v3/requests/{REQUEST}/cancel"),
    "createBookings": ("POST", "/v3/bookings"),
    "getBookings": ("GET", f"/v3/bookings?cp_reference={REFERENCE}"),
    "searchFlightsV2": ("GET", f"/v2/flights?{WINDOW}"),
    "createRequestsV2": ("POST", "/v2/requests"),
    "createBookingsV2": ("POST", "/v2/bookings"),
    "getBookingsV2": ("GET", f"/v2/bookings?cp_reference={REFERENCE}"),
}
OPERATIONS = tuple(ENDPOINTS)
POSTS = tuple(SENT)
# A verification is judged only before the operation ended.
BEFORE = -60 * 24 * 60.0


def leaving(flight: str, moment: str) -> Change:
    """Move a flight, with its segment, to another moment."""
    moved = [f"{place}.{name}_date" for place in (flight, f"{flight}.segments[0]") for name in ("departure", "arrival")]

    def change(body: Json) -> None:
        for time in moved:
            put(time, moment)(body)

    return change


def unmoved(changes: object) -> Change:
    """Return a change after which a booking still has its original flight."""

    def change(body: Json) -> None:
        body |= {"flight_changes": changes, "final_flight": body["flight"]}

    return change


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
    headers: tuple[tuple[str, str], ...] = HEADERS,
) -> Exchange:
    """Return an exchange of a conversation, as the function of the same name for v4 does."""
    body, content = content_of(SENT.get(operation), sent), content_of(RETURNED[operation], returned)
    method, path = ENDPOINTS[operation]
    minutes = after if after is not None else BEFORE if operation == "verifyFlight" else 0.0
    made = Request(method, url or BASE + path, headers, as_bytes(body))
    return Exchange(name, START + timedelta(minutes=minutes), elapsed, made, Response(status, JSON, as_bytes(content)))


def queried(operation: str, query: str, **more: object) -> Exchange:
    """Return an exchange with another query."""
    path = ENDPOINTS[operation][1].partition("?")[0]
    return exchange(operation, url=f"{BASE}{path}?{query}", **more)  # type: ignore[arg-type]
