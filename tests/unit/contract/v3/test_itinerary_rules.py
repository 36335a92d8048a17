"""Itineraries and schedule changes of v2 and v3."""

import pytest

from unit.contract.examples import RETURNED, Change, changed, exchange, put
from unit.contract.judging import Weighed, found, weighed
from unit.contract.v3.v3_examples import BACK, FOUND, flight, leaving, place, segment, unmoved

RULE = "V23-FLIGHT-ITINERARY"
OVER_BARCELONA = [
    segment(destination=place("BCN"), arrival_date="2035-03-14 07:30:00"),
    segment(origin=place("BCN"), departure_date="2035-03-14 07:40:00"),
]
RETRIEVED = RETURNED["getBookings"]["bookings"][0]
WRONG = "V23-FLIGHT-CHANGES"
AT_NIGHT = [
    put("segments[0].arrival_date", "2035-03-14 03:50:00"),
    put("segments[0].departure_date", "2035-03-14 02:00:00"),
    put("departure_date", "2035-03-14 02:00:00"),
]
SAME_ZONE = (put("destination.timezone", "Europe/Madrid"), put("segments[0].destination.timezone", "Europe/Madrid"))
OLD = "flight_changes[0].data.oldFlight"
LATER = "2035-03-14 04:35:00"
NEW = "flight_changes[0].data.newFlight"


def _judged(*changes: Change) -> list[tuple[str, str]]:
    returned = {"results": [changed(FOUND["v3"], *changes)], "next_page_id": None}
    return [
        (rule, pointer.removeprefix("/results/0"))
        for _, rule, pointer in found(exchange("searchFlights", returned=returned))
    ]


def _booking(*changes: Change) -> Weighed:
    """Return the findings in a retrieved booking that has some changes."""
    return weighed(exchange("getBookings", returned={"bookings": [changed(RETRIEVED, *changes)]}))


@pytest.mark.parametrize("time", ["2035-03-14 10:00+01", "0001-01-01 00:00:00", "9999-12-31 23:59:59"])
@pytest.mark.parametrize("holder", ["", "segments[0]."])
@pytest.mark.parametrize("name", ["departure_date", "arrival_date"])
def test_unusual_time_is_judged(name: str, holder: str, time: str) -> None:
    """A time with a zone is as long as one without, and no day is before the first."""
    assert {rule.partition("-")[0] for rule, _ in _judged(put(f"{holder}{name}", time))} == {"V23"}


@pytest.mark.parametrize(
    "changes",
    [
        [put("segments", OVER_BARCELONA)],
        # A passenger may change airports within a city.
        [
            put("segments", OVER_BARCELONA),
            put("segments[1].origin", place("GRO")),
            put("segments[1].departure_date", "2035-03-14 05:35:00"),
        ],
        # A flight across the date line arrives on the day before.
        [
            put("arrival_date", "2035-03-13 23:00:00"),
            put("segments[0].arrival_date", "2035-03-13 23:00:00"),
            put("destination.timezone", "Pacific/Honolulu"),
            put("segments[0].destination.timezone", "Pacific/Honolulu"),
        ],
        # The clocks of a time zone may go back during a flight.
        [
            *SAME_ZONE,
            put("arrival_date", "2035-03-14 06:05:00"),
            put("segments[0].arrival_date", "2035-03-14 06:05:00"),
        ],
        # They may go back before a connecting flight.
        [put("segments", OVER_BARCELONA), *AT_NIGHT, put("segments[1].departure_date", "2035-03-14 02:55:00")],
        [put("origin.iata_code", "mad")],
        # Segments may be listed in another order (OPEN-80).
        [put("segments", OVER_BARCELONA[::-1])],
        # The flight may have UTC times and its segments local times (OPEN-80).
        [put("departure_date", "2035-03-14 04:35:00"), put("arrival_date", "2035-03-14 07:50:00")],
        [put("included_airport_tax", 97.43)],
    ],
)
def test_consistent_itinerary(changes: list[Change]) -> None:
    assert _judged(*changes) == []


