"""The number of processes of a run."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from airworthy.resources import resource
from airworthy.suite import processes
from airworthy.suite.ages import AGES
from airworthy.target.profile import Organisation, Profile

Configure = Callable[..., pytest.Config]
PROFILE = Profile(source="", base_url="https://flights.acme.example", organisation=Organisation(), versions=("v4",))


@pytest.fixture
def configure(pytester: pytest.Pytester) -> Configure:
    """Parse the options of a run that names no target."""
    return lambda *options: pytester.parseconfig("-p", "airworthy.suite.plugin", *options)


@pytest.mark.parametrize(
    "options",
    [
        *(("-n0",), ("-n2",), ("--dist=load",), ("--tx=popen",), ("-k", "offer"), ("-m", "V4-CONFIRM-ONCE")),
        *(("--lf",), ("--collect-only",), ("--pdb",), ("--trace",), ("-s",), ("--help",), ("-p", "no:xdist")),
    ],
    ids=" ".join,
)
def test_option_decides_the_number_of_processes(configure: Configure, options: tuple[str, ...]) -> None:
    assert not processes.are_left_open(configure(*options, str(resource("conformance"))))


def test_full_run_leaves_the_number_of_processes_open(configure: Configure) -> None:
    assert processes.are_left_open(configure("-q", "-x", "--max-rps", "5", str(resource("conformance"))))


def test_tests_of_another_project_run_in_one_process(configure: Configure) -> None:
    assert not processes.are_left_open(configure())


@pytest.mark.parametrize(
    ("base_url", "seconds", "expected"),
    [
        (PROFILE.base_url, [0.001], processes.DEFAULT),
        ("https://127.0.0.1:8443", [0.2, 0.1], processes.DEFAULT),
        ("https://127.0.0.1:8443", [0.2, 0.01], 0),
    ],
    ids=["remote", "slow on this machine", "fast on this machine"],
)
def test_several_processes_examine_a_target_that_takes_long_to_respond(
    configure: Configure, base_url: str, seconds: list[float], expected: int
) -> None:
    config = configure()
    processes.start_several(config, replace(PROFILE, base_url=base_url), seconds)
    assert processes.count(config) == expected


def test_one_process_runs_all_scenarios_that_need_an_item_of_some_age(configure: Configure, tmp_path: Path) -> None:
    processes.write_ageing(tmp_path, ["a.py::old", "b.py::older"])
    scheduler = processes.AgeingTogether(configure("--tx=popen"), None, tmp_path, waits=True)
    groups = [scheduler._split_scope(test) for test in ("a.py::old", "b.py::older", "a.py::new")]
    assert groups == [AGES, AGES, "a.py::new"]


@pytest.mark.parametrize("count", [1, 4])
def test_each_flight_belongs_to_the_share_of_one_process(count: int) -> None:
    shares = [processes.Share(number, count) for number in range(count)]
    owners = [[share.number for share in shares if share.contains(("IB", flight))] for flight in range(100)]
    assert {len(each) for each in owners} == {1}
    assert {each for owner in owners for each in owner} == set(range(count))
