"""Whatever comes over the wire: no exception, bounded findings, nothing private in any of them."""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from airworthy.contract import Contract, Conversation, Exchange, Finding, Request, Response
from airworthy.contract.body import Json
from airworthy.contract.findings import MOST_FINDINGS
from airworthy.contract.wording import LONGEST
from unit.contract import examples
from unit.contract.examples import HEADERS, changed, exchange, put
from unit.contract.v3 import v3_examples

SENT = {**examples.SENT, **v3_examples.SENT}
ANSWERED = {**examples.ANSWERED, **v3_examples.ANSWERED}
OPERATIONS = (*examples.OPERATIONS, *v3_examples.OPERATIONS)
PATHS = [*(f"/v4{path}" for _, path in examples.CALLS.values()), *(path for _, path in v3_examples.CALLS.values())]
LONGEST_MESSAGE = 400
NAMES = st.sampled_from(
    sorted(
        {
            name
            for body in (*SENT.values(), *ANSWERED.values())
            for name in json.dumps(body).split('"')
            if name.isidentifier()
        }
    )
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=20) | NAMES, inner, max_size=6),
    max_leaves=30,
)
TEXT = st.text(max_size=60)
URLS = (
    st.sampled_from([f"https://service.example{path}" for path in PATHS])
    | st.tuples(st.sampled_from(["v2", "v3", "v4"]), TEXT).map(
        lambda parts: f"https://service.example/{'/'.join(parts)}"
    )
    | TEXT.map(lambda text: f"https://service.example/v3/flights?origin={text}&start={text}&end={text}&seats={text}")
    | TEXT
)


def judged(contract: Contract, made: Exchange, conversation: Conversation | None) -> list[Finding]:
    findings = contract.judge(made, conversation)
    contract.sensitive(made)
    assert all("the contract failed" not in finding.message for finding in findings), findings
    assert len(findings) <= MOST_FINDINGS
    for finding in findings:
        assert len(finding.expected) <= LONGEST
        assert len(finding.actual) <= LONGEST
        assert len(finding.message) <= LONGEST_MESSAGE
    return findings


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    method=st.sampled_from(["GET", "POST", "post", "DELETE", "é", ""]),
    url=URLS,
    headers=st.lists(st.tuples(TEXT, TEXT), max_size=4),
    sent=st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()) | st.none(),
    status=st.integers(0, 1000),
    answered=st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()) | st.none(),
)
@example(method="GET", url="https://[::1", headers=[], sent=b"", status=200, answered=b"{}")
@example(
    method="POST",
    url="https://service.example/v4/search",
    headers=[("Content-Length", "9" * 5000)],
    sent=b"[",
    status=200,
    answered=b"[",
)
def test_no_exchange_raises(**drawn: Json) -> None:
    contract, conversation = Contract.load(("v2", "v3", "v4")), Conversation()
    headers = tuple(drawn["headers"])
    request = Request(drawn["method"], drawn["url"], headers, drawn["sent"])
    response = Response(drawn["status"], headers, drawn["answered"])
    for name in ("1", "2"):
        made = Exchange(name, datetime(2026, 11, 2, tzinfo=UTC), -1.0 if name == "1" else 0.1, request, response)
        judged(contract, made, conversation)


@st.composite
def disturbed(draw: st.DrawFn) -> list[Exchange]:
    exchanges = []
    for at, operation in enumerate(OPERATIONS):
        sent, answered = SENT.get(operation), ANSWERED[operation]
        for _ in range(draw(st.integers(0, 2))):
            answered = changed(answered, put(draw(st.sampled_from(sorted(answered))), draw(JSON)))
            if operation in SENT:
                sent = changed(sent, put(draw(st.sampled_from(list(SENT[operation]))), draw(JSON)))
        made = made_by(operation)
        exchanges.append(
            made(operation, sent=sent, answered=answered, after=at * draw(st.integers(0, 20)), name=str(at))
        )
    return exchanges


def made_by(operation: str) -> Callable[..., Exchange]:
    return exchange if operation in examples.CALLS else v3_examples.exchange


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(disturbed())
def test_no_journey_raises(exchanges: list[Exchange]) -> None:
    contract, conversation = Contract.load(("v2", "v3", "v4")), Conversation()
    for made in exchanges:
        judged(contract, made, conversation)


