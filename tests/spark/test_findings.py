"""Spark finds what the local audit finds, in all formats, however the files are split and the callers are linked."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from pyspark import TaskContext, cloudpickle
from pyspark.sql import SparkSession

from airworthy.audit import AuditSettings, flow_file, har_file, recording
from airworthy.errors import UsageError
from airworthy.spark import judging, run
from airworthy.spark.run import SparkAudit
from conformance.v4 import samples
from exchange_parts import authorized, changed_request
from unit.audit.recordings import entry, evidence, flows, har
from unit.audit.test_run import AGAIN, CONFIRMATION, CONVERSATIONS, V4, day, later, renamed

from .identity import STORE, Compared, compared, locally, on_spark
from .identity import renamed as renamed_files


def written(folder: Path, **contents: bytes) -> list[Path]:
    files = []
    for name, content in contents.items():
        files.append(folder / name)
        files[-1].write_bytes(content)
    return files


def rules(found: Compared) -> list[str]:
    return [json.loads(line)["rule"] for line in found.lines.splitlines()]


def test_every_format_has_the_findings_of_the_local_audit(session: SparkSession, tmp_path: Path) -> None:
    traffic = day(20)
    files = written(
        tmp_path,
        **{"day.har": har(map(entry, traffic)), "junk": b"junk", "empty": b"", "ünïcode\n.har": har([None, 1])},
        evidence=evidence(tmp_path / "source", chain(*CONVERSATIONS)),
        flow=flows([*CONVERSATIONS[1], AGAIN]),
    )

    found = on_spark(session, files)

    assert found == locally(files)
    assert {"V4-CONFIRM-ONCE", ""} <= set(rules(found))


def test_files_are_split_into_parts(session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (recording, flow_file, har_file):
        monkeypatch.setattr(module, "CHUNK_SIZE", 20_000)
    monkeypatch.setattr(run, "task_size", lambda *_: 20_000)
    traffic = day(20)
    files = written(
        tmp_path,
        har=har(map(entry, traffic)),
        evidence=evidence(tmp_path / "source", traffic) + b"{}\n",
        flows=flows(traffic) + b"5:truncated",
    )

    audit = SparkAudit(session, AuditSettings(tuple(files), lines=True))
    found = compared(audit.result())

    assert audit.parts > 10
    assert found == locally(files)


def test_file_that_was_split_inside_an_entry_is_read_again(
    session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(har_file, "CHUNK_SIZE", 1000)
    monkeypatch.setattr(run, "task_size", lambda *_: 1000)
    nested = [entry(each) for each in V4]
    files = written(tmp_path, har=har([entry(AGAIN, _nested=[{}, *nested]), *nested]))

    found = on_spark(session, files)

    assert found == locally(files)
    assert set(rules(found)) == {"V4-CONFIRM-ONCE"}


@pytest.mark.parametrize("keys", [["another-key"], []], ids=["another", "none"])
def test_callers_who_share_an_order_are_judged_together(session: SparkSession, tmp_path: Path, keys: list[str]) -> None:
    strangers = [authorized(later(renamed(CONFIRMATION, number), 3000), *keys) for number in range(10)]
    strangers += [authorized(renamed(each, 50 + number), f"key {number}") for number in range(5) for each in V4]
    files = written(tmp_path, har=har(entry(each) for each in chain(day(10), strangers)))

    found = on_spark(session, files)

    assert found == locally(files)
    assert rules(found).count("V4-CONFIRM-ONCE") >= 10


def test_secret_that_was_sent_to_the_payment_provider_links_callers(session: SparkSession, tmp_path: Path) -> None:
    payment, search = samples.sample("createPaymentMethod"), V4[0]
    leaked = authorized(payment, f"Bearer {dict(search.request.headers)['Authorization']}")
    others = [later(payment, number) for number in range(5)]
    files = written(tmp_path, har=har(entry(each) for each in (later(leaked, 900), *others, *day(3))))

    found = on_spark(session, files)

    assert found == locally(files)
    assert 0 in {json.loads(line)["entry"] for line in found.lines.splitlines()}


def test_host_of_the_service_is_known_to_all_groups(session: SparkSession, tmp_path: Path) -> None:
    unknown = changed_request(V4[0], url=f"{samples.BASE}/v9/search", headers=(), body=b"{}")
    files = written(tmp_path, har=har(entry(each) for each in (unknown, *V4)))

    found = on_spark(session, files)

    assert found == locally(files)
    assert "names version v9" in found.lines


def test_hostile_content_is_counted_and_does_not_end_the_audit(session: SparkSession, tmp_path: Path) -> None:
    big = samples.with_response_body(V4[0], {"offers": [], "padding": "x" * 30_000_000})
    odd = entry(V4[1])
    odd["request"]["headers"] += [{"name": "X-\udce9", "value": "\x00\u202e\U0001f6e9"}]
    lines = evidence(tmp_path / "source", V4)
    files = written(
        tmp_path,
        big=har([entry(big), odd, entry(AGAIN)]),
        damaged=lines[:5000] + b"\xff\x00" + lines[5003:] + b'{"id":' * 5000,
        truncated=har(map(entry, V4))[:-3000],
        deep=b'{"log":{"entries":[' + b'{"a":' * 100_000,
    )
    files.append(Path("/proc/self/mem"))

    found = on_spark(session, files)

    assert found.lines.startswith(locally(files[:-1]).lines)
    assert json.loads(found.lines.splitlines()[-1])["message"] == "the file cannot be read"
    assert "sample-key" not in found.lines + found.summary


def test_object_store_has_the_findings_of_local_files(session: SparkSession, store: Path) -> None:
    folder = store / "day [1] {a}"
    (folder / "deeper").mkdir(parents=True)
    written(folder, a=har(map(entry, day(10))), b=b"junk")
    written(folder / "deeper", c=evidence(store / ".source", V4))
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    too_large = store / "large" / "z"
    too_large.parent.mkdir()
    with too_large.open("wb") as file:
        file.truncate(2**31 + 1)

    found = on_spark(session, [], f"{STORE}/day*")
    large = on_spark(session, [], f"{STORE}/large/z")

    assert found == renamed_files(locally(files), str(store), STORE)
    assert "rotate" in large.lines
    with pytest.raises(UsageError, match=f"{STORE}/none: no such file or folder"):
        on_spark(session, [], f"{STORE}/none")


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_workers_write_all_findings(session: SparkSession, tmp_path: Path, form: Any) -> None:  # noqa: ANN401
    files = written(tmp_path, har=har(map(entry, day(20))))
    target = f"{tmp_path.as_uri()}/found"
    audit = SparkAudit(session, AuditSettings(tuple(files), lines=True))
    result = audit.result()

    audit.write(result, target, form)

    reader = session.read.json if form == "jsonl" else session.read.parquet
    rows = [row.asDict() for row in reader(f"{target}/findings").orderBy("file", "entry").collect()]
    expected = [json.loads(line) for line in locally(files).lines.splitlines()]
    assert [{key: value for key, value in row.items() if value is not None} for row in rows] == [
        {key: value for key, value in row.items() if value is not None} for row in expected
    ]
    summary = "\n".join(row["value"] for row in session.read.text(f"{target}/summary").collect()) + "\n"
    assert summary == locally(files).summary
    with pytest.raises(UsageError, match="the folder exists"):
        audit.write(result, target, form)


def crashing(task: Any, *arguments: Any) -> Iterator[Any]:  # noqa: ANN401
    """A task whose first attempt ends its process after it has yielded everything."""
    yield from task(*arguments)
    context = TaskContext.get()
    if context is not None and context.attemptNumber() == 0:
        os._exit(1)


@pytest.mark.parametrize("names", [("judge_groups",), ("scan_parts", "merge_results")])
def test_task_that_is_repeated_doubles_nothing(
    session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: Sequence[str]
) -> None:
    from airworthy.spark import scanning  # noqa: PLC0415

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    for name in names:
        module = scanning if name == "scan_parts" else judging
        monkeypatch.setattr(module, name, partial(crashing, getattr(module, name)))
    files = written(tmp_path, har=har(map(entry, day(20))))

    found = on_spark(session, files)

    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    assert found == locally(files)
