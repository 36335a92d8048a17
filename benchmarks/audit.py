"""Measure the audit of recorded traffic, in multiples of parsing its JSON with the standard library.

python benchmarks/audit.py [megabytes]
"""

import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from airworthy.audit import AuditSettings, audit
from airworthy.contract import Exchange
from conformance.v3 import samples as flight_samples
from conformance.v4 import samples
from exchange_parts import authorized, changed_request, changed_response, response_of
from machine import seconds, show
from unit.audit.recordings import entry

_MEGABYTES = 64
_LARGE = 200 * 1024
_TIMES = 3
_MOST_OF_A_PAGE = 100
_CALLERS = 16
_UUID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_REFERENCE = re.compile('("pnr": ")[^"]*')


def main() -> None:
    """Audit HAR files with small and large bodies, with one process and with one per processor."""
    size = int(sys.argv[1] if len(sys.argv) > 1 else _MEGABYTES) * 1024 * 1024
    jobs = sorted({1, 2, os.cpu_count() or 1})
    heads = (
        *("HAR file", "entries", "json.loads", "with bodies", "audit", "multiple", "with bodies"),
        *(f"wall clock, --jobs {number} (with bodies)" for number in jobs),
    )
    with tempfile.TemporaryDirectory() as folder:
        show(heads, (row for name, made in kinds() for row in timed(Path(folder), name, made, size, jobs)))


def kinds() -> Iterator[tuple[str, Iterator[Exchange]]]:
    """Yield the traffic to audit: whole conversations with bodies of about 2 KB, and searches of 200 KB."""
    yield "conversations of v4, 2 KB", conversations()
    yield "searches of v4, 200 KB", cycle([grown(samples.sample("searchOffers"), "offers")])
    yield "searches of v3, 150 KB", cycle([grown(flight_samples.conversation("v3")[0], "results")])


def conversations() -> Iterator[Exchange]:
    """Yield conversations, each with its own ids, of several callers in turn: those of one are judged together."""
    whole = samples.conversation()
    for number in range(sys.maxsize):
        yield from (renamed(each, number) for each in whole)


def renamed(exchange: Exchange, number: int) -> Exchange:
    """Return the exchange with other ids, another reference and the key of one of the callers."""

    def other(text: str) -> str:
        text = _UUID.sub(lambda found: str(uuid5(NAMESPACE_URL, f"{found[0]}{number}")), text)
        return _REFERENCE.sub(rf"\g<1>{number:06}", text)

    sent = other((exchange.request.body or b"").decode()).encode()
    received = other((response_of(exchange).body or b"").decode()).encode()
    made = changed_request(exchange, url=other(exchange.request.url), body=sent)
    return changed_response(authorized(made, f"key-of-caller-{number % _CALLERS}"), body=received)


def grown(exchange: Exchange, name: str) -> Exchange:
    """Return a search with so many results that the response is large."""
    answer = json.loads(response_of(exchange).body or b"")
    one = answer[name][0]
    number = min(_LARGE // len(json.dumps(one)) + 1, _MOST_OF_A_PAGE if name == "results" else _LARGE)
    many = [{**one, "id": one["id"] + index} if isinstance(one["id"], int) else one for index in range(number)]
    return samples.with_response_body(exchange, answer | {name: many})


def timed(
    folder: Path, name: str, exchanges: Iterator[Exchange], size: int, jobs: list[int]
) -> Iterator[tuple[str, ...]]:
    """Yield a row of the table: the least processor time, and the least wall-clock time per number of jobs."""
    path = folder / "traffic.har"
    entries = write(path, exchanges, size)
    content = path.read_bytes()
    bodies = list(texts(json.loads(content)))
    parsed, whole, audited = [], [], []
    waited: dict[int, list[float]] = {number: [] for number in jobs}
    for _ in range(_TIMES):
        parsed.append(seconds(lambda: json.loads(content)))
        whole.append(parsed[-1] + seconds(lambda: [json.loads(body) for body in bodies]))
        audited.append(seconds(partial(audit, AuditSettings((path,)), jobs=1)))
        for number in jobs:
            waited[number].append(seconds(partial(audit, AuditSettings((path,)), jobs=number), time.perf_counter))
    yield (
        f"{name}, {len(content) / 1024 / 1024:.0f} MB",
        str(entries),
        f"{min(parsed):.2f} s",
        f"{min(whole):.2f} s",
        f"{min(audited):.2f} s",
        f"{min(audited) / min(parsed):.1f}",
        f"{min(audited) / min(whole):.1f}",
        *(f"{min(taken):.2f} s ({min(taken) / min(whole):.1f})" for taken in waited.values()),
    )


def texts(har: dict[str, Any]) -> Iterator[str]:
    for each in har["log"]["entries"]:
        yield from filter(None, (each["request"].get("postData", {}).get("text"), each["response"]["content"]["text"]))


def write(path: Path, exchanges: Iterator[Exchange], size: int) -> int:
    """Write a HAR file of at least this size, and return the number of its entries."""
    with path.open("w", encoding="utf-8") as file:
        file.write('{"log":{"version":"1.2","creator":{"name":"benchmark","version":"1"},"entries":[')
        for number, exchange in enumerate(exchanges):
            file.write(("," if number else "") + json.dumps(entry(exchange)))
            if file.tell() >= size:
                file.write("]}}")
                return number + 1
    return 0


if __name__ == "__main__":
    main()
