"""The evidence file: its records, unfinished lines, and altered lines."""

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import orjson
import pytest

from airworthy.contract.http.exchange import Exchange, Request
from airworthy.errors import UsageError
from airworthy.evidence.chain import verify_chain
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import Recorder, read
from airworthy.target.client import run_concurrently

from .stub import CONTRACT, KEY, SECRETS, STARTED, exchange

Tampering = Callable[[list[bytes]], list[bytes]]


def recorder(path: Path) -> Recorder:
    return Recorder(path, CONTRACT, pseudonyms=Pseudonyms(b"k" * 32), secrets=SECRETS, body_limit=1000)


def recorded(path: Path, count: int = 3) -> list[bytes]:
    with recorder(path) as evidence:
        for number in range(count):
            evidence.append(exchange({"n": number}, {"status": "OPEN"}, identifier=f"x{number}"), scenario="A search")
    return path.read_bytes().splitlines(keepends=True)


def test_appended_records_are_read_back(tmp_path: Path) -> None:
    with recorder(tmp_path / "evidence.jsonl") as evidence:
        evidence.append(exchange({"n": 1}, {"status": "OPEN"}), scenario="A search", rule="V4-A")
        evidence.append(exchange(b"\xff<12>", None, method="GET", identifier="x0002"))
        evidence.append(Exchange("x3", STARTED, 0.5, Request("POST", "https://service.example/v4/x", (), None), None))
    written = list(read(tmp_path / "evidence.jsonl"))
    assert [record.exchange.id for record in written] == ["x0001", "x0002", "x3"]
    assert written[0].exchange.response is not None
    assert written[0].exchange.response.body == b'{"status":"OPEN"}'
    assert written[0].context == {"scenario": "A search", "rule": "V4-A"}
    assert written[0].exchange.started == STARTED
    assert [record.previous for record in written] == ["0" * 64, written[0].hash, written[1].hash]
    assert written[1].exchange.request.body == b"\xff<12>"
    assert written[2].exchange.request.body is None


def test_no_private_value_is_written(tmp_path: Path) -> None:
    code = "partner-canary-code"
    with recorder(tmp_path / "evidence.jsonl") as evidence:
        evidence.append(exchange({"customerCode": code}), why=f"{KEY} was refused")
        assert evidence.scrub((KEY, 1, (f"{code}?",))) == ("$AIRWORTHY_V4_KEY", 1, ("$AIRWORTHY_V4_CUSTOMER_CODE?",))
    text = (tmp_path / "evidence.jsonl").read_text()
    assert [canary for canary in (KEY, code) if canary in text] == []


def test_unchanged_file_is_valid(tmp_path: Path) -> None:
    lines = recorded(tmp_path / "evidence.jsonl", 3)
    chain = verify_chain(tmp_path / "evidence.jsonl")
    assert (chain.lines, chain.altered, chain.reason, chain.unfinished) == (3, None, "", False)
    assert chain.sha256 == hashlib.sha256(b"".join(lines)).hexdigest()
    last_hash = orjson.loads(lines[-1])["hash"]
    assert chain.last_hash == last_hash
    # The hash of a line is that of its other text.
    content = lines[-1].decode().strip().replace(f',"hash":"{last_hash}"', "")
    assert hashlib.sha256(content.encode()).hexdigest() == last_hash


@pytest.mark.parametrize(
    ("tampering", "first_altered", "reason"),
    [
        # `unit.attestation.test_changes` tries every change of a line and of their order.
        (lambda lines: [lines[0], lines[1].replace(b'","', b'", "', 1), *lines[2:]], 2, "content"),
        (lambda lines: lines[1:], 1, "follow"),
        (lambda lines: [lines[0], b"\n", *lines[1:]], 2, "no hash"),
        (lambda lines: [lines[0], b"{}\n", *lines[1:]], 2, "no hash"),
    ],
)
def test_first_altered_line_is_reported(tmp_path: Path, tampering: Tampering, first_altered: int, reason: str) -> None:
    path = tmp_path / "evidence.jsonl"
    path.write_bytes(b"".join(tampering(recorded(path, 4))))
    chain = verify_chain(path)
    assert chain.altered == first_altered
    assert reason in chain.reason


def test_altered_line_with_a_new_hash_breaks_the_next_line(tmp_path: Path) -> None:
    path = tmp_path / "evidence.jsonl"
    lines = recorded(path, 3)
    content = lines[1].split(b',"hash":')[0].replace(b"OPEN", b"DONE")
    lines[1] = content + b',"hash":"' + hashlib.sha256(content + b"}").hexdigest().encode() + b'"}\n'
    path.write_bytes(b"".join(lines))
    assert verify_chain(path).altered == 3


def test_unfinished_line_is_skipped_and_removed(tmp_path: Path) -> None:
    path = tmp_path / "evidence.jsonl"
    path.write_bytes(b'{"id":"x0"')
    lines = recorded(path, 2)
    path.write_bytes(b"".join(lines) + b'{"id":"x2","started":' + b" " * 100_000)
    assert [record.exchange.id for record in read(path)] == ["x0", "x1"]
    chain = verify_chain(path)
    assert (chain.lines, chain.altered, chain.unfinished) == (2, None, True)
    with recorder(path) as evidence:
        evidence.append(exchange(identifier="x9"))
    assert [record.exchange.id for record in read(path)] == ["x0", "x1", "x9"]
    chain = verify_chain(path)
    assert (chain.altered, chain.unfinished) == (None, False)


@pytest.mark.parametrize("content", [b"a user's own file\n", b"no line end", b'{"id":1}\n'])
def test_other_file_is_not_changed(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="not an evidence file"):
        recorder(path)
    assert path.read_bytes() == content


def test_invalid_line_is_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "evidence.jsonl"
    path.write_bytes(recorded(path, 1)[0] + b'{"id":"x"}\n')
    with pytest.raises(UsageError, match=r"evidence\.jsonl:2: not a line of evidence"):
        list(read(path))
    with pytest.raises(UsageError, match="No such file"):
        list(read(tmp_path / "absent.jsonl"))
    with pytest.raises(UsageError, match="No such file"):
        verify_chain(tmp_path / "absent.jsonl")


def test_long_body_is_redacted_and_shortened(tmp_path: Path) -> None:
    body = {"name": "Canaria", "filler": ["é" * 100] * 100}
    with recorder(tmp_path / "evidence.jsonl") as evidence:
        evidence.append(exchange(body, {"status": "OPEN"}))
    (record,) = read(tmp_path / "evidence.jsonl")
    assert record.exchange.request.body is None
    assert record.excerpts["request"].endswith("… (20329 bytes)")
    assert "Canaria" not in (tmp_path / "evidence.jsonl").read_text()
    assert (tmp_path / "evidence.jsonl").stat().st_size < 6000


def test_recorders_and_threads_write_to_one_file(tmp_path: Path) -> None:
    """Each recorder opens the file for itself, as processes do."""
    path = tmp_path / "evidence.jsonl"
    with recorder(path) as evidence, recorder(path) as other:

        def append(to: Recorder) -> None:
            for _ in range(20):
                to.append(exchange({"name": "Canaria"}, {}))

        run_concurrently([partial(append, each) for each in (evidence, other) * 3])
    assert (verify_chain(path).lines, verify_chain(path).altered) == (120, None)
