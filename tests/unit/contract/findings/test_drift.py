"""v4 traffic that follows another revision or version is drift: one finding that names its origin."""

import pytest

from airworthy.contract import Contract, ServiceAddress
from exchange_parts import changed_request
from unit.contract.examples import HEADERS, error, exchange, put, rejected
from unit.contract.judging import last_findings, shown

EARLIER = "an earlier revision of v4"
OWN = Contract.load(service=ServiceAddress(base_urls=("https://service.example",)))
NOT_FOUND = {"message": "too late", "type": "ORDER_NOT_FOUND"}


def drifting(*arguments: object, **named: object) -> list[tuple[str, str, str | None, str]]:
    return shown("rule pointer drift provenance", exchange(*arguments, **named))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["OFFER_NOT_AVAILABLE", "ORDER_NOT_FOUND", "CRITERIA_NOT_ALLOWED", "SOMETHING_ELSE"])
def test_error_of_an_earlier_revision(value: str) -> None:
    for others in ({"message": "no"}, error(404, "Not Found")):
        (finding,) = last_findings(exchange("getOrder", status=404, returned=others | {"type": value}))
        assert (finding.rule, finding.pointer) == ("V4-CURRENT-REVISION", "/type")
        assert (finding.drift, finding.provenance) == ("earlier-revision", EARLIER)
        assert finding.actual == ("" if value == "SOMETHING_ELSE" else value)


@pytest.mark.parametrize(("name", "advice"), [("order_ID", "; did you mean orderId?"), ("orders", "")])
def test_undocumented_field_that_resembles_a_documented_one(name: str, advice: str) -> None:
    (finding,) = last_findings(exchange("getReservation", returned=put(name, "x")))
    assert finding.message == f"{name} is not a documented field at this location{advice}"


def test_error_of_an_earlier_revision_without_message() -> None:
    found = drifting("getOrder", status=404, returned={"type": "ORDER_NOT_FOUND"})
    assert [place[:2] for place in found] == [("V4-ERROR-BODY", "/message"), ("V4-CURRENT-REVISION", "/type")]


@pytest.mark.parametrize(
    ("value", "drifts"), [("Bearer abc", True), ("bearer abc", True), ("abc", False), ("Bearerabc", False)]
)
def test_bearer_token_in_v4_is_drift(value: str, drifts: bool) -> None:
    found = drifting("getOrder", headers=(("Authorization", value), *HEADERS[1:]))
    assert found == ([("V4-CURRENT-REVISION", "header:Authorization", "other-version", "v2 and v3")] if drifts else [])


@pytest.mark.parametrize(
    ("method", "path", "rule", "kind"),
    [
        ("GET", "/v4", "V4-OPERATIONS", "unknown-operation"),
        ("POST", "/v1.1/search", "V4-REMOVED-VERSIONS", "unknown-version"),
        ("POST", "/v1/search", "V4-REMOVED-VERSIONS", "unknown-version"),
        ("POST", "/1.0/search", "V4-REMOVED-VERSIONS", "unknown-version"),
        ("POST", "/v5/search", "V4-OPERATIONS", "unknown-version"),
        ("POST", "/V4/search", "V4-OPERATIONS", "unknown-version"),
    ],
)
def test_unknown_path(method: str, path: str, rule: str, kind: str) -> None:
    made = changed_request(exchange("searchOffers"), method=method, url=f"https://service.example{path}", body=b"")
    (finding,) = OWN.judge(rejected(made, 404, "Not Found"))
    assert (finding.kind, finding.rule, finding.drift, finding.pointer) == ("drift", rule, kind, "path")


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/v3/bookings/REF", "GET /v3/bookings"),
        ("GET", "/v3/booking?cp_reference=x", "GET /v3/bookings"),
        ("DELETE", "/v3/requests/7", "POST /v3/requests/{request_id}/cancel"),
        ("GET", "/v4/offer/7/seats", "GET /v4/offer/{offerId}/fares or GET /v4/offer/{offerId}/baggage"),
        ("POST", "/v3/flight", "GET /v3/flights"),
        ("GET", "/v4/hotels", "a documented operation"),
    ],
)
def test_operations_that_an_undocumented_one_resembles(
    whole_contract: Contract, method: str, path: str, expected: str
) -> None:
    made = changed_request(exchange("searchOffers"), method=method, url=f"https://service.example{path}", body=b"")
    (finding,) = whole_contract.judge(rejected(made, 404, "Not Found"))
    assert finding.expected == expected


def test_removed_version_succeeds() -> None:
    made = exchange("searchOffers", url="https://service.example/v1.0/search")
    assert [(each.kind, each.side) for each in OWN.judge(made)] == [("drift", "request"), ("violation", "response")]
    assert [finding.drift for finding in last_findings(made)] == ["unknown-version", None]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/v1/search", "unknown-version"),
        ("/api/v1.1/search", "unknown-version"),
        ("/1.0/search", "unknown-version"),
        ("/v5/search", "unknown-version"),
        ("/v1/events", None),
        ("/1/search", None),
        ("/search", None),
        ("/v1/payment_methods/pm_1", None),
    ],
)
def test_unknown_operation_without_a_base_url(path: str, kind: str | None) -> None:
    made = rejected(exchange("searchOffers", url=f"https://service.example{path}"), 404, "Not Found")
    assert [finding.drift for finding in last_findings(made)] == ([kind] if kind else [])


# The confirmation window of the earlier revision


@pytest.mark.parametrize(
    ("minutes", "returned", "drifts"),
    [
        (16, NOT_FOUND, True),
        (14, NOT_FOUND, False),
        (16, error(404, "Not Found"), False),
        (45, NOT_FOUND, False),
    ],
)
def test_confirmation_window_of_an_earlier_revision(minutes: float, returned: object, drifts: bool) -> None:
    late = exchange("confirmOrder", after=minutes, status=404, returned=returned)
    found = shown("pointer drift provenance soft", exchange("createOrder"), late)
    window = ("status", "earlier-revision", EARLIER, True)
    assert [each for each in found if each[0] == "status"] == [window] * drifts


def test_versions_that_are_not_loaded_are_ignored() -> None:
    assert Contract.load().judge(exchange("searchOffers", url="https://service.example/v3/flights")) == []
