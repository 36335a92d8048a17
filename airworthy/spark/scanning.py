"""A task that parses entries of recordings once, for their time and their links, and hands on their bytes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import pyarrow as pa

from airworthy.audit.formats import open_recording, recording_of
from airworthy.audit.recording import Recording, UnreadableRecordingError
from airworthy.audit.worker import scan_entry
from airworthy.contract import Contract, ServiceAddress
from airworthy.contract.http.operations import SERVED
from airworthy.errors import UsageError
from airworthy.spark.batches import Row, to_batches, to_rows
from airworthy.spark.callers import NodeLinks, digest, node_links
from airworthy.spark.sources import FilePart, Source

UNREADABLE: Final = "the file cannot be read"
END_OF_FILE: Final = -1

SCANNED: Final = pa.schema(
    [
        ("file", pa.int32()),
        ("part", pa.int64()),
        ("number", pa.int64()),
        ("seconds", pa.float64()),
        ("node", pa.binary()),
        ("alone", pa.binary()),
        ("names", pa.list_(pa.binary())),
        ("format", pa.string()),
        ("raw", pa.binary()),
        ("problem", pa.string()),
        ("end", pa.int64()),
    ]
)
"""The entries of parts of files, numbered from 0 within the part, which begins at the offset ``part``.

``seconds`` is the time since 1970; ``node``, ``alone`` and ``names`` are those of `NodeLinks`. An entry has its bytes
in ``raw``, or a ``problem``. A last row has the number of entries, the ``end`` (the offset of the next entry,
`END_OF_FILE` after the last one) and as ``names`` the origins that are the service.
"""


class Shared(Protocol):
    """A value that Spark hands to every worker once."""

    @property
    def value(self) -> Any:  # noqa: ANN401 - of any type
        """The value."""


def scan_parts(
    tasks: Shared, sources: Shared, service: ServiceAddress, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Scan the parts of files that tasks read by their paths; a batch contains the indices of tasks."""
    planned: Sequence[Sequence[FilePart]] = tasks.value
    listed: Sequence[Source] = sources.value

    def rows() -> Iterator[Row]:
        for (task,) in to_rows(batches):
            for part in planned[task]:
                yield from _scan(part, partial(open_recording, Path(listed[part.file].path)), service)

    yield from to_batches(SCANNED, rows(), "raw")


def scan_contents(
    indices: Shared, service: ServiceAddress, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Scan whole files that Spark has read; a batch contains their names and contents."""
    files: Mapping[str, int] = indices.value

    def rows() -> Iterator[Row]:
        for name, content in to_rows(batches):
            # A file may have appeared after they were listed.
            if name in files:
                yield from _scan(FilePart(files[name]), partial(recording_of, content), service)

    yield from to_batches(SCANNED, rows(), "raw")


def _scan(part: FilePart, opened: Callable[[], Recording], service: ServiceAddress) -> Iterator[Row]:
    number, end = 0, END_OF_FILE
    try:
        recording = opened()
        start = next((first for first, _ in recording.chunks()), 0) if part.is_whole else part.start
    except (UnreadableRecordingError, UsageError) as error:
        # The message of a UsageError names the path, which the report does anyway.
        problem = str(error) if isinstance(error, UnreadableRecordingError) else UNREADABLE
        yield broken_row(part, 0, problem)
        yield _last_row(part, 1, END_OF_FILE, ())
        return
    contract, services = Contract.load(SERVED, service), set[str]()
    for entry in recording.entries(start):
        if not part.is_whole and entry.start >= part.end:
            end = entry.start
            break
        found = scan_entry(contract, recording, entry)
        if found.problem:
            yield broken_row(part, number, found.problem)
        else:
            linked = node_links(found.links, f"{part.file}:{entry.start}")
            raw = recording.read(entry.start, entry.end)
            services.add(found.links.service)
            yield part.file, part.start, number, found.started, *linked, recording.format_name, raw, None, None
        number += 1
    yield _last_row(part, number, end, filter(None, services))


def broken_row(part: FilePart, number: int, problem: str) -> Row:
    """Return the row of an entry that cannot be read."""
    alone = digest(f"{part.file}:{part.start}:{number}")
    return (part.file, part.start, number, 0.0, *NodeLinks(alone, alone, ()), None, None, problem, None)


def _last_row(part: FilePart, number: int, end: int, services: Iterable[str]) -> Row:
    names = [each.encode("utf-8", "replace") for each in services]
    return (part.file, part.start, number, 0.0, None, None, names, None, None, None, end)
