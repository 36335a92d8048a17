"""Each operation of the OpenAPI documents has an example that keeps the rules, each tolerance of a schema a reason."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from urllib.parse import urlencode

import pytest

from airworthy.contract import Contract, Conversation, Exchange, Finding, Request, Response
from airworthy.documents.bundles import bundle
from airworthy.resources import resource
from exchange_parts import changed_response, response_of
from unit.contract.examples import as_bytes

VERSIONS = ("v4", "v3", "v2", "payment")
START = datetime(2035, 1, 15, 9, 30, tzinfo=UTC)
# A rejected flow follows the booking, and a look-up the airline's record locator; times in minutes.
AFTER = {"cancelRequest": 10.0, "getBookings": 120.0, "getBookingsV2": 120.0}
# The documents withdraw verification on 25 September 2026.
BEFORE_THE_END_OF_VERIFICATION = datetime(2026, 9, 1, tzinfo=UTC)
CREDENTIALS = {"v4": "key", "v3": "Bearer token", "v2": "Bearer token", "payment": "Basic cmtfdGVzdDo="}


@cache
def exchanges(version: str) -> tuple[Exchange, ...]:
    """Return the example of each operation; every body and every required parameter has to have one."""
    document = bundle(version)
    base = "https://payment.example" if version == "payment" else f"https://service.example/{version}"

    def target(node: Any) -> Any:  # noqa: ANN401 - any part of a document
        found = node
        if "$ref" in node:
            found = document
            for part in node["$ref"].removeprefix("#/").split("/"):
                found = found[part]
        return found

    def example(content: dict[str, Any]) -> Any:  # noqa: ANN401 - any JSON
        (each,) = content["examples"].values()
        return target(each)["value"]

    def documented(path: str, method: str, operation: dict[str, Any]) -> Exchange:
        given: dict[str, dict[str, str]] = {"path": {}, "query": {}, "header": {}}
        for each in map(target, operation.get("parameters", ())):
            if each.get("required") or "example" in each:
                given[each["in"]][each["name"]] = each["example"]
        headers = [("Authorization", CREDENTIALS[version]), ("Accept", "application/json")]
        sent = b""
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            headers.append(("Content-Type", media))
            sent = urlencode(example(content)).encode() if "form" in media else as_bytes(example(content))
        success = next(each for status, each in operation["responses"].items() if status.startswith("2"))
        returned = as_bytes(example(success["content"]["application/json"]))
        url = f"{base}{path.format(**given['path'])}?{urlencode(given['query'])}".removesuffix("?")
        request = Request(method.upper(), url, tuple(headers), sent)
        later = START + timedelta(minutes=AFTER.get(operation["operationId"], 0))
        time = BEFORE_THE_END_OF_VERIFICATION if operation["operationId"] == "verifyFlight" else later
        response = Response(200, (("Content-Type", "application/json"),), returned)
        return Exchange(operation["operationId"], time, 0.2, request, response)

    paths = document["paths"].items()
    return tuple(documented(path, *each) for path, item in paths for each in item.items())


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
    for folder in ("v4", "v3", "v2", "payment"):
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
