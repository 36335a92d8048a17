"""Pages of flights and of round-trip fares, compared with their search."""

import pytest

from unit.contract.examples import RETURNED, Change, changed, exchange, put
from unit.contract.judging import found, on_response, weighed
from unit.contract.v3.v3_examples import (
    BACK,
    BAGS,
    FLIGHT,
    WINDOW,
    flight,
    leaving,
    place,
    queried,
    returning,
    segment,
    times,
)

FOUND_IN_V3 = RETURNED["searchFlights"]["results"][0]
FOUND = "results[0]"
TWO_DAYS = "origin=MAD&destination=FCO&start=2035-03-13&end=2035-03-14"
DAYS_OF_FARES = "start=2035-03-13&end=2035-03-15&returnStart=2035-03-19&returnEnd=2035-03-21"


@pytest.mark.parametrize("operation", ["searchFlights", "searchFlightsV2"])
@pytest.mark.parametrize(("count", "broken"), [(100, False), (101, True)])
def test_page_has_more_than_100_results(operation: str, count: int, broken: bool) -> None:
    returned = {"results": RETURNED[operation]["results"] * count, "next_page_id": "more"}
    assert found(exchange(operation, returned=returned)) == [("response", "V23-FLIGHTS-PAGE", "/results")] * broken


@pytest.mark.parametrize(
    ("query", "day", "broken"),
    [
        ("start=2035-03-13&end=2035-03-13", "2035-03-13", False),
        ("start=2035-03-13&end=2035-03-13", "2035-03-14", True),
        ("start=2035-03-13", "2035-03-16", False),
        ("start=2035-03-13", "2035-03-17", True),
        ("start=2035-03-13&end=2035-03-21", "2035-03-16", False),
        ("start=2035-03-13&end=2035-03-21", "2035-03-17", True),
        ("start=2035-03-13&end=2026-11-01", "2035-03-13", False),
        ("start=2035-03-13&end=2026-11-01", "2026-11-20", True),
        ("", "2026-11-01", False),
        ("", "2026-11-06", False),
        ("", "2026-11-07", True),
        ("", "2026-10-31", True),
        ("end=2026-11-03", "2026-11-03", False),
        ("end=2026-11-03", "2026-11-04", True),
        ("start=soon", "2030-01-01", False),
        ("start=2035-03-13&end=later", "2030-01-01", False),
        ("next_page_id=c", "2030-01-01", False),
        ("start=2035-03-13&next_page_id=c", "2030-01-01", False),
    ],
)
@pytest.mark.parametrize("operation", ["searchFlights", "searchFlightsV2"])
def test_flight_departs_outside_the_requested_window(operation: str, query: str, day: str, broken: bool) -> None:
    made = queried(operation, f"origin=MAD&destination=FCO&{query}", returned=leaving(FOUND, f"{day} 10:00:00"))
    places = [place for place in found(made) if place[2] == "/results/0/departure_date"]
    assert places == [("response", "V23-FLIGHTS-WINDOW", "/results/0/departure_date")] * broken


@pytest.mark.parametrize(
    ("departs", "soft"),
    [
        ("2035-03-12 09:59:00", False),
        ("2035-03-12 23:30:00", True),
        ("2035-03-15 00:30:00", True),
        ("2035-03-15 12:00:00", False),
    ],
)
def test_flight_shown_in_utc_may_depart_on_another_day(departs: str, soft: bool) -> None:
    made = queried("searchFlights", TWO_DAYS, returned=leaving(FOUND, departs))
    assert [each for rule, _, each in weighed(made) if rule == "V23-FLIGHTS-WINDOW"] == [soft]


@pytest.mark.parametrize(("seats", "broken"), [("9", False), ("10", True), ("x", False), ("0", False), ("", False)])
def test_flight_has_too_few_seats(seats: str, broken: bool) -> None:
    places = found(queried("searchFlightsV2", f"{WINDOW}&seats={seats}"))
    assert (("response", "V23-FLIGHTS-SEATS", "/results/0/available_seats") in places) is broken


