"""A task that reads closed evidence files, and finds the caller of each entry."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, get_type_hints
from urllib.parse import urlsplit

import pyarrow as pa

from airworthy.audit.formats import entry_format, recording_of
from airworthy.audit.judging import Entry
from airworthy.audit.recording import UnreadableRecordingError
from airworthy.audit.worker import scan_entry
from airworthy.contract import Contract, ServiceAddress
from airworthy.contract.http.operations import SERVED
from airworthy.contract.links import Links
from airworthy.spark.batches import Row, to_batches, to_rows

NOBODY: Final = ""
"""The caller of an entry that is not related to others, such as one that cannot be read."""
TOO_LARGE: Final = "the file is larger than 2 GiB"


class Arrival(NamedTuple):
    """An entry of a file.

    ``started`` and ``received`` are seconds since 1970: when the exchange started, and when the file was complete. The
    entry has its bytes in ``raw``, or a ``problem``.
    """

    started: float
    name: str
    number: int
    received: float
    form: str = ""
    raw: bytes = b""
    problem: str = ""

    @property
    def due(self) -> float:
        """The time from which the entry can be judged: its own, which cannot be later than that of its file."""
        return min(self.started, self.received)

    def entry(self) -> Entry:
        """Return the entry to judge."""
        where = (self.name, 0, self.number)
        return (
            Entry.broken(self.problem, *where)
            if self.problem
            else Entry.read(entry_format(self.form), self.raw, *where)
        )


_ARROW: Final = {str: pa.string(), int: pa.int64(), float: pa.float64(), bytes: pa.binary()}
MEMBERS: Final = pa.schema([(name, _ARROW[kind]) for name, kind in get_type_hints(Arrival).items()])
ARRIVED: Final = pa.schema([("key", pa.string()), *MEMBERS, ("complete", pa.float64())])
"""The entries of files by the ``key`` of their caller, with the members of `Arrival`.

A last row of each file has only the key `NOBODY` and ``complete``: the time when the file was complete.
"""
_NOTHING: Final = (None,) * len(Arrival._fields)


def read_files(service: ServiceAddress, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Read whole files; a batch contains their paths, the times when they were complete, and their contents.

    A file that is too large has no content.
    """

    def rows() -> Iterator[Row]:
        for path, modified, content in to_rows(batches):
            received = modified.timestamp()
            for key, arrival in _arrivals(service, shown(path), received, content):
                yield key, *arrival, None
            yield NOBODY, *_NOTHING, received

    yield from to_batches(ARRIVED, rows(), "raw")


def caller(links: Links) -> str:
    """Return the key of the caller of an exchange: its credential, or the service if it has none.

    Who shares an order with another caller cannot be known before both have used it.
    """
    return links.secret[0] if links.secret else links.service


def shown(path: str) -> str:
    """Return the name of a file in findings: the path of a local file, the URI of any other."""
    found = urlsplit(path)
    name = "/" + path.split(":", 1)[1].lstrip("/") if found.scheme == "file" else path
    return name.encode("utf-8", "replace").decode()


def _arrivals(
    service: ServiceAddress, name: str, received: float, content: bytes | None
) -> Iterator[tuple[str, Arrival]]:
    if content is None:
        yield NOBODY, Arrival(0.0, name, 0, received, problem=TOO_LARGE)
        return
    try:
        recording = recording_of(content)
    except UnreadableRecordingError as error:
        yield NOBODY, Arrival(0.0, name, 0, received, problem=str(error))
        return
    contract = Contract.load(SERVED, service)
    for number, entry in enumerate(recording.entries(next((start for start, _ in recording.chunks()), 0))):
        found = scan_entry(contract, recording, entry)
        if found.problem:
            yield NOBODY, Arrival(0.0, name, number, received, problem=found.problem)
        else:
            raw = recording.read(entry.start, entry.end)
            yield caller(found.links), Arrival(found.started, name, number, received, recording.format_name, raw)
