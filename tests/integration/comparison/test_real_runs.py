"""Runs of the suite and their recordings, compared with the command."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from airworthy.audit import AuditSettings, audit
from airworthy.contract import Contract
from airworthy.evidence.har import write_har
from airworthy.evidence.recorder import Recorder, read
from airworthy.register import rules
from airworthy.report.document import load_results
from airworthy.traffic.document import to_json
from collected_suite import CollectedSuite
from command_line import Command
from integration.conftest import FAULTY, FullRun
from unit.contract.examples import RETURNED, changed, exchange, put

# Client rules whose findings are at a place with an id are among them.
RECORDED = ("V4-CURRENCY", "V4-ORDER-CONTACT-ECHO", "V3-BAGS-KEYS", "V3-BAGS-QUANTITY", "V2-LUGGAGE")


@pytest.fixture(scope="module")
def runs(full_run: FullRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for name, ran in (("first", full_run()), ("odd", full_run("odd")), ("faulty", full_run(faults=FAULTY))):
        (folder / name).symlink_to(ran.folder)
    return folder


@pytest.fixture(scope="module")
def recordings(suite: CollectedSuite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evidence of some scenarios, twice without faults and once with some."""
    folder = tmp_path_factory.mktemp("recordings")
    for name, faults in (("first", ()), ("again", ()), ("faulty", FAULTY)):
        ran = suite.run(folder / "runs" / name, faults=faults, rules=RECORDED)
        shutil.copy(ran.folder / "evidence.jsonl", folder / f"{name}.jsonl")
    return folder


Compare = Callable[..., tuple[int, str]]


@pytest.fixture
def compare(airworthy: Command) -> Compare:
    """Run the command; return its exit code and its output."""

    def run(*arguments: str | Path) -> tuple[int, str]:
        code, out, err = airworthy("compare", *arguments)
        return code, out + err

    return run


def changes_of(text: str) -> set[tuple[str, str]]:
    return {(each["what"], each["subject"]) for each in json.loads(text)["changes"]}


def test_runs_of_the_same_service_do_not_differ(
    suite: CollectedSuite, runs: Path, tmp_path: Path, compare: Compare
) -> None:
    # Only what was observed could differ: every rule has passed.
    observing = [each.id for each in rules() if "observed as OPEN-" in str(each.steps)]
    suite.run(tmp_path / "again", rules=observing)
    code, text = compare(runs / "first", tmp_path / "again")

    assert (code, text.splitlines()[0]) == (0, "No differences")


def test_recordings_of_the_same_service_do_not_differ(recordings: Path, compare: Compare) -> None:
    code, text = compare(recordings / "first.jsonl", recordings / "again.jsonl")

    assert (code, text.splitlines()[0]) == (0, "No differences")


def test_other_dialect_has_other_observations_and_warnings_only(runs: Path, compare: Compare) -> None:
    code, text = compare(runs / "first", runs / "odd" / "results.json", "--json")

    assert code == 0
    assert {what for what, _ in changes_of(text)} == {"observed differently", "newly warned"}
    assert ("observed differently", "OPEN-07") in changes_of(text)


def test_faults_are_newly_broken_and_later_fixed(runs: Path, compare: Compare) -> None:
    code, text = compare(runs / "first", runs / "faulty", "--json")

    assert code == 1
    broken = {rule.id for rule in load_results(runs / "faulty" / "results.json").rules if rule.verdict == "failed"}
    assert {"V4-CURRENCY", "V4-ORDER-CONTACT-ECHO"} < broken
    changes = changes_of(text)
    assert {subject for what, subject in changes if what == "newly broken"} == broken
    assert {subject for what, subject in changes if what == "newly drifting"} == {"V4-UNKNOWN-FIELDS"}
    code, text = compare(runs / "faulty", runs / "first")
    assert (code, text.splitlines()[0]) == (0, "Nothing is newly broken")
    assert f"Fixed ({len(broken)})" in text


