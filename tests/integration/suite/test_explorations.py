"""Explorations of the sandbox, from the command line."""

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import command_line
from command_line import AIRWORTHY
from integration.proxy.mitm import until

# How many transitions of the life cycles 20 conversations reach at least.
REACHED = {"v4": 22, "v3": 16, "v2": 11}
# Dialects in which an exploration has raised a false alarm.
DIALECTS = ("odd", "random-3", "random-6")


class Explored(NamedTuple):
    """An exploration that has ended."""

    code: int
    explored: list[Any]
    terminal: str
    folder: Path

    @property
    def found(self) -> dict[str, Any]:
        """The findings by their rules."""
        return {each["finding"]["rule"]: each for explored in self.explored for each in explored["found"]}


Explore = Callable[..., Explored]


@pytest.fixture
def explore(tmp_path: Path) -> Explore:
    """``explore("--versions", "v3")`` explores from an empty folder."""

    def run(*arguments: str) -> Explored:
        ended = command_line.run(*AIRWORTHY, "explore", "--json", *arguments, folder=tmp_path)
        folder = max((tmp_path / "reports").glob("2*"))
        return Explored(ended.returncode, json.loads(ended.stdout), ended.stderr, folder)

    return run


def test_faults_that_show_to_some_conversations_are_found_and_told(explore: Explore) -> None:
    rules = {"V4-ORDER-EXPIRED-OFFER", "V23-BOOKINGS-ONCE"}
    arguments = ("--versions", "v3,v4", "--fault", "expired-offer-ordered", "--fault", "booked-twice")
    # An exploration that misses one of them is repeated with another seed.
    attempts = (explore("--conversations", "10", "--seed", str(seed), *arguments) for seed in range(8))
    explored = next(each for each in attempts if rules <= each.found.keys())

    assert explored.code == 1
    told = " ".join(explored.terminal.split())
    assert all(step["text"] in told for each in rules for step in explored.found[each]["steps"])
    assert "curl --include --request POST" in explored.terminal
    results = json.loads((explored.folder / "results.json").read_text())
    verdicts = {each["id"]: each["verdict"] for each in results["results"]["rules"]}
    assert {verdicts[each] for each in rules} == {"failed"}
    assert "Explored: failed in 3 of 3 repetitions" in (explored.folder / "junit.xml").read_text()
    assert (explored.folder / "ledger.jsonl").read_text().count('"booking"')

    # One fault is repaired: the saved conversation of the other one fails at once.
    again = explore("--versions", "v3,v4", "--conversations", "1", "--fault", "expired-offer-ordered")
    assert again.code == 1
    assert [each for each in again.found if again.found[each]["repeated"]] == ["V4-ORDER-EXPIRED-OFFER"]


def test_same_seed_explores_the_same(explore: Explore) -> None:
    first, second = (explore("--versions", "v2", "--conversations", "4", "--seed", "3") for _ in range(2))
    assert first.code == second.code == 0
    # Of requests at the same time, either may be the one that the service takes first, so that the outcomes may differ.
    used = [{each.rpartition(", ")[0] for each in ran.explored[0]["transitions"]} for ran in (first, second)]
    assert used[0] == used[1]
    assert first.explored[0]["steps"] == second.explored[0]["steps"] > 0
    assert (
        json.loads((first.folder / "results.json").read_text())["results"]["scope"]["filtered_why"]
        == "airworthy explore"
    )


def test_bookings_are_limited(explore: Explore) -> None:
    arguments = ("--versions", "v3", "--conversations", "500", "--max-bookings", "5")
    explored = explore(*arguments)
    assert explored.code == 3
    assert "as many bookings as --max-bookings allows" in explored.explored[0]["ended"]


def test_ctrl_c_leaves_results(tmp_path: Path) -> None:
    # Only an organisation with an order of its own shows this fault.
    arguments = ("--versions", "v4", "--time", "10m", "--seed", "0", "--fault", "balance-for-all")
    with command_line.start(*AIRWORTHY, "explore", *arguments, folder=tmp_path, stderr=subprocess.STDOUT) as running:
        saved = tmp_path / "reports" / ".explored"
        until(lambda: running.poll() is not None or list(saved.glob("*/v4/plan-*")), lambda: "no conversation is saved")
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate()
    results = json.loads(next((tmp_path / "reports").glob("2*/results.json")).read_text())["results"]
    assert results["explored"][0]["ended"] == "the run was interrupted"
    assert "V4-CONFIRM-BALANCE-ENABLED" in {each["finding"]["rule"] for each in results["explored"][0]["found"]}
    assert "V4-CONFIRM-BALANCE-ENABLED" in out


@pytest.mark.exhaustive
@pytest.mark.further
@pytest.mark.parametrize("dialect", DIALECTS)
def test_conforming_dialect_has_no_finding_and_most_transitions(explore: Explore, dialect: str) -> None:
    explored = explore("--conversations", "20", "--dialect", dialect, "--seed", "11")
    assert explored.code == 0, explored.terminal
    assert not explored.found
    reached = {each["interface"]: len(each["transitions"]) for each in explored.explored}
    assert reached.keys() == REACHED.keys()
    assert {each: reached[each] for each in REACHED if reached[each] < REACHED[each]} == {}


@pytest.mark.exhaustive
def test_certification_with_an_exploration_says_what_was_explored(tmp_path: Path) -> None:
    arguments = ("--versions", "v2", "--explore", "5s", "--run-id", "run", "--fault", "booked-twice")
    ended = command_line.run(*AIRWORTHY, "certify", "service", *arguments, folder=tmp_path)
    results = json.loads((tmp_path / "reports" / "run" / "results.json").read_text())["results"]
    assert ended.returncode == 1
    assert results["scope"]["filtered"] is False
    assert [each["interface"] for each in results["explored"]] == ["v2"]
    assert results["transitions"].keys() & results["explored"][0]["transitions"].keys()
