"""Flights, booking requests and bookings of v3 and v2 in test mode, end to end over TLS."""

from datetime import date, timedelta
from typing import Any

import pytest

from airworthy.sandbox import SandboxServer

from .flights_client import FlightsClient, change_choices


@pytest.mark.parametrize("sent", ["", "x", "!!", "MTAw", "MTAwLnh4", "LTUueHg="])
def test_any_cursor_is_accepted(client: FlightsClient, sent: str) -> None:
    assert client.search("LHR", "DUB", next_page_id=sent)["results"] is not None


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
@pytest.mark.parametrize("path", ["/v3/flights", "/v2/flights", "/v3/roundTrips"])
def test_search_of_unusual_windows(client: FlightsClient, path: str, query: dict[str, str], expected: int) -> None:
    assert client.send("GET", path, **{"origin": "MAD", "destination": "FCO"} | query).status_code == expected


def test_round_trip_fares_on_routes_with_and_without_them(client: FlightsClient) -> None:
    start = client.server.service.clock.now().date() + timedelta(days=30)
    window = {"start": start, "returnStart": start + timedelta(days=7)}
    page = client.send("GET", "/v3/roundTrips", origin="MAD", destination="FCO", **window).json()
    none = client.send("GET", "/v3/roundTrips", origin="LIS", destination="CDG", **window).json()
    flights = {each["id"]: each for each in page["flights"]}
    fare = page["fares"][0]
    out, back = flights[fare["outward_id"]], flights[fare["return_id"]]

    assert none == {"fares": [], "flights": [], "next_page_id": None}
    assert {each["departure_date"][:10] for each in flights.values()} > {str(window["returnStart"])}
    assert fare["price"] < out["price"] + back["price"]
    assert "bags" not in out
    assert back["departure_date"][:10] >= str(window["returnStart"])

    both = [
        next(each for each in client.search(*ends, start=day, end=day)["results"] if each["id"] == flight["id"])
        for ends, flight in ((("MAD", "FCO"), out), (("FCO", "MAD"), back))
        for day in (flight["departure_date"][:10],)
    ]
    requests = client.requests_for(*both, fare_type="round_trip")
    bookings = client.book(*requests).json()["bookings"]

    assert sum(each["price"] for each in requests) == pytest.approx(fare["price"])
    assert len({each["cp_reference"] for each in bookings}) == 1
    found = client.retrieve(bookings[0]["cp_reference"]).json()["bookings"]
    assert [each["type"] for each in found] == ["outward", "return"]


def test_verify_flight(client: FlightsClient) -> None:
    flight = client.flight()
    body = {"flight_id": flight["id"], "passengers": {"adults": 1, "infants": 1}, "customer_code": client.code}
    price = client.send("POST", "/v3/flights/verify", body).json()
    alone = client.send("POST", "/v3/flights/verify", body | {"passengers": {"adults": 1}}).json()
    wrong = client.send("POST", "/v3/flights/verify", body | {"passengers": {"adults": 1, "infants": 2}})

    assert (price["price"], price["infant_price"]) == (flight["price"], flight["infant_price"])
    assert price["currency"] == "EUR"
    assert "infant_price" not in alone
    assert wrong.status_code == 400


def test_booking_request_counts_passengers_by_age(client: FlightsClient) -> None:
    departure = date.fromisoformat(client.flight()["departure_date"][:10])
    second, twelfth = (departure.replace(year=departure.year - years) for years in (2, 12))
    born = [twelfth, twelfth + timedelta(days=1), second, second + timedelta(days=1)]
    family = [client.passenger(), *(client.passenger(str(day)) for day in born)]

    assert client.requests_for(client.flight(), passengers=family)[0]["passengers"] == {
        "adults": 2,
        "children": 2,
        "infants": 1,
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"flight_ids": [10**30]}, 404),
        ({"flight_ids": [-1]}, 404),
        ({"customer_code": "NOBODY"}, 404),
        ({"fare_type": "round_trip"}, 200),
    ],
)
def test_booking_request_rejects_invalid_bodies(client: FlightsClient, change: dict[str, Any], expected: int) -> None:
    request_body = client.request_body(client.flight()) | change
    if "flight_ids" in change:
        request_body["bags"] = {str(each): {} for each in change["flight_ids"]}

    assert client.send("POST", "/v3/requests", request_body).status_code == expected


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
def test_requests_reject_invalid_bags(client: FlightsClient, kind: str, change: dict[str, Any], expected: int) -> None:
    flight = client.flight()
    request_body = client.request_body(flight)
    request_body["bags"][str(flight["id"])][kind][0] |= change

    assert client.send("POST", "/v3/requests", request_body).status_code == expected


