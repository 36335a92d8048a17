"""Retrieved bookings of v2 and v3: they are found, and what must not change stays the same."""

from collections.abc import Sequence

import pytest

from airworthy.contract import Exchange
from unit.contract.examples import BEARER_HEADERS, RETURNED, SENT, Change, changed, drop, exchange, put, rejected
from unit.contract.judging import found, weighed
from unit.contract.v3.test_conversations import BOOKED, INTERFACES, MADE, REQUESTED, RETRIEVED
from unit.contract.v3.v3_examples import BACK, FLIGHT, NO_BAGS, REFERENCE, REQUEST, leaving, queried, returning


@pytest.mark.parametrize("version", INTERFACES)
def test_booking_is_not_found(version: str) -> None:
    nothing = exchange(RETRIEVED[version], returned={"bookings": []}, after=2)
    assert found(nothing) == []
    assert found(exchange(BOOKED[version]), nothing) == [("response", "V23-LOOK-UP", "/bookings")]
    unknown = queried(RETRIEVED[version], "cp_reference=CPXX99", returned={"bookings": []})
    assert found(exchange(BOOKED[version]), unknown) == []
    lower = queried(RETRIEVED[version], f"cp_reference={REFERENCE.lower()}")
    assert found(exchange(BOOKED[version]), lower) == []
    canceled = changed(RETURNED[RETRIEVED[version]], put(f"{MADE}.status", "CANCELED"))
    assert found(exchange(BOOKED[version]), exchange(RETRIEVED[version], returned=canceled), nothing) == []


@pytest.mark.parametrize("version", INTERFACES)
@pytest.mark.parametrize(
    ("request_id", "pointer"), [(REQUEST, "/bookings/0/id"), (REQUEST + 1, "/bookings")], ids=["renamed", "another"]
)
def test_booking_is_retrieved_under_another_id(version: str, request_id: int, pointer: str) -> None:
    changes = put(f"{MADE}.id", 7), put(f"{MADE}.passengers[0].booking_id", 7), put(f"{MADE}.request_id", request_id)
    retrieved = exchange(RETRIEVED[version], returned=(*changes,), after=2)
    assert found(exchange(BOOKED[version]), retrieved) == [("response", "V23-LOOK-UP", pointer)]
    # That it was made was not seen: what is retrieved later may be more or less.
    of_reads = [("response", "V23-LOOK-UP", pointer)] if request_id == REQUEST else []
    assert found(exchange(RETRIEVED[version], name="first"), retrieved) == of_reads
    another = exchange(BOOKED[version], returned=(*changes,), after=1, name="another")
    assert ("response", "V23-LOOK-UP", "/bookings") not in found(another, retrieved)


RETURN = {"request_id": REQUEST + 1, "id": 9002, "flight_id": BACK, "type": "return"}


def there_and_back(operation: str, *changes: Change, booked: Sequence[int] = (REQUEST, REQUEST + 1)) -> Exchange:
    """Return an exchange of the conversation on a round-trip fare."""
    (name,) = RETURNED[operation]
    first = RETURNED[operation][name][0]
    own = {"id": REQUEST + 1} if name == "requests" else {key: RETURN[key] for key in RETURN.keys() & first.keys()}
    second = changed({**first, **own}, put("flight.id", BACK))
    if name == "bookings":
        second = changed(second, put("passengers[0].booking_id", RETURN["id"]))
    ids = {"flight_ids": [FLIGHT, BACK], "fare_type": "round_trip", "bags": {str(FLIGHT): NO_BAGS, str(BACK): NO_BAGS}}
    sent = {"createRequests": ids, "createBookings": {"request_ids": [*booked]}}
    return exchange(
        operation,
        sent=SENT[operation] | sent[operation] if operation in sent else None,
        returned=changed({name: [first, second]}, *changes),
        after=1,
        name=operation,
    )


ANOTHER = {"request_id": 5, "id": 7, "type": "return", "passengers": []}
TRIP = [there_and_back("createRequests"), there_and_back("createBookings")]