@pytest.mark.parametrize(
    ("seats", "shown", "softness"),
    [
        ("90", [9, 9], {True}),
        ("90", [9, 8], {False}),
        ("90", [40, 40], {False}),
        ("8", [7, 7], {False}),
        ("90", [9], {True}),
    ],
)
def test_service_may_count_no_further_than_nine_seats(seats: str, shown: list[int], softness: set[bool]) -> None:
    flights = [FOUND_IN_V3 | {"id": 1 + index, "available_seats": number} for index, number in enumerate(shown)]
    made = queried("searchFlights", f"{WINDOW}&seats={seats}", returned={"results": flights, "next_page_id": None})
    assert {soft for rule, _, soft in weighed(made) if rule == "V23-FLIGHTS-SEATS"} == softness


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (put("destination.iata_code", "ORK"), [("V23-FLIGHT-FIELDS", "/results/0/destination", True)]),
        (put("arrival_date", "2035-03-14 12:20:00"), [("V23-FLIGHT-FIELDS", "/results/0/arrival_date", True)]),
        (put("price", 700), []),
    ],
)
def test_id_is_of_one_flight(change: Change, expected: list[tuple[str, str, bool]]) -> None:
    again = exchange("searchFlights", returned={"results": [changed(FOUND_IN_V3, change)], "next_page_id": None})
    found = weighed(exchange("searchFlights"), again)
    assert [each for each in found if each[0] == "V23-FLIGHT-FIELDS"] == expected


@pytest.mark.parametrize(("query", "warns"), [("origin=MAD", []), ("origin=mad", []), ("origin=BCN", ["origin"])])
def test_search_returns_another_route(query: str, warns: list[str]) -> None:
    made = queried("searchFlights", f"{query}&destination=FCO&start=2035-03-13")
    assert weighed(made) == [("V23-FLIGHTS-ROUTE", f"/results/0/{name}/iata_code", True) for name in warns]


@pytest.mark.parametrize(("city", "soft"), [("roma", True), ("Ibiza", False), (None, True)])
def test_search_returns_a_flight_to_another_city(city: str | None, soft: bool) -> None:
    elsewhere = flight(bags=BAGS, id=5, destination=place("IBZ") | {"city_name": city})
    returned = {"results": [flight(bags=BAGS), elsewhere], "next_page_id": None}
    judged = weighed(queried("searchFlights", WINDOW, returned=returned))
    assert ("V23-FLIGHTS-ROUTE", "/results/1/destination/iata_code", soft) in judged


def test_search_returns_the_opposite_direction() -> None:
    back = exchange("searchFlights", returned={"results": [returning(bags=BAGS)], "next_page_id": None})
    assert [soft for rule, _, soft in weighed(back) if rule == "V23-FLIGHTS-ROUTE"] == [False, False]


def test_fare_has_exchanged_flights() -> None:
    exchanged = put("fares[0].outward_id", BACK), put("fares[0].return_id", FLIGHT)
    query = f"origin=MAD&destination=FCO&{DAYS_OF_FARES}"
    made = queried("searchRoundTrips", query, returned=changed(RETURNED["searchRoundTrips"], *exchanged))
    assert on_response(made) == [("V3-ROUND-TRIPS-ROUTE", "/fares/0/outward_id", False)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("origin=MAD&destination=FCO", []),
        ("origin=mad&destination=fco", []),
        ("origin=BCN&destination=FCO", [("/flights/0/origin", True), ("/flights/1/destination", True)]),
        # The same defect of the return flight is counted in the message of the first.
        ("origin=FCO&destination=MAD", [("/flights/0/origin", False), ("/flights/0/destination", False)]),
        ("origin=FCO&destination=MAD&next_page_id=c", []),
    ],
)
def test_fare_flies_another_route(query: str, expected: list[tuple[str, bool]]) -> None:
    found = on_response(queried("searchRoundTrips", f"{query}&{DAYS_OF_FARES}"))
    assert found == [("V3-ROUND-TRIPS-ROUTE", f"{place}/iata_code", soft) for place, soft in expected]


