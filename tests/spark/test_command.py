"""``airworthy audit --engine spark`` on this machine, and started by spark-submit."""

import os
import subprocess
from pathlib import Path

import pyspark
import pytest

from command_line import Command
from unit.audit.recordings import entry, evidence, har
from unit.audit.test_run import day

from .cluster import ENVIRONMENT

SUBMIT = Path(pyspark.__file__).parent / "bin" / "spark-submit"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    traffic = day(40)
    evidence(folder / "a.jsonl", traffic[:200])
    (folder / "b.har").write_bytes(har(map(entry, traffic[200:])))
    return folder


def test_output_is_that_of_the_local_audit(airworthy: Command, archive: Path, tmp_path: Path) -> None:
    command = ("audit", archive, "--engine", "spark", "--spark-master", "local[2]")
    table = airworthy(*command, "--output", tmp_path / "out")

    assert airworthy(*command, "--format", "jsonl") == airworthy("audit", archive, "--format", "jsonl")
    assert (tmp_path / "out").read_text(encoding="utf-8") == airworthy("audit", archive).out
    assert (table.code, table.out, len(table.err.splitlines())) == (1, "", 1)


def test_findings_are_written_as_parquet(airworthy: Command, archive: Path, tmp_path: Path) -> None:
    ran = airworthy("audit", archive, "--engine", "spark", "--format", "parquet", "--output", tmp_path / "found")

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.endswith(f": {tmp_path / 'found'}\n")
    assert list((tmp_path / "found" / "findings").glob("*.parquet"))


def test_failed_job_is_one_line(airworthy: Command, archive: Path) -> None:
    ran = airworthy("audit", archive, "--engine", "spark", "--spark-conf", "spark.driver.maxResultSize=1")

    assert (ran.code, ran.out, len(ran.err.splitlines())) == (4, "", 1)
    assert ran.err.startswith("airworthy: Spark could not finish")


def test_spark_submit_chooses_the_master(airworthy: Command, archive: Path, tmp_path: Path) -> None:
    program = tmp_path / "audit.py"
    program.write_text("from airworthy.cli import main\n\nmain()\n", encoding="utf-8")

    command = (SUBMIT, "--master", "local[2]", program, "audit", archive, "--engine", "spark", "--format", "jsonl")
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env=os.environ | ENVIRONMENT)  # noqa: S603

    assert (ran.returncode, ran.stdout) == airworthy("audit", archive, "--format", "jsonl")[:2]