@pytest.mark.parametrize(
    ("changes", "pointer", "needs_fare"),
    [
        ([], None, True),
        ([put("bookings[1].type", None)], "/bookings/1/type", False),
        ([put("bookings[1].type", "outward")], "/bookings/1/type", True),
        ([put("bookings[0].type", "return")], "/bookings/0/type", True),
        ([drop("bookings[1]")], "/bookings", False),
        ([put("bookings[1]", RETURNED["getBookings"]["bookings"][0] | ANOTHER)], "/bookings", False),
    ],
)
def test_retrieved_bookings_of_a_round_trip(changes: list[Change], pointer: str | None, needs_fare: bool) -> None:
    retrieved = there_and_back("getBookings", *changes)
    expected = [("response", "V23-LOOK-UP", pointer)] if pointer else []
    assert found(exchange("searchRoundTrips"), *TRIP, retrieved) == expected
    # Without the fare the direction of a booking is unknown (OPEN-87), but not that it has one.
    assert found(*TRIP, retrieved) == ([] if needs_fare else expected)


@pytest.mark.parametrize(
    ("types", "day", "booked", "is_wrong"),
    [
        (("return", "outward"), "2035-03-17", (REQUEST, REQUEST + 1), True),
        (("outward", "outward"), "2035-03-17", (REQUEST, REQUEST + 1), False),
        # Whether the order of the requests, of the booking or of the flights counts, is not documented.
        (("return", "outward"), "2035-03-17", (REQUEST + 1, REQUEST), False),
        (("return", "outward"), "2035-03-12", (REQUEST, REQUEST + 1), False),
        (("outward", "return"), "2035-03-12", (REQUEST + 1, REQUEST), False),
    ],
)
def test_bookings_of_one_way_flights_there_and_back(
    types: Sequence[str], day: str, booked: Sequence[int], is_wrong: bool
) -> None:
    def returned(operation: str, name: str, *changes: Change) -> Exchange:
        back = put(name, returning(id=BACK)), leaving(name, f"{day} 10:00:00")
        return there_and_back(operation, *back, *changes, booked=booked)

    made = returned("createRequests", "requests[1].flight"), returned("createBookings", "bookings[1].flight")
    shown = [put(f"bookings[{place}].type", each) for place, each in enumerate(types)]
    retrieved = returned("getBookings", "bookings[1].flight", *shown)
    wrong = [place for _, rule, place in found(*made, retrieved) if rule == "V23-LOOK-UP" and place.endswith("type")]
    assert wrong == ["/bookings/0/type"] * is_wrong


@pytest.mark.parametrize(
    ("ids", "made"), [((REQUEST + 1, REQUEST), 2), ((REQUEST + 1,), 1), ((REQUEST, REQUEST + 1), 1)]
)
def test_direction_of_bookings_made_alone_or_in_another_order_is_open(ids: tuple[int, ...], made: int) -> None:
    changes = [put("bookings[0].type", "return"), put("bookings[1].type", "outward")]
    less = [drop("bookings[0]")] * (2 - made)
    booked = there_and_back("createBookings", *less, booked=ids)
    retrieved = there_and_back("getBookings", *changes, *less)
    assert found(exchange("searchRoundTrips"), TRIP[0], booked, retrieved) == []


def test_round_trip_request_with_flights_of_two_fares() -> None:
    fare = RETURNED["searchRoundTrips"]["fares"][0]
    fares = [fare | {"return_id": 1}, fare | {"outward_id": 2}]
    requested = rejected(there_and_back("createRequests"), 409)
    sent = [("request", "V3-REQUESTS-FARE-TYPE", "/flight_ids")]
    for listed, cursor, expected in ((fares, None, sent), ([*fares, fare], None, []), (fares, "cursor-2", [])):
        returned = RETURNED["searchRoundTrips"] | {"fares": listed, "next_page_id": cursor}
        assert found(exchange("searchRoundTrips", returned=returned), requested) == expected


@pytest.mark.parametrize("version", INTERFACES)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        # Names may be written in another way, and dates in another format.
        ("passengers[0].first_name", "Mrs. Ana Marie"),
        ("passengers[0].last_name", "Gíl"),
        ("passengers[0].last_name", "Лавлейс"),
        ("passengers[0].date_of_birth", "01/04/1990"),
        ("passengers[0].date_of_birth", "01.04.1990"),
        ("passengers[0].date_of_birth", "01-04-1990T00:00:00"),
        # Nobody knows that it is not of an American.
        ("passengers[0].date_of_birth", "04/01/1990"),
        ("passengers[0].date_of_birth", "1990-03-31T23:00:00Z"),
        # A time in another format, without a zone or unreadable is not compared.
        ("created_at", "2020-01-01 00:00:00"),
        ("created_at", "yesterday"),
        ("passengers[0].confirmed", True),
    ],
)
def test_lasting_value_of_a_retrieved_booking_is_written_in_another_way(version: str, name: str, value: object) -> None:
    made = exchange(RETRIEVED[version], returned=put(f"{MADE}.{name}", value), after=2)
    assert [each for each in found(exchange(BOOKED[version]), made) if each[1] == "V23-LOOK-UP"] == []


