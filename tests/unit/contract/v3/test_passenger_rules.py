"""Who travels with a booking of v2 and v3: the passengers of its booking request, with their genders."""

import pytest

from unit.contract.examples import RETURNED, SENT, Change, exchange, put, rejected
from unit.contract.judging import found, weighed
from unit.contract.v3.test_conversations import BOOKED, INTERFACES, MADE, REQUESTED, RETRIEVED
from unit.contract.v3.v3_examples import LOCATOR, PASSENGER, RECORD, REQUEST

ADULT, INFANT = PASSENGER | {"is_infant": False}, PASSENGER | {"is_infant": True}
BOOKING_REQUEST = RETURNED["createRequestsV2"]["requests"][0]
OTHERS = [("request", "V2-BOOKINGS-PASSENGERS", "/passengers")]


@pytest.mark.parametrize(
    ("sent", "held", "booked", "broken"),
    [
        ({"adults": 2}, (2, 0, 0), [ADULT, ADULT], False),
        ({"adults": 1, "children": 1, "infants": 0}, (1, 1, 0), [ADULT, ADULT], False),
        ({"adults": 2}, (2, 0, 0), [ADULT], True),
        ({"adults": 1}, (1, 0, 0), [ADULT, ADULT], True),
        ({"adults": 1, "infants": 1}, (1, 0, 1), [ADULT, ADULT], True),
        ({"adults": 2}, (2, 0, 0), [ADULT, INFANT], True),
        ({"adults": 1, "infants": 1}, (1, 0, 1), [INFANT, ADULT], False),
        # What a service makes of counts that are left out is open (OPEN-99).
        ({}, (0, 0, 0), [ADULT], False),
        # A response with other counts has a finding of its own.
        ({"adults": 1}, (2, 0, 0), [ADULT], False),
        ({"adults": 2}, (2, 0, 0), [PASSENGER], False),
        ({"adults": 2}, (2, 0, 0), [], False),
    ],
)
def test_booking_for_other_passengers_than_its_booking_request(
    sent: dict[str, int], held: tuple[int, int, int], booked: list[dict[str, object]], broken: bool
) -> None:
    counts = dict(zip(("adults", "children", "infants"), held, strict=True))
    requested = exchange(
        "createRequestsV2",
        sent=put("passengers", sent),
        returned={"requests": [BOOKING_REQUEST | {"passengers": counts}]},
    )
    made = exchange("createBookingsV2", sent=put("passengers", booked), after=1)
    rules = [place for place in found(requested, rejected(made, 422)) if place[1] == OTHERS[0][1]]
    assert rules == (OTHERS if broken else [])


@pytest.mark.parametrize(("adults", "broken"), [(1, False), (3, True)])
def test_booking_of_booking_requests_for_different_passengers(adults: int, broken: bool) -> None:
    """Whether they can be booked together is open (OPEN-98)."""
    parties = {
        key: {"adults": each, "children": 0, "infants": 0} for key, each in ((REQUEST, adults), (REQUEST + 1, 2))
    }
    before = [
        exchange(
            "createRequestsV2",
            sent=put("passengers", counts),
            returned={"requests": [BOOKING_REQUEST | {"id": key, "passengers": counts}]},
            name=str(key),
        )
        for key, counts in parties.items()
    ]
    sent = SENT["createBookingsV2"] | {"requests": list(parties), "luggage": {str(key): [] for key in parties}}
    made = rejected(exchange("createBookingsV2", sent=sent, after=1, name="3"), 409)
    assert found(*before, made) == (OTHERS if broken else [])
    assert found(before[0], made) == []


GENDER = "/bookings/0/passengers/0/gender"


@pytest.mark.parametrize("version", INTERFACES)
@pytest.mark.parametrize(
    ("sent", "returned", "broken"),
    [
        ("female", "M", True),
        ("M", "FEMALE", True),
        ("F", "female", False),
        ("male", "m", False),
        ("female", "X", False),
        ("V", "female", False),
    ],
)
def test_gender_of_a_passenger(version: str, sent: str, returned: str, broken: bool) -> None:
    operations = (REQUESTED[version], BOOKED[version], RETRIEVED[version])
    naming = BOOKED["v2"] if version == "v2" else REQUESTED["v3"]
    bodies = {naming: put("passengers[0].gender", sent)}
    for wrong in operations[1:]:
        story = [
            exchange(
                each,
                sent=bodies.get(each),
                returned=_with_gender(each, returned if each == wrong else sent),
                after=after,
                name=each,
            )
            for after, each in enumerate(operations)
        ]
        # It is not reported again when the booking is retrieved.
        places = [place for upto in range(1, 4) for place in found(*story[:upto])]
        assert places == [("response", "V23-PASSENGER-RECORD", GENDER)] * broken


def test_v3_booking_with_passengers_of_its_own() -> None:
    """v3 has the passengers in the booking request: what a booking sends as in v2 changes nothing."""
    sent = SENT["createBookings"] | {"passengers": [ADULT | {"gender": "male"}, INFANT]}
    made = exchange("createBookings", sent=sent, after=1)
    drift = [("request", "V23-CURRENT-REVISION", "/passengers")]
    assert found(exchange("createRequests"), made) == drift


def _with_gender(operation: str, gender: str) -> Change | None:
    return put(f"{MADE}.passengers[0].gender", gender) if "bookings" in RETURNED[operation] else None


def test_genders_of_two_passengers_in_another_order() -> None:
    ladies_last = [ADULT | {"gender": each} for each in ("male", "female")]
    records: list[object] = [RECORD | {"id": index, "gender": each} for index, each in enumerate(("F", "M"))]
    changes: list[Change] = [put(f"{MADE}.passengers", records), put(f"{MADE}.passenger_count", 2)]
    assert found(exchange("createBookingsV2", sent=put("passengers", ladies_last), returned=(*changes,))) == []


@pytest.mark.parametrize(
    ("before", "warns"), [({"status": "CONFIRMED", "pnr_airline": LOCATOR}, True), ({"status": "CHANGED"}, False)]
)
def test_confirmed_booking_awaits_its_locator_again(before: dict[str, str], warns: bool) -> None:
    booking = RETURNED["getBookings"]["bookings"][0]
    waiting = {"status": "AWAITING_PNR_AIRLINE", "pnr_airline": None}
    looks = [exchange("getBookings", returned={"bookings": [booking | each]}) for each in (before, waiting)]
    assert weighed(*looks) == [("V23-LOCATOR", "/bookings/0/status", True)] * warns