@pytest.mark.parametrize(
    ("last", "query", "expected"),
    [
        ("2035-03-17 21:00:00", "", []),
        ("2035-03-17 22:30:00", "", [True]),
        ("2035-03-17 23:30:00", "", [False]),
        ("2035-03-17 23:30:00", "&end=2035-03-17", []),
    ],
)
def test_flights_without_dates_depart_within_four_days(last: str, query: str, expected: list[bool]) -> None:
    days = {10: "2035-03-13 22:00:00", 20: last}
    flights = [FOUND_IN_V3 | {"id": number, "departure_date": departs} for number, departs in days.items()]
    made = queried(
        "searchFlights", f"origin=MAD&destination=FCO{query}", returned={"results": flights, "next_page_id": None}
    )
    found = [(at, soft) for rule, at, soft in weighed(made) if rule == "V23-FLIGHTS-DEFAULT-WINDOW"]
    assert found == [("/results/1/departure_date", soft) for soft in expected]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ("start=2035-03-13&returnStart=2035-03-19&returnEnd=2035-03-21", []),
        ("end=2035-03-14&returnStart=2035-03-19&returnEnd=2035-03-21", ["WINDOW 0"]),
        ("start=2026-11-20&returnStart=2035-03-19&returnEnd=2035-03-21", ["WINDOW 0"]),
        ("start=2035-03-13&end=2035-03-14&returnStart=2035-03-13", ["WINDOW 1"]),
        ("start=2035-03-13&returnStart=2035-03-18", []),
        ("start=2035-03-13&returnEnd=2035-03-19", ["WINDOW 1"]),
        ("start=2035-03-13", ["DEFAULT-WINDOW 1"]),
        ("", ["WINDOW 0", "DEFAULT-WINDOW 1"]),
        # Days of the way back alone, days that are earlier and an unknown cursor are open (OPEN-79, OPEN-80).
        ("returnStart=2035-03-13", []),
        ("start=2035-04-01&returnStart=2035-03-13", []),
        ("start=2026-11-01&end=2026-11-02&next_page_id=c", []),
    ],
)
def test_flights_of_fares_depart_outside_the_window(days: str, expected: list[str]) -> None:
    made = queried("searchRoundTrips", f"origin=MAD&destination=FCO&{days}")
    found = [(rule.removeprefix("V3-ROUND-TRIPS-"), place.split("/")[2]) for rule, place, _ in on_response(made)]
    assert [" ".join(each) for each in found] == expected


@pytest.mark.parametrize(
    ("bags", "kind"),
    [
        (None, None),
        ([], None),
        ({"checked": [], "cabin": []}, None),
        (BAGS, "checked"),
        (BAGS | {"checked": []}, "cabin"),
    ],
)
def test_round_trip_flight_has_bags(bags: object, kind: str | None) -> None:
    found = on_response(exchange("searchRoundTrips", returned=put("flights[0].bags", bags)))
    broken = [("V3-ROUND-TRIPS-ANSWER", f"/flights/0/bags/{kind}", False)]
    assert found == (broken if kind else [("V23-UNKNOWN-FIELDS", "/flights/0/bags", True)])


def test_flight_without_a_fare_is_not_compared() -> None:
    without_fare = put("flights[0].id", 5), put("fares[0].outward_id", 6)
    late = leaving("flights[0]", "2027-01-01 10:00:00")
    assert found(exchange("searchRoundTrips", returned=(*without_fare, late))) == []


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        (times("2035-03-15 10:00:00", "2035-03-15 11:20:00"), True),
        ({"segments": [segment(marketing_carrier_flight_number=3913)]}, True),
        ({"price": 90, "available_seats": 8}, False),
    ],
)
def test_two_flights_of_a_page_have_one_id(changes: dict[str, object], broken: bool) -> None:
    results = [flight(bags=BAGS), flight(bags=BAGS, **changes)]
    searched = exchange("searchFlights", returned=RETURNED["searchFlights"] | {"results": results})
    assert found(searched) == ([("response", "V23-FLIGHT-FIELDS", "/results/1/id")] if broken else [])


def test_verification_for_infants_has_their_price() -> None:
    sent = {"flight_id": 1, "passengers": {"adults": 1, "infants": 1}, "customer_code": "FIRST-OTA"}
    missing = [("response", "V3-VERIFY-ANSWER", "/infant_price")]
    for price, expected in (({}, missing), ({"infant_price": 9.5}, []), ({"infant_price": None}, [])):
        verified = exchange("verifyFlight", sent=sent, returned=RETURNED["verifyFlight"] | price)
        assert [each for each in found(verified) if each[0] == "response"] == expected


def test_flights_outside_the_window_are_one_finding_as_firm_as_the_worst() -> None:
    flights = [FOUND_IN_V3 | {"id": number, "departure_date": f"2035-03-15 {number}:00:00"} for number in (10, 20)]
    returned = {"results": flights, "next_page_id": None}
    made = queried("searchFlights", TWO_DAYS, returned=returned)
    places = [(place, soft) for rule, place, soft in weighed(made) if rule == "V23-FLIGHTS-WINDOW"]
    assert places == [("/results/1/departure_date", False)]
