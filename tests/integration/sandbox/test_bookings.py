"""Bookings of v3 and v2 in test mode, end to end over TLS."""

import pytest

from airworthy.sandbox import SandboxServer, SandboxSettings

from .flights_client import FlightsClient, change_choices, flights_client


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


def test_confirmation_email_is_in_the_outbox(client: FlightsClient) -> None:
    booking = client.booked()

    assert (client.server.outbox / f"{booking['cp_reference']}.eml").exists()


@pytest.mark.parametrize("version", ["v3", "v2"])
def test_each_interface_has_its_openapi_document(client: FlightsClient, version: str) -> None:
    document = client.ask("GET", f"/{version}/openapi.json").json()

    assert document["servers"][0]["url"] == f"{client.server.base_url}/{version}"


def test_settings_change_lifetimes() -> None:
    with SandboxServer(SandboxSettings(lifetimes={"request": 10, "locator": 0.001})) as server:
        client = flights_client(server)
        with client.session:
            early, late = client.request(), client.request()
            booked = client.book(early).json()["bookings"][0]
            client.wait(11)
            too_late = client.book(late)
            found = client.retrieve(booked["cp_reference"]).json()["bookings"][0]

    assert too_late.status_code == 409
    assert found["status"] == "CONFIRMED"
    lifetimes = {"request_seconds_min": 10, "request_seconds_max": 10, "locator_seconds": 0.001}
    assert server.profile()["lifetimes"] == lifetimes | {"schedule_change_seconds": 3600}
