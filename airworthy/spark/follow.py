"""The audit of a folder that proxies rotate their evidence into, as a stream that survives a restart.

Spark remembers in the checkpoint which files it has read and what is known of each caller. Beside that, the checkpoint
has the summary of everything so far, and a clock: a file for each time up to which the folder was read completely.
Without it, the last exchanges before a silence would wait for the next ones. So nothing depends on when a batch runs: a
batch that is repeated after a restart has the same result.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from airworthy.audit.worker import AuditSettings
from airworthy.errors import UsageError
from airworthy.spark.sources import LARGEST_OBJECT
from airworthy.traffic import GoLive, Summary
from airworthy.traffic.document import from_json, to_json

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming import StreamingQuery

WATERMARK: Final = 360
"""Longer than the five minutes after which a proxy closes a file unless told otherwise."""
TRIGGER_SECONDS: Final = 5
_CLOSED_FILES: Final = "*.jsonl.zst"
_FILES_AT_ONCE: Final = 1000
_POLL_SECONDS: Final = 1
_TICKS: Final = 10
"""How often the clock ticks within the watermark."""
_KEPT: Final = 2
_MOST_NAMED: Final = 5
_SETTINGS: Final = {
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    ),
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    "spark.sql.streaming.noDataProgressEventInterval": str(TRIGGER_SECONDS * 1000),
}
_FILES: Final = "path string, modificationTime timestamp, length bigint, content binary"

Lines = Callable[[Iterable[bytes]], None]


class Late(NamedTuple):
    """Exchanges that were judged as if they were the only ones: their number, and the places of the first ones."""

    number: int
    places: Sequence[str]


class FollowingAudit:
    """An audit of the closed evidence files in a folder, now and as they arrive.

    ``folder`` and ``checkpoint`` are paths or URIs. An exchange is judged when all files that were complete within
    ``watermark`` seconds after it have been read. Findings are written below the folder ``output``, each batch in a
    folder of its own, or are handed to ``write`` as lines. ``report_late`` receives what arrived too late. ``clock``
    returns the time in seconds since 1970. Raises `UsageError` if the checkpoint is that of another audit.
    """

    def __init__(
        self,
        session: "SparkSession",
        settings: AuditSettings,
        folder: str,
        checkpoint: str,
        *,
        write: Lines,
        output: str | None = None,
        watermark: int = WATERMARK,
        report_late: Callable[[Late], None] = lambda _: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._session, self._settings, self._folder = session, settings, folder
        self._checkpoint, self._output, self._write = checkpoint.rstrip("/"), output, write
        self._watermark, self._report_late, self._now = watermark, report_late, clock
        self._check_settings()
        self._clock = StoredFolder(session, f"{self._checkpoint}/clock")
        self._summaries = StoredFolder(session, f"{self._checkpoint}/summaries")
        self.summary, self._done = self._read_summary()
        self._is_writing = threading.Lock()
        self._error: Exception | None = None

    def run(self, stop: threading.Event, *, until_caught_up: bool = False) -> None:
        """Judge what is there and what arrives until ``stop`` is set, or only what is there."""
        started = self._now()
        self._run(stop, started, until_caught_up=until_caught_up)
        if until_caught_up and not stop.is_set():
            # Only now has everything been read; the second pass judges what waited for this.
            self.tick(started)
            self._run(stop, started, until_caught_up=True)

    def _run(self, stop: threading.Event, started: float, *, until_caught_up: bool) -> None:
        query = self.start(until_caught_up=until_caught_up)
        try:
            ticks = Ticks(started, self._watermark)
            while not stop.is_set() and not query.awaitTermination(_POLL_SECONDS):
                if not until_caught_up and (progress := query.lastProgress) and (seconds := ticks.due(progress)):
                    self.tick(seconds)
        except Exception:
            if self._error:
                raise self._error from None
            raise
        finally:
            # A batch whose findings are being written must not be interrupted.
            with self._is_writing:
                query.stop()

    def start(self, *, until_caught_up: bool = False) -> "StreamingQuery":
        """Start the stream; `run` does, too."""
        # The checkpoint keeps this number, and every partition has a database of its own.
        partitions = {"spark.sql.shuffle.partitions": str(self._session.sparkContext.defaultParallelism)}
        for key, value in (_SETTINGS | partitions).items():
            self._session.conf.set(key, value)
        writer = self._found().writeStream.foreachBatch(self._take)
        writer = writer.option("checkpointLocation", f"{self._checkpoint}/stream").queryName("airworthy audit")
        if until_caught_up:
            return writer.trigger(availableNow=True).start()
        return writer.trigger(processingTime=f"{TRIGGER_SECONDS} seconds").start()

    def tick(self, seconds: float) -> None:
        """Note that all files that were complete at a time, in seconds since 1970, have been read."""
        name = f"{int(seconds * 1000):014d}"
        self._clock.write(name, f"{seconds:.3f}\n".encode())
        # Spark may still have to read the last ones.
        for old in list(self._clock.names())[: -2 * _TICKS]:
            self._clock.delete(old)

    def _found(self) -> "DataFrame":
        # PySpark is an extra.
        from pyspark.sql.functions import col, current_timestamp, least, lit, timestamp_seconds, when  # noqa: PLC0415

        from airworthy.spark.arrivals import ARRIVED, NOBODY, read_files  # noqa: PLC0415 - needs Spark's extra
        from airworthy.spark.batches import sql_schema  # noqa: PLC0415 - likewise
        from airworthy.spark.caller_state import FOUND, CallerProcessor  # noqa: PLC0415 - likewise

        reader = self._session.readStream.format("binaryFile").schema(_FILES)
        reader = reader.option("pathGlobFilter", _CLOSED_FILES).option("recursiveFileLookup", "true")
        files = reader.option("maxFilesPerTrigger", _FILES_AT_ONCE).load(self._folder)
        contents = files.where(f"length <= {LARGEST_OBJECT}").select("path", "modificationTime", "content")
        too_large = files.where(f"length > {LARGEST_OBJECT}").select(
            "path", "modificationTime", lit(None).cast("binary").alias("content")
        )
        schema = sql_schema(ARRIVED)
        arrived = contents.union(too_large).mapInArrow(partial(read_files, self._settings.service), schema)
        clock = self._session.readStream.schema("value string").text(f"{self._checkpoint}/clock")
        empty = [lit(None).cast(field.split()[1]).alias(field.split()[0]) for field in schema.split(", ")[1:-1]]
        ticks = clock.select(lit(NOBODY).alias("key"), *empty, col("value").cast("double").alias("complete"))
        # Only these rows move the watermark, so Spark never drops an entry as late. A clock may be ahead.
        complete = least(timestamp_seconds("complete"), current_timestamp())
        rows = arrived.union(ticks).withColumn("seen", when(col("complete").isNotNull(), complete))
        rows = rows.withWatermark("seen", f"{self._watermark} seconds")
        processor = CallerProcessor(self._settings)
        return rows.groupBy("key").transformWithStateInPandas(processor, sql_schema(FOUND), "Append", "EventTime")

    def _take(self, batch: "DataFrame", number: int) -> None:
        with self._is_writing:
            try:
                self._take_new(batch, number)
            except Exception as error:
                self._error = error
                raise

    def _take_new(self, batch: "DataFrame", number: int) -> None:
        """Write what was found in a batch, once."""
        from pyspark import StorageLevel  # noqa: PLC0415 - an extra

        from airworthy.spark.judging import read_result  # noqa: PLC0415 - needs Spark's extra

        if number <= self._done:
            # Its findings were written before Spark noted its end; only the state of the callers is missing.
            batch.write.format("noop").mode("overwrite").save()
            return
        batch = batch.persist(StorageLevel.DISK_ONLY)
        try:
            for row in batch.where("result is not null").select("result").collect():
                self.summary.merge(read_result(bytes(row["result"])).summary)
            found = batch.where("text is not null")
            if self._output is None:
                ordered = found.orderBy("started", "name", "number", "line").select("text")
                self._write(row["text"].encode() + b"\n" for row in ordered.toLocalIterator())
            elif not found.isEmpty():
                folder = f"{self._output.rstrip('/')}/findings/batch={number:08d}"
                found.select("text").write.mode("overwrite").text(folder)
            late = batch.where("late is not null").select("late").orderBy("started", "name", "number")
            if count := late.count():
                self._report_late(Late(count, [row["late"] for row in late.take(_MOST_NAMED)]))
        finally:
            batch.unpersist()
        self._write_summary(number)

    def _write_summary(self, number: int) -> None:
        self._summaries.write(f"{number:08d}.json", to_json(self.summary))
        self._done = number
        for old in list(self._summaries.names())[:-_KEPT]:
            self._summaries.delete(old)

    def _read_summary(self) -> tuple[Summary, int]:
        names = list(self._summaries.names())
        if not names:
            return Summary(golive=GoLive(self._settings.golive)), -1
        return from_json(self._summaries.read(names[-1]), names[-1]), int(names[-1].removesuffix(".json"))

    def _check_settings(self) -> None:
        stored, name = StoredFolder(self._session, self._checkpoint), "audit.json"
        service, golive = self._settings.service, self._settings.golive
        now = orjson.dumps(
            {"folder": self._folder, "service": service, "adults": golive.adults, "infants": golive.infants}
        )
        if name not in stored.names():
            stored.write(name, now)
        elif stored.read(name) != now:
            raise UsageError(
                f"--checkpoint {self._checkpoint}: it is that of an audit with another folder or other options;"
                " name another checkpoint"
            )


class Ticks:
    """Decides when the clock has to tick: after a silence, until nothing can be waiting."""

    def __init__(self, now: float, watermark: int) -> None:
        self._watermark = watermark
        self._interval = max(TRIGGER_SECONDS, watermark / _TICKS)
        self._last = 0.0
        self._until = now + watermark
        self._read: Any = None

    def due(self, progress: Any) -> float | None:  # noqa: ANN401 - of PySpark
        """Return the time up to which everything has been read, if it has to be noted."""
        began, files = datetime.fromisoformat(progress["timestamp"]).timestamp(), progress["sources"][0]
        if files["endOffset"] != self._read:
            self._read, self._until = files["endOffset"], began + self._watermark
        is_silent = files["startOffset"] == files["endOffset"]
        if is_silent and self._last < self._until and began >= self._last + self._interval:
            self._last = began
            return began
        return None


class StoredFolder:
    """A folder of small files wherever Spark can write, by its URI: here, in HDFS, in an object store.

    Every method raises an error of Spark if it cannot be read or written.
    """

    def __init__(self, session: "SparkSession", uri: str) -> None:
        hadoop: Any = session.sparkContext._jvm.org.apache.hadoop.fs  # noqa: SLF001 - PySpark has no public name for it
        self._path = hadoop.Path
        self._folder = hadoop.Path(uri)
        configuration: Any = session.sparkContext._jsc.hadoopConfiguration()  # noqa: SLF001 - likewise
        self._files: Any = self._folder.getFileSystem(configuration)
        self._files.mkdirs(self._folder)

    def write(self, name: str, content: bytes) -> None:
        """Write a file, which nobody sees before it is complete."""
        hidden, path = self._path(self._folder, f".{name}"), self._path(self._folder, name)
        stream = self._files.create(hidden, True)
        stream.write(bytearray(content))
        stream.close()
        self._files.delete(path, False)
        self._files.rename(hidden, path)

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        stream = self._files.open(self._path(self._folder, name))
        try:
            return bytes(stream.readAllBytes())
        finally:
            stream.close()

    def delete(self, name: str) -> None:
        """Delete a file, if it exists."""
        self._files.delete(self._path(self._folder, name), False)

    def names(self) -> Iterator[str]:
        """Yield the names of the files, sorted."""
        found = (status.getPath().getName() for status in self._files.listStatus(self._folder))
        return iter(sorted(name for name in found if not name.startswith(".")))
