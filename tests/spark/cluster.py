"""A standalone cluster: a real master and real workers on this machine."""

import os
import re
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pyspark

SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
LOOPBACK = "127.0.0.1"
# The programs of the tests end before the optimizing compiler pays.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
ENVIRONMENT = {"SPARK_LOCAL_IP": LOOPBACK, "PYSPARK_PYTHON": sys.executable}
"""What a program of Spark needs that does not start on ``local``."""
_MASTER = re.compile(r"Starting Spark master at (spark://\S+)")
_REGISTERED = re.compile("Successfully registered with master")


@dataclass(frozen=True, slots=True)
class Cluster:
    """The URL of the master, and the workers: their processes and folders."""

    url: str
    workers: tuple[tuple["subprocess.Popen[str]", Path], ...]


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """Start a master and workers with one core each; end them."""
    with ExitStack() as stack:
        master = stack.enter_context(_started("master.Master", "--port", "0"))
        url = _line(master, _MASTER)[1]
        started = []
        for number in range(workers):
            work = folder / f"worker-{number}"
            work.mkdir(parents=True)
            options = ("--cores", "1", "--memory", "1g", "--work-dir", str(work), url)
            worker = stack.enter_context(_started("worker.Worker", *options, local=work))
            _line(worker, _REGISTERED)
            started.append((worker, work))
        yield Cluster(url, tuple(started))


def kill(worker: "subprocess.Popen[str]") -> None:
    """End a worker and its executors at once, as when a machine loses its power."""
    os.killpg(worker.pid, signal.SIGKILL)


@contextmanager
def _started(name: str, *options: str, local: Path | None = None) -> Iterator["subprocess.Popen[str]"]:
    environment = os.environ | ENVIRONMENT | {"SPARK_DAEMON_JAVA_OPTS": JAVA_OPTIONS, "SPARK_NO_DAEMONIZE": "1"}
    if local:
        environment["SPARK_LOCAL_DIRS"] = str(local / "local")
    command = [str(SPARK_CLASS), f"org.apache.spark.deploy.{name}", "--host", LOOPBACK, "--webui-port", "0", *options]
    # A session of its own, so that one signal reaches a worker and its executors.
    process = subprocess.Popen(  # noqa: S603 - Spark's own program
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    with process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _line(process: "subprocess.Popen[str]", pattern: re.Pattern[str]) -> re.Match[str]:
    """Return the first match in the log of a process, and read on, because a full pipe would stop the process."""
    assert process.stderr
    for line in process.stderr:
        if found := pattern.search(line):
            Thread(target=deque, args=(process.stderr, 0), daemon=True).start()
            return found
    raise AssertionError(f"{process.args!r} ended")
