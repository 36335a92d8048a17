"""What is not documented and only warns, or is a finding on the request alone."""

import pytest

from unit.contract.examples import HEADERS, SENT, Change, drop, exchange, put, rejected
from unit.contract.judging import last_findings, weighed
from unit.contract.open_questions.stories import Stories, Story, against_the_client, rejections, responses, sending

BASE = "https://service.example"
CANCELLED = (exchange("createRequests"), exchange("cancelRequest", after=1))
PARTY = SENT["createBookingsV2"]["passengers"] * 2

# By the rule that warns a client.
WARNINGS: Stories = {
    "V4-CURRENT-REVISION": [[exchange("getOrder", headers=(("Authorization", "Bearer key"), *HEADERS[1:]))]],
    "V4-OPERATIONS": [
        *rejections(exchange("getOrder", url=f"{BASE}/v4/health"), 404),
        *rejections(exchange("getOrder", url=f"{BASE}/v5/search"), 404),
    ],
    "V2-BOOKINGS-PASSENGERS": [
        [
            exchange("createRequestsV2"),
            *rejections(sending("createBookingsV2", put("passengers", PARTY), after=1), 409)[0],
        ]
    ],
    "V23-OPERATIONS": rejections(exchange("searchFlights", url=f"{BASE}/v3/health"), 404),
}
# By the rule that a client violates: a documented rejection tells it so.
VIOLATIONS: Stories = {
    "V23-REQUEST-LIFETIME": rejections(exchange("createBookings", after=9), 409, before=[exchange("createRequests")]),
    "V3-BOOKINGS-CANCELLED": rejections(exchange("createBookings", after=2), 409, before=CANCELLED),
    "V3-CANCEL-PENDING": rejections(exchange("cancelRequest", after=2, name="3"), 409, before=CANCELLED),
}


@pytest.mark.parametrize(
    ("rule", "story", "soft"),
    [
        (rule, story, table is WARNINGS)
        for table in (WARNINGS, VIOLATIONS)
        for rule, stories in table.items()
        for story in stories
    ],
)
def test_finding_against_the_client(rule: str, story: Story, soft: bool) -> None:
    assert [(each.rule, each.soft) for each in against_the_client(story)] == [(rule, soft)]


@pytest.mark.parametrize(
    ("operation", "change"),
    [
        ("createRequests", put("fare_type", "round_trip")),
        ("createBookings", put("self_psp", True)),
        ("createBookings", put("payment_method", "card_1")),
        ("createBookingsV2", put("luggage", {})),
        ("createBookingsV2", put("card_token", "tok_1")),
        ("createBookings", put("luggage", {})),
        ("verifyFlight", drop("customer_code")),
    ],
)
def test_finding_on_the_request_only(operation: str, change: Change) -> None:
    findings = last_findings(exchange(operation, sent=change))
    assert {finding.side for finding in findings} == {"request"}


def test_open_21_time_zone_without_an_airport_only_warns() -> None:
    changed_flight = "bookings[0].flight_changes[0].data.newFlight"
    listed = {"segment_1_destination_timezone": "Europe/Rome", "segment_1_flight_number": "AZ3210"}
    ((made,),) = responses("getBookings", changed_flight, listed)
    ((rule, _, soft),) = weighed(made)
    assert (rule, soft) == ("V23-FLIGHT-CHANGES", True)


@pytest.mark.parametrize("status", ["pending", "PENDING", 1])
def test_open_12_status_of_a_booking_request_only_warns(status: object) -> None:
    ((made,),) = responses("createRequests", "requests[0].status", status)
    assert weighed(made) == [("V23-UNKNOWN-FIELDS", "/requests/0/status", True)]


def test_open_97_pending_booking_request_that_is_not_cancelled_only_warns() -> None:
    """It may have been booked meanwhile, elsewhere, or with another one of its creation."""
    late = exchange("cancelRequest", returned={"success": False}, after=1)
    for made in (late, rejected(late, 404)):
        assert weighed(exchange("createRequests"), made) == [("V3-CANCEL", "status", True)]
    for status in (400, 409):
        assert weighed(exchange("createRequests"), rejected(late, status)) == []
    assert weighed(exchange("createRequests"), exchange("cancelRequest", after=1)) == []
