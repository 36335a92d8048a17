"""Hostile content: redaction takes time in proportion to its size, and nothing private in a long body is kept."""

import gc
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from airworthy.contract import Contract
from airworthy.contract.http.exchange import Exchange, Headers
from airworthy.evidence.recorder import EvidenceRecord, Recorder, read
from airworthy.evidence.redaction import Redactor

from .stub import JSON, exchange

pytestmark = pytest.mark.exhaustive

TOO_LONG: Final = 2_000_000
SIZE: Final = 30_000
FORM: Final[Headers] = (("Content-Type", "application/x-www-form-urlencoded"),)
UNKNOWN: Final = "https://service.example/unknown"
ORDER: Final = "https://service.example/v4/order?offerId=1&fareId=2"
PERSON: Final = {
    "firstLastName": "Canaria",
    "email": "canaria@birds.example",
    "note": "4242.4242.4242.4242 sk_live_4eC39HqLyj",
}
# Shorter digits may be part of a hash by chance.
SECRET: Final = ("Canaria", "canaria", "birds", "4242.4242", "4242 4242", "42424242", "4eC39")
Content = Callable[[int], bytes]


def filled(text: str) -> Content:
    """Content of a given size that repeats a text."""
    return lambda size: (text * (size // len(text) + 1))[:size].encode()


def string(text: str) -> Content:
    """A JSON document with one long string."""
    return lambda size: b'["' + filled(text)(size) + b'"]'


def array(item: Callable[[int], object], length: int) -> Content:
    """A JSON array of different items, each of about the same length."""
    return lambda size: json.dumps([item(number) for number in range(size // length)]).encode()


def order(size: int) -> bytes:
    passengers = [
        {"name": f"N{each:x}", "firstLastName": f"Q{each}x", "email": f"a{each}@b.example"}
        for each in range(size // 65)
    ]
    return json.dumps({"passengers": passengers}).encode()


HOSTILE: Final[dict[str, Content]] = {
    "digits": filled("4242 "),
    "single digits": filled("1 "),
    "hyphens": filled("4-"),
    "dots": filled("4242."),
    "a row": filled("4"),
    "cards": filled("4242424242424242 "),
    "full-width": filled("\uff14\uff12 "),
    "names": filled("name="),
    "names in quotes": filled('name="\\'),
    "members": lambda size: "".join(f'"name":"N{each}x",' for each in range(size // 16)).encode(),
    "parts": filled('name="name"\n\n'),
    "half a part": filled('name="['),
    "addresses": filled("a@"),
    "dotted": filled("a."),
    "domains": filled("a@b."),
    "words": filled("word "),
    "tokens": filled("eyJaaaaaaaa."),
    "keys": filled("sk_a "),
    "begun keys": filled("-----BEGIN "),
    "schemes": filled("bearer "),
    "a form": lambda size: "&".join(f"name=n{each}x" for each in range(size // 12)).encode(),
    "no encoding": lambda size: b"\xff" * size,
    "deep": lambda size: b"[" * size + b"]" * size,
    "an order": order,
    "JSON of digits": string("4242 "),
    "JSON of single digits": string("1 "),
    "JSON of names": string("name="),
    "JSON of a long name": lambda size: b'{"password":"' + filled("ab")(size) + b'"}',
    "JSON of many names in one": lambda size: json.dumps(
        {"password": [f"p{each}" for each in range(size // 9)]}
    ).encode(),
    "JSON of escapes": string("\\n"),
    "JSON of texts": array(lambda number: f"{number}\n", 10),
    "JSON of cards": array(lambda _: "4242 4242 4242 4242", 23),
    "JSON of numbers": array(lambda _: 4242424242424242, 18),
    "JSON of addresses": array(lambda number: f"a{number}@b.example", 20),
    "JSON of passwords": array(lambda number: {"password": f"p{number}"}, 24),
}


def recorded(path: Path, sent: bytes | None, received: bytes | None, url: str) -> EvidenceRecord:
    with Recorder(path / "evidence.jsonl", Contract.load(("v2", "v3", "v4"))) as evidence:
        evidence.append(exchange(sent, received, url=url))
    (record,) = read(path / "evidence.jsonl")
    return record


def new_redactor() -> Redactor:
    return Redactor(Contract.load(("v2", "v3", "v4")))


def is_linear(made: Callable[[int], Exchange], redactor: Callable[[], Redactor] = new_redactor) -> bool:
    """Return whether four times the content takes at most 2.5 * 2.5 times the time, in the best of several rounds."""
    contents = [made(SIZE), made(4 * SIZE)]
    least = [float("inf"), float("inf")]
    # The garbage collector would visit everything that earlier tests left behind.
    gc.disable()
    try:
        for _ in range(60):
            for index, each in enumerate(contents):
                run = redactor()
                begun = time.process_time()
                run.exchange(each)
                least[index] = min(least[index], time.process_time() - begun)
            if least[1] <= 2.5 * 2.5 * least[0]:
                return True
    finally:
        gc.enable()
    return False


@pytest.mark.parametrize(("name", "url"), [*((name, UNKNOWN) for name in HOSTILE), ("an order", ORDER)])
def test_redaction_is_linear_in_a_hostile_body(name: str, url: str) -> None:
    headers = FORM if name == "a form" else (JSON,)

    assert is_linear(lambda size: exchange(HOSTILE[name](size), HOSTILE[name](size), url=url, headers=headers))


@pytest.mark.parametrize("query", ["name=a{}x", "a{}@b.example", "{}"])
def test_redaction_is_linear_in_a_hostile_url_and_headers(query: str) -> None:
    def made(size: int) -> Exchange:
        url = f"{UNKNOWN}?" + "&".join(query.format(each) for each in range(size // 20))
        headers = tuple((f"X-{each}", query.format(each)) for each in range(size // 20))
        return exchange(None, b"{}", url=url, headers=headers)

    assert is_linear(made)


def test_path_and_query_of_a_long_url_are_omitted(tmp_path: Path) -> None:
    url = f"{UNKNOWN}?" + "&".join(f"name=a{each}x" for each in range(200_000))
    made = recorded(tmp_path, None, b"{}", url).exchange

    assert made.request.url == "https://service.example/%E2%80%A6"


def test_redaction_is_linear_in_a_text_with_parts_of_learned_values() -> None:
    def learned() -> Redactor:
        run = new_redactor()
        for each in range(30):
            run.exchange(exchange({"email": f"{'a' * each}@birds.example"}, None, url=UNKNOWN))
        return run

    assert is_linear(lambda size: exchange(None, filled("birds.example ")(size), url=UNKNOWN), learned)


@pytest.mark.parametrize("url", [UNKNOWN, ORDER])
@pytest.mark.parametrize(
    "body",
    [
        json.dumps([PERSON] * 20_000).encode(),
        json.dumps({**PERSON, "filler": "x" * TOO_LONG}).encode(),
        json.dumps({"filler": "x" * TOO_LONG, **PERSON}).encode(),
        json.dumps({"filler": ["x\n"] * (TOO_LONG // 4), **PERSON}).encode(),
        json.dumps([PERSON] * 20_000).encode()[:-1],
        json.dumps([PERSON] * 20_000).encode("utf-16"),
        b"<p>canaria@birds.example 4242.4242.4242.4242</p>" * 50_000,
        *(b"x" * length + b" canaria@birds.example sk_live_4eC39HqLyj" * 20_000 for length in range(4040, 4120, 26)),
    ],
)
def test_too_long_body_is_written_without_private_values(tmp_path: Path, body: bytes, url: str) -> None:
    record = recorded(tmp_path, body, body, url)

    assert record.exchange.request.body is None
    assert record.excerpts["request"].endswith(f"… ({len(body)} bytes)")
    assert set(record.excerpts) == {"request", "response"}
    kept = (tmp_path / "evidence.jsonl").read_text()
    assert [secret for secret in SECRET if secret in kept] == []
    assert len(kept) < 20_000


@pytest.mark.parametrize(
    "sent",
    [json.dumps({"filler": "x" * TOO_LONG, **PERSON}).encode(), b"x" * TOO_LONG + b" Canaria"],
    ids=["JSON", "-"],
)
def test_values_of_an_omitted_request_are_redacted_in_the_response(tmp_path: Path, sent: bytes) -> None:
    record = recorded(tmp_path, sent, b'{"message": "Canaria is rejected"}', UNKNOWN)
    assert record.exchange.request.body is None
    assert record.exchange.response is not None
    assert record.exchange.response.body
    assert "Canaria" not in (tmp_path / "evidence.jsonl").read_text()