def test_recordings_show_the_same_faults(recordings: Path, compare: Compare) -> None:
    old, new = recordings / "first.jsonl", recordings / "faulty.jsonl"
    code, text = compare(old, new, "--json")

    assert code == 1
    assert {("newly broken", "V4-CURRENCY"), ("newly drifting", "V4-UNKNOWN-FIELDS")} < changes_of(text)
    assert compare(new, old)[0] == 0
    assert compare(old, new, "--format", "markdown")[1].startswith("## ")


def test_finding_of_an_operation_no_longer_requested_is_not_fixed(tmp_path: Path, compare: Compare) -> None:
    contract = Contract.load(("v4",))
    dollars = exchange(
        "getOffer", returned=changed(RETURNED["getOffer"], put("cheapestFare.totalPrice.currency", "USD"))
    )
    for name, made in (("old", dollars), ("new", exchange("searchOffers"))):
        with Recorder(tmp_path / name, contract) as recorder:
            recorder.append(made)

    code, text = compare(tmp_path / "old", tmp_path / "new", "--json")
    assert (code, changes_of(text)) == (0, {("no longer requested", "V4-CURRENCY")})
    code, text = compare(tmp_path / "new", tmp_path / "old", "--json")
    assert (code, changes_of(text)) == (1, {("newly broken", "V4-CURRENCY")})
    assert json.loads(text)["changes"][0]["before"] == "not requested"


def test_recordings_in_each_format_do_not_differ(recordings: Path, tmp_path: Path, compare: Compare) -> None:
    evidence = recordings / "faulty.jsonl"
    write_har(read(evidence), tmp_path / "faulty.har")
    summary = tmp_path / "report" / "traffic.json"
    summary.parent.mkdir()
    summary.write_bytes(to_json(audit(AuditSettings((evidence,)), jobs=1).summary))

    parts = tmp_path / "parts"
    parts.mkdir()
    (parts / "evidence.jsonl.zst").write_bytes(zstandard.compress(evidence.read_bytes()))

    # Evidence names its exchanges; an entry of a HAR has a number.
    for other in (tmp_path / "faulty.har", summary, summary.parent, parts):
        code, text = compare(evidence, other, "--jobs", "1")
        assert (code, text.splitlines()[0]) == (0, "No differences"), text
    assert compare(recordings / "first.jsonl", summary)[0] == 1


def test_base_url_selects_the_compared_service(recordings: Path, compare: Compare) -> None:
    evidence = recordings / "first.jsonl"
    elsewhere = ("--base-url", "https://elsewhere.example", "--payment-provider", "https://pay.elsewhere.example")
    code, text = compare(evidence, evidence, *elsewhere)

    assert (code, "it contains no exchanges with the service" in text) == (2, True)


def test_incomparable_files_are_a_usage_error(runs: Path, recordings: Path, tmp_path: Path, compare: Compare) -> None:
    (tmp_path / "notes.txt").write_text("a user's own file")
    (tmp_path / "other.json").write_text('{"format": "airworthy-comparison-1"}')
    (tmp_path / "results.json").write_text('{"format": "airworthy-results-1"}')
    evidence = recordings / "first.jsonl"

    for old, new, message in (
        (runs / "first", evidence, "choose two of the same kind"),
        (tmp_path / "absent", evidence, "No such file"),
        (tmp_path / "notes.txt", evidence, "not a HAR file, a mitmproxy flow file or evidence"),
        (tmp_path, runs / "first", "results.json: /"),
        (runs, runs / "first", "the folder contains no results.json, traffic.json or recordings"),
        (
            tmp_path / "other.json",
            evidence,
            "expected results.json of a run, a summary of traffic, or recorded traffic",
        ),
    ):
        code, text = compare(old, new)
        assert code == 2
        assert text.startswith("airworthy: ")
        assert message in text
        assert len(text.splitlines()) == 1
