"""Explorations of the sandbox, from the command line."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from integration.proxy.mitm import until

AIRWORTHY = [sys.executable, "-m", "airworthy.cli"]
# Faults that only show to some conversations, with their interface, their rule, and a seed that has shown them.
FAULTS = {
    "expired-offer-ordered": ("v4", "V4-ORDER-EXPIRED-OFFER", 0),
    # The second organisation has resources of its own.
    "balance-for-all": ("v4", "V4-CONFIRM-BALANCE-ENABLED", 0),
}
# How many transitions of the life cycles 30 conversations reach at least.
REACHED = {"v4": 25, "v3": 20, "v2": 13}
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
        command = [*AIRWORTHY, "explore", "--json", *arguments]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603
        folder = max((tmp_path / "reports").glob("2*"))
        return Explored(ended.returncode, json.loads(ended.stdout), ended.stderr, folder)

    return run


def explore_until(
    explore: Explore, found: Callable[[dict[str, Any]], bool], *arguments: str, first_seed: int = 0
) -> Explored:
    """Return the first of some short explorations with findings as expected, or the last one."""
    for seed in range(first_seed, first_seed + 8):
        explored = explore("--conversations", "15", "--seed", str(seed), *arguments)
        if found(explored.found):
            break
    return explored


def test_two_faults_are_found_and_told_by_conversations(explore: Explore) -> None:
    rules = {"V4-ORDER-FOREIGN", "V23-BOOKINGS-ONCE"}
    arguments = ("--versions", "v3,v4", "--fault", "orders-for-all", "--fault", "booked-twice")
    explored = explore_until(explore, lambda found: rules <= found.keys(), *arguments)

    assert explored.code == 1
    assert rules <= explored.found.keys()
    told = " ".join(explored.terminal.split())
    assert all(step["text"] in told for each in rules for step in explored.found[each]["steps"])
    assert "curl --include --request POST" in explored.terminal
    results = json.loads((explored.folder / "results.json").read_text())
    verdicts = {each["id"]: each["verdict"] for each in results["results"]["rules"]}
    assert {verdicts[each] for each in rules} == {"failed"}
    assert "Explored: failed in 3 of 3 repetitions" in (explored.folder / "junit.xml").read_text()
    assert (explored.folder / "ledger.jsonl").read_text().count('"booking"')

    # One fault is repaired: the saved conversation of the other one fails at once.
    again = explore("--versions", "v3,v4", "--conversations", "1", "--fault", "orders-for-all")
    assert again.code == 1
    assert [each for each in again.found if again.found[each]["repeated"]] == ["V4-ORDER-FOREIGN"]


def test_same_seed_explores_the_same(explore: Explore) -> None:
    first, second = (explore("--versions", "v2", "--conversations", "8", "--seed", "3") for _ in range(2))
    assert first.code == second.code == 0
    # Of requests at the same time, either may be the one that the service takes first.
    assert first.explored[0]["transitions"].keys() == second.explored[0]["transitions"].keys()
    assert first.explored[0]["steps"] == second.explored[0]["steps"] > 0
    assert (
        json.loads((first.folder / "results.json").read_text())["results"]["scope"]["filtered_why"]
        == "airworthy explore"
    )


def test_bookings_are_limited(explore: Explore) -> None:
    arguments = ("--versions", "v3", "--conversations", "500", "--max-bookings", "5")
    explored = explore(*arguments)
    assert explored.code == 3
    assert explored.explored[0]["ended"] == "the exploration has made as many bookings as --max-bookings allows"


def test_ctrl_c_leaves_results(tmp_path: Path) -> None:
    command = [*AIRWORTHY, "explore", "--versions", "v4", "--time", "10m", "--fault", "orders-for-all"]
    with subprocess.Popen(  # noqa: S603
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        saved = tmp_path / "reports" / ".explored"
        until(
            lambda: running.poll() is not None or list(saved.glob("*/v4/round-*")), lambda: "no conversation is saved"
        )
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate()
    results = json.loads(next((tmp_path / "reports").glob("2*/results.json")).read_text())["results"]
    assert results["explored"][0]["ended"] == "the run was interrupted"
    assert "V4-ORDER-FOREIGN" in {each["finding"]["rule"] for each in results["explored"][0]["found"]}
    assert "V4-ORDER-FOREIGN" in out


@pytest.mark.exhaustive
@pytest.mark.parametrize("dialect", DIALECTS)
def test_conforming_dialect_has_no_finding(explore: Explore, dialect: str) -> None:
    explored = explore("--conversations", "20", "--dialect", dialect, "--seed", "11")
    assert explored.code == 0, explored.terminal
    assert not explored.found


@pytest.mark.exhaustive
def test_few_conversations_reach_most_transitions(explore: Explore) -> None:
    explored = explore("--conversations", "30", "--seed", "6")
    assert explored.code == 0, explored.terminal
    reached = {each["interface"]: len(each["transitions"]) for each in explored.explored}
    assert reached.keys() == REACHED.keys()
    assert {each: reached[each] for each in REACHED if reached[each] < REACHED[each]} == {}


@pytest.mark.exhaustive
@pytest.mark.parametrize("fault", FAULTS)
def test_fault_that_shows_to_some_conversations_is_found(explore: Explore, fault: str) -> None:
    interface, rule, seed = FAULTS[fault]
    arguments = ("--versions", interface, "--fault", fault)
    explored = explore_until(explore, lambda found: rule in found, *arguments, first_seed=seed)
    assert explored.code == 1
    assert rule in explored.found


@pytest.mark.exhaustive
def test_certification_with_an_exploration_says_what_was_explored(tmp_path: Path) -> None:
    arguments = ("--versions", "v2", "--explore", "15s", "--run-id", "run", "--", "--fault", "booked-twice")
    command = [*AIRWORTHY, "certify", "service", *arguments]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603
    results = json.loads((tmp_path / "reports" / "run" / "results.json").read_text())["results"]
    assert ended.returncode == 1
    assert results["scope"]["filtered"] is False
    assert [each["interface"] for each in results["explored"]] == ["v2"]
    assert results["transitions"].keys() & results["explored"][0]["transitions"].keys()