@pytest.mark.parametrize(
    ("changes", "rule", "pointer"),
    [
        (
            [put("segments", OVER_BARCELONA), *AT_NIGHT, put("segments[1].departure_date", "2035-03-14 02:45:00")],
            RULE,
            "/segments/1/departure_date",
        ),
        ([put("segments[0].destination", place("IBZ"))], RULE, "/destination"),
        ([put("segments", OVER_BARCELONA[:1] * 2), put("arrival_date", "2035-03-14 07:30:00")], RULE, "/destination"),
        (
            [
                *(put("segments", OVER_BARCELONA), put("segments[1].origin", place("LIS"))),
                put("segments[1].origin.timezone", "Europe/Lisbon"),
            ],
            RULE,
            "/segments/1/origin",
        ),
        (
            [
                *SAME_ZONE,
                put("arrival_date", "2035-03-14 04:35:00"),
                put("segments[0].arrival_date", "2035-03-14 04:35:00"),
            ],
            RULE,
            "/arrival_date",
        ),
        ([put("arrival_date", "2035-03-14 08:51:00")], RULE, "/arrival_date"),
        (
            [put("segments", OVER_BARCELONA), put("segments[1].departure_date", "2035-03-14 07:29:00")],
            RULE,
            "/segments/1/departure_date",
        ),
        (
            [put("arrival_date", "2035-03-12 08:50:00"), put("segments[0].arrival_date", "2035-03-12 08:50:00")],
            RULE,
            "/segments/0/arrival_date",
        ),
        ([put("included_airport_tax", 97.44)], "V23-FLIGHT-FIELDS", "/included_airport_tax"),
    ],
)
def test_inconsistent_itinerary(changes: list[Change], rule: str, pointer: str) -> None:
    assert _judged(*changes) == [(rule, pointer)]


def test_schedule_change_lists_an_unchanged_member() -> None:
    at = "/bookings/0/flight_changes/0/data/newFlight/need_apis"
    assert _booking(put(f"{NEW}.need_apis", False)) == [(WRONG, at, False)]
    # The name of an airline accompanies its code.
    along = put(f"{NEW}.segment_1_airline_name", "ITA Airways"), put(f"{NEW}.segment_1_airline_iata_code", "I2")
    operator = put("final_flight.segments[0].operating_carrier.iata_code", "I2")
    assert _booking(*along, operator) == []


def test_schedule_change_lists_a_value_that_both_flights_have() -> None:
    flown, listed = RETRIEVED["flight"]["segments"][0]["destination"]["iata_code"], "segment_1_destination_airport"
    at = f"/bookings/0/flight_changes/0/data/newFlight/{listed}"
    as_before = put(f"{NEW}.{listed}", flown)
    assert _booking(as_before) == [(WRONG, at, True)]
    # An earlier change had led to another airport.
    [there] = changed(RETRIEVED, put(f"{OLD}.{listed}", flown), put(f"{NEW}.{listed}", "BCN"))["flight_changes"]
    [back] = changed(RETRIEVED, as_before)["flight_changes"]
    assert at not in {pointer for _, pointer, _ in _booking(put("flight_changes", [back, there]))}


@pytest.mark.parametrize(("segment", "code", "softness"), [(1, "AZ", []), (2, "UX", [False])])
def test_name_and_code_of_an_airline_may_be_in_different_objects(segment: int, code: str, softness: list[bool]) -> None:
    other = dict.fromkeys(("segment_1_departure_date", "segment_1_flight_number"))
    new = {f"segment_{segment}_airline_iata_code": code} | other
    judged = _booking(put(OLD, {"segment_1_airline_name": "ITA Airways"}), put(NEW, new))
    assert [soft for _, _, soft in judged] == softness


