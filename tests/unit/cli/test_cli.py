"""The command line, as a user meets it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from openapi_spec_validator import validate

from airworthy import cli
from airworthy.register import rules
from airworthy.sandbox import SandboxServer, SandboxSettings


class Ran:
    """What a command came to."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err


Command = Callable[..., Ran]


@pytest.fixture
def airworthy(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """``airworthy("rules", "--json")`` runs a command."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: str) -> Ran:
        monkeypatch.setattr("sys.argv", ["airworthy", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        captured = capsys.readouterr()
        return Ran(ended.value.code if isinstance(ended.value.code, int) else 0, captured.out, captured.err)

    return run


@pytest.mark.parametrize(
    "command", [("sandbox",), ("certify", "service"), ("compare",), ("har",), ("rules",), ("openapi",)]
)
def test_every_command_shows_an_example(airworthy: Command, command: tuple[str, ...]) -> None:
    ran = airworthy(*command, "--help")
    assert ran.code == 0
    assert f"Example: airworthy {' '.join(command)}" in ran.out


def test_the_register_is_listed(airworthy: Command) -> None:
    ran = airworthy("rules")
    assert "V4-CONFIRM-ONCE" in ran.out
    assert f"{len(rules())} rules" in ran.out

    listed = json.loads(airworthy("rules", "--json", "--version", "v4").out)
    assert {each["version"] for each in listed} == {"v4"}
    assert set(listed[0]) == {"id", "version", "area", "binds", "statement", "source", "excluded"}


@pytest.mark.parametrize("version", ["v2", "v3"])
def test_the_rules_of_an_interface_are_its_own_and_those_that_it_shares(airworthy: Command, version: str) -> None:
    listed = json.loads(airworthy("rules", "--json", "--version", version).out)
    assert {each["version"] for each in listed} == {version, "v2+v3"}


@pytest.mark.parametrize("version", ["v2", "v3", "v4"])
def test_an_interface_is_printed_as_one_openapi_document(airworthy: Command, version: str) -> None:
    document = json.loads(airworthy("openapi", version).out)
    validate(document)
    assert document["paths"]


def test_what_the_sandbox_can_be_is_listed(airworthy: Command) -> None:
    assert "documented" in airworthy("sandbox", "--list-dialects").out
    assert len(json.loads(airworthy("sandbox", "--list-faults", "--json").out)) > 50


def test_a_sandbox_is_started_as_it_was_asked_for(
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
    assert json.loads(ran.out)["lifetimes"] == {"request_seconds_min": 5, "request_seconds_max": 5}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rules", "--version", "v9"), "--version v9: expected one of export, payment, v2, v3, v4"),
        (("openapi", "v9"), "v9: "),
        (("sandbox", "--fault", "nope"), "unknown fault 'nope'"),
        (("sandbox", "--dialect", "nope"), "unknown dialect 'nope'"),
        (("sandbox", "--ftp-port", "0"), "--ftp-port 0: the content export is served with --ftp only"),
        (("sandbox", "--lifetimes", "offer=soon"), "--lifetimes offer=soon: expected NAME=SECONDS"),
        (("sandbox", "--port", "70000"), "port 70000"),
        (("sandbox", "--smtp", "localhost"), "--smtp localhost: expected HOST:PORT"),
        (("sandbox", "--smtp", "localhost:70000"), "--smtp localhost:70000: expected HOST:PORT"),
        (("sandbox", "--port", "0", "--ftp", "--ftp-port", "70000"), "port 70000"),
        (
            ("sandbox", "--drop", "ftp://me:canary@drop.example"),
            "--drop: user and password come from AIRWORTHY_FTP_USER",
        ),
        (("sandbox", "--export-days", "331"), "--export-days 331: expected 1 to 330"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(airworthy: Command, arguments: tuple[str, ...], said: str) -> None:
    ran = airworthy(*arguments)
    assert ran.code == 2
    assert ran.err.startswith(f"airworthy: {said}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--profile", "none.toml"), "none.toml: cannot be read: No such file or directory"),
        (("--target", "ftp://x"), '--target: base_url = "ftp://x": expected an absolute https:// URL'),
        (("--versions", "v3,v9"), "--versions v3,v9: expected v2, v3, v4"),
        (("--", "--nope"), "unrecognized arguments: --nope"),
    ],
)
def test_a_wrong_target_is_one_line_and_exit_code_2(
    airworthy: Command, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    ran = airworthy("certify", "service", "--reports", str(tmp_path / "reports"), *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "reports").exists()


def test_nothing_selected_is_said(airworthy: Command, tmp_path: Path) -> None:
    ran = airworthy("certify", "service", "--reports", str(tmp_path), "--", "-k", "no_such_scenario")
    assert ran.code == 2
    assert ran.err.endswith("airworthy: nothing was examined (pytest: no tests collected)\n")


def test_an_unknown_option_is_explained(airworthy: Command) -> None:
    ran = airworthy("rules", "--nope")
    assert ran.code == 2
    assert "No such option: --nope" in ran.err


def test_the_version_is_shown(airworthy: Command) -> None:
    assert re.fullmatch(r"airworthy \d+\.\d+\.\d+\n", airworthy("--version").out)


def test_a_target_that_is_down_is_incomplete(airworthy: Command, tmp_path: Path) -> None:
    ran = airworthy(
        "certify", "service", "--target", "https://127.0.0.1:9", "--reports", str(tmp_path), "--run-id", "run", "--json"
    )
    assert ran.code == 3
    told = json.loads(ran.out)
    assert told["decision"] == "INCOMPLETE"
    assert told["folder"] == str(tmp_path / "run")
    assert "nothing listens there" in ran.err
    assert (tmp_path / "run" / "results.json").exists()