CANARIES = {
    "name": "Canaria Quetzal",
    "email": "canary@example.com",
    "number": "600987123",
    "identificationNumber": "XQZ998877",
    "address": "Calle Canaria 7",
    "token": "sk_live_51HxCanary0000000000",
    "card": "4242424242424242",
    "pm": "pm_1NcanaryCANARY",
}


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("canary", CANARIES.values(), ids=CANARIES)
def test_no_finding_gives_anything_private_away(whole_contract: Contract, operation: str, canary: str) -> None:
    for side, bodies in (("sent", SENT), ("answered", ANSWERED)):
        if operation not in bodies:
            continue
        for place in list(places(bodies[operation])):
            body = changed(bodies[operation], put(place, canary))
            unknown = {**bodies[operation], canary: canary}
            for wrong in (body, unknown):
                made = made_by(operation)(operation, **{side: wrong})
                assert canary not in repr(whole_contract.judge(made, Conversation()))


@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_finding_shows_a_private_value_though_it_is_plain(whole_contract: Contract, operation: str) -> None:
    made = made_by(operation)
    for side, pointer, _ in whole_contract.sensitive(made(operation)):
        if pointer.startswith("/"):
            body = json.loads(json.dumps((SENT if side == "request" else ANSWERED)[operation]))
            *way, last = [int(part) if part.isdigit() else part for part in pointer[1:].split("/")]
            holder = body
            for part in way:
                holder = holder[part]
            for value in ("QZ77X", 770_077):
                holder[last] = value
                name = "sent" if side == "request" else "answered"
                assert str(value) not in repr(whole_contract.judge(made(operation, **{name: body}), Conversation()))


def places(body: Json, way: str = "") -> list[str]:
    found = [way] if way else []
    if isinstance(body, dict):
        return found + [place for name in body for place in places(body[name], f"{way}.{name}" if way else name)]
    if isinstance(body, list):
        return found + [place for at, item in enumerate(body) for place in places(item, f"{way}[{at}]")]
    return found


def test_a_huge_answer_costs_bounded_time(contract: Contract) -> None:
    offers = [{"id": number, "surprise": {"a": 1}} for number in range(50_000)]
    made = exchange("searchOffers", answered=json.dumps({"offers": offers}).encode())
    begun = time.process_time()
    findings = judged(contract, made, None)
    assert {finding.rule for finding in findings} >= {"V4-SEARCH-OFFER-FIELDS", "V4-IDENTIFIERS"}
    assert time.process_time() - begun < 10


def test_a_huge_page_and_a_huge_request_cost_bounded_time(whole_contract: Contract) -> None:
    found = v3_examples.ANSWERED["searchFlights"]["results"] * 20_000
    bags = {str(number): {"checked": [{"quantity": 9}] * 50} for number in range(2_000)}
    sent = v3_examples.SENT["createRequests"] | {"flight_ids": list(range(50_000)), "bags": bags}
    begun, conversation = time.process_time(), Conversation()
    page = json.dumps({"results": found, "next_page_id": None}).encode()
    assert {
        each.rule for each in judged(whole_contract, v3_examples.exchange("searchFlights", answered=page), conversation)
    }
    made = v3_examples.exchange("createRequests", sent=sent)
    assert {each.rule for each in judged(whole_contract, made, conversation)} >= {
        "V3-REQUESTS-FLIGHTS",
        "V3-BAGS-OPTION",
    }
    assert time.process_time() - begun < 10


def test_many_headers_and_parameters(contract: Contract) -> None:
    query = "&".join(f"p{number}=1" for number in range(50_000))
    headers = HEADERS + tuple((f"X-{number}", "v" * 100) for number in range(5_000))
    made = exchange("findReservation", url=f"https://service.example/v4/reservation?{query}", headers=headers)
    assert len(judged(contract, made, None)) <= MOST_FINDINGS


