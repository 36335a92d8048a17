"""Status codes and bodies of rejections of v2 and v3."""

from dataclasses import replace

import pytest

from airworthy.contract import Response
from unit.contract.examples import JSON, Finder
from unit.contract.v3.v3_examples import OPERATIONS, POSTS, exchange


@pytest.mark.parametrize("operation", [*POSTS, "searchFlights", "cancelRequest"])
def test_success_status_is_not_200(found: Finder, operation: str) -> None:
    written = operation not in ("verifyFlight", "createRequestsV2", "createBookingsV2")
    places = [place for place in found(exchange(operation, status=201)) if place[0] == "response"]
    assert places == ([("response", "V23-SUCCESS-STATUS", "status")] if written else [])


@pytest.mark.parametrize("operation", ["verifyFlight", "createRequestsV2", "createBookingsV2"])
def test_success_with_any_status_is_judged(found: Finder, operation: str) -> None:
    (name,) = [place[1] for place in found(exchange(operation, status=201, returned={})) if place[0] == "response"][:1]
    assert name in ("V3-VERIFY-ANSWER", "V2-REQUESTS-ANSWER", "V23-BOOKINGS-BOOK")


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"code": "x"}', b'["no"]'])
def test_body_of_a_rejection_is_not_judged(found: Finder, operation: str, body: bytes) -> None:
    made = replace(exchange(operation), response=Response(422, JSON, body))
    assert [place for place in found(made) if place[0] == "response"] == []