def test_booking_request_for_a_flight_without_bags(client: FlightsClient) -> None:
    flight = client.flight("BCN", "IBZ")

    nothing: list[dict[str, list[Any]]] = [{}, {"checked": []}, {"checked": [], "cabin": []}]
    for bags in nothing:
        request_body = client.request_body(flight) | {"bags": {str(flight["id"]): bags}}
        assert client.send("POST", "/v3/requests", request_body).status_code == 200


def test_seats_of_both_flights_are_held_or_none(client: FlightsClient) -> None:
    full, free = client.flight("HEL", "ARN"), client.flight()
    crowd = [client.passenger() for _ in range(full["available_seats"] + 1)]
    rejected = client.send("POST", "/v3/requests", client.request_body(free, full, passengers=crowd))

    assert rejected.status_code == 409
    assert client.flight()["available_seats"] == free["available_seats"]


def test_declined_card_returns_the_provider_code_and_frees_the_seats(client: FlightsClient) -> None:
    before = client.flight()["available_seats"]
    declined = client.book(client.request(), payment_method="pm_card_chargeDeclinedInsufficientFunds")

    assert declined.json()["code"] == "insufficient_funds"
    assert client.flight()["available_seats"] == before


def test_v2_accepts_text_ids_and_three_flights(client: FlightsClient) -> None:
    flights = client.search(version="v2")["results"][:3]
    body = {"flights": [str(each["id"]) for each in flights], "passengers": {"adults": 1}}
    requests = client.send("POST", "/v2/requests", body).json()["requests"]
    bookings = client.book_v2(*requests).json()["bookings"]

    assert [each["flight"]["id"] for each in requests] == [each["id"] for each in flights]
    assert requests[0]["customer"] is None
    assert len({each["cp_reference"] for each in bookings}) == 1


@pytest.mark.parametrize(
    ("counts", "expected"), [({}, 200), ({"adults": -1}, 400), ({"adults": 10**9}, 400), ({"adults": 2001}, 400)]
)
def test_v2_rejects_invalid_passenger_counts(client: FlightsClient, counts: dict[str, int], expected: int) -> None:
    body = {"flights": [client.flight(version="v2")["id"]], "passengers": counts}

    assert client.send("POST", "/v2/requests", body).status_code == expected


def test_remaining_flight_is_booked_if_the_other_is_gone_or_booked(
    client: FlightsClient, sandbox: SandboxServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    unavailable, there = client.request("MAD", "GVA"), client.request()
    all_fail = client.book(unavailable, there)
    change_choices(monkeypatch, sandbox, partly_gone="the rest is booked")
    partly = client.book(unavailable, there)

    another = client.request()
    without_the_booked = client.book(there, another)

    assert all_fail.status_code == 409
    assert [each["request_id"] for each in partly.json()["bookings"]] == [there["id"]]
    assert [each["request_id"] for each in without_the_booked.json()["bookings"]] == [another["id"]]


def test_passport_data_is_required_on_its_route(
    client: FlightsClient, sandbox: SandboxServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_choices(monkeypatch, sandbox, passport_needed=422)
    flight = client.flight("LGW", "AGP")
    with_passport = [client.passenger() | {"passport_number": "X1"}]

    assert client.send("POST", "/v3/requests", client.request_body(flight)).status_code == 422
    assert client.send("POST", "/v3/requests", client.request_body(flight, passengers=with_passport)).status_code == 200


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
    client: FlightsClient, monkeypatch: pytest.MonkeyPatch, form: str, asked: str, expected: int
) -> None:
    change_choices(monkeypatch, client.server, authorization_form=form)
    method, _, header = asked.format(token=client.credentials["token"]).partition(" ")
    path = "/v3/bookings?cp_reference=X" if method == "GET" else "/v3/requests/1/cancel"
    headers = {"Authorization": header} if header else {}

    assert client.ask(method, path, headers=headers).status_code == expected


def test_passenger_page_shows_the_booking(client: FlightsClient) -> None:
    booking = client.booked(version="v2")
    found, unknown, asked = (
        client.ask("GET", "/lookup", params=query)
        for query in ({"reference": booking["cp_reference"]}, {"reference": "<b>"}, {})
    )

    assert (found.status_code, unknown.status_code, asked.status_code) == (200, 404, 200)
    assert "Palma de Mallorca" in found.text
    assert "<b>" not in unknown.text
    assert "default-src 'none'" in found.headers["content-security-policy"]
