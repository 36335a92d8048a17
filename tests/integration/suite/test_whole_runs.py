"""The whole suite from outside: other targets, several processes, no clock, and Ctrl-C."""

import json
import re
import signal
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import partial
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import command_line
from airworthy.contract.conversation.limits import Lifetimes
from airworthy.evidence.chain import verify_chain
from airworthy.evidence.recorder import read
from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.sandbox.settings import LIFETIMES
from airworthy.suite.ages import BY_STEP, item
from airworthy.suite.announcement import BOOKINGS, EXCHANGES
from collected_suite import TERMINAL, FinishedRun
from command_line import AIRWORTHY
from integration.conftest import FullRun, toml

pytestmark = pytest.mark.exhaustive

CHECKOUT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Ran:
    """The result of a run."""

    code: int
    terminal: str
    folder: Path

    @property
    def results(self) -> dict[str, Any]:
        document = json.loads((self.folder / "results.json").read_text())
        found: dict[str, Any] = document["results"] | {"decision": document["decision"]["outcome"]}
        return found

    @property
    def verdicts(self) -> dict[str, str]:
        return {rule["id"]: rule["verdict"] for rule in self.results["rules"]}


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """``run("--profile", file)`` certifies from an empty folder."""

    def run(*arguments: str, command: Sequence[str] = (*AIRWORTHY, "certify", "service"), cwd: Path = tmp_path) -> Ran:
        folder = tmp_path / "reports" / "run"
        line = [*command, f"--reports={folder.parent}", "--run-id", "run"]
        ended = command_line.run(*line, *arguments, folder=cwd)
        return Ran(ended.returncode, ended.stdout + ended.stderr, folder)

    return run


@contextmanager
def _target(
    folder: Path,
    *,
    clock: bool,
    capabilities: dict[str, bool] | None = None,
    lifetimes: Mapping[str, float] = MappingProxyType({}),
    dialect: str = "documented",
) -> Iterator[str]:
    """Run a sandbox, and yield its profile as a file with its secrets in environment variables."""
    with SandboxServer(SandboxSettings(lifetimes=lifetimes, dialect=dialect)) as sandbox:
        values = sandbox.profile()
        if capabilities is not None:
            values["capabilities"] = capabilities
        if not clock:
            del values["clock"]
        path = folder / "target.toml"
        path.write_text("\n".join(toml(values)))
        yield str(path)


def test_run_on_the_embedded_sandbox_is_certified_and_its_files_are_private(certified_run: FinishedRun) -> None:
    ran = certified_run
    assert ran.exit_code == 0, ran.terminal
    assert "CERTIFIED" in ran.terminal
    assert {rule.verdict for rule in ran.results.rules} == {"passed", "not_applicable"}
    assert stat.S_IMODE(ran.folder.stat().st_mode) == 0o700
    # The test itself has stored the output of the terminal.
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in ran.folder.iterdir() if path.name != TERMINAL}
    assert set(modes.values()) == {0o600}, modes
    chain = verify_chain(ran.folder / "evidence.jsonl")
    assert chain.altered is None
    assert chain.lines == ran.results.timing.exchanges


def test_run_without_a_clock_waits_once_for_the_longest_lifetime(run: Run, tmp_path: Path) -> None:
    with _target(tmp_path, clock=False, lifetimes=dict.fromkeys(LIFETIMES, 8.0)) as profile:
        ran = run("--profile", profile, "--", "-n", "2", "-m", "ages")
    assert ran.code == 3, ran.terminal
    assert set(ran.verdicts.values()) <= {"passed", "untested", "not_applicable"}, ran.terminal
    assert {wait["how"] for wait in ran.results["waits"]} == {"waited"}
    waiting = {record.exchange.id.rpartition("x")[0] for record in read(ran.folder / "evidence.jsonl")}
    assert len(waiting) == 1, "more than one process waited"
    # Each names its own lifetime, not the documented one.
    short = Lifetimes(*[8.0] * len(fields(Lifetimes)))
    assert {wait["what"] for wait in ran.results["waits"]} == {
        item(step, lambda: None, short).description for step in BY_STEP
    }
    assert re.search(r"^  waiting +about 9 s; --max-wait 0 skips what has to age$", ran.terminal, re.MULTILINE)


