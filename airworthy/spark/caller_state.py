"""What is kept of each caller between two batches of a stream: its memory, and the entries that cannot be judged yet.

Proxies close their files at different times, so the exchanges of a caller do not arrive in order. They wait until
every file with an earlier exchange must have arrived, and are then judged in the order of time. An exchange that
arrives even later is judged as if it were the only one: in the wrong order, a conforming service might seem to violate
the contract.
"""

import math
import pickle
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

import pandas as pd
import pyarrow as pa
import zstandard
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.streaming.stateful_processor import ExpiredTimerInfo, TimerValues

import airworthy
from airworthy.audit.judging import EntryJudge, distinct, lines
from airworthy.audit.worker import AuditSettings, BatchResult
from airworthy.contract import Contract
from airworthy.contract.http.operations import SERVED
from airworthy.spark.arrivals import MEMBERS, NOBODY, Arrival
from airworthy.spark.batches import sql_schema
from airworthy.traffic import TrafficMemory

FOUND: Final = pa.schema(
    [
        ("started", pa.float64()),
        ("name", pa.string()),
        ("number", pa.int64()),
        ("line", pa.int32()),
        ("text", pa.string()),
        ("late", pa.string()),
        ("result", pa.binary()),
    ]
)
"""The lines of findings by time, file, entry and position; the places of late entries; and results."""
_MEMORY: Final = "version string, judged double, memory binary"
_LONGEST_AHEAD: Final = 60.0
"""How many seconds the clock of a proxy may be ahead of that of its files."""
_FORGET_AFTER: Final = 30 * 24 * 3600
_MILLISECONDS: Final = 1000


class CallerMemory(NamedTuple):
    """The time of the last exchange of a caller that was judged, and what is remembered of all of them."""

    judged: float = 0.0
    traffic: TrafficMemory | None = None


class Judged(NamedTuple):
    """What was found in some entries: lines of findings, late entries, and the summary."""

    lines: Sequence[tuple[Arrival, bytes]]
    late: Sequence[Arrival]
    result: BatchResult
    memory: CallerMemory


class CallerJudge:
    """Judges the entries of one caller after the other."""

    def __init__(self, settings: AuditSettings) -> None:
        self._settings = settings
        self._contract = Contract.load(SERVED, settings.service)

    def judge(self, memory: CallerMemory, arrivals: Iterable[Arrival]) -> Judged:
        """Judge entries in the order of time. The memory is changed."""
        last = memory.judged
        in_order: list[Arrival] = []
        late: list[Arrival] = []
        for each in sorted(arrivals, key=attrgetter("started", "name", "number")):
            is_in_order = each.started >= last and each.started <= each.received + _LONGEST_AHEAD
            (in_order if is_in_order else late).append(each)
        judge = EntryJudge(self._contract, self._settings.golive)
        entries = {(each.name, each.number): each for each in (*in_order, *late)}
        found = list(judge.judge(distinct(each.entry() for each in in_order), memory.traffic))
        traffic = judge.memory
        for each in late:
            found += judge.judge([each.entry()])
        texts = [(entries[entry.name, entry.number], lines(entry, findings)) for entry, findings in found]
        last = max((each.started for each in in_order), default=last)
        return Judged(texts, late, BatchResult(judge.summary, examples=judge.examples), CallerMemory(last, traffic))


