"""Start Spark for one audit, and translate its errors into one line."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from airworthy.errors import AirworthyError, TargetError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL: Final = "local[*]"
_OLDEST_JAVA: Final = 17
_VERSION: Final = re.compile(r'version "(?:1\.)?([0-9]+)')
_MASTER: Final = re.compile(r"local(\[[^\]]*\])?|yarn|(spark|k8s)://\S+")
_STANDALONE: Final = "spark://"
_STANDALONE_PORT: Final = 7077
_SECONDS_TO_CONNECT: Final = 5
_SECONDS_TO_START_JAVA: Final = 60
_KNOWN: Final = ("OutOfMemoryError", "No space left on device", "stopped SparkContext", "PYTHON_VERSION_MISMATCH")
_MISSING_MODULE: Final = re.compile(r"[Nn]o module named '[\w.]+'")
_CONDITION: Final = re.compile(r"\[(?!PYTHON_EXCEPTION)[A-Z_]+(?:\.[A-Z_]+)*\]")
_RAISED: Final = re.compile(r"(?:worker: |\n|Caused by: )([\w.]*(?:Error|Exception))\b")
_STDERR: Final = 2
_LOOPBACK: Final = "127.0.0.1"
_LOGGING: Final = Path(__file__).with_name("log4j2.properties")
# Set by spark-submit, which has started the JVM and chosen the master.
_SUBMITTED: Final = "PYSPARK_GATEWAY_PORT"
# A page about this job would show its configuration to everybody who reaches the port.
_QUIET: Final = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
_NEEDED: Final = {
    # Rows have bodies of any size: the number of bytes bounds the memory of a Python worker.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(4 * 1024 * 1024),
    # The number of partitions follows from the size of the recordings, and a caller needs one partition.
    "spark.sql.adaptive.enabled": "false",
    # A file of an object store that cannot be read is counted; it does not end the job.
    "spark.sql.files.ignoreCorruptFiles": "true",
    "spark.sql.files.ignoreMissingFiles": "true",
    # The traceback of a worker may quote what it read.
    "spark.sql.execution.pyspark.udf.hideTraceback.enabled": "true",
}


def options(pairs: Sequence[str]) -> dict[str, str]:
    """Return Spark's configuration in ``KEY=VALUE`` pairs. Raises `UsageError`."""
    found = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not separator or not key.startswith("spark."):
            # What is given may be a secret.
            raise UsageError("--spark-conf: expected KEY=VALUE, such as spark.executor.memory=2g")
        found[key] = value
    return found


@contextlib.contextmanager
def spark_session(
    master: str | None = None, configuration: Mapping[str, str] | None = None
) -> "Iterator[SparkSession]":
    """Start Spark, yield its session, and stop it.

    ``master`` is `LOCAL` unless spark-submit started this program: then it has chosen the master.

    Raises:
        UsageError: PySpark or Java is missing, or the master has been chosen already.
        TargetError: the master cannot be reached.
        AirworthyError: Spark could not do its work.
    """
    is_submitted = _SUBMITTED in os.environ
    if is_submitted and master:
        raise UsageError(f"--spark-master {master}: spark-submit has chosen the master; remove the option")
    if not is_submitted:
        _check_master(master or LOCAL)
        _check_java(os.environ)
    builder = _builder(None if is_submitted else master or LOCAL, configuration or {})
    with translated_errors(), contextlib.nullcontext() if is_submitted else _silent_start():
        session = builder.getOrCreate()
    try:
        with translated_errors():
            yield session
    finally:
        with contextlib.suppress(Exception):  # Spark may have gone already; its error has been reported
            session.stop()


@contextlib.contextmanager
def translated_errors() -> Iterator[None]:
    """Raise an error of Spark as one line, without stack traces and without what tasks read."""
    from py4j.protocol import Py4JError  # noqa: PLC0415 - an extra
    from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra

    try:
        yield
    except (Py4JError, PySparkException) as error:
        raise AirworthyError(f"Spark could not finish: {_reason(error)}") from None
    except (ConnectionRefusedError, ConnectionResetError):
        raise AirworthyError("Spark ended unexpectedly, possibly out of memory") from None


