"""The view of the exchange of a failure."""

from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from airworthy.contract import Exchange, Response
from airworthy.evidence.recorder import EvidenceRecord
from airworthy.report.exchange_view import ExchangeView, load_records, view_exchange
from exchange_parts import changed_request

from .sample import exchanges, with_evidence

BODY = {"offers": [{"id": 1, "tags": []}, {"id": 2, "fare": {"total": 3}}], "a/b": {"~": True}}


def shown(pointer: str, *, side: str = "response", body: bytes | None = None) -> ExchangeView:
    exchange: Exchange = exchanges()[0]
    response = Response(200, (("Content-Type", "application/json"),), orjson.dumps(BODY) if body is None else body)
    return view_exchange(
        EvidenceRecord(replace(exchange, response=response)), "response" if side == "response" else "request", pointer
    )


def marked(found: ExchangeView) -> list[str]:
    lines = [found.request, *([found.response] if found.response else [])]
    return [line.text.strip() for each in lines for line in (each.first, *each.headers, *each.body) if line.marked]


@pytest.mark.parametrize(
    ("pointer", "lines"),
    [
        ("/offers/0/id", ['"id": 1,']),
        ("/offers/0/tags", ['"tags": []']),
        ("/offers/1/id", ['"id": 2,']),
        ("/offers/1/fare", ['"fare": {', '"total": 3', "}"]),
        ("/offers/1/fare/total", ['"total": 3']),
        ("/offers/1/fare/currency", ['"fare": {']),
        ("/offers/7", ['"offers": [']),
        ("/a~1b/~0", ['"~": true']),
        ("/nothing", ["{"]),
        ("/offers/0/id/deeper", ['"id": 1,']),
        ("status", ["200 OK"]),
        ("path", ["POST https://service.example/v4/search"]),
        ("query:offerId", ["POST https://service.example/v4/search"]),
        ("header:content-type", ["Content-Type: application/json"]),
        ("", []),
    ],
)
def test_line_at_fault_is_marked(pointer: str, lines: list[str]) -> None:
    in_request = pointer == "path" or pointer.startswith("query:")
    assert marked(shown(pointer, side="request" if in_request else "response")) == lines


def test_long_body_is_shown_around_the_line_at_fault() -> None:
    found = shown("/2500", body=orjson.dumps(list(range(5000)))).response
    assert found is not None
    texts = [line.text.strip() for line in found.body]
    assert "2500," in texts
    assert texts[0] == "["
    assert sum(line.omitted for line in found.body) == 2
    assert len(texts) < 100
    assert [text for text in texts if "more lines" in text] == ["… 2464 more lines …", "… 2475 more lines …"]


def test_body_that_is_not_json_or_missing() -> None:
    page = shown("/offers", body=b"<p>\n" * 200).response
    assert page is not None
    assert page.body[0].text == "<p>"
    assert page.body[-1].omitted
    wide = shown("", body=b"x" * 100_000).response
    assert wide is not None
    assert len(wide.body[0].text) < 500
    nothing = view_exchange(EvidenceRecord(replace(exchanges()[0], response=None)))
    assert nothing.response is None
    unread = view_exchange(EvidenceRecord(replace(exchanges()[0], response=Response(200, (), None)))).response
    assert unread is not None
    assert "not recorded" in unread.body[0].text


def test_deep_or_large_body_is_shown_unformatted() -> None:
    deep = shown("/0", body=b"[" * 1000 + b"]" * 1000).response
    large = shown("/0", body=b"[" + b"1," * 400_000 + b"1]").response
    assert deep is not None
    assert large is not None
    assert len(large.body[0].text) < 500


def test_only_requested_records_are_loaded(tmp_path: Path) -> None:
    with_evidence(tmp_path)
    assert set(load_records(tmp_path / "evidence.jsonl", {"x0002", "x0009"})) == {"x0002"}
    assert load_records(tmp_path / "absent.jsonl", {"x0002"}) == {}


def test_too_long_command_is_omitted() -> None:
    exchange = exchanges()[0]
    long = changed_request(exchange, body=b'"' + b"x" * 9000 + b'"')
    assert view_exchange(EvidenceRecord(long)).command == ""
    assert view_exchange(EvidenceRecord(exchange)).command.startswith("curl ")
