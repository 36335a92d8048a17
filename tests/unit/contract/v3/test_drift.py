"""v2 and v3 traffic that follows another revision or version is drift: one finding that names its origin."""

import pytest

from airworthy.contract import Contract, ServiceAddress
from unit.contract.examples import Change, changed, combined, drop, put, rejected
from unit.contract.v3.v3_examples import BASE, HEADERS, SENT, exchange

BEFORE = "the versions before v2"
MADE = "bookings[0]"

Case = tuple[str, list[Change], str, str]
# Other places of these members, and each other member, are in the dictionaries.
SENT_CASES: list[Case] = [
    ("createRequests", [put("passengers[0].is_infant", value=False)], "/passengers/0/is_infant", "v2"),
    ("createRequests", [put("flights", [1]), drop("flight_ids")], "/flights", "v2"),
    ("createRequests", [put("passengers[0].birthDate", "x")], "/passengers/0/birthDate", "v4"),
    ("createRequests", [put("customerCode", "X"), drop("customer_code")], "/customerCode", "v4"),
    ("createBookings", [put("requests", [1]), drop("request_ids")], "/requests", "v2"),
    ("createBookings", [put("customer_data", {}), drop("customer_code")], "/customer_data", "v2"),
    ("createBookings", [put("card_token", "tok_1"), drop("payment_method")], "/card_token", "v2"),
    ("createBookings", [put("payment_intent_id", "pi_1"), drop("payment_method")], "/payment_intent_id", "v4"),
    ("createRequestsV2", [put("flight_ids", [1]), drop("flights")], "/flight_ids", "v3"),
    ("createBookingsV2", [put("request_ids", [1]), drop("requests")], "/request_ids", "v3"),
    ("createBookingsV2", [put("bags", {}), drop("luggage")], "/bags", "v3"),
]
FOUND = "results[0]"
PIECE = "results[0].segments[0]"
ANSWERED_CASES: list[Case] = [
    (
        "createBookings",
        [put(f"{MADE}.pnr_reference", "X"), drop(f"{MADE}.cp_reference")],
        "/bookings/0/pnr_reference",
        BEFORE,
    ),
    (
        "searchFlights",
        [put(f"{FOUND}.flight_number", "IB1"), drop(f"{FOUND}.segments")],
        "/results/0/flight_number",
        BEFORE,
    ),
    (
        "searchFlights",
        [put(f"{PIECE}.airline", "IB"), drop(f"{PIECE}.marketing_carrier"), drop(f"{PIECE}.operating_carrier")],
        "/results/0/segments/0/airline",
        BEFORE,
    ),
    (
        "searchFlights",
        [put(f"{FOUND}.luggage_options", []), drop(f"{FOUND}.bags")],
        "/results/0/luggage_options",
        "v2",
    ),
    (
        "searchRoundTrips",
        [put("fares[0].luggage_prices", []), drop("fares[0].checked_bags_prices")],
        "/fares/0/luggage_prices",
        "the first release of v3",
    ),
    ("createBookings", [put(f"{MADE}.luggage", []), drop(f"{MADE}.bags")], "/bookings/0/luggage", "v2"),
    ("searchFlightsV2", [put(f"{FOUND}.bags", {}), drop(f"{FOUND}.luggage_options")], "/results/0/bags", "v3"),
    ("createBookingsV2", [put(f"{MADE}.bags", {}), drop(f"{MADE}.luggage")], "/bookings/0/bags", "v3"),
]


@pytest.mark.parametrize("case", SENT_CASES, ids=[f"{case[0]}{case[2]}" for case in SENT_CASES])
def test_request_drift(whole_contract: Contract, case: Case) -> None:
    operation, changes, pointer, origin = case
    (finding,) = whole_contract.judge(rejected(exchange(operation, sent=combined(*changes))))
    assert (finding.kind, finding.side, finding.rule) == ("drift", "request", "V23-CURRENT-REVISION")
    assert (finding.pointer, finding.provenance, finding.soft) == (pointer, origin, False)
    assert "v4" not in finding.message or origin == "v4"


@pytest.mark.parametrize("case", ANSWERED_CASES, ids=[f"{case[0]}{case[2]}" for case in ANSWERED_CASES])
def test_response_drift(whole_contract: Contract, case: Case) -> None:
    operation, changes, pointer, origin = case
    made = exchange(operation, returned=combined(*changes))
    (finding,) = [each for each in whole_contract.judge(made) if each.side == "response"]
    assert (finding.kind, finding.rule, finding.pointer) == ("drift", "V23-CURRENT-REVISION", pointer)
    # An additional member would only warn.
    assert (finding.provenance, finding.soft) == (origin, False)
    assert "v4" not in finding.message


def test_drift_names_the_current_member(whole_contract: Contract) -> None:
    sent = changed(SENT["createRequests"], put("flights", [1]), drop("flight_ids"))
    (finding,) = whole_contract.judge(rejected(exchange("createRequests", sent=sent)))
    assert finding.message == "flights belongs to v2; v3 has flight_ids instead"


@pytest.mark.parametrize("operation", SENT)
def test_bare_token_has_no_findings(whole_contract: Contract, operation: str) -> None:
    made = rejected(exchange(operation, headers=(("Authorization", "test-token"), *HEADERS[1:])))
    assert [each for each in whole_contract.judge(made) if each.kind != "deprecated"] == []


@pytest.mark.parametrize(
    ("method", "path", "kind", "origin"),
    [
        ("POST", "/v3/flights", "unknown-operation", ""),
        ("DELETE", "/v3/bookings", "unknown-operation", ""),
        ("GET", "/v3/payments", "unknown-operation", ""),
        ("POST", "/v3/search", "other-version", "v4"),
        ("GET", "/v3/order/5f0c1f6e", "other-version", "v4"),
        ("GET", "/v2/roundTrips", "other-version", "v3"),
        ("POST", "/v2/requests/4711/cancel", "other-version", "v3"),
        ("POST", "/v2/flights/verify", "other-version", "v3"),
        ("GET", "/v2/reservation/x", "other-version", "v4"),
    ],
)
def test_unknown_path(whole_contract: Contract, method: str, path: str, kind: str, origin: str) -> None:
    made = rejected(exchange("searchFlights", url=BASE + path), 404)
    request = type(made.request)(method, BASE + path, HEADERS, b"")
    (finding,) = whole_contract.judge(type(made)(made.id, made.started, made.elapsed, request, made.response))
    assert (finding.kind, finding.rule, finding.drift, finding.provenance, finding.pointer) == (
        "drift",
        "V23-OPERATIONS",
        kind,
        origin,
        "path",
    )


def test_unknown_version() -> None:
    made = rejected(exchange("searchFlights", url=f"{BASE}/v5/flights"), 404)
    for versions, rule in ((("v2", "v3"), "V23-OPERATIONS"), (("v3", "v4"), "V4-OPERATIONS")):
        (finding,) = Contract.load(versions, ServiceAddress(base_urls=(BASE,))).judge(made)
        assert (finding.rule, finding.drift) == (rule, "unknown-version")


def test_card_number_in_a_request_to_an_unknown_operation(whole_contract: Contract) -> None:
    made = exchange("createBookings", url=f"{BASE}/v3/payments", sent={"pan": "4242424242424242"})
    assert [finding.rule for finding in whole_contract.judge(made)] == ["V23-OPERATIONS", "V23-CARD-DATA"]
