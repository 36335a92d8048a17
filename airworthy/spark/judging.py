"""A task that judges whole groups of linked entries as a stream, and returns findings and one summary."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

import pyarrow as pa

from airworthy.audit.formats import entry_format
from airworthy.audit.judging import Entry, EntryJudge, distinct, examples_of, lines
from airworthy.audit.worker import AuditSettings, BatchResult
from airworthy.contract import Contract
from airworthy.contract.http.operations import SERVED
from airworthy.spark.batches import Row, to_batches, to_rows
from airworthy.spark.scanning import Shared
from airworthy.spark.sources import Source
from airworthy.traffic import GoLive, Summary
from airworthy.traffic.golive.items import GoLiveSettings

SORTED: Final = ("key", "seconds", "file", "number", "format", "raw", "problem")
"""The columns of the entries to judge; sorted by the first four, the groups and their order in time."""

JUDGED: Final = pa.schema(
    [("file", pa.int32()), ("number", pa.int64()), ("line", pa.int32()), ("text", pa.string()), ("result", pa.binary())]
)
"""The lines of findings by file, entry and position, and a last row of a task with its result."""


def judge_groups(
    settings: AuditSettings, sources: Shared, services: frozenset[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Judge sorted entries; every group has a conversation of its own."""
    names: Sequence[Source] = sources.value
    judge = EntryJudge(Contract.load(SERVED, settings.service), settings.golive, services)

    def rows() -> Iterator[Row]:
        for _, group in groupby(to_rows(batches), key=itemgetter(0)):
            for entry, findings in judge.judge(distinct(_entry(row, names) for row in group)):
                if settings.lines:
                    for index, line in enumerate(lines(entry, findings).splitlines()):
                        yield entry.file, entry.number, index, line.decode(), None
        if judge.summary.seen:
            yield _result_row(BatchResult(judge.summary, examples=judge.examples))

    yield from to_batches(JUDGED, rows(), "text")


def merge_results(golive: GoLiveSettings, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Merge the results of tasks into one."""
    total = BatchResult(Summary(golive=GoLive(golive)))
    for *_, result in to_rows(batches):
        found = read_result(result)
        total.summary.merge(found.summary)
        total.examples = examples_of(total.summary, total.examples, found.examples)
    yield from to_batches(JUDGED, [_result_row(total)], "text")


def read_result(result: bytes) -> BatchResult:
    """Return a result that `judge_groups` or `merge_results` wrote."""
    found: BatchResult = pickle.loads(result)  # noqa: S301 - written by another task of this job
    return found


def _entry(row: Row, names: Sequence[Source]) -> Entry:
    _, _, file, number, form, raw, problem = row
    where = (names[file].name, file, number)
    return Entry.broken(problem, *where) if problem else Entry.read(entry_format(form), raw, *where)


def _result_row(result: BatchResult) -> Row:
    return (None, None, None, None, pickle.dumps(result))
