"""``airworthy export-check``: output and exit codes."""

import json
import os
import pty
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest

from command_line import AIRWORTHY, Command, Outcome, start

from .servers import PASSWORD, USER, serving

HEADER = "departureAirport;arrivalAirport;departureDate\n"
QUIET = {name: value for name, value in os.environ.items() if not name.startswith("AIRWORTHY_")}


class Run(Protocol):
    def __call__(self, *arguments: object, environ: Mapping[str, str] | None = None) -> Outcome: ...


@pytest.fixture
def run(airworthy: Command, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command with an environment of its own."""

    def run(*arguments: object, environ: Mapping[str, str] | None = None) -> Outcome:
        monkeypatch.setattr("os.environ", QUIET | dict(environ or {}))
        return airworthy("export-check", *arguments)

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file that contains the same violation many times."""
    rows = "MAD;BCN;01.03.2027\n" * 3 + "MAD;BCN;2027-03-01\n" * 1_000 + "mad;BCN;01.03.2027\n"
    (tmp_path / "cp_routes_all_v3.csv").write_text(HEADER + rows)
    (tmp_path / "cp_routes_acme_v3.csv").write_text(HEADER)
    return tmp_path


def test_table_shows_findings_with_count_and_first_examples(run: Run, folder: Path) -> None:
    ran = run(folder)
    lines = ran.out.splitlines()

    assert (ran.code, ran.err) == (1, "")
    assert lines[0].startswith(
        "violation EXPORT-DATES cp_routes_all_v3.csv, departureDate: a cell contains an invalid value"
    )
    assert lines[1].startswith("    expected a valid date in the form DD.MM.YYYY; 1,000 times, first at line 5: 2027")
    assert any(line.startswith("observed OPEN-64 the letter case of airports: capital letters") for line in lines)
    assert lines[-1].startswith("2 files, 1,004 rows in ")
    assert lines[-1].endswith(": 1 rule violated, 0 rules with warnings only")


def test_warning_does_not_fail(run: Run, folder: Path) -> None:
    ran = run(folder / "cp_routes_acme_v3.csv")

    assert (ran.code, "0 rules violated" in ran.out) == (0, True)


def test_expected_customers_and_versions_must_have_files(run: Run, folder: Path) -> None:
    ran = run(folder, "--customer", "zeta", "--api-version", "2", "--format", "jsonl")
    found = [json.loads(line) for line in ran.out.splitlines()]

    assert [(each["rule"], each["expected"]) for each in found if each["rule"] != "EXPORT-DATES"] == [
        ("EXPORT-ALL-CONTENT", "cp_routes_all_v2.csv"),
        ("EXPORT-CUSTOMER-FILES", "cp_routes_zeta_v2.csv"),
        ("EXPORT-CUSTOMER-FILES", "cp_routes_zeta_v3.csv"),
    ]
    dates = found[-1]
    assert (dates["file"], dates["line"], dates["column"]) == ("cp_routes_all_v3.csv", 5, "departureDate")
    assert (dates["value"], dates["count"], dates["soft"]) == ("2027-03-01", 1_000, False)


def test_json_contains_the_whole_report(run: Run, folder: Path) -> None:
    report = json.loads(run(folder, "--json").out)

    assert (report["exit_code"], report["rows"], len(report["findings"])) == (1, 1_004, 1)
    assert [(each["file"], each["rows"]) for each in report["files"]] == [
        ("cp_routes_acme_v3.csv", 0),
        ("cp_routes_all_v3.csv", 1_004),
    ]
    assert {"question": "OPEN-45", "subject": "legacy names"}.items() <= report["observations"][0].items()


def test_sarif_names_rule_file_and_line(run: Run, folder: Path) -> None:
    ran = run(folder, "--customer", "zeta", "--format", "sarif")
    log = json.loads(ran.out)["runs"][0]
    dates = next(each for each in log["results"] if each["ruleId"] == "EXPORT-DATES")

    assert ran.code == 1
    assert log["tool"]["driver"]["rules"][dates["ruleIndex"]]["id"] == "EXPORT-DATES"
    assert (dates["level"], dates["occurrenceCount"]) == ("error", 1_000)
    assert dates["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "cp_routes_all_v3.csv"}, "region": {"startLine": 5}}}
    ]
    assert all("physicalLocation" not in str(each) for each in log["results"] if each != dates)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("nowhere", "nowhere: no such folder or file"),
        ("ftp://jo:s3cret@host/x", "the location must not contain credentials"),
        ("https://host/x", "https://host/x: expected a folder, a file, ftp://"),
        ("ftp://", "expected a folder, a file, ftp://"),
        ("ftp://host:x/", "expected a folder, a file, ftp://"),
        (". --api-version 4", "--api-version must be 2 or 3, got 4"),
        (". --user-env OTHER", "the environment variable OTHER is not set"),
        (". --ca-bundle nowhere", "--ca-bundle nowhere: cannot be read: No such file or directory"),
        (". --timeout 0", "--timeout must be a positive number of seconds, got 0"),
        (". --max-time -1", "--max-time must be a positive number of seconds, got -1"),
    ],
)
def test_usage_error_is_one_line(run: Run, arguments: str, line: str) -> None:
    ran = run(*arguments.split())

    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert line in ran.err
    assert "s3cret" not in ran.err


def test_credentials_are_read_from_the_environment(run: Run, folder: Path) -> None:
    with serving(folder) as port:
        where = f"ftp://127.0.0.1:{port}"
        default = run(where, environ={"AIRWORTHY_FTP_USER": USER, "AIRWORTHY_FTP_PASSWORD": PASSWORD})
        own = ("--user-env", "WHO", "--password-env", "WORD")
        named = run(where, *own, environ={"WHO": USER, "WORD": PASSWORD})
        wrong = run(where, *own, environ={"WHO": USER, "WORD": "wr0ng"})
        half = run(where, environ={"AIRWORTHY_FTP_USER": USER})

    assert (default.code, named.code) == (1, 1)
    assert (wrong.code, "rejects the login" in wrong.err, "wr0ng" in wrong.err) == (3, True, False)
    assert (half.code, "AIRWORTHY_FTP_PASSWORD is not" in half.err) == (2, True)
    assert [len(each.err.splitlines()) for each in (default, named, wrong, half)] == [0, 0, 1, 1]


def test_terminal_shows_progress(folder: Path) -> None:
    reading, writing = pty.openpty()
    command = [*AIRWORTHY, "export-check", str(folder)]
    with subprocess.Popen(command, env=QUIET | {"TERM": "xterm"}, stdout=subprocess.DEVNULL, stderr=writing) as process:  # noqa: S603  our own
        os.close(writing)
        shown = b""
        while process.poll() is None or shown == b"":
            try:
                shown += os.read(reading, 4096)
            except OSError:
                break
    os.close(reading)

    assert b"cp_routes_all_v3.csv" in shown


def test_ctrl_c_shows_the_findings_so_far(tmp_path: Path) -> None:
    pipe = tmp_path / "cp_routes_all_v3.csv"
    os.mkfifo(pipe)
    with start(*AIRWORTHY, "export-check", pipe) as process, pipe.open("w") as writing:
        writing.write(HEADER + "MAD;BCN;2027-03-01\n" * 30_000)
        writing.flush()
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)

    assert (process.returncode, error) == (1, "")
    assert "violation EXPORT-DATES" in out
    assert "not read: cp_routes_all_v3.csv: interrupted by Ctrl-C" in out
