"""``airworthy audit --engine spark``, once or with ``--follow``."""

import signal
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from airworthy.audit import AuditSettings
from airworthy.audit.run import NewRedactor
from airworthy.cli.audit_output import write
from airworthy.cli.options import AuditFormat, named_recordings
from airworthy.errors import UsageError, writing
from airworthy.evidence.rotation import LONGEST_AGE, duration
from airworthy.private_files import make_folder
from airworthy.spark.follow import WATERMARK, FollowingAudit, Late
from airworthy.spark.sources import is_remote, local_path
from airworthy.text import printable
from airworthy.traffic import Summary
from airworthy.traffic.summary import number

Spark = AbstractContextManager[Any]
"""Starts Spark, whose session it yields: see `airworthy.spark.session`."""


def audit_on_spark(
    started: Spark,
    settings: AuditSettings,
    arguments: Sequence[str],
    form: AuditFormat,
    output: str | None,
    *,
    new_redactor: NewRedactor,
) -> Summary:
    """Audit files and URIs on Spark, write the result, and return its summary. Raises `UsageError`.

    ``new_redactor`` is for what a page shows.
    """
    folder = _folder(form, output)
    paths = [local_path(each) for each in arguments if not is_remote(each)]
    settings = replace(settings, files=named_recordings(paths) if paths else ())
    with started as session:
        # PySpark is an extra.
        from airworthy.spark.run import SparkAudit

        audit = SparkAudit(session, settings, [each for each in arguments if is_remote(each)])
        result = audit.result()
        if folder:
            audit.write(result, folder, "parquet" if form == "parquet" else "jsonl")
        else:
            write(result, form, Path(output) if output else None, new_redactor)
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


def audit_follow(
    started: Spark,
    settings: AuditSettings,
    arguments: Sequence[str],
    output: str | None,
    checkpoint: str | None,
    *,
    watermark: str | None,
    until_caught_up: bool,
) -> Summary:
    """Judge the evidence in a folder as it arrives until SIGINT or SIGTERM; return the summary since the beginning.

    Raises:
        UsageError: an option is wrong.
        OSError: the findings cannot be written.
    """
    if len(arguments) != 1:
        raise UsageError(f"--follow needs one folder or URI, got {len(arguments)}; name the folder above them")
    if not is_remote(arguments[0]) and not local_path(arguments[0]).is_dir():
        raise UsageError(f"{arguments[0]}: not a folder; --follow needs the folder of --evidence-dir")
    if checkpoint is None:
        if output is None:
            raise UsageError("--follow needs --checkpoint, a folder from which a restart continues, or --output")
        checkpoint = f"{output.rstrip('/')}/checkpoint"
    seconds = _seconds(watermark)
    # The state contains what was recorded.
    stored = _uri(checkpoint, "--checkpoint")
    folder = _uri(output, "--output") if output else None
    stop = threading.Event()
    with started as session:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, lambda *_: stop.set())
        audit = FollowingAudit(
            session,
            settings,
            arguments[0] if is_remote(arguments[0]) else local_path(arguments[0]).absolute().as_uri(),
            stored,
            write=_write,
            output=folder,
            watermark=seconds,
            report_late=_report_late,
        )
        audit.run(stop, until_caught_up=until_caught_up)
    return audit.summary


def _seconds(watermark: str | None) -> int:
    if watermark is None:
        return WATERMARK
    seconds = duration(watermark)
    if seconds is None or not 1 <= seconds <= LONGEST_AGE:
        raise UsageError(f"--watermark {watermark}: expected 1s to 24h, such as 45s or 6m")
    return seconds


def _uri(argument: str, option: str) -> str:
    """Return the URI of a folder; a local one is made so that only its owner can read it."""
    if is_remote(argument):
        return argument
    path = local_path(argument).absolute()
    with writing(f"{option} {argument}"):
        make_folder(path)
    return path.as_uri()


def _write(lines: Iterable[bytes]) -> None:
    sys.stdout.buffer.writelines(lines)
    sys.stdout.buffer.flush()


def _report_late(late: Late) -> None:
    places = printable(", ".join(late.places))
    sys.stderr.write(
        f"{number(late.number, 'exchange')} arrived too late, or have a time after that of their file, and were judged"
        f" without the others: {places}{', …' if late.number > len(late.places) else ''};"
        " is --watermark longer than --rotate of the proxies?\n"
    )
    sys.stderr.flush()