@pytest.mark.parametrize(
    ("sent", "returned"),
    [
        ("09/12/1991", "1991-09-12"),
        ("09.12.1991", "12.09.1991"),
        ("09/12/1991", "12/09/1991"),
        ("1991-12-25", "1991-25-12"),
    ],
)
def test_day_and_month_of_a_birth_are_exchanged(sent: str, returned: str) -> None:
    booked = exchange(
        BOOKED["v2"],
        sent=put("passengers[0].date_of_birth", sent),
        returned=put(f"{MADE}.passengers[0].date_of_birth", returned),
    )
    assert found(booked) == [("response", "V23-PASSENGER-RECORD", "/bookings/0/passengers/0/date_of_birth")]


@pytest.mark.parametrize("version", INTERFACES)
@pytest.mark.parametrize(
    ("changes", "soft"),
    [
        ({"first_name": "GRACE"}, False),
        ({"first_name": "GRACE", "updated_at": "2026-11-02T11:00:00Z"}, True),
        ({"passport_number": "X7654321"}, True),
    ],
)
def test_updated_record_and_travel_documents_only_warn(version: str, changes: dict[str, str], soft: bool) -> None:
    with_passport = put(f"{MADE}.passengers[0].passport_number", "X1234567")
    sent = put("passengers[0].passport_number", "X1234567") if version == "v2" else None
    booked = exchange(BOOKED[version], sent=sent, returned=with_passport)
    updates = (put(f"{MADE}.passengers[0].{name}", value) for name, value in changes.items())
    later = exchange(RETRIEVED[version], returned=(with_passport, *updates), after=2)
    found = [each for each in weighed(booked, later) if each[0] == "V23-LOOK-UP"]
    assert [each[-1] for each in found] == [soft]


@pytest.mark.parametrize(("name", "soft"), [("passport_expiry_date", False), ("nationality", True)])
def test_passenger_record_has_a_value_that_was_not_sent(name: str, soft: bool) -> None:
    returned, at = put(f"{MADE}.passengers[0].{name}", "0000-00-00"), f"/bookings/0/passengers/0/{name}"
    for sent, expected in ((None, [soft]), (put(f"passengers[0].{name}", ""), [])):
        found = weighed(exchange(BOOKED["v2"], sent=sent, returned=returned))
        assert [each[-1] for each in found if each[:2] == ("V23-PASSENGER-RECORD", at)] == expected


@pytest.mark.parametrize("version", INTERFACES)
def test_external_id_of_a_booking_that_was_made_without_one(version: str) -> None:
    without = exchange(BOOKED[version], sent=drop("external_id"), returned=put(f"{MADE}.external_id", None))
    assert found(without, exchange(RETRIEVED[version], after=2)) == []


@pytest.mark.parametrize("version", INTERFACES)
def test_booking_without_an_external_id_has_that_of_another(version: str) -> None:
    own = (put(f"{MADE}.{name}", 7) for name in ("id", "request_id", "passengers[0].booking_id"))
    other = put(f"{MADE}.cp_reference", "CPZZ01")
    booked = {"v2": (put("requests", [7]), put("luggage", {"7": []})), "v3": (put("request_ids", [7]),)}
    sent = (drop("external_id"), *booked[version])
    without = exchange(BOOKED[version], sent=sent, returned=(*own, other), after=1, name="another")
    broken = ("response", "V23-EXTERNAL-ID", "/bookings/0/external_id")
    assert broken in found(exchange(BOOKED[version]), without)
    assert broken not in found(without)


@pytest.mark.parametrize("version", INTERFACES)
def test_absent_value_of_a_passenger_record_is_an_empty_text(version: str) -> None:
    empty = put(f"{MADE}.passengers[0].passport_number", "")
    retrieved = exchange(RETRIEVED[version], returned=empty, after=2)
    broken = ("response", "V23-PASSENGER-RECORD", "/bookings/0/passengers/0/passport_number")
    assert broken in found(exchange(BOOKED[version]), retrieved)
    assert broken not in found(exchange(BOOKED[version], returned=empty), retrieved)[1:]
    assert found(retrieved) == []


