"""One Spark for each module, in the same JVM; workers import the package of this environment."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from airworthy.spark.session import spark_session

from .cluster import JAVA_OPTIONS

# Read by every program of Spark that a test starts.
os.environ["SPARK_SUBMIT_OPTS"] = JAVA_OPTIONS


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder behind `STORE`, a file system that only Spark can read."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def session(store: Path) -> Iterator[SparkSession]:
    """Spark with two workers that try a task three times."""
    mounted = {"spark.hadoop.fs.viewfs.mounttable.store.link./recordings": store.as_uri()}
    with spark_session("local[2,3]", mounted) as started:
        yield started