OFFERED = json.dumps(ANSWERED["searchOffers"]["offers"][0]).encode()
HOSTILE = {
    "deep": (b"[" * 1_000_000, b'{"a":' * 500_000),
    "deep, and whole": (b"[" * 900 + b"]" * 900, b'{"a":' * 900 + b"1" + b"}" * 900),
    "more than is read": (b"x" * 20_000_000, b'{"offers":[' + b"1," * 10_000_000 + b"1]}"),
    "cut off": (b'{"adults":', b'{"offers":[{"id"'),
    "one name twice": (b'{"adults":1,"adults":2}', b'{"offers":[],"offers":[1]}'),
    "one name twice, escaped": (b'{"adults":1,"adu\\u006cts":2,"x":"\\u003a"}', b'{"offers":[],"\\u006fffers":[1]}'),
    "no number": (b'{"adults":NaN}', b'{"offers":[Infinity,1e400]}'),
    "half a character": (b'{"customerCode":"\\ud800"}', b'{"offers":["\\udfff"]}'),
    "another charset": ('{"customerCode":"ñ"}'.encode("latin-1"), '{"offers":["ñ"]}'.encode("utf-16")),
    "many wrong items": (b"[]", b'{"offers":[' + b"0," * 1_000_000 + b"0]}"),
    "many wrong items in one": (b"{}", b'{"offers":[{"outboundSegment":{"sections":[' + b"0," * 1_000_000 + b"0]}}]}"),
    "late wrong items": (b"{}", b'{"offers":[' + (OFFERED + b",") * 250 + b"0," * 500_000 + b"0]}"),
    "many names": (b"{}", b'{"offers":[],' + b",".join(b'"n%d":0' % each for each in range(100_000)) + b"}"),
    "escapes": (
        b'{"customerCode":"' + b"\\u003a" * 500_000 + b'"}',
        b'{"offers":[],"x":"' + b"\\u003a" * 500_000 + b'"}',
    ),
    "digits": (b'{"customerCode":"' + b"4 " * 500_000 + b'"}', b'{"offers":[]}'),
    "numbers": (b"[" + b'"4242 4242 4242 4241",' * 20_000 + b"1]", b'{"offers":[]}'),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies_cost_bounded_time(whole_contract: Contract, name: str) -> None:
    sent, answered = HOSTILE[name]
    begun = time.process_time()
    findings = judged(whole_contract, exchange("searchOffers", sent=sent, answered=answered), Conversation())
    assert findings
    assert time.process_time() - begun < 10


@pytest.mark.parametrize(
    "url",
    [
        "https://service.example/v4/reservation?" + "&".join(f"a{each}=1" for each in range(200_000)),
        "https://service.example/v4/reservation?orderId=" + "%41" * 1_000_000,
        "https://service.example/v4/" + "a/%41" * 500_000,
        "https://service.example/" + "v4/" * 500_000,
        "https://service.example/" + "v5/search/" * 200_000,
    ],
    ids=["parameters", "parameter", "segments", "versions", "other versions"],
)
def test_hostile_urls_cost_bounded_time(whole_contract: Contract, url: str) -> None:
    begun = time.process_time()
    judged(whole_contract, exchange("findReservation", url=url), Conversation())
    assert time.process_time() - begun < 5


def test_floods_of_headers_cost_bounded_time(whole_contract: Contract) -> None:
    many = tuple((f"X-{each}", "4 " * 100) for each in range(20_000))
    begun = time.process_time()
    for headers in (
        (*HEADERS, *many),
        (*HEADERS, ("X-Long", "4242 " * 1_000_000)),
        (("Authorization", "Basic " * 500_000),),
    ):
        judged(whole_contract, exchange("getFares", headers=headers), Conversation())
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("at", [0, 199, 200, 250, 401, 599, 600])
def test_a_wrong_item_is_found_wherever_it_stands(contract: Contract, at: int) -> None:
    offers = [ANSWERED["searchOffers"]["offers"][0]] * at + [{"id": 1}] + [ANSWERED["searchOffers"]["offers"][0]] * 3
    pointers = {each.pointer for each in contract.judge(exchange("searchOffers", answered={"offers": offers}))}
    assert f"/offers/{at}/id" in pointers


def test_a_wrong_item_deep_in_a_long_array_is_found(contract: Contract) -> None:
    offer = ANSWERED["searchOffers"]["offers"][0]
    sections = offer["outboundSegment"]["sections"] * 300 + [7]
    made = exchange("searchOffers", answered={"offers": [changed(offer, put("outboundSegment.sections", sections))]})
    assert "/offers/0/outboundSegment/sections/300" in {each.pointer for each in contract.judge(made)}


@pytest.mark.parametrize("name", ["00", "+7", "007", "1" * 30])
def test_a_name_that_reads_as_a_number(whole_contract: Contract, name: str) -> None:
    sent = changed(SENT["createRequests"], put("bags", {name: 7}))
    found = judged(whole_contract, v3_examples.exchange("createRequests", sent=sent), None)
    assert any(each.pointer.startswith("/bags/") for each in found)
