"""v3 and v2 in test mode, end to end over TLS."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import Any

import pytest

from airworthy.sandbox import SandboxServer, Settings, dialects
from airworthy.sandbox.choices import Choices

from .travel_desk import SECURE, TravelDesk, travel_desks


@pytest.fixture
def desk(sandbox: SandboxServer) -> Iterator[TravelDesk]:
    """The first organisation, which may book on deposit."""
    first, _ = travel_desks(sandbox)
    with first.session:
        yield first


@pytest.fixture
def other_desk(sandbox: SandboxServer) -> Iterator[TravelDesk]:
    """The second organisation, which may not."""
    _, second = travel_desks(sandbox)
    with second.session:
        yield second


def change_choices(monkeypatch: pytest.MonkeyPatch, sandbox: SandboxServer, **choices: Any) -> None:  # noqa: ANN401
    """Let a running sandbox choose otherwise; answers keep the shape that they have."""
    service = sandbox.service
    values = {name: getattr(service.choices, name) for name in Choices.__dataclass_fields__}
    monkeypatch.setattr(service, "choices", Choices(**values | choices))


# Every dialect


@pytest.mark.parametrize("version", ["v3", "v2"])
@pytest.mark.parametrize("dialect", list(dialects()))
def test_every_dialect_books(dialect: str, version: str) -> None:
    with SandboxServer(Settings(dialect=dialect)) as server:
        desk, _ = travel_desks(server)
        with desk.session:
            booking = desk.booked(version=version)
            found = desk.look_up(booking["cp_reference"], version).json()["bookings"]

    assert [each["id"] for each in found] == [booking["id"]]
    assert found[0]["final_flight"]["id"] == found[0]["flight"]["id"] == booking["flight_id"]
    assert found[0]["flight_changes"] is None


# Flights


def test_flights_are_found_in_their_window_with_the_seats_asked_for(desk: TravelDesk) -> None:
    today = desk.server.service.clock.now().date()
    day = today + timedelta(days=30)
    found = desk.search(end=day, seats=4)["results"]
    by_default = desk.call("GET", "/v3/flights", origin="MAD", destination="PMI").json()["results"]

    assert {each["departure_date"][:10] for each in found} == {str(day)}
    assert all(each["available_seats"] >= 4 for each in found)
    assert desk.search(seats=2001)["results"] == []
    days = {date.fromisoformat(each["departure_date"][:10]) for each in by_default}
    assert min(days) > today
    assert max(days) <= today + timedelta(days=3)


def test_pages_hold_a_hundred_and_come_to_an_end(desk: TravelDesk) -> None:
    first = desk.search("LHR", "DUB")
    second = desk.search("LHR", "DUB", next_page_id=first["next_page_id"])
    ids = [each["id"] for page in (first, second) for each in page["results"]]

    assert (len(first["results"]), len(second["results"])) == (100, 60)
    assert len(set(ids)) == 160
    assert second["next_page_id"] is None


@pytest.mark.parametrize("sent", ["", "x", "!!", "MTAw", "MTAwLnh4", "LTUueHg="])
def test_any_cursor_is_answered(desk: TravelDesk, sent: str) -> None:
    assert desk.search("LHR", "DUB", next_page_id=sent)["results"] is not None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"origin": ""}, 400),
        ({"destination": ""}, 400),
        ({"start": "tomorrow"}, 400),
        ({"end": "2027-02-30"}, 400),
        ({"seats": "many"}, 400),
        ({"seats": "١"}, 400),  # noqa: RUF001 - a digit that is none
        ({"origin": "LON"}, 200),
        ({"destination": "MAD"}, 200),
        ({"start": "0000-01-01"}, 200),
        ({"end": "9999-12-31"}, 200),
        ({"start": "9999-12-31"}, 200),
    ],
)
@pytest.mark.parametrize("path", ["/v3/flights", "/v2/flights", "/v3/roundTrips"])
def test_odd_searches(desk: TravelDesk, path: str, query: dict[str, str], expected: int) -> None:
    assert desk.call("GET", path, **{"origin": "MAD", "destination": "FCO"} | query).status_code == expected


def test_situations_show_in_flights(desk: TravelDesk) -> None:
    connecting = {len(each["segments"]) for each in desk.search("BIO", "HEL")["results"]}

    assert connecting == {2, 3}
    assert {each["infant_price"] for each in desk.search("MAD", "IBZ")["results"]} == {None}
    assert desk.flight("BCN", "IBZ")["bags"] == {"checked": [], "cabin": []}
    assert desk.flight("BCN", "IBZ", "v2")["luggage_options"] == []
    assert desk.flight("LGW", "AGP")["need_apis"] is True


def test_round_trip_fares_are_sold_where_there_are_some(desk: TravelDesk) -> None:
    start = desk.server.service.clock.now().date() + timedelta(days=30)
    window = {"start": start, "returnStart": start + timedelta(days=7)}
    page = desk.call("GET", "/v3/roundTrips", origin="MAD", destination="FCO", **window).json()
    none = desk.call("GET", "/v3/roundTrips", origin="LIS", destination="CDG", **window).json()
    flights = {each["id"]: each for each in page["flights"]}
    fare = page["fares"][0]
    out, back = flights[fare["outward_id"]], flights[fare["return_id"]]

    assert none == {"fares": [], "flights": [], "next_page_id": None}
    assert {each["departure_date"][:10] for each in flights.values()} > {str(window["returnStart"])}
    assert fare["price"] < out["price"] + back["price"]
    assert "bags" not in out
    assert back["departure_date"][:10] >= str(window["returnStart"])

    both = [
        next(each for each in desk.search(*ends, start=day, end=day)["results"] if each["id"] == flight["id"])
        for ends, flight in ((("MAD", "FCO"), out), (("FCO", "MAD"), back))
        for day in (flight["departure_date"][:10],)
    ]
    requests = desk.call("POST", "/v3/requests", desk.wish(*both) | {"fare_type": "round_trip"}).json()["requests"]
    bookings = desk.book(*requests).json()["bookings"]

    assert sum(each["price"] for each in requests) == pytest.approx(fare["price"])
    assert len({each["cp_reference"] for each in bookings}) == 1
    found = desk.look_up(bookings[0]["cp_reference"]).json()["bookings"]
    assert [each["type"] for each in found] == ["outward", "return"]


def test_a_flight_is_verified(desk: TravelDesk) -> None:
    flight = desk.flight()
    body = {"flight_id": flight["id"], "passengers": {"adults": 1, "infants": 1}, "customer_code": desk.code}
    told = desk.call("POST", "/v3/flights/verify", body).json()
    alone = desk.call("POST", "/v3/flights/verify", body | {"passengers": {"adults": 1}}).json()
    wrong = desk.call("POST", "/v3/flights/verify", body | {"passengers": {"adults": 1, "infants": 2}})

    assert (told["price"], told["infant_price"], told["currency"]) == (flight["price"], flight["infant_price"], "EUR")
    assert "infant_price" not in alone
    assert wrong.status_code == 400


# Requests


def test_a_request_holds_seats_until_it_is_cancelled(desk: TravelDesk) -> None:
    before = desk.flight()["available_seats"]
    request = desk.request()
    held = desk.flight()["available_seats"]
    cancelled = desk.call("POST", f"/v3/requests/{request['id']}/cancel")
    again = desk.call("POST", f"/v3/requests/{request['id']}/cancel")

    assert (held, desk.flight()["available_seats"]) == (before - 1, before)
    assert (cancelled.status_code, cancelled.json()) == (200, {"success": True})
    assert again.status_code == 409
    assert desk.book(request).status_code == 409


def test_a_family_is_counted_by_age(desk: TravelDesk) -> None:
    departure = date.fromisoformat(desk.flight()["departure_date"][:10])
    second, twelfth = (departure.replace(year=departure.year - years) for years in (2, 12))
    born = [twelfth, twelfth + timedelta(days=1), second, second + timedelta(days=1)]
    family = [desk.passenger(), *(desk.passenger(str(day)) for day in born)]
    answer = desk.call("POST", "/v3/requests", desk.wish(desk.flight(), passengers=family)).json()["requests"][0]

    assert answer["passengers"] == {"adults": 2, "children": 2, "infants": 1}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"flight_ids": [999_999_999]}, 404),
        ({"flight_ids": [10**30]}, 404),
        ({"flight_ids": [-1]}, 404),
        ({"flight_ids": []}, 400),
        ({"flight_ids": [1, 2, 3]}, 400),
        ({"passengers": []}, 400),
        ({"customer_code": "NOBODY"}, 404),
        ({"bags": {}}, 400),
        ({"bags": None}, 400),
        ({"bags": {"1": {"checked": [], "cabin": []}}}, 400),
        ({"fare_type": "open_jaw"}, 400),
        ({"fare_type": "round_trip"}, 200),
    ],
)
def test_requests_are_checked(desk: TravelDesk, change: dict[str, Any], expected: int) -> None:
    wish = desk.wish(desk.flight()) | change
    if "flight_ids" in change and "bags" not in change:
        wish["bags"] = {str(each): {} for each in change["flight_ids"]} or wish["bags"]

    assert desk.call("POST", "/v3/requests", wish).status_code == expected


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
def test_bags_are_checked(desk: TravelDesk, kind: str, change: dict[str, Any], expected: int) -> None:
    flight = desk.flight()
    wish = desk.wish(flight)
    wish["bags"][str(flight["id"])][kind][0] |= change

    assert desk.call("POST", "/v3/requests", wish).status_code == expected


def test_every_bag_option_is_listed(desk: TravelDesk) -> None:
    flight = desk.flight()
    wish = desk.wish(flight)
    wish["bags"][str(flight["id"])]["checked"].pop()

    assert desk.call("POST", "/v3/requests", wish).status_code == 400


def test_a_flight_without_bags_is_requested_without(desk: TravelDesk) -> None:
    flight = desk.flight("BCN", "IBZ")

    nothing: list[dict[str, list[Any]]] = [{}, {"checked": []}, {"checked": [], "cabin": []}]
    for bags in nothing:
        wish = desk.wish(flight) | {"bags": {str(flight["id"]): bags}}
        assert desk.call("POST", "/v3/requests", wish).status_code == 200


def test_what_is_gone_or_dearer_is_a_conflict(desk: TravelDesk) -> None:
    gone = desk.call("POST", "/v3/requests", desk.wish(desk.flight("MAD", "ZRH")))

    assert gone.status_code == 409
    assert desk.book(desk.request("MAD", "GVA")).status_code == 409
    assert desk.book(desk.request("MAD", "BRU")).status_code == 409
    assert desk.book_v2(desk.request_v2("MAD", "BRU")).status_code == 409


def test_two_flights_are_held_or_none(desk: TravelDesk) -> None:
    full, free = desk.flight("HEL", "ARN"), desk.flight()
    crowd = [desk.passenger() for _ in range(full["available_seats"] + 1)]
    refused = desk.call("POST", "/v3/requests", desk.wish(free, full, passengers=crowd))

    assert refused.status_code == 409
    assert desk.flight()["available_seats"] == free["available_seats"]


# Bookings


def test_a_request_is_booked_once_of_ten_times(desk: TravelDesk) -> None:
    request = desk.request(checked=1)
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: desk.book(request), range(10)))
    statuses = sorted(answer.status_code for answer in answers)

    assert statuses == [200] + [409] * 9


def test_a_request_lives_for_its_minutes(desk: TravelDesk) -> None:
    early, late = desk.request(), desk.request()
    desk.wait(170)
    in_time = desk.book(early)
    desk.wait(140)

    assert in_time.status_code == 200
    assert desk.book(late).status_code == 409


def test_a_booking_is_confirmed_when_its_record_locator_arrives(desk: TravelDesk) -> None:
    booking = desk.booked()
    desk.wait(2 * 3600)
    later = desk.look_up(booking["cp_reference"]).json()["bookings"][0]
    charter = desk.booked("MAN", "PMI")

    assert (booking["status"], booking["pnr_airline"]) == ("AWAITING_PNR_AIRLINE", None)
    assert later["status"] == "CONFIRMED"
    assert len(later["pnr_airline"]) == 6
    assert all(each["confirmed"] for each in later["passengers"])
    assert (charter["status"], charter["pnr_airline"]) == ("CONFIRMED", None)


@pytest.mark.parametrize("version", ["v3", "v2"])
def test_a_schedule_change_shows(desk: TravelDesk, version: str) -> None:
    reference = desk.booked("STN", "LIN", version=version)["cp_reference"]
    found = desk.look_up(reference, version).json()["bookings"][0]
    change = found["flight_changes"][0]
    old, new = change["data"]["oldFlight"], change["data"]["newFlight"]

    assert found["flight"]["departure_date"] < found["final_flight"]["departure_date"]
    assert old.keys() == new.keys()
    assert old["segment_1_origin_airport"] == found["flight"]["origin"]["iata_code"] == "STN"
    assert new["segment_1_origin_airport"] == found["final_flight"]["origin"]["iata_code"]
    assert new["segment_1_origin_timezone"] == "Europe/London"


@pytest.mark.parametrize(
    ("fields", "expected", "again"),
    [
        ({"payment_method": "pm_card_chargeDeclined"}, 422, 403),
        ({"payment_method": "pm_never_created"}, 422, 403),
        ({"payment_method": "pm_card_authenticationRequired"}, 422, 403),
        ({"payment_method": "pm_card_authenticationRequired", "three_d_secure": SECURE}, 200, 409),
        ({"three_d_secure": SECURE | {"electronic_commerce_indicator": "06"}}, 422, 403),
        ({"three_d_secure": SECURE | {"electronic_commerce_indicator": "00"}}, 400, 200),
        ({"three_d_secure": SECURE | {"cryptogram": "short"}}, 400, 200),
        ({"three_d_secure": SECURE | {"transaction_id": True}}, 200, 409),
        ({"three_d_secure": {}}, 400, 200),
        ({"payment_method": None}, 400, 200),
        ({"customer_code": "NOBODY"}, 404, 200),
        ({"email": None}, 400, 200),
        ({"request_ids": []}, 400, 200),
        ({"request_ids": [1]}, 404, 200),
    ],
)
def test_bookings_end_as_documented(desk: TravelDesk, fields: dict[str, Any], expected: int, again: int) -> None:
    request = desk.request()

    assert desk.book(request, **fields).status_code == expected
    assert desk.book(request).status_code == again


def test_a_declined_card_shows_the_providers_code_and_frees_the_seats(desk: TravelDesk) -> None:
    before = desk.flight()["available_seats"]
    declined = desk.book(desk.request(), payment_method="pm_card_chargeDeclinedInsufficientFunds")

    assert declined.json()["code"] == "insufficient_funds"
    assert desk.flight()["available_seats"] == before


def test_self_psp_is_for_those_who_are_authorized(desk: TravelDesk, other_desk: TravelDesk) -> None:
    booked = [desk.book(desk.request(), self_psp=True), desk.book_v2(desk.request_v2(), self_psp=True)]
    refused = [
        other_desk.book(other_desk.request(), self_psp=True),
        other_desk.book_v2(other_desk.request_v2(), self_psp=True),
    ]
    bookings = [each.json()["bookings"][0] for each in booked]

    assert [each.status_code for each in (*booked, *refused)] == [200, 200, 403, 403]
    assert [each["total_price"] for each in bookings] == [each["price"] for each in bookings]


def test_prices_add_up(desk: TravelDesk) -> None:
    request = desk.request(checked=1, cabin=1)
    booking = desk.book(request).json()["bookings"][0]
    fees = booking["bags_fee"]

    assert fees == request["bags_fee"]
    total = (request["price"] + fees["checked"] + fees["cabin"]) * (1 + request["cc_fee"])
    assert booking["total_price"] == pytest.approx(total, abs=0.01)


def test_what_is_not_ones_own_or_of_another_version_is_not_shown(desk: TravelDesk, other_desk: TravelDesk) -> None:
    request, request_v2, booking = desk.request(), desk.request_v2(), desk.booked()

    assert other_desk.book(request).status_code == 404
    assert other_desk.call("POST", f"/v3/requests/{request['id']}/cancel").status_code == 404
    assert other_desk.look_up(booking["cp_reference"]).status_code == 404
    assert desk.book(request_v2).status_code == 404
    assert desk.look_up(booking["cp_reference"], "v2").status_code == 404


@pytest.mark.parametrize(("number", "expected"), [("x", 404), ("1", 404), ("9" * 40, 404), ("%00", 404), ("-1", 404)])
def test_unknown_requests_are_not_cancelled(desk: TravelDesk, number: str, expected: int) -> None:
    assert desk.call("POST", f"/v3/requests/{number}/cancel").status_code == expected


# v2


def test_v2_books_luggage_for_a_customer_by_code_or_by_data(desk: TravelDesk) -> None:
    by_code = desk.book_v2(desk.request_v2(), pieces=1).json()["bookings"][0]
    data = desk.order_v2(desk.request_v2())
    del data["customer_code"]
    booker = {name: data[name] for name in ("first_name", "last_name", "gender", "email", "phonenumber")}
    neither = desk.call("POST", "/v2/bookings", data)
    by_data = desk.call("POST", "/v2/bookings", data | {"customer_data": booker})

    assert (by_code["luggage_fee"], by_code["luggage"][0]["quantity"]) == (23.5, 1)
    assert (neither.status_code, by_data.status_code) == (400, 200)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"luggage": {}}, 400),
        ({"luggage": {"1": []}}, 400),
        ({"passengers": []}, 400),
        ({"requests": []}, 400),
        ({"requests": ["x"]}, 404),
        ({"requests": [1, 2, 3, 4]}, 400),
    ],
)
def test_v2_bookings_are_checked(desk: TravelDesk, change: dict[str, Any], expected: int) -> None:
    assert desk.book_v2(desk.request_v2(), **change).status_code == expected


def test_v2_takes_ids_as_text_and_three_flights(desk: TravelDesk) -> None:
    flights = desk.search(version="v2")["results"][:3]
    body = {"flights": [str(each["id"]) for each in flights], "passengers": {"adults": 1}}
    requests = desk.call("POST", "/v2/requests", body).json()["requests"]
    bookings = desk.book_v2(*requests).json()["bookings"]

    assert [each["flight"]["id"] for each in requests] == [each["id"] for each in flights]
    assert requests[0]["customer"] is None
    assert len({each["cp_reference"] for each in bookings}) == 1


@pytest.mark.parametrize(
    ("counts", "expected"), [({}, 200), ({"adults": -1}, 400), ({"adults": 10**9}, 400), ({"adults": 2001}, 400)]
)
def test_v2_counts_are_checked(desk: TravelDesk, counts: dict[str, int], expected: int) -> None:
    body = {"flights": [desk.flight(version="v2")["id"]], "passengers": counts}

    assert desk.call("POST", "/v2/requests", body).status_code == expected


# What dialects choose


def test_a_flight_that_is_gone_leaves_the_other_to_be_booked(
    desk: TravelDesk, sandbox: SandboxServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, there = desk.request("MAD", "GVA"), desk.request()
    all_fail = desk.book(gone, there)
    change_choices(monkeypatch, sandbox, partly_gone="the rest is booked")
    partly = desk.book(gone, there)

    assert all_fail.status_code == 409
    assert [each["request_id"] for each in partly.json()["bookings"]] == [there["id"]]


def test_passports_are_demanded_where_a_flight_needs_them(
    desk: TravelDesk, sandbox: SandboxServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_choices(monkeypatch, sandbox, passport_needed=422)
    flight = desk.flight("LGW", "AGP")
    with_passport = [desk.passenger() | {"passport_number": "X1"}]

    assert desk.call("POST", "/v3/requests", desk.wish(flight)).status_code == 422
    assert desk.call("POST", "/v3/requests", desk.wish(flight, passengers=with_passport)).status_code == 200


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
def test_tokens_are_taken_in_the_forms_of_the_dialect(
    desk: TravelDesk, monkeypatch: pytest.MonkeyPatch, form: str, asked: str, expected: int
) -> None:
    change_choices(monkeypatch, desk.server, authorization_form=form)
    method, _, header = asked.format(token=desk.credentials["token"]).partition(" ")
    path = "/v3/bookings?cp_reference=X" if method == "GET" else "/v3/requests/1/cancel"
    headers = {"Authorization": header} if header else {}

    assert (
        desk.session.request(method, desk.server.base_url + path, headers=headers, timeout=10).status_code == expected
    )
