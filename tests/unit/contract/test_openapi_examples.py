"""Each operation of the OpenAPI documents has an example that keeps the rules, each tolerance of a schema a reason."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from urllib.parse import urlencode

import pytest

from airworthy.contract import Contract, Conversation, Exchange, Finding, Request, Response
from airworthy.documents.bundles import bundle
from airworthy.resources import resource
from unit.contract.examples import as_bytes

VERSIONS = ("v4", "v3", "v2", "payment")
START = datetime(2035, 1, 15, 9, 30, tzinfo=UTC)
# A rejected flow follows the booking, and a look-up the airline's record locator; times in minutes.
AFTER = {"cancelRequest": 10.0, "getBookings": 120.0, "getBookingsV2": 120.0}
# The documents withdraw verification on 25 September 2026.
BEFORE_THE_END_OF_VERIFICATION = datetime(2026, 9, 1, tzinfo=UTC)
CREDENTIALS = {"v4": "key", "v3": "Bearer token", "v2": "Bearer token", "payment": "Basic cmtfdGVzdDo="}


@dataclass
class DocumentedOperation:
    """An operation with its examples, as in a bundled OpenAPI document."""

    version: str
    id: str
    method: str
    path: str
    parameters: list[dict[str, Any]]
    media: str
    sent: Any
    returned: Any

    def url(self) -> str:
        by_place = {place: {each["name"]: each["example"] for each in self.given(place)} for place in ("path", "query")}
        path = self.path.format(**by_place["path"])
        query = f"?{urlencode(by_place['query'])}" if by_place["query"] else ""
        base = "https://payment.example" if self.version == "payment" else f"https://service.example/{self.version}"
        return base + path + query

    def given(self, place: str) -> list[dict[str, Any]]:
        return [each for each in self.parameters if each["in"] == place and "example" in each]

    def exchange(self) -> Exchange:
        later = START + timedelta(minutes=AFTER.get(self.id, 0))
        time = BEFORE_THE_END_OF_VERIFICATION if self.id == "verifyFlight" else later
        headers = [("Authorization", CREDENTIALS[self.version]), ("Accept", "application/json")]
        body = urlencode(self.sent).encode() if "form" in self.media else as_bytes(self.sent)
        if self.media:
            headers.append(("Content-Type", self.media))
        request = Request(self.method.upper(), self.url(), tuple(headers), body)
        response = Response(200, (("Content-Type", "application/json"),), as_bytes(self.returned))
        return Exchange(self.id, time, 0.2, request, response)


@cache
def operations(version: str) -> tuple[DocumentedOperation, ...]:
    document = bundle(version)

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

    def found() -> Iterator[DocumentedOperation]:
        for path, item in document["paths"].items():
            for method, operation in item.items():
                sent = operation.get("requestBody", {}).get("content", {})
                success = next(each for status, each in operation["responses"].items() if status.startswith("2"))
                yield DocumentedOperation(
                    version,
                    operation["operationId"],
                    method,
                    path,
                    [target(each) for each in operation.get("parameters", ())],
                    next(iter(sent), ""),
                    example(next(iter(sent.values()))) if sent else None,
                    example(success["content"]["application/json"]),
                )

    return tuple(found())


def judged(documented: list[DocumentedOperation]) -> list[Finding]:
    contract, conversation = Contract.load(("v2", "v3", "v4")), Conversation()
    exchanges = sorted((each.exchange() for each in documented), key=lambda exchange: exchange.started)
    return [finding for each in exchanges for finding in contract.judge(each, conversation)]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_operation_has_examples(version: str) -> None:
    assert operations(version)
    for each in operations(version):
        assert (each.sent is None) == (not each.media), each.id
        assert each.returned, each.id
        assert all("example" in parameter for parameter in each.parameters if parameter.get("required")), each.id


@pytest.mark.parametrize("version", VERSIONS)
def test_examples_keep_every_rule(version: str) -> None:
    # The documents advise against one operation.
    deprecated = ["V3-VERIFY-DEPRECATED"] if version == "v3" else []

    assert [each.rule for each in judged(list(operations(version)))] == deprecated


@pytest.mark.parametrize("version", VERSIONS)
def test_broken_examples_are_noticed(version: str) -> None:
    broken = deepcopy(operations(version))
    text = json.dumps(broken[-1].returned)
    broken[-1].returned = json.loads(text.replace('"id"', '"identifier"'))

    assert judged(list(broken))


def test_examples_of_v4_rejections_keep_the_error_format() -> None:
    document = bundle("v4")
    found = {name: each["content"]["application/json"]["example"] for name, each in rejections(document)}

    assert len(found) == 7
    assert all(set(each) == {"statusCode", "error", "message"} for each in found.values())


def rejections(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(name, each) for name, each in document["components"]["responses"].items() if "content" in each]


def test_contract_does_not_contain_the_examples() -> None:
    """Redaction keeps the words of the contract's documents, so names and ids of examples must not be among them."""
    text = json.dumps(Contract.load(("v2", "v3", "v4")).documents)
    offer = operations("v4")[0].returned["offers"][0]["id"]

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
