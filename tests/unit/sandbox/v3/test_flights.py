"""Flights, booking requests and bookings of v3 and v2."""

from datetime import date, timedelta
from typing import Any

import pytest

from airworthy.sandbox.dialects.choices import Choices, questions
from airworthy.sandbox.model.organisations import ORGANISATIONS
from conformance.v3 import request_bodies as of_v3

from ..local_client import CODE, PAYMENT, LocalClient, service_of


@pytest.fixture(scope="module")
def client() -> LocalClient:
    return LocalClient(service_of())


def change_choices(monkeypatch: pytest.MonkeyPatch, client: LocalClient, **choices: Any) -> None:  # noqa: ANN401
    """Change choices of the service; the structure of responses stays the same."""
    values = {each.name: client.choices.behaviour(each.name) for each in questions()}
    monkeypatch.setattr(client.service, "choices", Choices.of(values | choices))


@pytest.mark.parametrize("sent", ["", "x", "!!", "MTAw", "MTAwLnh4", "LTUueHg="])
def test_any_cursor_is_accepted(client: LocalClient, sent: str) -> None:
    assert client.found("LHR", "DUB", next_page_id=sent) is not None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"end": "2027-02-30"}, 200),
        ({"seats": "١"}, 400),  # noqa: RUF001 - a digit that is none
        ({"origin": "LON"}, 200),
        ({"destination": "MAD"}, 200),
        ({"start": "0000-01-01"}, 200),
        ({"end": "9999-12-31"}, 200),
        ({"start": "9999-12-31"}, 200),
    ],
)
@pytest.mark.parametrize("operation", ["searchFlights", "searchFlightsV2", "searchRoundTrips"])
def test_search_of_unusual_windows(client: LocalClient, operation: str, query: dict[str, str], expected: int) -> None:
    assert client.call(operation, query={"origin": "MAD", "destination": "FCO"} | query).status == expected


def test_round_trip_fares_on_routes_with_and_without_them(client: LocalClient) -> None:
    start = date.fromisoformat(client.window["start"])
    window = {"start": str(start), "returnStart": str(start + timedelta(days=7))}
    page, none = (
        client.call("searchRoundTrips", query={"origin": origin, "destination": destination} | window).body
        for origin, destination in (("MAD", "FCO"), ("LIS", "CDG"))
    )
    flights = {each["id"]: each for each in page["flights"]}
    fare = page["fares"][0]
    out, back = flights[fare["outward_id"]], flights[fare["return_id"]]

    assert none == {"fares": [], "flights": [], "next_page_id": None}
    assert {each["departure_date"][:10] for each in flights.values()} > {window["returnStart"]}
    assert fare["price"] < out["price"] + back["price"]
    assert "bags" not in out
    assert back["departure_date"][:10] >= window["returnStart"]

    both = [
        next(each for each in client.found(*ends, start=day, end=day) if each["id"] == flight["id"])
        for ends, flight in ((("MAD", "FCO"), out), (("FCO", "MAD"), back))
        for day in (flight["departure_date"][:10],)
    ]
    requests = client.requested(*both, fare_type="round_trip")
    bookings = client.book(*requests).body["bookings"]

    assert sum(each["price"] for each in requests) == pytest.approx(fare["price"])
    assert len({each["cp_reference"] for each in bookings}) == 1
    found = client.call("getBookings", query={"cp_reference": bookings[0]["cp_reference"]}).body["bookings"]
    assert [each["type"] for each in found] == ["outward", "return"]


def test_verify_flight(client: LocalClient) -> None:
    body = {"flight_id": client.flight["id"], "customer_code": CODE}
    parties = ({"adults": 1, "infants": 1}, {"adults": 1}, {"adults": 1, "infants": 2})
    price, alone, wrong = (client.call("verifyFlight", body | {"passengers": each}) for each in parties)

    assert (price.body["price"], price.body["infant_price"]) == (client.flight["price"], client.flight["infant_price"])
    assert price.body["currency"] == "EUR"
    assert "infant_price" not in alone.body
    assert wrong.status == 400


def test_booking_request_counts_passengers_by_age(client: LocalClient) -> None:
    departure = date.fromisoformat(client.flight["departure_date"][:10])
    second, twelfth = (departure.replace(year=departure.year - years) for years in (2, 12))
    born = [twelfth, twelfth + timedelta(days=1), second, second + timedelta(days=1)]
    (adult,) = client.travellers()
    family = [adult, *(adult | {"date_of_birth": str(day)} for day in born)]

    (request,) = client.requested(passengers=family)
    assert request["passengers"] == {"adults": 2, "children": 2, "infants": 1}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"flight_ids": [10**30]}, 404),
        ({"flight_ids": [-1]}, 404),
        ({"customer_code": "NOBODY"}, 404),
        ({"fare_type": "round_trip"}, 200),
    ],
)
def test_booking_request_rejects_invalid_bodies(client: LocalClient, change: dict[str, Any], expected: int) -> None:
    body = client.request_body(client.flight) | change
    if "flight_ids" in change:
        body["bags"] = {str(each): {} for each in change["flight_ids"]}

    assert client.call("createRequests", body).status == expected


