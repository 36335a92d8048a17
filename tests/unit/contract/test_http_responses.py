"""JSON, keys and TLS in responses of all interfaces."""

from dataclasses import replace

import pytest

from airworthy.contract import Contract, Response, ServiceAddress
from unit.contract.all_examples import ENDPOINTS, exchange, family
from unit.contract.examples import HEADERS, JSON, rejected
from unit.contract.judging import on_request, on_response, weighed


@pytest.mark.parametrize("operation", ENDPOINTS)
def test_successful_response_is_not_json(whole_contract: Contract, operation: str) -> None:
    made = exchange(operation, returned=b"<html>")
    assert on_response(whole_contract, made) == [(f"{family(operation)}-JSON-ANSWERS", "", False)]


@pytest.mark.parametrize("operation", ["getOrder", "searchFlights", "getBookingsV2"])
def test_request_without_a_key_succeeds(whole_contract: Contract, operation: str) -> None:
    made = exchange(operation, headers=HEADERS[1:])
    sent = (f"{family(operation)}-AUTH-KEY-SENT", "header:Authorization", False)
    assert on_request(whole_contract, made) == [sent]
    assert on_response(whole_contract, made) == [(f"{family(operation)}-AUTH-MISSING-KEY", "status", False)]
    assert weighed(whole_contract, rejected(made, 403, "Forbidden")) == [sent]


@pytest.mark.parametrize("operation", ["getOrder", "getBookings"])
def test_request_over_plain_http_succeeds(whole_contract: Contract, operation: str) -> None:
    rule = f"{family(operation)}-HTTPS-ONLY"
    made = exchange(operation, url=f"http://service.example{ENDPOINTS[operation][1]}")
    sent = (rule, "path", False)
    assert on_request(whole_contract, made) == [sent]
    assert on_response(whole_contract, made) == [(rule, "status", False)]
    assert weighed(whole_contract, rejected(made, 403, "Forbidden")) == [sent]
    assert weighed(whole_contract, replace(made, response=Response(301, JSON, b""))) == [sent]
    behind_tls = Contract.load(("v2", "v3", "v4"), ServiceAddress(allow_plain_http=True))
    assert behind_tls.judge(made) == []
