"""Reading bodies: from bytes to a value or the reason why there is none, without exceptions."""

import json
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from airworthy.contract import Response
from airworthy.contract.bodies.body import LARGEST, read_form, read_json
from unit.contract.examples import exchange
from unit.contract.judging import last_findings

DEEP = 300


@pytest.mark.parametrize(
    ("content", "problem", "broken"),
    [
        (None, "not captured", False),
        (b"", "empty", True),
        (b" \n", "empty", True),
        (b"{", "not JSON", True),
        (b"<html>", "not JSON", True),
        (b'{"a": NaN}', "not JSON", True),
        (b"[Infinity]", "not JSON", True),
        (b"[1e400]", "differently", False),
        (b'["\\ud800"]', "differently", False),
        (b"\xff\xfe{\x00", "not UTF-8", False),
        ('{"a": "é"}'.encode("latin-1"), "not UTF-8", False),
        (b'{"a": 1, "a": 2}', "repeats a name", False),
        (b'{"a" : 1, "a":2}', "repeats a name", False),
        (b'[{"a": {"b": 1}, "a": {"b": 1}}]', "repeats a name", False),
        (b'{"a": 1, "\\u0061": 2}', "repeats a name", False),
        (b'{"a": 1, "a": "\\u0022:"}', "repeats a name", False),
        (b"[" * DEEP + b"]" * DEEP, "nested too deeply", False),
        (b"[" * 5000 + b"]" * 5000, "deeply", False),
        (b'{"a":' * 100_000, "deeply", False),
        (b" " * (LARGEST + 1), "MiB", False),
        (b"[" + b"0," * (LARGEST // 16) + b"0]", "values", False),
        (b"{" + b'"":{},' * (LARGEST // 32) + b'"":0}', "values", False),
    ],
)
def test_unreadable_json(content: bytes | None, problem: str, broken: bool) -> None:
    body = read_json(content)
    assert problem in body.problem
    assert body.broken is broken
    assert not body.readable


@pytest.mark.parametrize(
    "content",
    [
        b'{"a": 1, "b": {"a": 1}}',
        b'{"a":":","b":"\\":"}',
        b'{"a" :\n1,\t"b"\r\n:"\\u0022:"}',
        b'["\\":\\":", {"\\"": 1}]',
        b'\xef\xbb\xbf{"a": 1}',
        b"12345678901234567890",
        b'[{"a": 1}, {"a": 1}]',
        b"null",
    ],
)
def test_readable_json(content: bytes) -> None:
    body = read_json(content)
    assert body.readable
    assert body.value == json.loads(content.removeprefix(b"\xef\xbb\xbf"))


@settings(max_examples=40)
@given(
    st.recursive(
        st.none() | st.booleans() | st.text() | st.integers(-9, 9),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    ),
    st.sampled_from([None, 1]),
    st.sampled_from([(",", ":"), (" , ", " : ")]),
    st.booleans(),
)
def test_json_written_by_python_is_read_back(
    value: object, indent: int | None, separators: tuple[str, str], ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=ascii_only)
    assert read_json(text.encode("utf-8", "surrogatepass")).value in (value, None)


@given(st.binary())
@example(b'{"\x00":1}')
def test_arbitrary_bytes_do_not_raise(content: bytes) -> None:
    assert read_json(content) == read_json(content)
    assert read_form(content) == read_form(content)


def test_form_is_read_as_an_object_of_strings() -> None:
    assert read_form(b"card%5Bnumber%5D=42&type=card&empty=").value == {
        "card[number]": "42",
        "type": "card",
        "empty": "",
    }
    assert read_form(None).problem
    assert read_form(b"a=%ff").value == {"a": "\N{REPLACEMENT CHARACTER}"}


def test_unreadable_bodies_are_reported() -> None:
    made = exchange("searchOffers", sent=b'{"a": 1, "a": 2}', returned=b"[1e400]")
    assert [(finding.kind, finding.side, finding.rule) for finding in last_findings(made)] == [
        ("unreadable", "request", "V4-SEARCH-REQUIRED"),
        ("unreadable", "response", "V4-JSON-ANSWERS"),
    ]


def test_body_that_was_not_captured_is_unreadable() -> None:
    lost = replace(exchange("getOrder"), response=Response(200, (), None))
    assert [finding.kind for finding in last_findings(lost)] == ["unreadable"]


def test_truncated_body_is_unreadable() -> None:
    made = exchange("getOrder", returned=b'{"id": ')
    cut = replace(made, response=Response(200, (("Content-Length", "900"),), b'{"id": '))
    assert [finding.kind for finding in last_findings(cut)] == ["unreadable"]
    assert [finding.kind for finding in last_findings(made)] == ["violation"]