def test_several_processes_share_a_target_with_few_seats(run: Run, tmp_path: Path) -> None:
    # A process finds that seats are gone which another one has booked, too.
    with _target(tmp_path, clock=True, dialect="scarce") as profile:
        ran = run("--profile", profile, "--", "-n", "2")

    identifiers = [record.exchange.id for record in read(ran.folder / "evidence.jsonl")]
    assert len(identifiers) == len(set(identifiers))
    assert {identifier[:3] for identifier in identifiers} == {"gw0", "gw1"}
    assert {wait["how"] for wait in ran.results["waits"]} == {"clock"}
    assert verify_chain(ran.folder / "evidence.jsonl").altered is None
    by_verdict: dict[str, set[str]] = {}
    for rule in ran.results["rules"]:
        for each in rule["scenarios"]:
            by_verdict.setdefault(each["verdict"], set()).add(each["reason"])
    assert by_verdict.keys() <= {"passed", "untested", "not_applicable"}, by_verdict
    # Few words for few causes: a route, or an operation whose documented use found no seats either.
    assert len(by_verdict["untested"]) < 20
    odd = [each for each in by_verdict["untested"] if "[routes." not in each and "(V4-ORDER-OPENS)" not in each]
    assert odd == []


def test_run_reports_the_probes_of_its_processes(run: Run, tmp_path: Path) -> None:
    declared = {"three_d_secure": True, "cities": True, "verify": False, "round_trip_fares": False}
    absent = ("V3-VERIFY-ANSWER", "V3-ROUND-TRIPS-ROUTE")
    with _target(tmp_path, clock=True, capabilities=declared) as profile:
        ran = run("--profile", profile, "--", "-m", " or ".join(("V4-CONFIRM-3DS-ATTEMPTED", *absent)), "-n", "2")
    assert [ran.verdicts[each] for each in absent] == ["not_applicable"] * 2, ran.terminal
    assert [tuple(each.values()) for each in ran.results["capabilities"]] == [
        ("card", None, True, ""),
        ("cities", True, None, "no scenario of this run needs it"),
        ("round_trip_fares", False, None, ""),
        ("three_d_secure", True, True, ""),
        ("verify", False, None, ""),
    ]


def test_pytest_runs_with_a_profile_outside_of_the_checkout(run: Run, tmp_path: Path) -> None:
    with _target(tmp_path, clock=True) as profile:
        ran = run(
            f"--profile={profile}",
            "-q",
            "-k",
            "V4_MONEY or removed",
            command=[sys.executable, "-m", "pytest"],
            cwd=CHECKOUT,
        )
    assert ran.code == 0, ran.terminal
    assert ran.results["decision"] == "INCOMPLETE"
    assert ran.results["scope"]["filtered"]


def test_full_disk_at_the_end_is_one_line(run: Run) -> None:
    # The shell limits files to 64 KiB, and a report is larger.
    cramped = ["sh", "-c", 'ulimit -f 128; exec "$@"', "sh", *AIRWORTHY, "certify", "service"]
    ran = run("--", "-m", "V4-SEARCH-ADULTS", command=cramped)
    assert ran.code == 3, ran.terminal
    assert ran.terminal.splitlines()[-2].endswith("run: cannot write the report: File too large"), ran.terminal
    assert "Traceback" not in ran.terminal
    assert not (ran.folder / "results.json").exists()


certifying = partial(command_line.start, *AIRWORTHY, "certify", "service", stderr=subprocess.STDOUT)


