"""The command line."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from openapi_spec_validator import validate

from airworthy.cli.app import COMMANDS, load_command
from airworthy.register import rules
from airworthy.report.write import write_reports
from airworthy.sandbox import SandboxServer, SandboxSettings
from command_line import Command, run
from unit.report.sample import sample


def test_help_lists_every_command(airworthy: Command) -> None:
    ran = airworthy("--help")
    assert ran.code == 0
    assert all(f"\n  {name} " in ran.out for name in COMMANDS)
    assert ran.out.count("--install-completion") == ran.out.count("--show-completion") == 1
    assert re.fullmatch(r"airworthy \d+\.\d+\.\d+\n", airworthy("--version").out)


@pytest.mark.parametrize("group", [(), ("certify",), ("keys",)])
def test_help_of_a_group_shows_whole_summaries(airworthy: Command, group: tuple[str, ...]) -> None:
    _, _, commands = airworthy(*group, "--help").out.partition("Commands:\n")
    assert commands
    assert "..." not in commands


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_shows_an_example_and_plain_flags(airworthy: Command, name: str) -> None:
    command = {"certify": ("certify", "service"), "keys": ("keys", "new")}.get(name, (name,))
    ran = airworthy(*command, "--help")
    assert ran.code == 0
    assert f"Example: airworthy {' '.join(command)}" in ran.out
    assert all(line.startswith("  Example") for line in ran.out.splitlines() if "Example" in line)
    assert "<bool>" not in ran.out
    assert "completion" not in ran.out


HEAVY = {"gherkin", "jinja2", "jsonschema", "jsonschema_rs", "mitmproxy", "orjson", "pytest", "requests", "rich"}
SERVER = {"pytest", "starlette", "trustme", "uvicorn"}
LIGHT = {"airworthy.cli", "airworthy.errors", "airworthy.private_files", "airworthy.resources", "airworthy.suite"}


def subcommands(command: object, *path: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of a command and of every command below it."""
    yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from subcommands(below, *path, name)


def test_help_imports_only_the_options_of_its_command_and_a_shown_rule_no_server() -> None:
    commands = [(), *(each for name in COMMANDS for each in subcommands(load_command(name), name))]
    program = f"""if True:
        import contextlib, sys
        from airworthy.cli import main
        for command in {commands!r}:
            sys.argv = ["airworthy", *command, "--help"]
            with contextlib.suppress(SystemExit):
                main()
            layers = {{name for name in sys.modules if name.startswith("airworthy.") and name.count(".") == 1}}
            print("imported:", *(layers - {LIGHT!r} | {HEAVY!r} & set(sys.modules)))
        sys.argv = ["airworthy", "rules", "V4-CONFIRM-ONCE"]
        with contextlib.suppress(SystemExit):
            main()
        print("server:", *({SERVER!r} & set(sys.modules)))
    """
    ended = run(sys.executable, "-c", program)
    lines = ended.stdout.splitlines()
    imported = [line for line in lines if line.startswith("imported:")]
    assert list(zip(commands, imported, strict=True)) == [(command, "imported:") for command in commands]
    assert (lines[-1], any("V4-CONFIRM-ONCE: " in line for line in lines)) == ("server:", True)


def test_rules_lists_the_register(airworthy: Command) -> None:
    ran = airworthy("rules")
    assert "V4-CONFIRM-ONCE" in ran.out
    assert f"{len(rules())} rules" in ran.out

    for version, versions in (("v4", {"v4"}), ("v3", {"v3", "v2+v3"}), ("v2", {"v2", "v2+v3"})):
        listed = json.loads(airworthy("rules", "--json", "--version", version).out)
        assert {each["version"] for each in listed} == versions
        assert set(listed[0]) == {"id", "version", "area", "binds", "statement", "source", "quote", "excluded"}


@pytest.mark.parametrize("version", ["v2", "v3", "v4"])
def test_openapi_prints_a_valid_document(airworthy: Command, version: str) -> None:
    document = json.loads(airworthy("openapi", version).out)
    validate(document)
    assert document["paths"]


def test_sandbox_lists_dialects_and_faults(airworthy: Command) -> None:
    assert "documented" in airworthy("sandbox", "--list-dialects").out
    assert len(json.loads(airworthy("sandbox", "--list-faults", "--json").out)) > 50


