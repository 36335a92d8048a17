"""Responses of which the documents leave the form open."""

import gc
from types import SimpleNamespace
from typing import cast

import pytest

from conformance.parsed_response import ParsedResponse, shown_statuses
from conformance.request_draft import RequestDraft
from conformance.service_client import ServiceClient
from conformance.v3.booking_request_client import CreatedBookingRequests
from conformance.v3.flight_client import FlightClient, FlightCriteria
from conformance.v4.request_bodies import PassengerCounts
from unit.evidence.stub import exchange


def _read(body: bytes, status: int = 200) -> ParsedResponse:
    return ParsedResponse(exchange(None, body, status=status))


def test_integer_id_with_a_zero_fraction_is_read_as_an_integer() -> None:
    response = _read(b'{"requests": [{"id": 4711.0, "price": 49.5, "cc_fee": 1e300, "external_id": "7.0"}]}')
    (booking_request,) = response.array("requests")
    assert str(booking_request["id"]) == "4711"
    assert (booking_request["price"], booking_request["cc_fee"], booking_request["external_id"]) == (49.5, 1e300, "7.0")


def test_booking_requests_are_sorted_like_their_flights() -> None:
    response = _read(b'{"requests": [{"id": 1, "flight": {"id": 30}}, {"id": 2, "flight": {"id": 20}}, {"id": 3}]}')
    draft = RequestDraft("createRequests", "POST", "/v3/requests")
    requested = CreatedBookingRequests(
        FlightCriteria("v3"), draft, response, [{"id": 20}, {"id": 30}], PassengerCounts()
    )
    assert [each["id"] for each in requested.requests] == [2, 1, 3]


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        (["{}"], 1),
        (['{"results": [1], "next_page_id": "a"}', '{"results": [2], "next_page_id": null}'], 2),
        # The second page leads to itself.
        (['{"results": [1], "next_page_id": "a"}', '{"results": [2], "next_page_id": "a"}'], 3),
        # OPEN-80: any page may be empty, or repeat flights.
        (['{"results": [], "next_page_id": "a"}'] * 4 + ['{"results": [1], "next_page_id": null}'], 5),
        ([f'{{"results": [1], "next_page_id": "{number}"}}' for number in range(1000)], 100),
    ],
)
def test_pages_are_read_to_their_end_or_until_one_repeats(bodies: list[str], expected: int) -> None:
    responses = [_read(body.encode()) for body in bodies]
    further = iter([*responses[1:], *responses[-1:] * 1000])
    client = FlightClient(cast("ServiceClient", SimpleNamespace(send=lambda _: next(further))))

    assert len(client.pages(RequestDraft("searchFlights", "GET", "/v3/flights"), responses[0])) == expected


def test_statuses_of_simultaneous_responses_are_shown() -> None:
    shown = shown_statuses([_read(b"", status) for status in (200, 409, 200, 409, 409)])

    assert shown == "2 successes: 2 x status 200, 3 x status 409"
    assert shown_statuses([_read(b"", 409)]) == "no successes: 1 x status 409"


@pytest.mark.parametrize(
    ("body", "shown"),
    [(b'{"status": "BOOKED"}', "BOOKED"), (b'{"status": true}', "true"), (b"{}", "none"), (b"", "none")],
)
def test_member_is_shown_as_in_messages(body: bytes, shown: str) -> None:
    assert _read(body).shown("status") == shown


def test_only_the_latest_bodies_stay_parsed() -> None:
    responses = [_read(b'{"parsed": [%d]}' % number) for number in range(20)]
    assert _parsed_bodies() == 0

    assert [response.member("parsed") for response in responses] == [[number] for number in range(20)]
    assert _parsed_bodies() == 16
    assert responses[0].body == {"parsed": [0]}


def _parsed_bodies() -> int:
    gc.collect()
    return sum(isinstance(each, dict) and each.keys() == {"parsed"} for each in gc.get_objects())
