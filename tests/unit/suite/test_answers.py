from datetime import UTC, datetime

from airworthy.contract.exchange import Exchange, Request, Response
from conformance.answer import read


def test_an_integer_that_is_written_with_a_fraction_is_an_integer() -> None:
    body = b'{"requests": [{"id": 4711.0, "price": 49.5, "cc_fee": 1e300, "external_id": "7.0"}]}'
    request = Request("POST", "https://service.example/v3/requests")
    answer = read(Exchange("x1", datetime(2026, 11, 1, tzinfo=UTC), 0.1, request, Response(200, (), body)))
    (held,) = answer.array("requests")
    assert str(held["id"]) == "4711"
    assert (held["price"], held["cc_fee"], held["external_id"]) == (49.5, 1e300, "7.0")
