"""Requests of v4 with a wrong query, path or header, or with a body that is not an object."""

import pytest

from airworthy.contract import Contract
from unit.contract.examples import FARE, HEADERS, OFFER, Finder, exchange, rejected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (f"fareId={FARE}", [("V4-ORDER-QUERY", "query:offerId")]),
        (f"offerId={OFFER}", [("V4-ORDER-QUERY", "query:fareId")]),
        ("", [("V4-ORDER-QUERY", "query:offerId"), ("V4-ORDER-QUERY", "query:fareId")]),
        (f"offerId=4711&fareId={FARE}", [("V4-ORDER-ID-FORM", "query:offerId")]),
        (f"offerId={OFFER.upper()}&fareId={FARE}", []),
        (f"offerId={OFFER}&fareId={FARE}&customerCode=X", [("V4-CUSTOMER-CODE-PLACE", "query:customerCode")]),
        (f"offerId={OFFER}&fareId={FARE}&seats=2", [("V4-UNKNOWN-FIELDS", "query:seats")]),
        (
            f"offerId={OFFER}&fareId={FARE}&x=4242424242424242",
            [("V4-CARD-DATA", "query:x")],
        ),
    ],
)
def test_create_order_query(found: Finder, query: str, expected: list[tuple[str, str]]) -> None:
    made = rejected(exchange("createOrder", url=f"https://service.example/v4/order?{query}"))
    assert [place[1:] for place in found(made)] == expected


def test_get_order_with_an_id_that_is_not_a_uuid(found: Finder) -> None:
    made = rejected(exchange("getOrder", url="https://service.example/v4/order/latest"), 404, "Not Found")
    assert found(made) == [("request", "V4-ORDER-ID-FORM", "path")]


@pytest.mark.parametrize(
    ("header", "value", "rule"),
    [
        ("Authorization", None, "V4-AUTH-KEY-SENT"),
        ("Authorization", "  ", "V4-AUTH-KEY-SENT"),
        ("Content-Type", None, "V4-CONTENT-TYPE"),
        ("Content-Type", "text/plain", "V4-CONTENT-TYPE"),
        ("Content-Type", "Application/JSON; charset=utf-8", None),
        ("Accept", None, "V4-ACCEPT"),
        ("Accept", "text/html", "V4-ACCEPT"),
        ("Accept", "text/html, */*;q=0.5", None),
        ("Accept", "application/*", None),
    ],
)
def test_search_request_headers(found: Finder, header: str, value: str | None, rule: str | None) -> None:
    headers = tuple(pair for pair in HEADERS if pair[0] != header) + (((header, value),) if value is not None else ())
    made = rejected(exchange("searchOffers", headers=headers))
    assert found(made) == ([("request", rule, f"header:{header}")] if rule else [])


def test_wrong_headers_only_warn(contract: Contract) -> None:
    made = exchange("searchOffers", headers=HEADERS[:1])
    assert {(finding.rule, finding.soft) for finding in contract.judge(made)} == {
        ("V4-CONTENT-TYPE", True),
        ("V4-ACCEPT", True),
    }


@pytest.mark.parametrize("body", [b'{"adults": ', b"\x00", b"adults=1", b"  ", b'{"a": NaN}'])
def test_request_body_is_not_json(found: Finder, body: bytes) -> None:
    assert found(rejected(exchange("searchOffers", sent=body))) == [("request", "V4-SEARCH-REQUIRED", "")]
