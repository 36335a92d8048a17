"""Measure the audit on Apache Spark, and compare it with the local audit: exchanges a second of one core.

.venv-spark/bin/python benchmarks/spark_audit.py [exchanges] [evidence|har]

Processor time is that of all processes: the driver, the JVM and the Python workers.
"""

import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from airworthy.audit import AuditSettings, audit
from airworthy.spark.run import SparkAudit
from airworthy.spark.session import spark_session
from airworthy.traffic.document import to_json
from archive import Form, write
from machine import show

_EXCHANGES = 200_000
_MASTER = "local[2]"
_MEGABYTE = 1024 * 1024


class Measured(NamedTuple):
    """What an audit took: seconds of processor time and of wall-clock time."""

    engine: str
    exchanges: int
    processor: float
    elapsed: float
    detail: str


def main() -> None:
    """Generate an archive, audit it on both engines, and compare the results."""
    exchanges = int(sys.argv[1] if len(sys.argv) > 1 else _EXCHANGES)
    form = cast("Form", sys.argv[2] if len(sys.argv) > 2 else "evidence")
    with tempfile.TemporaryDirectory() as folder:
        files = write(Path(folder), exchanges, form)
        size = sum(path.stat().st_size for path in files)
        print(f"{exchanges:,} exchanges, {size / _MEGABYTE:,.0f} MB of {form} in {len(files)} files\n")
        show(
            ("engine", "exchanges", "processor time", "wall clock", "exchanges a second of a core", ""),
            (
                (
                    *(each.engine, f"{each.exchanges:,}", f"{each.processor:.1f} s", f"{each.elapsed:.1f} s"),
                    f"{each.exchanges / each.processor:,.0f}" if each.exchanges else "",
                    each.detail,
                )
                for each in measured(Path(folder), files)
            ),
        )


def measured(folder: Path, files: list[Path]) -> Iterator[Measured]:
    settings = AuditSettings(tuple(files), lines=True)
    began, used = time.perf_counter(), time.process_time()
    local = audit(settings, jobs=1)
    seen = local.summary.seen
    yield Measured("local, --jobs 1", seen, time.process_time() - used, time.perf_counter() - began, "")
    yield from on_spark(folder, settings, digest(local.lines), to_json(local.summary))


def on_spark(folder: Path, settings: AuditSettings, lines: str, summary: bytes) -> Iterator[Measured]:
    log = folder / "log"
    log.mkdir()
    logging = {"spark.eventLog.enabled": "true", "spark.eventLog.dir": log.as_uri(), "spark.eventLog.compress": "false"}
    began, used = time.perf_counter(), processor_time()
    with spark_session(_MASTER, logging) as session:
        session.range(1).count()
        yield Measured("Spark: start", 0, processor_time() - used, time.perf_counter() - began, "")
        began, used = time.perf_counter(), processor_time()
        result = SparkAudit(session, settings).result()
        found = digest(result.lines)
        taken, elapsed = processor_time() - used, time.perf_counter() - began
        peak = max((_peak(process) for process in _descendants() if "pyspark.daemon" in _command(process)), default=0)
    same = "the same" if (found, to_json(result.summary)) == (lines, summary) else "OTHER"
    detail = f"{same} results; worker at most {peak / _MEGABYTE:.0f} MB"
    yield Measured(f"Spark, {_MASTER}", result.summary.seen, taken, elapsed, detail)
    tasks = [each for path in log.rglob("events_*") for each in _tasks(path)]
    written = sum(each["Shuffle Write Metrics"]["Shuffle Bytes Written"] for each in tasks)
    spilled = sum(each["Disk Bytes Spilled"] for each in tasks)
    detail = f"shuffle {written / result.summary.seen:.0f} bytes an exchange, {spilled / _MEGABYTE:.0f} MB spilled"
    yield Measured("Spark: tasks", 0, sum(each["Executor Run Time"] for each in tasks) / 1000, 0, detail)


def digest(lines: Iterable[bytes]) -> str:
    total = hashlib.sha256()
    for each in lines:
        total.update(each)
    return total.hexdigest()


def processor_time() -> float:
    """Return the processor time of this process and its descendants, in seconds."""
    ticks = sum(
        sum(map(int, _fields(process)[11:15])) for process in (os.getpid(), *_descendants()) if _fields(process)
    )
    return ticks / os.sysconf("SC_CLK_TCK")


def _descendants() -> list[int]:
    parents = {int(path.name): _fields(int(path.name)) for path in Path("/proc").iterdir() if path.name.isdigit()}
    found, waiting = [], [os.getpid()]
    while waiting:
        here = waiting.pop()
        children = [process for process, fields in parents.items() if fields and int(fields[1]) == here]
        found += children
        waiting += children
    return found


def _fields(process: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name, which may contain spaces."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return []


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8")
    except OSError:
        return ""


def _peak(process: int) -> int:
    """Return the largest resident size of a process, in bytes."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    return 1024 * next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def _tasks(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            yield event["Task Metrics"]


if __name__ == "__main__":
    main()
