"""Hostile traffic raises no exception, costs linear work, and shows no private value in a finding."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import product

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from airworthy.contract import Contract, Conversation, Exchange, Finding, Headers, Request, Response
from airworthy.contract.bodies.body import LARGEST, Json, Pointer
from airworthy.contract.bodies.wording import LONGEST
from airworthy.contract.findings.attribution import MOST_FINDINGS
from airworthy.contract.http.reading import read_transaction
from airworthy.contract.rules.coded_rules import MOST_DEFECTS_OF_A_RULE, coded_defects
from airworthy.contract.schema.known_members import KnownMembers
from exchange_parts import response_of
from unit.contract.examples import ENDPOINTS, HEADERS, RETURNED, SENT, Change, changed, exchange, put
from unit.contract.judging import last_findings
from unit.contract.mutations import places, with_change
from unit.contract.work import grows_linearly

pytestmark = pytest.mark.exhaustive

LONGEST_MESSAGE = 400
SIZE = 500
NAMES = st.sampled_from(sorted({*filter(str.isidentifier, json.dumps([SENT, RETURNED]).split('"'))}))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=20) | NAMES, inner, max_size=6),
    max_leaves=30,
)
TEXT = st.text(max_size=60)
URLS = (
    st.sampled_from([f"https://service.example{path}" for _, path in ENDPOINTS.values()])
    | st.tuples(st.sampled_from(["v2", "v3", "v4"]), TEXT).map(
        lambda parts: f"https://service.example/{'/'.join(parts)}"
    )
    | TEXT.map(lambda text: f"https://service.example/v3/flights?origin={text}&start={text}&end={text}&seats={text}")
    | TEXT
)


def judged(contract: Contract, made: Exchange, conversation: Conversation | None) -> list[Finding]:
    findings = contract.judge(made, conversation)
    assert all("internal error of the contract" not in finding.message for finding in findings), findings
    assert len(findings) <= MOST_FINDINGS
    for finding in findings:
        assert len(finding.expected) <= LONGEST
        assert len(finding.actual) <= LONGEST
        assert len(finding.message) <= LONGEST_MESSAGE
    return findings


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    method=st.sampled_from(["GET", "POST", "post", "DELETE", "é", ""]),
    url=URLS,
    headers=st.lists(st.tuples(TEXT, TEXT), max_size=4),
    sent=st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()) | st.none(),
    status=st.integers(0, 1000),
    returned=st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()) | st.none(),
)
@example(method="GET", url="https://[::1", headers=[], sent=b"", status=200, returned=b"{}")
@example(
    method="POST",
    url="https://service.example/v4/search",
    headers=[("Content-Length", "9" * 5000)],
    sent=b"[",
    status=200,
    returned=b"[",
)
def test_arbitrary_exchange_does_not_raise(**drawn: Json) -> None:
    contract, conversation = Contract.load(("v2", "v3", "v4")), Conversation()
    headers = tuple(drawn["headers"])
    request = Request(drawn["method"], drawn["url"], headers, drawn["sent"])
    response = Response(drawn["status"], headers, drawn["returned"])
    for name in ("1", "2"):
        made = Exchange(name, datetime(2026, 11, 2, tzinfo=UTC), -1.0 if name == "1" else 0.1, request, response)
        judged(contract, made, conversation)


@st.composite
def disturbed(draw: st.DrawFn) -> list[Exchange]:
    def changes(body: Json) -> tuple[Change, ...]:
        return tuple(put(draw(st.sampled_from(sorted(body))), draw(JSON)) for _ in range(draw(st.integers(0, 2))))

    return [
        exchange(
            operation,
            sent=changes(SENT[operation]) if operation in SENT else None,
            returned=changes(RETURNED[operation]),
            after=at * draw(st.integers(0, 20)),
            name=str(at),
        )
        for at, operation in enumerate(ENDPOINTS)
    ]


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(disturbed())
def test_mutated_conversation_does_not_raise(exchanges: list[Exchange]) -> None:
    contract, conversation = Contract.load(("v2", "v3", "v4")), Conversation()
    for made in exchanges:
        judged(contract, made, conversation)


# A time with a zone that is as long as one without, the ends of the calendar, and other forms of ISO 8601.
TIMES = ("2026-12-02 10:00+01", "0001-01-01 00:00:00", "9999-12-31T23:59:59", "9999-12-31", "20261202", "24:00")


@pytest.mark.parametrize("operation", ENDPOINTS)
def test_unusual_time_anywhere_does_not_raise(whole_contract: Contract, operation: str) -> None:
    for side, bodies in (("sent", SENT), ("returned", RETURNED)):
        texts = [way for way, value in places(bodies.get(operation)) if isinstance(value, str)]
        for way, time in product(texts, TIMES):
            judged(whole_contract, exchange(operation, **{side: with_change(bodies[operation], way, time)}), None)


CANARIES = (
    "Canaria Quetzal",
    "canary@example.com",
    "sk_live_51HxCanary0000000000",
    "4242424242424242",
    "pm_1NcanaryCANARY",
)


@pytest.mark.parametrize("operation", ENDPOINTS)
def test_misplaced_private_value_is_not_in_a_finding(whole_contract: Contract, operation: str) -> None:
    sides = [(side, bodies) for side, bodies in (("sent", SENT), ("returned", RETURNED)) if operation in bodies]
    for (side, bodies), canary in product(sides, CANARIES):
        misplaced = (with_change(bodies[operation], way, canary) for way, _ in places(bodies[operation]) if way)
        for wrong in (*misplaced, {**bodies[operation], canary: canary}):
            made = exchange(operation, **{side: wrong})
            assert canary not in repr(whole_contract.judge(made, Conversation()))


def marked(contract: Contract, made: Exchange) -> Iterator[tuple[str, Pointer]]:
    """Yield the side and the place of each value with a mark, in a conforming exchange."""
    operation = contract.operation(made.request.method, made.request.url)
    assert operation
    response = response_of(made)
    for side, schema, body in (
        ("request", operation.request, made.request.body),
        ("response", operation.response(response.status), response.body),
    ):
        if schema and body:
            yield from ((side, way) for way in sensitive(schema.members, json.loads(body)))


def sensitive(members: KnownMembers | None, value: Json, at: Pointer = ()) -> Iterator[Pointer]:
    if members is None or not members.private or value is None:
        return
    if members.sensitive:
        yield at
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from sensitive(members.known(name), item, (*at, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from sensitive(members.items, item, (*at, index))


@pytest.mark.parametrize("operation", ENDPOINTS)
def test_plain_private_value_is_not_in_a_finding(whole_contract: Contract, operation: str) -> None:
    for side, way in marked(whole_contract, exchange(operation)):
        name, example = ("sent", SENT) if side == "request" else ("returned", RETURNED)
        for value in ("QZ77X", 770_077) if way else ():
            made = exchange(operation, **{name: with_change(example[operation], way, value)})
            assert str(value) not in repr(whole_contract.judge(made, Conversation()))


def huge_search(size: int) -> Exchange:
    offers = [{"id": number, "surprise": {"a": 1}} for number in range(size)]
    return exchange("searchOffers", returned=json.dumps({"offers": offers}).encode())


def huge_page(size: int) -> Exchange:
    found = RETURNED["searchFlights"]["results"] * size
    page = json.dumps({"results": found, "next_page_id": None}).encode()
    return exchange("searchFlights", returned=page)


def huge_booking_request(size: int) -> Exchange:
    bags = {str(number): {"checked": [{"quantity": 9}] * 50} for number in range(size // 10)}
    sent = SENT["createRequests"] | {"flight_ids": list(range(size)), "bags": bags}
    return exchange("createRequests", sent=sent)


@pytest.mark.parametrize(
    ("made", "rules"),
    [
        (huge_search, {"V4-SEARCH-OFFER-FIELDS", "V4-IDENTIFIERS"}),
        (huge_page, set[str]()),
        (huge_booking_request, {"V3-REQUESTS-FLIGHTS", "V3-BAGS-OPTION"}),
    ],
)
def test_work_grows_linearly_with_a_valid_body(
    whole_contract: Contract, made: Callable[[int], Exchange], rules: set[str]
) -> None:
    assert {each.rule for each in judged(whole_contract, made(SIZE), Conversation())} >= rules
    assert grows_linearly(lambda size: whole_contract.judge(made(size), Conversation()), SIZE)


def test_number_of_defects_of_a_rule_is_bounded(whole_contract: Contract) -> None:
    made = huge_booking_request(1_000)
    url = whole_contract.resolve(made.request.method, made.request.url)
    assert url is not None
    found = coded_defects(read_transaction(made, url, url.operation), "request", None)
    assert Counter(each.rule for each in found)["V3-BAGS-QUANTITY"] == MOST_DEFECTS_OF_A_RULE


def test_number_of_findings_is_bounded(contract: Contract) -> None:
    query = "&".join(f"p{number}=1" for number in range(5_000))
    headers = HEADERS + tuple((f"X-{number}", "v" * 100) for number in range(500))
    made = exchange("findReservation", url=f"https://service.example/v4/reservation?{query}", headers=headers)
    assert len(judged(contract, made, None)) <= MOST_FINDINGS


OFFERED = json.dumps(RETURNED["searchOffers"]["offers"][0]).encode()
# Functions from a size to a request body and a response body.
HOSTILE: dict[str, Callable[[int], tuple[bytes, bytes]]] = {
    "deep": lambda n: (b"[" * n, b'{"a":' * n),
    "deep, and whole": lambda _: (b"[" * 900 + b"]" * 900, b'{"a":' * 900 + b"1" + b"}" * 900),
    "cut off": lambda _: (b'{"adults":', b'{"offers":[{"id"'),
    "one name twice": lambda _: (b'{"adults":1,"adults":2}', b'{"offers":[],"offers":[1]}'),
    "one name twice, escaped": lambda _: (
        b'{"adults":1,"adu\\u006cts":2,"x":"\\u003a"}',
        b'{"offers":[],"\\u006fffers":[1]}',
    ),
    "not a number": lambda _: (b'{"adults":NaN}', b'{"offers":[Infinity,1e400]}'),
    "half a character": lambda _: (b'{"customerCode":"\\ud800"}', b'{"offers":["\\udfff"]}'),
    "another charset": lambda _: ('{"customerCode":"ñ"}'.encode("latin-1"), '{"offers":["ñ"]}'.encode("utf-16")),
    "many wrong items": lambda n: (b"[]", b'{"offers":[' + b"0," * n + b"0]}"),
    "many wrong items in one": lambda n: (
        b"{}",
        b'{"offers":[{"outboundSegment":{"sections":[' + b"0," * n + b"0]}}]}",
    ),
    "late wrong items": lambda n: (b"{}", b'{"offers":[' + (OFFERED + b",") * 250 + b"0," * n + b"0]}"),
    "many names": lambda n: (b"{}", b'{"offers":[],' + b",".join(b'"n%d":0' % each for each in range(n)) + b"}"),
    "escapes": lambda n: (
        b'{"customerCode":"' + b"\\u003a" * n + b'"}',
        b'{"offers":[],"x":"' + b"\\u003a" * n + b'"}',
    ),
    "digits": lambda n: (b'{"customerCode":"' + b"4 " * n + b'"}', b'{"offers":[]}'),
    "numbers": lambda n: (b"[" + b'"4242 4242 4242 4241",' * n + b"1]", b'{"offers":[]}'),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_work_grows_linearly_with_a_hostile_body(whole_contract: Contract, name: str) -> None:
    def judge(size: int) -> list[Finding]:
        sent, returned = HOSTILE[name](size)
        return judged(whole_contract, exchange("searchOffers", sent=sent, returned=returned), Conversation())

    assert judge(SIZE)
    assert grows_linearly(judge, SIZE)


def test_too_large_body_is_not_parsed(whole_contract: Contract) -> None:
    made = exchange("searchOffers", sent=b"x" * (LARGEST + 1), returned=b"[" + b"1," * LARGEST)
    assert {each.kind for each in judged(whole_contract, made, Conversation())} == {"unreadable"}


URLS_BY_SIZE: dict[str, Callable[[int], str]] = {
    "parameters": lambda n: "v4/reservation?" + "&".join(f"a{each}=1" for each in range(n)),
    "parameter": lambda n: "v4/reservation?orderId=" + "%41" * n,
    "segments": lambda n: "v4/" + "a/%41" * n,
    "versions": lambda n: "v4/" * n,
    "other versions": lambda n: "v5/search/" * n,
}


@pytest.mark.parametrize("name", URLS_BY_SIZE)
def test_work_grows_linearly_with_a_hostile_url(whole_contract: Contract, name: str) -> None:
    def judge(size: int) -> None:
        url = f"https://service.example/{URLS_BY_SIZE[name](size)}"
        judged(whole_contract, exchange("findReservation", url=url), Conversation())

    assert grows_linearly(judge, SIZE)


@pytest.mark.parametrize(
    "headers",
    [
        lambda n: (*HEADERS, *((f"X-{each}", "4 " * 100) for each in range(n))),
        lambda n: (*HEADERS, ("X-Long", "4242 " * n)),
        lambda n: (("Authorization", "Basic " * n),),
    ],
    ids=["many", "long", "credentials"],
)
def test_work_grows_linearly_with_headers(whole_contract: Contract, headers: Callable[[int], Headers]) -> None:
    def judge(size: int) -> None:
        judged(whole_contract, exchange("getFares", headers=headers(size)), Conversation())

    assert grows_linearly(judge, SIZE)


@pytest.mark.parametrize("at", [0, 199, 200, 250, 401, 599, 600])
def test_wrong_item_is_found_at_any_position(at: int) -> None:
    offers = [RETURNED["searchOffers"]["offers"][0]] * at + [{"id": 1}] + [RETURNED["searchOffers"]["offers"][0]] * 3
    pointers = {each.pointer for each in last_findings(exchange("searchOffers", returned={"offers": offers}))}
    assert f"/offers/{at}/id" in pointers


def test_wrong_item_at_the_end_of_a_long_nested_array_is_found() -> None:
    offer = RETURNED["searchOffers"]["offers"][0]
    sections = offer["outboundSegment"]["sections"] * 300 + [7]
    made = exchange("searchOffers", returned={"offers": [changed(offer, put("outboundSegment.sections", sections))]})
    assert "/offers/0/outboundSegment/sections/300" in {each.pointer for each in last_findings(made)}


@pytest.mark.parametrize("name", ["00", "+7", "007", "1" * 30])
def test_member_name_that_looks_like_a_number(whole_contract: Contract, name: str) -> None:
    found = judged(whole_contract, exchange("createRequests", sent=put("bags", {name: 7})), None)
    assert any(each.pointer.startswith("/bags/") for each in found)
