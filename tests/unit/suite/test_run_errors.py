"""A wrong option, or a file that cannot be written, is one line."""

import contextlib
import re
import resource
import shlex
from collections.abc import Iterator

import pytest

from .material import MiniSuite, rule, verdicts

CANARY = "canary-5d0b"


def test_report_that_cannot_be_written_is_one_line(mini: MiniSuite) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"))
    mini.pytester.makeconftest(
        """
        from pathlib import Path

        def pytest_runtest_teardown():
            Path("reports/run/report.html").mkdir(parents=True)
        """
    )
    outcome = mini.run()
    assert outcome.ret == 3
    outcome.stdout.fnmatch_lines(["*/reports/run: cannot write the report: Is a directory"])
    outcome.stdout.no_fnmatch_line("*CERTIFIED*")
    assert "Traceback" not in outcome.stdout.str() + outcome.stderr.str()


@contextlib.contextmanager
def _largest_file(size: int) -> Iterator[None]:
    """Limit the size of each file of this process, which simulates a full disk."""
    previous = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, previous[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, previous)


@pytest.mark.parametrize("room", ["no report", "report"])
def test_full_disk_stops_the_run_with_one_line(mini: MiniSuite, room: str) -> None:
    searches = 1 if room == "no report" else 40
    mini.use(
        rule("V4-ALPHA", "When offers are searched"),
        rule("V4-BETA", *(["When offers are searched"] * searches)),
        rule("V4-GAMMA", "When offers are searched"),
    )
    with _largest_file(2_000 if room == "no report" else 150_000):
        outcome = mini.run()
    assert outcome.ret == 3
    message = [line for line in outcome.outlines if "Interrupted" in line]
    assert len(message) == 1
    assert re.fullmatch(r"!+ Interrupted: .*/reports/run/evidence.jsonl: File too large !+", message[0])
    assert "Traceback" not in outcome.stdout.str() + outcome.stderr.str()
    folder = mini.pytester.path / "reports" / "run"
    if room == "no report":
        assert not (folder / "results.json").exists()
    else:
        assert verdicts(mini.results()) == {"V4-ALPHA": "passed", "V4-BETA": "untested", "V4-GAMMA": "untested"}
        assert mini.results()["integrity"]["lines"] == len((folder / "evidence.jsonl").read_bytes().splitlines()) - 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--profile none.toml", "none.toml: cannot be read: No such file or directory"),
        ("--target ftp://x.example", "--target: base_url must be an absolute https:// URL*"),
        ("--target http://x.example", "*set allow_plain_http = true (or --allow-plain-http)"),
        ("--target https://x.example --ca-bundle none.pem", "--ca-bundle none.pem: cannot be read*"),
        ("--target https://x.example --key-env UNSET_KEY", "*the environment variable UNSET_KEY is not set"),
        ("--target https://x.example --max-rps 0", "--max-rps 0: expected a number above 0"),
        ("--target https://x.example --max-wait=-1", "--max-wait -1: expected 0 or more seconds"),
        ("--until-found", "--until-found: requires --explore or --conversations"),
        ("--conversations 0", "--conversations 0: expected a number above 0"),
        ("--target https://x.example --versions v9", "--versions v9: expected v2, v3, v4"),
        ("--reports test_mini.py", "--reports *test_mini.py: Not a directory"),
        (
            "--profile none.toml --fault nope",
            "--fault: is only for the embedded sandbox; remove it or --target and --profile",
        ),
        ("--ca-bundle none.pem", "--ca-bundle: requires --target or --profile"),
        ("--key-env MY_KEY", "--key-env: requires --target without --profile; a profile names its own variables"),
        ("--fault nope", "unknown fault 'nope'*"),
        ("--fault wrong-key-serve", "unknown fault 'wrong-key-serve'; did you mean wrong-key-served*"),
        ("--dialect documentd", "unknown dialect 'documentd'; did you mean documented?"),
        ("-m 'V4-ALFA or v4'", "-m 'V4-ALFA or v4': unknown rule V4-ALFA; did you mean V4-ALPHA?"),
        ("-m 'not v9-nowhere'", "-m 'not v9-nowhere': unknown rule v9-nowhere; `airworthy rules` lists all rules"),
        ("--explore 2x", "2x: expected a duration of the exploration such as 90s, 5m or 1h"),
        ("--lifetimes offer", "--lifetimes offer: expected NAME=SECONDS*"),
    ],
)
def test_invalid_option_is_one_line(mini: MiniSuite, arguments: str, message: str) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"))
    outcome = mini.run(*shlex.split(arguments))
    assert outcome.ret == 2
    outcome.stderr.fnmatch_lines([f"ERROR: {message}"])
    assert not outcome.outlines
    assert len(outcome.errlines) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-m V4-ALPHA --explore 1s", "--explore has no effect with -m 'V4-ALPHA', which leaves out explor*"),
        ("-m nowhere", "Unknown marker(s) in '-m' expression: nowhere*"),
    ],
)
def test_selection_without_a_test_leaves_no_report(mini: MiniSuite, arguments: str, message: str) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"))
    outcome = mini.run("-q", *shlex.split(arguments))
    assert outcome.ret == pytest.ExitCode.USAGE_ERROR
    outcome.stderr.fnmatch_lines([f"ERROR: {message}"])
    outcome.stdout.no_fnmatch_line("*no tests ran*")
    assert not (mini.pytester.path / "reports").exists()


@pytest.mark.parametrize("hook", ["pytest_collection_modifyitems", "pytest_runtestloop", "pytest_pycollect_makemodule"])
def test_internal_error_outside_a_scenario_is_the_verdict_on_every_rule(mini: MiniSuite, hook: str) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing"))
    mini.pytester.makeconftest(f"def {hook}(): raise RuntimeError('{CANARY}')")
    outcome = mini.run()
    assert outcome.ret == 4
    found = mini.results()
    assert found["decision"] == "INCOMPLETE"
    assert verdicts(found) == {"V4-ALPHA": "error", "V4-BETA": "error"}
    assert CANARY not in str(found)
    outcome.stdout.fnmatch_lines(["1. error: the suite failed with an internal error*", "*airworthy*", "INCOMPLETE"])
