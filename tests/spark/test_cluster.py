"""The audit on a cluster finds what one machine finds, even if a worker is killed."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from airworthy.spark.session import spark_session
from unit.audit.recordings import entry, evidence, har
from unit.audit.test_run import day

from .cluster import ENVIRONMENT, Cluster, cluster, kill
from .identity import locally, on_spark

POLL = 0.1


@pytest.fixture(scope="module")
def standalone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="module")
def session(standalone: Cluster) -> Iterator[SparkSession]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        with spark_session(standalone.url) as started:
            yield started


def test_cluster_finds_what_one_machine_finds(session: SparkSession, standalone: Cluster, tmp_path: Path) -> None:
    traffic = day(40)
    evidence(tmp_path / "a.jsonl", traffic[:200])
    (tmp_path / "b.har").write_bytes(har(map(entry, traffic[200:])))
    files = [tmp_path / "a.jsonl", tmp_path / "b.har"]

    assert on_spark(session, files) == locally(files)
    assert all(list(folder.glob("app-*")) for _, folder in standalone.workers)


@pytest.mark.further
def test_worker_that_is_killed_changes_nothing(session: SparkSession, standalone: Cluster, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.jsonl" for number in range(8)]
    traffic = day(400)
    for number, path in enumerate(files):
        evidence(path, traffic[number::8])
    worker, work = standalone.workers[1]
    before = set(work.rglob("rdd_*"))
    with ThreadPoolExecutor() as pool:
        running = pool.submit(on_spark, session, files)
        # The worker has entries that nobody else has.
        while set(work.rglob("rdd_*")) <= before and not wait([running], POLL).done:
            pass
        was_running = running.running()
        kill(worker)

    assert was_running
    assert running.result() == locally(files)
    assert len({json.loads(line)["file"] for line in running.result().lines.splitlines()}) == 8
