"""Generate an archive of recordings: conversations of many callers, interleaved and rotated into files.

A conversation is written as text with other ids, times and callers, which is a hundred times as fast as recording it.
"""

import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Literal

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from airworthy.contract import Contract
from airworthy.evidence.recorder import Recorder
from conformance.v4 import samples
from unit.audit.recordings import entry

Form = Literal["evidence", "har"]
CALLERS = 200
FILE_SIZE = 64 * 1024 * 1024
_INTERLEAVED = 100
_WRONG = 50
_SECONDS = 30
_START = datetime(2026, 11, 2, tzinfo=UTC)
_EXCHANGE = re.compile(rb'(?<=^{"id":"sample-)')
_UUID = re.compile(rb"[0-9a-f]{8}(?=(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_STARTED = re.compile(rb'("started(?:DateTime)?": ?")[^"]*')
_CREDENTIAL = re.compile(rb'("Authorization", ?|"name": "Authorization", "value": )"[^"]*"')
_LOCATOR = re.compile(rb'(\\"pnr\\": ?\\")[^"\\]*')
_ADULTS = re.compile(rb'(\\"adults\\": ?)1')
_CHAIN = re.compile(rb',"previous":"[^"]*","hash":"[^"]*"}\Z')


def write(folder: Path, exchanges: int, form: Form = "evidence", size: int = FILE_SIZE) -> list[Path]:
    """Write an archive of files of about ``size`` bytes, and return their paths.

    Half of the exchanges are those of one caller; `CALLERS` share the others. The first request of every fiftieth
    conversation violates the contract.
    """
    files: list[Path] = []
    lines = islice(_lines(_templates(form)), exchanges)
    suffix = "jsonl" if form == "evidence" else "har"
    with ExitStack() as stack:
        file: BinaryIO | None = None
        previous = "0" * 64
        for line in lines:
            if file is None or file.tell() >= size:
                if file is not None:
                    _end(file, form)
                files.append(folder / f"{len(files):05}.{suffix}")
                file = stack.enter_context(files[-1].open("wb"))
                file.write(b"" if form == "evidence" else b'{"log":{"version":"1.2","entries":[')
                is_first = True
            if form == "evidence":
                content = line + b',"previous":"' + previous.encode() + b'"}'
                previous = hashlib.sha256(content).hexdigest()
                file.write(content[:-1] + b',"hash":"' + previous.encode() + b'"}\n')
            else:
                file.write((b"" if is_first else b",\n") + line)
            is_first = False
        if file is not None:
            _end(file, form)
    return files


def _end(file: BinaryIO, form: Form) -> None:
    file.write(b"" if form == "evidence" else b"]}}")
    file.close()


def _lines(templates: Sequence[bytes]) -> Iterator[bytes]:
    number = 0
    while True:
        block = range(number, number + _INTERLEAVED)
        for step, template in enumerate(templates):
            for each in block:
                yield _renamed(template, each, step)
        number += _INTERLEAVED


def _renamed(template: bytes, number: int, step: int) -> bytes:
    """Return an exchange of a conversation with the ids, the caller and the time of its number."""
    caller = 0 if number % 2 else 1 + number // 2 % (CALLERS - 1)
    moment = _START + timedelta(seconds=number / _INTERLEAVED * _SECONDS * 10 + step * _SECONDS)
    text = _UUID.sub(lambda found: b"%08x" % (int(found[0], 16) ^ number), template)
    text = _EXCHANGE.sub(b"%d-" % number, text)
    text = _STARTED.sub(lambda found: found[1] + moment.isoformat().encode(), text, count=1)
    text = _CREDENTIAL.sub(lambda found: found[1] + b'"redacted-%08x"' % caller, text, count=1)
    text = _LOCATOR.sub(lambda found: found[1] + b"%06X" % number, text)
    return _ADULTS.sub(rb"\g<1>0", text) if step == 0 and number % _WRONG == 0 else text


def _templates(form: Form) -> list[bytes]:
    conversation = samples.conversation()
    if form == "har":
        return [json.dumps(entry(each)).encode() for each in conversation]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "evidence.jsonl")
        with Recorder(path, Contract.load(("v4",))) as recorder:
            for each in conversation:
                recorder.append(each)
        return [_CHAIN.sub(b"", line) for line in path.read_bytes().splitlines()]
