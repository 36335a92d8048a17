"""What is not documented and only warns, or is a finding on the request alone."""

import pytest

from airworthy.contract import Contract
from unit.contract.all_examples import exchange
from unit.contract.examples import Change, drop, put
from unit.contract.judging import weighed
from unit.contract.open_questions.stories import responses


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
def test_finding_on_the_request_only(whole_contract: Contract, operation: str, change: Change) -> None:
    findings = whole_contract.judge(exchange(operation, sent=change))
    assert {finding.side for finding in findings} == {"request"}


def test_open_21_time_zone_without_an_airport_only_warns(whole_contract: Contract) -> None:
    changed_flight = "bookings[0].flight_changes[0].data.newFlight"
    ((made,),) = responses("getBookings", changed_flight, {"segment_1_destination_timezone": "Europe/Madrid"})
    ((rule, _, soft),) = weighed(whole_contract, made)
    assert (rule, soft) == ("V23-FLIGHT-CHANGES", True)


@pytest.mark.parametrize("status", ["pending", "PENDING", 1])
def test_open_12_status_of_a_booking_request_only_warns(whole_contract: Contract, status: object) -> None:
    ((made,),) = responses("createRequests", "requests[0].status", status)
    assert weighed(whole_contract, made) == [("V23-UNKNOWN-FIELDS", "/requests/0/status", True)]
