"""Status codes and error bodies of responses of v4."""

from dataclasses import replace

import pytest

from airworthy.contract import Contract
from unit.contract.examples import POSTS, Finder, error, exchange, rejected


@pytest.mark.parametrize("status", [201, 202, 204])
@pytest.mark.parametrize("operation", POSTS)
def test_success_status_is_not_200(found: Finder, operation: str, status: int) -> None:
    assert found(exchange(operation, status=status)) == [("response", "V4-SUCCESS-STATUS", "status")]


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (400, error(400, "Bad Request"), None),
        (400, error(400, "BAD REQUEST"), None),
        (422, error(422, "Unprocessable Entity"), None),
        (422, error(422, "Unprocessable Content"), None),
        (409, error(409, "Conflict"), None),
        (499, error(499, "Client Closed Request"), None),
        (404, error(400, "Not Found"), ("V4-ERROR-STATUS-CODE", "/statusCode")),
        (404, error(404, "not_found"), ("V4-ERROR-TEXT", "/error")),
        (404, {"statusCode": 404, "error": "Not Found"}, ("V4-ERROR-BODY", "/message")),
        (404, {"statusCode": "404", "error": "Not Found", "message": "x"}, ("V4-ERROR-BODY", "/statusCode")),
        (404, {"statusCode": 404, "error": "Not Found", "message": ["x"]}, ("V4-ERROR-BODY", "/message")),
        (401, [], ("V4-ERROR-BODY", "")),
        (401, b"<html>", ("V4-JSON-ANSWERS", "")),
        (401, b"", ("V4-JSON-ANSWERS", "")),
        (429, b"slow down", None),
        (500, b"<html>", None),
        (503, b"", None),
    ],
)
def test_error_responses(found: Finder, status: int, body: object, expected: tuple[str, str] | None) -> None:
    made = exchange("getOrder", status=status, returned=body)
    assert found(made) == ([("response", *expected)] if expected else [])


def test_json_with_another_content_type_only_warns(contract: Contract) -> None:
    made = exchange("searchOffers")
    assert made.response is not None
    named = replace(made, response=replace(made.response, headers=(("content-type", "text/html"),)))
    (finding,) = contract.judge(named)
    assert (finding.rule, finding.pointer, finding.soft) == ("V4-JSON-ANSWERS", "header:Content-Type", True)


def test_get_fares_responds_with_404_or_410(found: Finder) -> None:
    for status, text in ((404, "Not Found"), (410, "Gone")):
        assert found(rejected(exchange("getFares"), status, text)) == [("response", "V4-FARES-MISSING", "status")]
    malformed = exchange("getFares", url="https://service.example/v4/offer/4711/fares")
    assert found(rejected(malformed, 404, "Not Found")) == [("request", "V4-ORDER-ID-FORM", "path")]
    assert found(exchange("getFares", returned={"fares": []})) == []
