"""Tests that are not the suite's: they decide the exit code as in pytest, and nothing else."""

import sys

import pytest

from .material import FEATURES_OF_THE_FOLDER, MiniSuite, rule

FIXTURE = "import pytest\n@pytest.fixture\ndef broken():\n    {}\n    yield\n    {}\ndef test_own(broken): pass\n"
SCENARIO = """
    from pytest_bdd import given, scenarios
    scenarios("own")
    @given("a bill")
    def _(): assert 1 == 2
"""
OWN_FEATURE = "Feature: Own\n\n  @OWN-RULE\n  Rule: Own\n    Scenario: own\n      Given a bill\n"
FAILING = {
    "assertion": "def test_own(): assert 1 == 2",
    "setup": FIXTURE.format("assert 1 == 2", ""),
    "teardown": FIXTURE.format("", "assert 1 == 2"),
    "teardown after every test": FIXTURE.format("", "assert 1 == 2").replace("fixture", "fixture(scope='session')"),
    "unexpected pass": "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_own(): pass",
    "subtest": "def test_own(subtests):\n    with subtests.test(): assert 1 == 2",
    "unittest": "import unittest\nclass Own(unittest.TestCase):\n    def test_own(self): self.assertEqual(1, 2)",
    "scenario": SCENARIO,
}
CERTIFIED = rule("V4-ALPHA", "Given nothing")
SUITES = {
    "CERTIFIED": CERTIFIED,
    "NOT CERTIFIED": rule("V4-BETA", "When offers are searched", "Then it fails"),
    "INCOMPLETE": rule("V4-BETA", "Then it is untested"),
    "an internal error": rule("V4-BETA", "Then it is an internal error"),
}
PASSING = "def test_own(): pass"
COLLECTED = "import nothing_like_this"


def _own(pytester: pytest.Pytester, source: str) -> None:
    pytester.makeini("[pytest]\nmarkers = OWN-RULE: of the user")
    pytester.makepyfile(test_own=source)
    pytester.mkdir("own").joinpath("own.feature").write_text(OWN_FEATURE)


@pytest.mark.parametrize("source", FAILING.values(), ids=FAILING)
def test_failure_decides_the_exit_code_only(mini: MiniSuite, source: str) -> None:
    mini.use(CERTIFIED)
    _own(mini.pytester, source)
    outcome = mini.run()
    assert outcome.ret == 1
    assert mini.results()["decision"] == "CERTIFIED"
    outcome.stdout.fnmatch_lines(["CERTIFIED", "  tests     1 test outside of the suite failed: exit code 1"])


@pytest.mark.parametrize(
    ("suite", "source", "options", "code"),
    [
        ("CERTIFIED", PASSING, "", 0),
        ("NOT CERTIFIED", PASSING, "", 1),
        ("INCOMPLETE", PASSING, "", 3),
        ("an internal error", PASSING, "", 4),
        ("an internal error", FAILING["assertion"], "", 1),
        ("an internal error", FAILING["assertion"], "-x", 1),
        ("an internal error", FAILING["assertion"], "--maxfail=2", 1),
        ("an internal error", COLLECTED, "--continue-on-collection-errors", 1),
        ("an internal error", COLLECTED, "-x", 2),
        ("an internal error", COLLECTED, "", 2),
        ("an internal error", "def test_own(): raise KeyboardInterrupt", "", 3),
        ("an internal error", FAILING["assertion"] + "\ndef test_next(): raise KeyboardInterrupt", "", 1),
        ("INCOMPLETE", FAILING["assertion"], "", 1),
    ],
)
def test_failure_wins_over_every_decision(mini: MiniSuite, *, suite: str, source: str, options: str, code: int) -> None:
    mini.use(*dict.fromkeys((CERTIFIED, SUITES[suite])))
    _own(mini.pytester, source)
    assert mini.run(*options.split()).ret == code


# One worker reports as each of several does; only what ends a run early depends on the others.
@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("sources", "options", "shown", "code"),
    [
        # A failed subtest is two failures: its own, and that of its test.
        ([*FAILING.values()], ["-n1"], "*9 tests outside of the suite failed*", 1),
        ([FAILING["assertion"]], ["-n2", "-x"], "*1 test outside of the suite failed: exit code 1", 1),
        ([COLLECTED], ["-n1"], "*1 test outside of the suite failed: exit code 1", 1),
        ([COLLECTED], ["-n2", "-x"], "*", 2),
    ],
    ids=["every failure", "-x", "collection", "-x in collection"],
)
def test_failure_in_a_worker_decides_the_exit_code(
    mini: MiniSuite, *, sources: list[str], options: list[str], shown: str, code: int
) -> None:
    mini.use(CERTIFIED, rule("V4-BETA", "Given nothing"))
    _own(mini.pytester, "")
    mini.pytester.makepyfile(**{f"test_own_{number}": source for number, source in enumerate(sources)})
    mini.pytester.makeconftest(FEATURES_OF_THE_FOLDER)
    plugins = ("-p", "airworthy.suite.plugin", "-p", "no:cacheprovider", "--run-id=run")
    ran = mini.pytester.run(sys.executable, "-m", "pytest", *plugins, *options)
    ran.stdout.fnmatch_lines([shown])
    assert ran.ret == code