def test_sandbox_options_become_its_settings(
    airworthy: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[SandboxSettings] = []

    def run(server: SandboxServer) -> None:
        started.append(server.settings)
        server.close()

    monkeypatch.setattr(SandboxServer, "run", run)
    mail = ("--smtp", "[::1]:1025", "--outbox", str(tmp_path))
    ran = airworthy("sandbox", "--port", "0", "--json", "--seed", "7", "--lifetimes", "request=5", *mail)
    (settings,) = started
    assert (settings.seed, settings.lifetimes) == (7, {"request": 5})
    assert (settings.mailer.server, settings.mailer.outbox) == (("::1", 1025), tmp_path)
    assert json.loads(ran.out)["lifetimes"] == {
        "request_seconds_min": 5,
        "request_seconds_max": 5,
        "schedule_change_seconds": 3600,
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("rules --version v9", "--version v9: expected one of export, payment, v2, v3, v4"),
        ("rules V4-CONFIRM-ONE", "unknown rule 'V4-CONFIRM-ONE'; did you mean V4-CONFIRM-ONCE"),
        ("rules gremlins", "unknown rule 'gremlins'; `airworthy rules` lists all rules"),
        ("rules V4-CONFIRM-ONCE --version v4", "--version v4: expected no ID with --version, got V4-CONFIRM-ONCE"),
        ("openapi v9", "unknown interface 'v9': expected v4"),
        ("sandbox --fault nope", "unknown fault 'nope'"),
        ("sandbox --dialect nope", "unknown dialect 'nope'"),
        ("sandbox --ftp-port 0", "--ftp-port 0: requires --ftp"),
        ("sandbox --lifetimes offer=soon", "--lifetimes offer=soon: expected NAME=SECONDS"),
        ("sandbox --port 70000", "port 70000"),
        ("sandbox --smtp localhost", "--smtp localhost: expected HOST:PORT"),
        ("sandbox --smtp localhost:70000", "--smtp localhost:70000: expected HOST:PORT"),
        ("sandbox --port 0 --ftp --ftp-port 70000", "port 70000"),
        ("sandbox --drop ftp://me:canary@drop.example", "--drop: user and password come from AIRWORTHY_FTP_USER"),
        ("sandbox --export-days 331", "--export-days 331: expected 1 to 330"),
    ],
)
def test_usage_error_is_one_line_and_exit_code_2(airworthy: Command, arguments: str, message: str) -> None:
    ran = airworthy(*arguments.split())
    assert ran.code == 2
    assert ran.err.startswith(f"airworthy: {message}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--profile none.toml", "none.toml: cannot be read: No such file or directory"),
        ("--versions v3,v9", "--versions v3,v9: expected v2, v3, v4"),
        ("-- --nope", "unrecognized arguments: --nope"),
        ("-- --basetemp=here", "--basetemp has no effect on airworthy certify; remove it"),
        ("--watch none", "--watch none: does not exist"),
        ("--watch . --run-id one", "--watch makes many runs, so --run-id has no effect; remove one of them"),
        ("--watch . --profile none.toml", "none.toml: cannot be read: No such file or directory"),
    ],
)
def test_invalid_target_is_one_line_and_exit_code_2(
    airworthy: Command, tmp_path: Path, arguments: str, message: str
) -> None:
    ran = airworthy("certify", "service", "--reports", str(tmp_path / "reports"), *arguments.split())
    assert ran.code == 2
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "reports").exists()


@pytest.mark.parametrize(
    ("command", "missing"),
    [("certify service --reports reports", "typst"), ("report run", "typst"), ("report run", "segno")],
)
def test_pdf_without_its_extra_is_one_line_before_anything_is_done(
    airworthy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, missing: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, missing, None)
    ran = airworthy(*command.split(), "--pdf")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"airworthy: --pdf: {missing} is not installed: pip install 'airworthy[pdf]'\n"
    assert list(tmp_path.iterdir()) == []


def test_reports_are_written_again(airworthy: Command, tmp_path: Path) -> None:
    write_reports(sample(), tmp_path)
    ran = airworthy("report", str(tmp_path), "--pdf")
    assert ran.code == 0
    names = ("report.html", "junit.xml", "findings.sarif", "summary.md", "report.pdf")
    assert ran.out.splitlines() == [str(tmp_path / name) for name in names]
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert airworthy("report", str(tmp_path / "absent")).code == 2


def test_run_without_scenarios_is_a_usage_error(airworthy: Command, tmp_path: Path) -> None:
    ran = airworthy("certify", "service", "--reports", str(tmp_path), "--", "-k", "no_such_scenario")
    assert ran.code == 2
    assert ran.err.endswith("airworthy: nothing was tested (pytest: no tests collected)\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("rules --nope", "No such option: --nope"),
        ("adit", "Did you mean 'audit'?"),
        ("audit x --jobs 0", "Invalid value for '--jobs': must be at least 1\n"),
        ("audit x --jobs two", "Invalid value for '--jobs': must be a valid integer\n"),
        ("sign x --key k --valid-days 9999", "'--valid-days': must be at most 3650\n"),
        ("certify partner x --version v9", "'--version': 'v9' is not one of 'v2', 'v3', 'v4'.\n"),
    ],
)
def test_unknown_name_or_wrong_value_is_a_usage_error(airworthy: Command, arguments: str, message: str) -> None:
    ran = airworthy(*arguments.split())
    assert (ran.code, message in ran.err) == (2, True)


def test_run_against_a_target_that_is_down_is_incomplete(airworthy: Command, tmp_path: Path) -> None:
    ran = airworthy(
        "certify", "service", "--target", "https://127.0.0.1:9", "--reports", str(tmp_path), "--run-id", "run", "--json"
    )
    assert ran.code == 3
    document = json.loads(ran.out)
    assert document["decision"] == "INCOMPLETE"
    assert document["folder"] == str(tmp_path / "run")
    assert "nothing listens on this port" in ran.err
    assert "no tests ran" not in ran.err
    assert (tmp_path / "run" / "results.json").exists()