def _reason(error: Exception) -> str:
    """Return what is safe to show of an error: a task may quote what it read."""
    text = str(error)
    if known := next((each for each in _KNOWN if each in text), None):
        return known
    if missing := _MISSING_MODULE.search(text):
        return f"{missing[0]} on a worker; install airworthy[spark] there, or set PYSPARK_PYTHON"
    if condition := _CONDITION.search(text):
        return condition[0]
    raised = _RAISED.search(text)
    return raised[1] if raised else type(error).__name__


def _builder(master: str | None, configuration: Mapping[str, str]) -> "SparkSession.Builder":
    try:
        import pandas  # noqa: F401, PLC0415 - PySpark needs it to exchange batches with its workers
        import pyarrow  # noqa: F401, PLC0415 - likewise
        from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra
    except ImportError:
        raise UsageError("--engine spark: PySpark is missing; install it: pip install 'airworthy[spark]'") from None
    settings = dict(_NEEDED)
    if master:
        settings |= {**_QUIET, "spark.master": master}
        settings["spark.driver.extraJavaOptions"] = f"-Dlog4j2.configurationFile={_LOGGING.as_uri()}"
        if master.startswith("local"):
            settings |= {"spark.driver.host": _LOOPBACK, "spark.driver.bindAddress": _LOOPBACK}
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            os.environ.setdefault("SPARK_LOCAL_IP", _LOOPBACK)
    builder = SparkSession.builder.appName("airworthy audit")
    for key, value in (settings | dict(configuration)).items():
        builder = builder.config(key, value)
    return builder


@contextlib.contextmanager
def _silent_start() -> Iterator[None]:
    """Let the JVM that starts here, and its Python workers, write their messages nowhere.

    Java warns of a module that Spark uses, before any configuration takes effect.
    """
    sys.stderr.flush()
    original = os.dup(_STDERR)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), _STDERR)
        yield
    finally:
        os.dup2(original, _STDERR)
        os.close(original)


def _check_master(master: str) -> None:
    if not _MASTER.fullmatch(master):
        raise UsageError(f"--spark-master {master}: expected local[N], spark://HOST:PORT, yarn or k8s://URL")
    if not master.startswith(_STANDALONE):
        return
    # Spark itself tries for a minute, and ends with a stack trace.
    for address in master.removeprefix(_STANDALONE).split(","):
        host, _, port = address.rpartition(":")
        with contextlib.suppress(OSError, ValueError, OverflowError):
            where = (host, int(port)) if host else (address, _STANDALONE_PORT)
            socket.create_connection(where, _SECONDS_TO_CONNECT).close()
            return
    raise TargetError(f"--spark-master {master}: cannot connect to the master; is it running?")


def _check_java(environment: Mapping[str, str]) -> None:
    home = environment.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java", path=environment.get("PATH"))
    where = f"JAVA_HOME={home}" if home else "the path"
    advice = f"install Java {_OLDEST_JAVA} or newer, or set JAVA_HOME to it"
    try:
        if java is None:
            raise UsageError(f"--engine spark: there is no Java on {where}; {advice}")
        shown = subprocess.run(  # noqa: S603 - the user's own Java
            [java, "-version"], capture_output=True, text=True, check=True, timeout=_SECONDS_TO_START_JAVA
        )
    except (OSError, subprocess.SubprocessError):
        raise UsageError(f"--engine spark: {where} has no Java that runs; {advice}") from None
    found = _VERSION.search(shown.stderr + shown.stdout)
    if found is None or int(found[1]) < _OLDEST_JAVA:
        version = f"Java {found[1]}" if found else "an unknown Java"
        raise UsageError(f"--engine spark: {where} has {version}; {advice}")