@pytest.mark.parametrize(
    ("kind", "change", "expected"),
    [
        ("checked", {"quantity": 1}, 200),
        ("cabin", {"quantity": 1}, 200),
        ("cabin", {"quantity": 1.0}, 200),
        ("checked", {"quantity": 2}, 400),
        ("checked", {"quantity": -1}, 400),
        ("checked", {"quantity": 0.5}, 400),
        ("checked", {"weight": 99}, 400),
        ("cabin", {"weight": None}, 200),
        ("cabin", {"dimensions": None}, 200),
        ("cabin", {"dimensions": {"width": 40}}, 200),
        ("cabin", {"dimensions": {"width": 41}}, 400),
    ],
)
def test_requests_reject_invalid_bags(client: LocalClient, kind: str, change: dict[str, Any], expected: int) -> None:
    body = client.request_body(client.flight)
    body["bags"][str(client.flight["id"])][kind][0] |= change

    assert client.call("createRequests", body).status == expected


@pytest.mark.parametrize("bags", [{}, {"checked": []}, {"checked": [], "cabin": []}])
def test_booking_request_for_a_flight_without_bags(client: LocalClient, bags: dict[str, list[Any]]) -> None:
    flight = client.found("BCN", "IBZ")[0]

    assert client.requested(flight, bags={str(flight["id"]): bags})


def test_seats_of_both_flights_are_held_or_none(client: LocalClient) -> None:
    full, free = client.found("HEL", "ARN")[0], client.found("MAD", "PMI")[0]
    crowd = client.travellers() * (full["available_seats"] + 1)
    rejected = client.call("createRequests", client.request_body(free, full, passengers=crowd))

    assert rejected.status == 409
    assert client.found("MAD", "PMI")[0] == free


def test_declined_card_returns_the_provider_code_and_frees_the_seats(client: LocalClient) -> None:
    before = client.found("MAD", "PMI")
    declined = client.book(*client.requested(), payment_method="pm_card_chargeDeclinedInsufficientFunds")

    assert declined.body["code"] == "insufficient_funds"
    assert client.found("MAD", "PMI") == before


def test_v2_accepts_text_ids_and_three_flights(client: LocalClient) -> None:
    flights = client.found("MAD", "PMI", "searchFlightsV2")[:3]
    body = {"flights": [str(each["id"]) for each in flights], "passengers": {"adults": 1}}
    requests = client.call("createRequestsV2", body).body["requests"]
    draft = of_v3.create_bookings_v2(requests, client.travellers(), CODE, client.notation, PAYMENT)
    bookings = client.call("createBookingsV2", draft.body).body["bookings"]

    assert [each["flight"]["id"] for each in requests] == [each["id"] for each in flights]
    assert requests[0]["customer"] is None
    assert len({each["cp_reference"] for each in bookings}) == 1


@pytest.mark.parametrize(
    ("counts", "expected"), [({}, 200), ({"adults": -1}, 400), ({"adults": 10**9}, 400), ({"adults": 2001}, 400)]
)
def test_v2_rejects_invalid_passenger_counts(client: LocalClient, counts: dict[str, int], expected: int) -> None:
    body = {"flights": [client.flight["id"]], "passengers": counts}

    assert client.call("createRequestsV2", body).status == expected


def test_remaining_flight_is_booked_if_the_other_is_gone_or_booked(
    client: LocalClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    (unavailable,), (there,), (another,) = (
        client.requested(client.found("MAD", "GVA")[0]),
        client.requested(),
        client.requested(),
    )
    all_fail = client.book(unavailable, there)
    change_choices(monkeypatch, client, partly_gone="the rest is booked")
    partly = client.book(unavailable, there)
    without_the_booked = client.book(there, another)

    assert all_fail.status == 409
    assert [each["request_id"] for each in partly.body["bookings"]] == [there["id"]]
    assert [each["request_id"] for each in without_the_booked.body["bookings"]] == [another["id"]]


def test_passport_data_is_required_on_its_route(client: LocalClient, monkeypatch: pytest.MonkeyPatch) -> None:
    change_choices(monkeypatch, client, passport_needed=422)
    flight, (adult,) = client.found("LGW", "AGP")[0], client.travellers()
    without = {name: each for name, each in adult.items() if name not in of_v3.TRAVEL_DOCUMENT}
    with_number = without | {"passport_number": "X1"}
    sent = [client.request_body(flight, passengers=[each]) for each in (without, with_number)]

    assert [client.call("createRequests", each).status for each in sent] == [422, 200]


@pytest.mark.parametrize(
    ("form", "asked", "expected"),
    [
        ("any", "GET {token}", 404),
        ("any", "GET Bearer {token}", 404),
        ("any", "GET Bearer nobody", 401),
        ("any", "GET ", 401),
        ("Bearer", "GET {token}", 401),
        ("bare on POST", "GET {token}", 401),
        ("bare on POST", "GET Bearer {token}", 404),
        ("bare on POST", "POST Bearer {token}", 401),
        ("bare on POST", "POST {token}", 404),
    ],
)
def test_token_forms_of_each_dialect(
    client: LocalClient, monkeypatch: pytest.MonkeyPatch, form: str, asked: str, expected: int
) -> None:
    change_choices(monkeypatch, client, authorization_form=form)
    method, _, key = asked.format(token=ORGANISATIONS[0].token).partition(" ")
    read = client.call("getBookings", None, {"cp_reference": "X"}, key)
    cancelled = client.call("cancelRequest", key=key, request_id="1")

    assert (read if method == "GET" else cancelled).status == expected
