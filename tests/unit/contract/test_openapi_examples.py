"""Each operation of the OpenAPI documents has an example that keeps the rules, each tolerance of a schema a reason."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest

from airworthy.contract import Contract, Conversation, Exchange, Finding, Request, Response
from airworthy.documents.bundles import bundle
from airworthy.resources import resource
from exchange_parts import changed_response, response_of
from unit.contract.documented import VERSIONS, Documented, documented
from unit.contract.examples import as_bytes

START = datetime(2035, 1, 15, 9, 30, tzinfo=UTC)
# A rejected flow follows the booking, and a look-up the airline's record locator; times in minutes.
AFTER = {"cancelRequest": 10.0, "getBookings": 120.0, "getBookingsV2": 120.0}
# The documents withdraw verification on 25 September 2026.
BEFORE_THE_END_OF_VERIFICATION = datetime(2026, 9, 1, tzinfo=UTC)
CREDENTIALS = {"v4": "key", "v3": "Bearer token", "v2": "Bearer token", "payment": "Basic cmtfdGVzdDo="}


def exchanges(version: str) -> tuple[Exchange, ...]:
    """Return the example of each operation as an exchange."""
    return tuple(_exchange(each) for each in documented(version))


def _exchange(example: Documented) -> Exchange:
    headers = [("Authorization", CREDENTIALS[example.version]), ("Accept", "application/json")]
    headers += [("Content-Type", example.media_type)] if example.media_type else []
    form = "form" in example.media_type
    sent = urlencode(example.sent).encode() if form else as_bytes(example.sent)
    base = "https://payment.example" if form else f"https://service.example/{example.version}"
    request = Request(example.method, base + example.path, tuple(headers), sent)
    response = Response(200, (("Content-Type", "application/json"),), as_bytes(example.returned))
    later = START + timedelta(minutes=AFTER.get(example.operation, 0))
    time = BEFORE_THE_END_OF_VERIFICATION if example.operation == "verifyFlight" else later
    return Exchange(example.operation, time, 0.2, request, response)


def judged(documented: Iterable[Exchange]) -> list[Finding]:
    contract, conversation = Contract.load(("v2", "v3", "v4")), Conversation()
    in_order = sorted(documented, key=lambda exchange: exchange.started)
    return [finding for each in in_order for finding in contract.judge(each, conversation)]


@pytest.mark.parametrize("version", VERSIONS)
def test_examples_keep_every_rule(version: str) -> None:
    # The documents advise against one operation.
    deprecated = ["V3-VERIFY-DEPRECATED"] if version == "v3" else []

    assert exchanges(version)
    assert [each.rule for each in judged(exchanges(version))] == deprecated


@pytest.mark.parametrize("version", VERSIONS)
def test_broken_examples_are_noticed(version: str) -> None:
    *others, last = exchanges(version)
    body = (response_of(last).body or b"").replace(b'"id"', b'"identifier"')

    assert judged([*others, changed_response(last, body=body)])


def test_examples_of_v4_rejections_keep_the_error_format() -> None:
    documented = bundle("v4")["components"]["responses"].values()
    found = [each["content"]["application/json"]["example"] for each in documented if "content" in each]

    assert len(found) == 7
    assert all(set(each) == {"statusCode", "error", "message"} for each in found)


def test_contract_does_not_contain_the_examples() -> None:
    """Redaction keeps the words of the contract's documents, so names and ids of examples must not be among them."""
    text = json.dumps(Contract.load(("v2", "v3", "v4")).documents)
    offer = json.loads(response_of(exchanges("v4")[0]).body or b"")["offers"][0]["id"]

    assert '"operationId": "createOrder"' in text
    assert not any(word in text for word in ("Ana", "example.com", "FIRST-OTA", offer))


REASON = re.compile(r"OPEN-[0-9]{2}|v[234], [A-Z]")
MARKS = ("x-soft", "x-open")


def tolerant_schemas() -> Iterator[tuple[str, str]]:
    """Yield each schema that only warns, binds only clients or is open, with its description."""
    for folder in VERSIONS:
        for path in sorted((resource("schemas") / folder).glob("*.json")):
            yield from marked(json.loads(path.read_text()), path.name)


def marked(node: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        if any(node.get(mark) is True for mark in MARKS) or node.get("x-binds") == "client":
            yield place, f"{node.get('x-reason', '')} {node.get('description', '')}"
        for name, child in node.items():
            yield from marked(child, f"{place}/{name}")
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from marked(child, f"{place}/{index}")


def test_tolerant_schema_names_its_reason() -> None:
    schemas = list(tolerant_schemas())
    assert len(schemas) > 20
    assert [place for place, text in schemas if not REASON.search(text)] == []
