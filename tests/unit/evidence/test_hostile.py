"""Whatever comes over the wire: recording takes bounded time, and what was not looked through is not kept."""

import json
import time
from pathlib import Path
from typing import Final

import pytest

from airworthy.contract import Contract
from airworthy.contract.exchange import Headers
from airworthy.evidence import EvidenceRecord, Recorder

from .stub import JSON, exchange

SIZE: Final = 2_000_000
KEPT: Final = 1_000_000
FORM: Final[Headers] = (("Content-Type", "application/x-www-form-urlencoded"),)
URLS: Final = (
    "https://service.example/unknown",
    "https://service.example/v4/order?offerId=1&fareId=2",
    "https://service.example/v4/search",
)
PERSON: Final = {
    "firstLastName": "Canaria",
    "email": "canaria@birds.example",
    "note": "4242.4242.4242.4242 sk_live_4eC39HqLyj",
}
SECRET: Final = ("Canaria", "canaria", "birds", "4242", "4eC39")


def filled(text: str, size: int = SIZE) -> bytes:
    return (text * (size // len(text) + 1))[:size].encode()


def order(passengers: int) -> bytes:
    made = [
        {"name": f"N{each:x}", "firstLastName": f"Q{each}x", "email": f"a{each}@b.example"}
        for each in range(passengers)
    ]
    return json.dumps({"passengers": made}).encode()


HOSTILE: Final = {
    "digits": filled("4242 "),
    "single digits": filled("1 "),
    "hyphens": filled("4-"),
    "dots": filled("4242."),
    "a row": filled("4"),
    "cards": filled("4242424242424242 "),
    "full-width": filled("\uff14\uff12 ", SIZE // 3),
    "names": filled("name="),
    "names in quotes": filled('name="\\'),
    "members": "".join(f'"name":"N{each}x",' for each in range(130_000)).encode(),
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
    "a form": "&".join(f"name=n{each}x" for each in range(180_000)).encode(),
    "no encoding": b"\xff" * SIZE,
    "deep": b"[" * KEPT + b"]" * KEPT,
    "an order": order(30_000),
    "an order that is kept": order(15_000),
    "JSON of digits": b'["' + filled("4242 ", KEPT) + b'"]',
    "JSON of single digits": b'["' + filled("1 ", KEPT) + b'"]',
    "JSON of names": b'["' + filled("name=", KEPT) + b'"]',
    "JSON of a long name": b'{"password":"' + filled("ab", KEPT) + b'"}',
    "JSON of many names in one": json.dumps({"password": [f"p{each}" for each in range(100_000)]}).encode(),
    "JSON of escapes": b'["' + filled("\\n", KEPT) + b'"]',
    "JSON of texts": json.dumps([f"{each}\n" for each in range(110_000)]).encode(),
    "JSON of cards": json.dumps(["4242 4242 4242 4242"] * 47_000).encode(),
    "JSON of numbers": json.dumps([4242424242424242] * 55_000).encode(),
    "JSON of addresses": json.dumps([f"a{each}@b.example" for each in range(50_000)]).encode(),
    "JSON of passwords": json.dumps([{"password": f"p{each}"} for each in range(45_000)]).encode(),
}


def recorded(
    path: Path, sent: bytes | None, answered: bytes | None, url: str, headers: Headers = (JSON,)
) -> EvidenceRecord:
    with Recorder(path / "evidence.jsonl", Contract.load(("v2", "v3", "v4"))) as evidence:
        return evidence.append(exchange(sent, answered, url=url, headers=headers))


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies_cost_bounded_time(tmp_path: Path, name: str, url: str) -> None:
    Contract.load(("v2", "v3", "v4"))
    begun = time.process_time()
    recorded(tmp_path, HOSTILE[name], HOSTILE[name], url, FORM if name == "a form" else (JSON,))
    # Both together take well under a second; the rest is room for a loaded machine.
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("query", ["name=a{}x", "a{}@b.example", "{}"])
def test_hostile_urls_and_headers_cost_bounded_time(tmp_path: Path, query: str) -> None:
    url = f"{URLS[0]}?" + "&".join(query.format(each) for each in range(200_000))
    headers = tuple((f"X-{each}", query.format(each)) for each in range(20_000))
    begun = time.process_time()
    made = recorded(tmp_path, None, b"{}", url, headers).exchange
    assert time.process_time() - begun < 5
    assert made.request.url.startswith("https://service.example/")
    assert "a7x" not in made.request.url


def test_values_that_are_alike_are_looked_for_in_bounded_time(tmp_path: Path) -> None:
    with Recorder(tmp_path / "evidence.jsonl", Contract.load(("v2", "v3", "v4"))) as evidence:
        for each in range(30):
            evidence.append(exchange({"email": f"{'a' * each}@birds.example"}, None, url=URLS[0]))
        begun = time.process_time()
        evidence.append(exchange(None, filled("birds.example ", 250_000), url=URLS[0]))
        assert time.process_time() - begun < 5


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize(
    "body",
    [
        json.dumps([PERSON] * 20_000).encode(),
        json.dumps({**PERSON, "filler": "x" * SIZE}).encode(),
        json.dumps({"filler": "x" * SIZE, **PERSON}).encode(),
        json.dumps({"filler": ["x\n"] * SIZE, **PERSON}).encode(),
        json.dumps([PERSON] * 20_000).encode()[:-1],
        json.dumps([PERSON] * 20_000).encode("utf-16"),
        b"<p>canaria@birds.example 4242.4242.4242.4242</p>" * 50_000,
        *(b"x" * length + b" canaria@birds.example sk_live_4eC39HqLyj" * 20_000 for length in range(4040, 4120, 7)),
    ],
)
def test_of_a_body_that_is_too_long_nothing_secret_is_kept(tmp_path: Path, body: bytes, url: str) -> None:
    record = recorded(tmp_path, body, body, url)

    assert record.exchange.request.body is None
    assert record.excerpts["request"].endswith(f"… ({len(body)} bytes)")
    assert set(record.excerpts) == {"request", "response"}
    kept = (tmp_path / "evidence.jsonl").read_text()
    assert [secret for secret in SECRET if secret in kept] == []
    assert len(kept) < 20_000


def test_what_a_long_request_has_sent_is_known(tmp_path: Path) -> None:
    sent = json.dumps({"filler": "x" * SIZE, **PERSON}).encode()
    answered = b'{"message": "Canaria is refused"}'
    record = recorded(tmp_path, sent, answered, URLS[0])
    assert record.exchange.response is not None
    assert b"is refused" in (record.exchange.response.body or b"")
    assert b"Canaria" not in (record.exchange.response.body or b"")


def test_an_answer_may_repeat_what_nobody_has_looked_through(tmp_path: Path) -> None:
    sent = b"x" * SIZE + b" Canaria"
    record = recorded(tmp_path, sent, b'{"message": "Canaria is refused"}', URLS[0])
    assert record.exchange.response is not None
    assert record.exchange.response.body is None
    assert "Canaria" not in (tmp_path / "evidence.jsonl").read_text()
