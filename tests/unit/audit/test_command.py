"""The command ``airworthy audit``, once and with ``--follow``."""

import json
import re
import resource
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard

from airworthy.evidence.recorder import read
from command_line import Command
from conformance.v4 import samples
from unit.traffic.material import sent

from .recordings import entry, evidence, flows, har


@pytest.fixture
def right(tmp_path: Path) -> Path:
    """A recording in which nothing is wrong."""
    path = tmp_path / "right.har"
    path.write_bytes(har(map(entry, samples.conversation())))
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A recording with a mistake of the client."""
    path = tmp_path / "wrong.har"
    search = entry(samples.conversation()[0])
    search["request"]["postData"]["text"] = search["request"]["postData"]["text"].replace('"adults": 1', '"adults": 0')
    path.write_bytes(har([entry(samples.conversation()[1]), search]))
    return path


def test_conforming_recording_has_exit_code_0(airworthy: Command, right: Path) -> None:
    ran = airworthy("audit", right)

    assert (ran.code, ran.err) == (0, "")
    assert "No findings in 9 exchanges. All judged exchanges conform to the contract." in ran.out
    assert "9 exchanges judged, 0 with other hosts, 0 not judged." in ran.out


def test_violation_has_exit_code_1_and_is_shown(
    airworthy: Command, wrong: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(wrong.parent)
    ran = airworthy("audit", "wrong.har")

    assert ran.code == 1
    assert (
        "2 distinct findings in 2 exchanges. The traffic does not conform to the contract: 1 finding for the client, 1"
        in ran.out
    )
    example = "(first: exchange wrong.har:1 at 2026-11-02 09:00:00 UTC)"
    assert f"adults of a search request is 0, not an integer from 1 to 9 {example}" in ran.out
    assert "V4-SEARCH-ADULTS" in ran.out


def test_recording_without_exchanges_has_exit_code_3(airworthy: Command, right: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()

    elsewhere = airworthy("audit", right, "--base-url", "https://elsewhere.example")
    assert elsewhere.code == 3
    assert "at https://elsewhere.example; the traffic is with https://service.example\n" in elsewhere.err
    assert airworthy("audit", empty)[:3] == (2, "", f"airworthy: {empty}: the file is empty\n")
    both = airworthy("audit", empty, right).out
    assert "No findings in 9 exchanges. All judged exchanges conform to the contract; 1 of 10 entries could not" in both
    assert "1 not judged: empty: the file is empty" in both


SPARK = "--engine spark"
FOLLOW = f"{SPARK} --follow --format jsonl"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("none.har", "none.har: No such file or directory"),
        ("empty", "empty: the folder contains no recordings"),
        ("right.har --base-url api.example.com", "--base-url: expected an absolute URL"),
        (
            "right.har --base-url https://api.example.com/V4/",
            "--base-url: must not end with the version, got 'https://api.example.com/V4/'; write",
        ),
        ("right.har --payment-provider /pay", "--payment-provider: expected an absolute URL"),
        ("right.har --output nowhere/x", "--output nowhere/x: No such file or directory"),
        ("right.har --evidence nowhere/x", "--evidence nowhere/x: No such file or directory"),
        ("right.har --evidence right.har", "right.har: not an evidence file; choose another path for the evidence"),
        ("right.har --profile none.toml", "none.toml: cannot be read: No such file or directory"),
        (f"right.har {SPARK} --jobs 2", "--jobs has no effect with --engine spark"),
        (f"right.har {SPARK} --evidence copy.jsonl", "--evidence has no effect with --engine spark"),
        ("right.har --spark-master local[2]", "--spark-master has no effect with --engine local; add --engine spark"),
        ("right.har --spark-conf spark.executor.memory=2g", "--spark-conf has no effect with --engine local"),
        ("right.har --format parquet", "--format parquet is written by Spark; add --engine spark"),
        (f"right.har {SPARK} --format parquet", "--format parquet needs --output, a folder or a URI"),
        (f"right.har {SPARK} --output s3a://bucket/found", "--format table is one file; name a path, or use jsonl"),
        (f"right.har {SPARK} --output nowhere/x", "--output nowhere/x: No such file or directory"),
        (f"right.har {SPARK} --spark-conf memory", "--spark-conf: expected KEY=VALUE"),
        (f"right.har {SPARK} --spark-master head:7077", "--spark-master head:7077: expected local[N]"),
        ("empty --follow", "--follow runs on Spark; add --engine spark"),
        (f"empty {SPARK} --follow", "--follow writes findings as JSON Lines; add --format jsonl"),
        (f"empty {FOLLOW} --jobs 2", "--jobs has no effect with --engine spark"),
        ("empty --checkpoint c", "--checkpoint has no effect without --follow"),
        ("empty --watermark 45s", "--watermark has no effect without --follow"),
        (f"empty {SPARK} --until-caught-up", "--until-caught-up has no effect without --follow"),
        (f"empty {FOLLOW}", "--follow needs --checkpoint"),
        (f"empty empty {FOLLOW}", "--follow needs one folder or URI, got 2"),
        (f"missing {FOLLOW}", "not a folder"),
        (f"empty {FOLLOW} --checkpoint c --watermark 45", "expected 1s to 24h, such as 45s or 6m"),
        (f"empty {FOLLOW} --checkpoint c --watermark 0s", "--watermark 0s"),
        (f"empty {FOLLOW} --checkpoint /dev/null/c", "--checkpoint /dev/null/c"),
    ],
)
def test_usage_error_is_one_line(
    airworthy: Command, right: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, message: str
) -> None:
    monkeypatch.chdir(right.parent)
    Path("empty").mkdir()

    ran = airworthy("audit", *arguments.split())

    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert message in ran.err
    assert {path.name for path in Path().iterdir()} == {"empty", "right.har"}


@pytest.mark.parametrize(
    ("form", "beginning"),
    [
        ("json", '{\n  "format": "airworthy-traffic-1"'),
        ("sarif", '{\n  "$schema": "https://docs.oasis-open.org/sarif'),
        ("html", "<!doctype html>"),
        ("table", "2 distinct findings"),
        ("jsonl", '{"file":'),
    ],
)
def test_each_format_is_written_to_a_file_or_standard_output(
    airworthy: Command, wrong: Path, tmp_path: Path, form: str, beginning: str
) -> None:
    path = tmp_path / "out"

    shown = airworthy("audit", wrong, "--format", form)
    written = airworthy("audit", wrong, "--format", form, "--output", path)

    assert shown.out.startswith(beginning)
    assert path.read_bytes().decode() == shown.out
    assert (shown.code, written.code, written.out) == (1, 1, "")
    assert written.err == f"2 distinct findings in 2 exchanges: {path}\n"


def test_output_that_does_not_fit_leaves_the_earlier_file(airworthy: Command, wrong: Path, tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("earlier")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
    try:
        ran = airworthy("audit", wrong, "--format", "html", "--output", path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert (ran.code, ran.err) == (3, f"airworthy: --output {path}: File too large\n")
    assert path.read_text() == "earlier"
    assert not (tmp_path / ".out").exists()


def test_sarif_result_names_its_file_and_entry(airworthy: Command, right: Path, wrong: Path) -> None:
    log = json.loads(airworthy("audit", right, wrong, "--format", "sarif").out)

    [result, _] = log["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == str(wrong)
    assert result["properties"]["entry"] == 1


@pytest.mark.parametrize("name", ["wrong.har", "wrong.flows", "evidence.jsonl"])
@pytest.mark.parametrize("position", [0, 1])
def test_page_shows_the_first_exchange_redacted(airworthy: Command, tmp_path: Path, name: str, position: int) -> None:
    search = samples.with_header(sent(samples.conversation()[0], {"adults": 0}), "Authorization", "my-secret-key")
    exchanges = [replace(samples.conversation()[1], id="other")]
    exchanges.insert(position, replace(search, id="search"))
    recording = tmp_path / name
    content = {
        "wrong.har": lambda: har(map(entry, exchanges)),
        "wrong.flows": lambda: flows(exchanges),
        "evidence.jsonl": lambda: evidence(recording, exchanges),
    }
    recording.write_bytes(content[name]())

    page = airworthy("audit", recording, "--format", "html").out
    shown = re.findall(r"exchange (\S+),", page)
    assert shown == ["search" if name == "evidence.jsonl" else f"{name}:{position}"] * 2
    assert '<span class="line marked">  &#34;adults&#34;: 0,</span>' in page
    assert "curl --include --request POST" in page
    assert "my-secret-key" not in page


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda lines: [lines[0], lines[1].replace(b"POST", b"POSt"), *lines[2:]],
            "2: the hash does not match the content",
        ),
        (lambda lines: [lines[0], *lines[2:]], "2: the line does not follow the line before it"),
        (lambda lines: lines[1:], "1: the line does not follow the line before it"),
        (lambda lines: [*lines[:-1], lines[-1][:-9]], ""),
        (lambda lines: lines, ""),
    ],
    ids=["edited", "removed", "beginning removed", "end cut off", "intact"],
)
def test_changed_evidence_is_named_in_one_line(
    airworthy: Command, tmp_path: Path, change: Callable[[list[bytes]], list[bytes]], said: str
) -> None:
    path = tmp_path / "evidence.jsonl"
    path.write_bytes(b"".join(change(evidence(path, samples.conversation()).splitlines(keepends=True))))

    ran = airworthy("audit", path, "--format", "html")

    assert ran.err.count("\n") == bool(said)
    assert ran.err.startswith(f"{path}:{said}" if said else "")
    assert (f"Changed evidence.</strong> evidence.jsonl:{said}" in ran.out) is bool(said)


def test_evidence_option_writes_a_file(airworthy: Command, wrong: Path, tmp_path: Path) -> None:
    path = tmp_path / "evidence.jsonl"

    assert airworthy("audit", wrong, "--evidence", path).code == 1
    assert [record.exchange.id for record in read(path)] == [f"{wrong}:0", f"{wrong}:1"]


def test_profile_selects_the_service_and_names_its_secrets(airworthy: Command, right: Path, tmp_path: Path) -> None:
    profile, evidence = tmp_path / "sandbox.toml", tmp_path / "evidence.jsonl"
    text = 'base_url = "https://service.example"\n[v4]\nkey = "sample-key"\ncustomer_code = "c-123456"\n'
    profile.write_text(text, encoding="utf-8")
    assert airworthy("audit", right, "--profile", profile, "--evidence", evidence).code == 0
    sent = [dict(record.exchange.request.headers) for record in read(evidence)]
    assert {each.get("Authorization") for each in sent} >= {"$AIRWORTHY_V4_KEY"}

    # Now the key of the profile is not that of the recording.
    text = text.replace("sample-key", "k-123456")
    profile.write_text(text, encoding="utf-8")
    assert airworthy("audit", right, "--profile", profile).code == 0
    profile.write_text(text.replace("service.", "elsewhere."), encoding="utf-8")
    assert airworthy("audit", right, "--profile", profile).code == 3
    assert airworthy("audit", right, "--profile", profile, "--base-url", "https://service.example").code == 0


def test_plain_http_is_allowed_behind_a_tls_terminator(airworthy: Command, right: Path) -> None:
    right.write_text(right.read_text(encoding="utf-8").replace("https://", "http://"), encoding="utf-8")

    assert airworthy("audit", right).code == 1
    assert airworthy("audit", right, "--allow-plain-http").code == 0


def test_folder_means_its_recordings(airworthy: Command, right: Path, tmp_path: Path) -> None:
    folder = tmp_path / "monday"
    (folder / "noon").mkdir(parents=True)
    (folder / "noon" / "right.har.zst").write_bytes(zstandard.compress(right.read_bytes()))
    (folder / "traffic.json").write_text('{"format": "airworthy-traffic-1"}')
    (folder / "edge-9f3c2a7b-00000007.jsonl.open").write_bytes(b'{"id":')

    ran = airworthy("audit", str(folder))

    assert ran.code == 0
    assert "9 exchanges judged" in ran.out
    being_written = folder / "edge-9f3c2a7b-00000007.jsonl.open"
    assert ran.err == f"{being_written}: not included, because it is being written; name it to include it\n"