def test_final_flight_is_another_one() -> None:
    assert _booking(put("final_flight", flight(id=BACK))) == [(WRONG, "/bookings/0/final_flight", True)]


@pytest.mark.parametrize(("status", "soft"), [("ACCEPTED", False), ("SEEN", True)])
def test_current_flight_of_several_schedule_changes_is_the_booked_one(status: str, soft: bool) -> None:
    twice = put("flight_changes", [each | {"status": status} for each in RETRIEVED["flight_changes"] * 2])
    found = _booking(put("final_flight", RETRIEVED["flight"]), twice)
    assert found == [(WRONG, "/bookings/0/final_flight", soft)]


def test_current_flight_is_not_one_between_two_schedule_changes() -> None:
    [first] = RETRIEVED["flight_changes"]
    departs = "segment_1_departure_date"
    before, after = {departs: first["data"]["newFlight"][departs]}, {departs: LATER}
    second = changed(RETRIEVED, put(OLD, before), put(NEW, after))
    found = _booking(put("flight_changes", [*second["flight_changes"], first]))
    assert found == [(WRONG, "/bookings/0/final_flight", True)]


@pytest.mark.parametrize(("number", "flown", "places"), [(1, 1, ["data"]), (2, 1, []), (1, -1, []), (2, -1, [])])
def test_schedule_change_has_the_number_of_its_segment(number: int, flown: int, places: list[str]) -> None:
    """The segments are numbered as they are listed, or as they are flown (OPEN-80)."""
    moved = "2035-03-14 07:45:00"
    before = OVER_BARCELONA[::flown]
    after = [each | ({"departure_date": moved} if each["origin"] == place("BCN") else {}) for each in before]
    departs = f"segment_{number}_departure_date"
    change = (put(OLD, {departs: OVER_BARCELONA[1]["departure_date"]}), put(NEW, {departs: moved}))
    found = _booking(put("flight.segments", before), put("final_flight.segments", after), *change)
    firm = [at for rule, at, soft in found if rule == WRONG and not soft]
    assert firm == [f"/bookings/0/flight_changes/0/{each}" for each in places]


@pytest.mark.parametrize("holder", ["data", "data.newFlight"])
def test_schedule_change_is_recorded_for_another_booking(holder: str) -> None:
    wrong = changed(RETRIEVED, put(f"flight_changes[0].{holder}.flight_id", BACK))
    other = changed(RETRIEVED, put("flight_id", BACK), put("flight.id", BACK), put("final_flight.id", BACK))
    found = weighed(exchange("getBookings", returned={"bookings": [wrong, other]}))
    at = f"/bookings/0/flight_changes/0/{holder.replace('.', '/')}/flight_id"
    assert (WRONG, at, False) in found


def test_one_of_several_schedule_changes_starts_from_the_booked_flight() -> None:
    [first] = RETRIEVED["flight_changes"]
    [second] = changed(RETRIEVED, put(f"{OLD}.segment_1_departure_date", LATER))["flight_changes"]
    assert _booking(put("flight_changes", [second, first])) == []
    assert _booking(put("flight_changes", [second, second])) == [(WRONG, "/bookings/0/flight", True)]


def test_refused_schedule_change_hides_no_other_one() -> None:
    refused = changed(RETRIEVED, put("flight_changes[0].status", "REFUSED"))["flight_changes"]
    before, after = ({"segment_1_arrival_date": f"2026-12-02 {hour}:20:00"} for hour in (10, 23))
    others = changed(RETRIEVED, put(OLD, before), put(NEW, after))["flight_changes"]
    found = _booking(put("flight_changes", [*refused, *others]))
    assert (WRONG, "/bookings/0/final_flight", True) in found


@pytest.mark.parametrize("change", [unmoved(None), put("flight_changes[0].status", "REFUSED")])
def test_effect_of_an_unconfirmed_schedule_change_is_open(change: Change) -> None:
    assert _booking(leaving("final_flight", "2035-03-14 17:00:00"), change) == []
