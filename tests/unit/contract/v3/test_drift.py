"""v2 and v3 traffic that follows another revision or version is drift: one finding that names its origin."""

import pytest

from airworthy.contract import Contract, ServiceAddress
from unit.contract.examples import BASE, BEARER_HEADERS, SENT, drop, exchange, put, rejected
from unit.contract.judging import last_findings


def test_drift_names_the_current_member() -> None:
    (finding,) = last_findings(rejected(exchange("createRequests", sent=(put("flights", [1]), drop("flight_ids")))))
    assert finding.message == "flights belongs to v2; v3 has flight_ids instead"


@pytest.mark.parametrize("operation", SENT)
def test_bare_token_has_no_findings(operation: str) -> None:
    made = rejected(exchange(operation, headers=(("Authorization", "test-token"), *BEARER_HEADERS[1:])))
    assert [each for each in last_findings(made) if each.kind != "deprecated"] == []


def test_unknown_version() -> None:
    made = rejected(exchange("searchFlights", url=f"{BASE}/v5/flights"), 404)
    for versions, rule in ((("v2", "v3"), "V23-OPERATIONS"), (("v3", "v4"), "V4-OPERATIONS")):
        (finding,) = Contract.load(versions, ServiceAddress(base_urls=(BASE,))).judge(made)
        assert (finding.rule, finding.drift) == (rule, "unknown-version")


@pytest.mark.parametrize(("fee", "soft"), [({"checked": 0, "cabin": 0}, False), (None, True)])
def test_booking_request_of_v2_has_a_bags_fee(fee: dict[str, int] | None, soft: bool) -> None:
    (finding,) = last_findings(exchange("createRequestsV2", returned=put("requests[0].bags_fee", fee)))
    assert (finding.drift, finding.pointer, finding.soft) == ("other-version", "/requests/0/bags_fee", soft)
