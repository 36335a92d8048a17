"""The audit on Spark.

Every entry is parsed once, and its bytes are kept on the disks of the workers while the driver finds out which callers
are linked. Then the entries move to the task that judges their group. Results come from the output of the last stage
only, so a task that is repeated doubles nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from pyspark import StorageLevel
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import broadcast, coalesce, col, collect_set, lit, size, struct

from airworthy.audit import AuditResult
from airworthy.audit.worker import AuditSettings
from airworthy.errors import UsageError, reading
from airworthy.spark.batches import sql_schema
from airworthy.spark.callers import components
from airworthy.spark.judging import JUDGED, SORTED, judge_groups, merge_results, read_result
from airworthy.spark.scanning import SCANNED, UNREADABLE, broken_row, scan_contents, scan_parts
from airworthy.spark.sources import LARGEST_OBJECT, LARGEST_TASK, FilePart, Source, misread, planned_tasks, task_size
from airworthy.traffic.document import to_json

FindingsFormat = Literal["jsonl", "parquet"]

_TOO_LARGE: Final = "the file is larger than 2 GiB; rotate the recordings into smaller files"
_FINDING: Final = (
    "file string, entry bigint, method string, path string, status int, side string, pointer string, kind string, "
    "class string, rule string, message string, expected string, actual string, soft boolean, "
    "earlier string"
)
_TASKS_PER_CORE: Final = 2


class _Scanned(NamedTuple):
    """The scanned entries, the number of entries in each part of a file, and the hosts that are the service."""

    entries: DataFrame
    counts: Mapping[FilePart, int]
    services: frozenset[str]


class SparkAudit:
    """An audit of recordings on Spark.

    Every worker opens the files of ``settings`` by their paths. ``uris`` name files, folders and patterns that Spark
    reads. The result can be read as long as the session exists. ``parts`` is the number of parts into which local files
    were split. Raises `UsageError` if a file does not exist, or a URI does not name any.
    """

    def __init__(self, session: SparkSession, settings: AuditSettings, uris: Sequence[str] = ()) -> None:
        self._session = session
        self._context = session.sparkContext
        # Tasks know the files by their indices.
        self._settings = replace(settings, files=(), labels=())
        self._uris = uris
        self.sources = [_local(path, name) for path, name in zip(settings.files, settings.names, strict=True)]
        self.sources += [source for each in uris for source in _remote(session, each)]
        self._total = sum(source.size for source in self.sources)
        self._shared_sources = self._context.broadcast(self.sources)
        cores = self._context.defaultParallelism
        self._task_size = task_size(self._total, cores)
        self._partitions = max(_TASKS_PER_CORE * cores, -(-self._total // LARGEST_TASK))
        session.conf.set("spark.sql.shuffle.partitions", str(self._partitions))
        self.parts = 0
        self._judged = self._judge()

    def result(self) -> AuditResult:
        """Return the summary and, if the settings request them, all findings in the order of files and entries."""
        results = self._judged.where("result is not null").repartition(1)
        merged = results.mapInArrow(partial(merge_results, self._settings.golive), sql_schema(JUDGED))
        found = read_result(merged.collect()[0]["result"])
        names = tuple(source.name for source in self.sources)
        return AuditResult(names, found.summary, found.examples, self._lines() if self._settings.lines else ())

    def write(self, result: AuditResult, folder: str, form: FindingsFormat) -> None:
        """Write all findings below a folder, by the workers, and the summary.

        Raises `UsageError` if the folder exists.
        """
        findings = self._judged.where("text is not null").select("text")
        summary = self._session.createDataFrame([(to_json(result.summary).decode().rstrip("\n"),)], "text string")
        try:
            if form == "parquet":
                parsed = findings.selectExpr(f"from_json(text, '{_FINDING}') as finding").select("finding.*")
                parsed.write.parquet(f"{folder.rstrip('/')}/findings")
            else:
                findings.write.text(f"{folder.rstrip('/')}/findings")
            summary.coalesce(1).write.text(f"{folder.rstrip('/')}/summary")
        except AnalysisException as error:
            if error.getCondition() == "PATH_ALREADY_EXISTS":
                raise UsageError(f"--output {folder}: the folder exists; name another one") from None
            raise

    def _lines(self) -> Iterator[bytes]:
        rows = self._judged.where("text is not null").orderBy("file", "number", "line").select("text")
        for row in rows.toLocalIterator(prefetchPartitions=True):
            yield row["text"].encode() + b"\n"

    def _judge(self) -> DataFrame:
        """Return the rows that the last stage yields."""
        scanned = self._scan(frozenset())
        entries = scanned.entries.where("end is null")
        linked = components(_shared_names(entries))
        first = _first_numbers(scanned.counts)
        entries = entries.withColumns({"key": coalesce("alone", "node")})
        if linked:
            keys = self._session.createDataFrame(list(linked.items()), "node binary, linked binary")
            entries = entries.join(broadcast(keys), "node", "left").withColumn("key", coalesce("linked", "key"))
        if first:
            rows = [(*part[:2], number) for part, number in first.items()]
            numbers = self._session.createDataFrame(rows, "file int, part bigint, first bigint")
            entries = entries.join(broadcast(numbers), ["file", "part"], "left")
            entries = entries.withColumn("number", col("number") + coalesce("first", lit(0)))
        order = SORTED[: SORTED.index("format")]
        ordered = entries.select(*SORTED).repartition(self._partitions, "key").sortWithinPartitions(*order)
        task = partial(judge_groups, self._settings, self._shared_sources, scanned.services)
        judged = ordered.mapInArrow(task, sql_schema(JUDGED))
        return judged.persist(StorageLevel.DISK_ONLY) if self._settings.lines else judged

    def _scan(self, unsplit: frozenset[int]) -> _Scanned:
        schema, service = sql_schema(SCANNED), self._settings.service
        tasks = planned_tasks(self.sources, self._task_size, unsplit)
        self.parts = sum(map(len, tasks))
        shared_tasks = self._context.broadcast(tasks)
        task = partial(scan_parts, shared_tasks, self._shared_sources, service)
        entries = self._session.range(0, len(tasks), 1, max(len(tasks), 1)).mapInArrow(task, schema)
        if self._uris:
            indices = {source.name: index for index, source in enumerate(self.sources) if not source.path}
            contents = _files(self._session, self._uris).where(f"length <= {LARGEST_OBJECT}")
            read = partial(scan_contents, self._context.broadcast(indices), service)
            entries = entries.union(contents.select("path", "content").mapInArrow(read, schema))
        # Without its bytes on disk, every entry would be parsed again for each of the following jobs.
        entries = entries.persist(StorageLevel.DISK_ONLY)
        last = entries.where("end is not null").select("file", "part", "number", "end", "names").collect()
        ends = {(row["file"], row["part"]): row for row in last}
        parts = [part for task in tasks for part in task]
        wrong = misread(parts, {part: ends[part[:2]]["end"] for part in parts})
        if wrong:
            entries.unpersist()
            return self._scan(unsplit | wrong)
        unread = [
            broken_row(FilePart(index), 0, _TOO_LARGE if source.size > LARGEST_OBJECT else UNREADABLE)
            for index, source in enumerate(self.sources)
            if not source.path and (index, 0) not in ends
        ]
        if unread:
            entries = entries.union(self._session.createDataFrame(unread, schema))
        counts = {part: ends[part[:2]]["number"] for part in parts}
        return _Scanned(entries, counts, frozenset(bytes(name).decode() for row in last for name in row["names"]))


def _shared_names(entries: DataFrame) -> Iterator[tuple[bytes, bytes]]:
    """Yield the names that several nodes share, each with each of these nodes."""
    # A secret has another first byte for each of its two receivers.
    pairs = entries.selectExpr("node", "explode(names) as name", "substring(name, 2) as digest")
    shared = pairs.groupBy("digest").agg(collect_set(struct("name", "node")).alias("found")).where(size("found") > 1)
    for row in shared.selectExpr("inline(found)").collect():
        yield bytes(row["name"]), bytes(row["node"])


def _first_numbers(counts: Mapping[FilePart, int]) -> dict[FilePart, int]:
    """Return the number of the first entry of each part that is not the first of its file."""
    found: dict[FilePart, int] = {}
    for _, group in groupby(counts.items(), key=lambda each: each[0].file):
        parts = list(group)
        sums = accumulate(count for _, count in parts)
        found |= dict(zip((part for part, _ in parts[1:]), sums, strict=False))
    return found


def _local(path: Path, name: str) -> Source:
    with reading(path):
        return Source(name, path.stat().st_size, str(path))


def _remote(session: SparkSession, uri: str) -> list[Source]:
    try:
        rows: list[Any] = _files(session, [uri]).select("path", "length").collect()
    except AnalysisException:
        raise UsageError(f"{uri}: no such file or folder, or its file system is not configured") from None
    if not rows:
        raise UsageError(f"{uri}: the folder has no files")
    return sorted(Source(row["path"], row["length"]) for row in rows)


def _files(session: SparkSession, arguments: Sequence[str]) -> DataFrame:
    return session.read.format("binaryFile").option("recursiveFileLookup", "true").load(list(arguments))