def test_ctrl_c_leaves_results(tmp_path: Path) -> None:
    folder = tmp_path / "reports" / "run"
    arguments = ("--run-id", "run", "--max-rps", "50", "--", "-vv", "-k", "booked")
    with certifying(*arguments, folder=tmp_path) as running:
        assert running.stdout is not None
        # The ledger has the bookings so far, and most of the run remains.
        shown = [*takewhile(lambda line: " PASSED" not in line, running.stdout)]
        running.send_signal(signal.SIGINT)
        terminal = "".join([*shown, *running.stdout])
    ran = Ran(running.returncode, terminal, folder)
    assert ran.code == 3
    assert "INCOMPLETE" in ran.terminal
    assert "the run was interrupted" in ran.terminal
    assert "Interrupted: the run was interrupted !" in ran.terminal
    assert "Traceback" not in ran.terminal
    assert "KeyboardInterrupt" not in ran.terminal
    assert ran.results["ledger"]
    assert verify_chain(folder / "evidence.jsonl").altered is None


# Prints a line at each moment of a run, in the process that a user starts.
MOMENTS = """
import os, sys

def at(moment):
    if "PYTEST_XDIST_WORKER" not in os.environ:
        sys.__stdout__.write(f"{moment}\\n")
        sys.__stdout__.flush()

def pytest_xdist_node_collection_finished(node, ids): at("worker has collected")
def pytest_sessionfinish(): at("run has ended")
"""


# `unit.suite.test_interrupted_runs` tries the start of a worker and the first result with a few scenarios.
@pytest.mark.parametrize("moment", ["worker has collected", "run has ended"])
def test_run_with_workers_can_be_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    folder = tmp_path / "reports" / "run"
    (tmp_path / "moments.py").write_text(MOMENTS)
    # Only the last moment needs a run that ends soon.
    narrowed = ["-m", "V4-SEARCH-ADULTS"] if moment == "run has ended" else []
    # This test may itself run in a worker.
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    arguments = ("--run-id", "run", "--", "-n", "2", "-p", "moments", *narrowed)
    with certifying(*arguments, folder=tmp_path, environment={"PYTHONPATH": str(tmp_path)}) as running:
        assert running.stdout is not None
        shown = [*takewhile(lambda line: moment not in line, running.stdout)]
        running.send_signal(signal.SIGTERM)
        terminal = "".join([*shown, *running.stdout])
    ran = Ran(running.returncode, terminal, folder)
    assert (ran.code, ran.results["decision"]) == (3, "INCOMPLETE"), terminal
    assert ("untested: the run was ended by SIGTERM" in terminal) == (moment != "run has ended")
    assert "Traceback" not in terminal
    if (evidence := folder / "evidence.jsonl").exists():
        assert verify_chain(evidence).sha256 == ran.results["integrity"]["sha256"]
    assert bool(ran.results["ledger"]) == (folder / "ledger.jsonl").exists()


def test_figures_in_the_documentation_are_those_of_a_full_run(full_run: FullRun) -> None:
    results = full_run("documented").results
    made = Counter(entry.kind for entry in results.ledger)
    exchanges = results.timing.exchanges
    figures = {
        r"inside ([\d,]+) HTTP exchanges": (exchanges, 0.1),
        r"about ([\d,]+) (?:HTTP )?requests": (exchanges, 0.1),
        r"(?:about|of its) ([\d,]+) orders": (made["order"], 0.1),
        r"books (\d+) of them. In v3": (made["confirmation"], 0.2),
        r"about ([\d,]+) booking\srequests": (made["request"], 0.1),
        r"about (\d+)\s+of its [\d,]+ booking requests": (made["booking"], 0.1),
    }
    pages = [CHECKOUT / "README.md", *(CHECKOUT / "docs").rglob("*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    for pattern, (actual, tolerance) in figures.items():
        shown = [int(found.replace(",", "")) for found in re.findall(pattern, text)]
        assert shown, pattern
        assert shown == pytest.approx([actual] * len(shown), rel=tolerance), pattern


def test_full_run_sends_and_books_about_as_much_as_announced(full_run: FullRun) -> None:
    results = full_run("documented").results
    assert results.timing.exchanges == pytest.approx(sum(EXCHANGES.values()), rel=0.1)
    made = Counter(entry.kind for entry in results.ledger)
    booked = made["confirmation"] + made["booking"]
    assert 0.5 * sum(BOOKINGS.values()) <= booked <= sum(BOOKINGS.values())