@pytest.mark.parametrize("version", INTERFACES)
def test_booking_is_confirmed_without_a_locator(version: str) -> None:
    none = exchange(RETRIEVED[version], returned=put(f"{MADE}.pnr_airline", None))
    for between in ([], [exchange(RETRIEVED[version])]):
        wrong = ("response", "V23-LOCATOR", "/bookings/0/pnr_airline")
        assert found(exchange(BOOKED[version]), *between, none) == [wrong]
    assert found(none) == []
    moved = exchange(RETRIEVED[version], returned=put(f"{MADE}.status", "CHANGED"))
    assert found(exchange(BOOKED[version]), moved, none) == []
    assert found(exchange(BOOKED[version], returned=put(f"{MADE}.status", "CONFIRMED")), none) == []


@pytest.mark.parametrize(("minutes", "warns"), [(60, False), (119, False), (125, True)])
def test_locator_is_late(minutes: int, warns: bool) -> None:
    waiting = put(f"{MADE}.pnr_airline", None), put(f"{MADE}.status", "AWAITING_PNR_AIRLINE")
    late = exchange("getBookings", returned=waiting, after=minutes)
    assert weighed(exchange("createBookings"), late) == [("V23-LOCATOR", "/bookings/0/status", True)] * warns


def booked(number: int, version: str = "v3", request: int | None = None, key: str = "test-token") -> Exchange:
    """Return a booking with an id of its own, under the same reference."""
    asked = number if request is None else request
    ids = (put(f"{MADE}.id", number), put(f"{MADE}.passengers[0].booking_id", number), put(f"{MADE}.request_id", asked))
    luggage = {str(asked): SENT["createBookingsV2"]["luggage"][str(REQUEST)]}
    named = {"v2": {"requests": [asked], "luggage": luggage}, "v3": {"request_ids": [asked]}}[version]
    headers = tuple((name, key if name == "Authorization" else value) for name, value in BEARER_HEADERS)
    name, after = f"{number}-{asked}", float(number + asked)
    return exchange(
        BOOKED[version], sent=SENT[BOOKED[version]] | named, returned=(*ids,), after=after, name=name, headers=headers
    )


def test_reference_of_another_order() -> None:
    """It only warns for as many bookings as one order may have: in v2 three (OPEN-19)."""
    for version, most in (("v2", 3), ("v3", 2)):
        for count in range(2, most + 2):
            many = [booked(number, version) for number in range(1, count + 1)]
            another = ("V23-BOOKINGS-TOGETHER", "/bookings/0/cp_reference", count <= most)
            assert weighed(*many) == [another]
    again = weighed(booked(1), booked(1))
    assert "V23-BOOKINGS-TOGETHER" not in {rule for rule, _, _ in again}


@pytest.mark.parametrize("version", INTERFACES)
def test_booking_has_the_reference_or_the_id_of_another(version: str) -> None:
    of_another_organisation, of_another_request = booked(2, version, key="another-token"), booked(1, version, request=2)
    for other, rule, member in (
        (of_another_organisation, "V23-BOOKINGS-TOGETHER", "cp_reference"),
        (of_another_request, "V23-BOOKING-FIELDS", "id"),
    ):
        assert found(booked(1, version), other) == [("response", rule, f"/bookings/0/{member}")]
    assert found(booked(1, version), booked(1, version)) == []


def requested_flight(version: str, number: int) -> Exchange:
    named = {"v2": {"flights": [number]}, "v3": {"flight_ids": [number], "bags": {str(number): NO_BAGS}}}[version]
    returned = changed(RETURNED[REQUESTED[version]], put("requests[0].flight.id", number))
    return exchange(REQUESTED[version], sent=SENT[REQUESTED[version]] | named, returned=returned, name=str(number))


@pytest.mark.parametrize(("version", "rule"), [("v2", "V2-REQUESTS-ANSWER"), ("v3", "V3-REQUESTS-ANSWER")])
def test_booking_request_has_the_id_of_another(version: str, rule: str) -> None:
    first, second = (requested_flight(version, number) for number in (FLIGHT, BACK))

    assert found(first, second) == [("response", rule, "/requests/0/id")]
    assert found(first, first) == []
