"""``airworthy audit --engine spark`` as a program: on this machine, on a cluster, and started by spark-submit."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pyspark
import pytest

from unit.audit.recordings import entry, evidence, har
from unit.audit.test_run import day

from .cluster import LOOPBACK, Cluster, cluster, kill

SUBMIT = Path(pyspark.__file__).parent / "bin" / "spark-submit"
PROGRAM = (sys.executable, "-m", "airworthy.cli")
POLL = 0.1
ENVIRONMENT = os.environ | {"SPARK_LOCAL_IP": LOOPBACK, "PYSPARK_PYTHON": sys.executable}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two recordings."""
    folder = tmp_path_factory.mktemp("archive")
    traffic = day(40)
    evidence(folder / "a.jsonl", traffic[:200])
    (folder / "b.har").write_bytes(har(map(entry, traffic[200:])))
    return folder


def audit(*arguments: object, program: tuple[str, ...] = PROGRAM) -> tuple[int, str, str]:
    """The exit code and both outputs of the command."""
    ended = subprocess.run(  # noqa: S603 - our own program
        [*program, "audit", *map(str, arguments)], capture_output=True, text=True, check=False, env=ENVIRONMENT
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_output_is_that_of_the_local_audit(archive: Path, tmp_path: Path) -> None:
    jsonl = audit(archive, "--engine", "spark", "--spark-master", "local[2]", "--format", "jsonl")
    table = audit(archive, "--engine", "spark", "--output", tmp_path / "out")

    assert jsonl == audit(archive, "--format", "jsonl")
    assert (tmp_path / "out").read_text(encoding="utf-8") == audit(archive)[1]
    assert (table[0], table[1], len(table[2].splitlines())) == (1, "", 1)


def test_findings_are_written_as_parquet(archive: Path, tmp_path: Path) -> None:
    code, out, err = audit(archive, "--engine", "spark", "--format", "parquet", "--output", tmp_path / "found")

    assert (code, out) == (1, "")
    assert err.endswith(f": {tmp_path / 'found'}\n")
    assert list((tmp_path / "found" / "findings").glob("*.parquet"))


def test_failed_job_is_one_line(archive: Path) -> None:
    code, out, err = audit(archive, "--engine", "spark", "--spark-conf", "spark.driver.maxResultSize=1")

    assert (code, out, len(err.splitlines())) == (4, "", 1)
    assert err.startswith("airworthy: Spark could not finish")


def test_spark_submit_chooses_the_master(archive: Path, tmp_path: Path) -> None:
    program = tmp_path / "audit.py"
    program.write_text("from airworthy.cli import main\n\nmain()\n", encoding="utf-8")
    submit = (str(SUBMIT), "--master", "local[2]", str(program))

    code, out, _ = audit(archive, "--engine", "spark", "--format", "jsonl", program=submit)

    assert (code, out) == audit(archive, "--format", "jsonl")[:2]


@pytest.fixture(scope="module")
def standalone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A master and two workers."""
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


def test_cluster_finds_what_one_machine_finds(archive: Path, standalone: Cluster) -> None:
    found = audit(archive, "--engine", "spark", "--spark-master", standalone.url, "--format", "jsonl")

    assert found == audit(archive, "--format", "jsonl")
    assert all(list(folder.glob("app-*")) for _, folder in standalone.workers)


def test_worker_that_is_killed_changes_nothing(tmp_path: Path, standalone: Cluster) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    traffic = day(400)
    for number in range(8):
        evidence(folder / f"{number}.jsonl", traffic[number::8])
    command = [*PROGRAM, "audit", str(folder), "--engine", "spark", "--format", "jsonl"]
    command += ["--spark-master", standalone.url]
    worker, work = standalone.workers[1]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=ENVIRONMENT, **streams) as running:  # type: ignore[call-overload] # noqa: S603 - our own program
        while not list(work.rglob("rdd_*")):
            with suppress(subprocess.TimeoutExpired):
                running.wait(timeout=POLL)
                break
        was_running = running.poll() is None
        kill(worker)
        out, err = running.communicate()

    assert was_running
    assert (running.returncode, err) == (1, "")
    assert out == audit(folder, "--format", "jsonl")[1]
    assert len({json.loads(line)["file"] for line in out.splitlines()}) == 8
