"""``airworthy audit --engine spark``."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from airworthy.audit import AuditSettings
from airworthy.cli.audit_output import write
from airworthy.cli.options import AuditFormat
from airworthy.cli.recordings import named_recordings
from airworthy.errors import UsageError
from airworthy.spark.run import SparkAudit
from airworthy.spark.session import options, spark_session
from airworthy.spark.sources import is_remote, local_path
from airworthy.traffic import Summary


def audit_on_spark(
    settings: AuditSettings,
    arguments: Sequence[str],
    form: AuditFormat,
    output: str | None,
    *,
    master: str | None,
    configuration: Sequence[str],
) -> Summary:
    """Audit files and URIs on Spark, write the result, and return its summary. Raises `UsageError`."""
    folder = _folder(form, output)
    paths = [local_path(each) for each in arguments if not is_remote(each)]
    settings = replace(settings, files=named_recordings(paths) if paths else ())
    with spark_session(master, options(configuration)) as session:
        audit = SparkAudit(session, settings, [each for each in arguments if is_remote(each)])
        result = audit.result()
        if folder:
            audit.write(result, folder, "parquet" if form == "parquet" else "jsonl")
        else:
            write(result, form, Path(output) if output else None)
    return result.summary


def _folder(form: AuditFormat, output: str | None) -> str | None:
    """Return the folder that the workers write, or None. A job of hours must not end with a wrong option."""
    if form == "parquet":
        if output is None:
            raise UsageError("--format parquet needs --output, a folder or a URI")
        return output if is_remote(output) else local_path(output).absolute().as_uri()
    if output is None:
        return None
    if is_remote(output) or output.startswith("file:"):
        if form != "jsonl":
            raise UsageError(f"--output {output}: --format {form} is one file; name a path, or use jsonl or parquet")
        return output
    if not Path(output).absolute().parent.is_dir():
        raise UsageError(f"--output {output}: No such file or directory")
    return None
