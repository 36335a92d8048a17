"""Both engines, side by side."""

from pathlib import Path
from typing import Any, NamedTuple

from pyspark.sql import SparkSession

from airworthy.audit import AuditResult, AuditSettings, audit
from airworthy.audit.judging import Locations
from airworthy.spark.run import SparkAudit
from airworthy.traffic.document import to_json

STORE = "viewfs://store/recordings"


class Compared(NamedTuple):
    """The findings as text and the summary as JSON."""

    lines: str
    summary: str
    examples: Locations


def locally(files: list[Path], **settings: Any) -> Compared:  # noqa: ANN401
    return compared(audit(AuditSettings(tuple(files), lines=True, **settings), jobs=1))


def on_spark(session: SparkSession, files: list[Path], *uris: str, **settings: Any) -> Compared:  # noqa: ANN401
    return compared(SparkAudit(session, AuditSettings(tuple(files), lines=True, **settings), uris).result())


def compared(result: AuditResult) -> Compared:
    return Compared(b"".join(result.lines).decode(), to_json(result.summary).decode(), result.examples)


def renamed(found: Compared, old: str, new: str) -> Compared:
    """The findings with other names of files."""
    examples = {(key.replace(old, new), started): place for (key, started), place in found.examples.items()}
    return Compared(found.lines.replace(old, new), found.summary.replace(old, new), examples)
