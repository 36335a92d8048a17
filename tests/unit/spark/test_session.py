"""What has to be there before Spark starts."""

import socket
from pathlib import Path

import pytest

from airworthy.errors import TargetError, UsageError
from airworthy.spark.session import _reason, options, spark_session


@pytest.fixture(autouse=True)
def not_submitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    monkeypatch.delenv("JAVA_HOME", raising=False)


def java(folder: Path, line: str, code: int = 0) -> None:
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\necho '{line}' >&2\nexit {code}\n")
    program.chmod(0o755)


def refusal(master: str | None = None) -> str:
    with pytest.raises(UsageError) as refused, spark_session(master):
        pass
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_missing_java_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert refusal() == (
        "--engine spark: there is no Java on the path; install Java 17 or newer, or set JAVA_HOME to it"
    )


@pytest.mark.parametrize(
    ("line", "code", "problem"),
    [
        ('openjdk version "11.0.2" 2019-01-15', 0, "has Java 11; install Java 17 or newer"),
        ('java version "1.8.0_292"', 0, "has Java 8; install"),
        ("hello", 0, "has an unknown Java; install"),
        ('openjdk version "17.0.1"', 1, "has no Java that runs; install"),
        ("", 0, "has no Java that runs; install"),
    ],
)
def test_unsuitable_java_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, code: int, problem: str
) -> None:
    if line:
        java(tmp_path, line, code)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))

    assert f"JAVA_HOME={tmp_path} {problem}" in refusal()


def test_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java(tmp_path, 'openjdk version "21.0.2" 2024-01-16')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setitem(__import__("sys").modules, "pyspark.sql", None)

    assert refusal() == "--engine spark: PySpark is missing; install it: pip install 'airworthy[spark]'"


@pytest.mark.parametrize("master", ["localhost:7077", "local[", "http://master:8080", "mesos://a:1"])
def test_unknown_master_is_named(master: str) -> None:
    assert refusal(master) == f"--spark-master {master}: expected local[N], spark://HOST:PORT, yarn or k8s://URL"


def test_master_that_does_not_listen_is_named() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"spark://127.0.0.1:{unused.getsockname()[1]}"

        with pytest.raises(TargetError, match=f"{url}: cannot connect to the master") as refused, spark_session(url):
            pass
    assert refused.value.exit_code == 3


def test_master_of_spark_submit_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")

    assert "spark-submit has chosen the master; remove the option" in refusal("local[2]")


def test_options_of_spark() -> None:
    assert options(["spark.executor.memory=2g", "spark.a=b=c"]) == {"spark.executor.memory": "2g", "spark.a": "b=c"}
    assert options([]) == {}


@pytest.mark.parametrize("pair", ["spark.executor.memory", "executor.memory=4g", "=secret"])
def test_wrong_option_is_named_without_its_value(pair: str) -> None:
    with pytest.raises(UsageError, match="expected KEY=VALUE") as refused:
        options([pair])

    assert "4g" not in str(refused.value)
    assert "=secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("[PYTHON_EXCEPTION] from the Python worker: KeyError: 'sk_live_1' SQLSTATE: 38000", "KeyError"),
        ("Job aborted: java.lang.OutOfMemoryError: Java heap space", "OutOfMemoryError"),
        ("ModuleNotFoundError: No module named 'airworthy'", "No module named 'airworthy' on a worker; install"),
        ("[PATH_NOT_FOUND] Path does not exist: s3a://bucket", "[PATH_NOT_FOUND]"),
        ("An error occurred\nCaused by: java.net.UnknownHostException: secret", "java.net.UnknownHostException"),
        ("secret", "RuntimeError"),
    ],
)
def test_error_of_spark_quotes_nothing_that_a_task_read(message: str, reason: str) -> None:
    assert _reason(RuntimeError(message)).startswith(reason)
    assert "secret" not in _reason(RuntimeError(message))
    assert "sk_live" not in _reason(RuntimeError(message))