class CallerProcessor(StatefulProcessor):  # type: ignore[misc] # PySpark is not installed where types are checked
    """Keeps the state of callers in Spark's state store. Timers say when the next entry is due."""

    def __init__(self, settings: AuditSettings) -> None:
        self._settings = settings

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open the state."""
        self._handle = handle
        self._memory = handle.getValueState("memory", _MEMORY)
        self._waiting = handle.getListState("waiting", sql_schema(MEMBERS))
        self._judge = CallerJudge(self._settings)

    def handleInputRows(  # noqa: N802 - Spark's name
        self,
        key: tuple[str],
        rows: Iterator[pd.DataFrame],
        timerValues: TimerValues,  # noqa: N803 - likewise
    ) -> Iterator[pd.DataFrame]:
        """Judge what is due of the entries that have arrived and those that wait."""
        arrived = [each for frame in rows for each in _arrivals(frame)]
        if key[0] == NOBODY:
            # They are not related, so that each is judged as if it were the only one, and none is late.
            yield from _frames(self._judge.judge(CallerMemory(math.inf), arrived)._replace(late=()))
        else:
            yield from self._judge_due(arrived, timerValues)

    def handleExpiredTimer(  # noqa: N802 - Spark's name
        self,
        key: tuple[str],  # noqa: ARG002 - likewise
        timerValues: TimerValues,  # noqa: N803 - likewise
        expiredTimerInfo: ExpiredTimerInfo,  # noqa: ARG002, N803 - likewise
    ) -> Iterator[pd.DataFrame]:
        """Judge what is due of the entries that wait."""
        yield from self._judge_due([], timerValues)

    def _judge_due(self, arrived: Sequence[Arrival], times: TimerValues) -> Iterator[pd.DataFrame]:
        # Before the first file is complete, the watermark is 0 or less.
        until = max(times.getCurrentWatermarkInMs(), 0)
        arrivals = [*(Arrival(*row) for row in self._waiting.get()), *arrived]
        due = [each for each in arrivals if _timer(each.due) <= until]
        later = [each for each in arrivals if _timer(each.due) > until]
        memory = read_memory(self._memory.get() if self._memory.exists() else None)
        if due:
            judged = self._judge.judge(memory, due)
            memory = judged.memory
            self._memory.update(written_memory(memory))
            yield from _frames(judged)
        if due or arrived:
            self._waiting.put([tuple(each) for each in later]) if later else self._waiting.clear()
        for timer in list(self._handle.listTimers()):
            self._handle.deleteTimer(timer)
        forgotten = _timer(memory.judged + _FORGET_AFTER)
        if later:
            self._handle.registerTimer(_timer(min(each.due for each in later)))
        elif until >= forgotten:
            self._memory.clear()
        else:
            self._handle.registerTimer(forgotten)


def read_memory(stored: tuple[str, float, bytes] | None) -> CallerMemory:
    """Return a stored memory; nothing if there is none, or if another version of Airworthy has stored it."""
    if stored is None or stored[0] != airworthy.__version__:
        return CallerMemory()
    # The checkpoint is as trusted as the installation.
    traffic: TrafficMemory = pickle.loads(zstandard.decompress(stored[2]))  # noqa: S301 - written by `written_memory`
    return CallerMemory(stored[1], traffic)


def written_memory(memory: CallerMemory) -> tuple[str, float, bytes]:
    """Return a memory as it is stored."""
    return airworthy.__version__, memory.judged, zstandard.compress(pickle.dumps(memory.traffic), 1)


def _arrivals(frame: pd.DataFrame) -> Iterator[Arrival]:
    entries = frame[frame["name"].notna()][list(Arrival._fields)]
    # In a frame with a row that is not an entry, pandas makes numbers of floating point of integers.
    return map(Arrival._make, entries.astype({"number": "int64"}).itertuples(index=False, name=None))


def _timer(seconds: float) -> int:
    return math.ceil(seconds * _MILLISECONDS)


def _frames(judged: Judged) -> Iterator[pd.DataFrame]:
    rows: list[tuple[object, ...]] = []
    for each, text in judged.lines:
        place = (each.started, each.name, each.number)
        rows += [(*place, index, line.decode(), None, None) for index, line in enumerate(text.splitlines())]
    rows += [
        (each.started, each.name, each.number, 0, None, f"{each.name}:{each.number}", None) for each in judged.late
    ]
    if judged.result.summary.seen:
        rows.append((0.0, "", 0, 0, None, None, pickle.dumps(judged.result)))
    if rows:
        yield pd.DataFrame(rows, columns=FOUND.names)
