"""``airworthy proxy``: arguments for mitmproxy, usage errors in one line, and unsafe features of mitmproxy."""

import base64
import json
import logging
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from mitmproxy.tools import main
from typer.testing import CliRunner

from airworthy.cli import proxy as command
from airworthy.cli.app import app
from airworthy.errors import UsageError
from airworthy.proxy.advisories import restrictions
from airworthy.proxy.report import PAGE
from airworthy.resources import resource

Started = list[tuple[str, list[str]]]
TARGET = "--target https://api.example.com/flights"
REQUIRE_FREE = command._require_free


@pytest.fixture(autouse=True)
def _free_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tests name ports, such as the default one, that other programs may use on this machine."""
    monkeypatch.setattr(command, "_require_free", lambda *_: None)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[Started]:
    """Collect which of mitmproxy's programs is started with which arguments, without starting it."""
    calls: Started = []
    for name in ("mitmdump", "mitmweb"):

        def start(arguments: Sequence[str], name: str = name) -> None:
            calls.append((name, list(arguments)))

        monkeypatch.setattr(main, name, start)
    yield calls
    for name in ("mitmproxy", "mitmproxy.tools"):
        logging.getLogger(name).setLevel(logging.NOTSET)


def proxy(line: str, *more: str) -> str:
    ran = CliRunner().invoke(app, ["proxy", *line.split(), *more])
    if isinstance(ran.exception, UsageError):
        raise ran.exception
    assert ran.exit_code == 0, ran.output
    return ran.output


def test_default_is_a_reverse_proxy_on_the_loopback_address_that_observes(started: Started) -> None:
    output = proxy(TARGET)

    ((program, arguments),) = started
    assert program == "mitmdump"
    assert f"--scripts={resource('proxy_addons') / 'airworthy.py'}" in arguments
    assert "--mode=reverse:https://api.example.com:443@127.0.0.1:8080" in arguments
    assert "--set=airworthy_mode=observe" in arguments
    assert "--set=airworthy_base_urls=https://api.example.com/flights" in arguments
    assert "--set=flow_detail=0" in arguments
    assert output.startswith("Send requests for https://api.example.com:443/flights to http://127.0.0.1:8080/flights")


@pytest.mark.parametrize(("recorded", "says"), [("{}\n", True), ("", False)])
def test_evidence_that_has_exchanges_already(started: Started, tmp_path: Path, recorded: str, says: bool) -> None:
    evidence = tmp_path / "evidence.jsonl"
    evidence.write_text(recorded)
    output = proxy(TARGET, "--evidence", str(evidence))
    assert started
    assert (f"Adds to {evidence}, whose earlier exchanges count, too" in output) is says


@pytest.mark.parametrize(("is_written", "exit_code"), [(True, 0), (False, 3)])
def test_missing_report_is_exit_code_3(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_written: bool, exit_code: int
) -> None:
    def start(arguments: Sequence[str]) -> None:
        assert f"--set=airworthy_report={tmp_path}" in arguments
        if is_written:
            (tmp_path / PAGE).touch()

    monkeypatch.setattr(main, "mitmdump", start)
    assert CliRunner().invoke(app, ["proxy", *TARGET.split(), "--report", str(tmp_path)]).exit_code == exit_code


@pytest.mark.parametrize(
    ("option", "wanted"),
    [
        ("--annotate", ["--set=airworthy_mode=annotate"]),
        ("--enforce --on-error block", ["--set=airworthy_mode=enforce", "--set=airworthy_on_error=block"]),
        ("--evidence e.jsonl", ["--set=airworthy_evidence=e.jsonl"]),
        (
            "--evidence-dir e --rotate 1h --rotate 1GB",
            ["--set=airworthy_evidence_dir=e", "--set=airworthy_rotate=1h", "--set=airworthy_rotate=1GB"],
        ),
        ("--allow-plain-http", ["--set=airworthy_allow_plain_http=true"]),
        ("--listen 0.0.0.0:9000", ["--mode=reverse:https://api.example.com:443@0.0.0.0:9000"]),
        ("--listen 9000", ["--mode=reverse:https://api.example.com:443@127.0.0.1:9000"]),
        ("--listen [::1]:9000", ["--mode=reverse:https://api.example.com:443@[::1]:9000"]),
        (
            "--payment-provider https://pay.example/x",
            [
                "--set=airworthy_payment_providers=https://pay.example/x",
                "--mode=reverse:https://pay.example:443@127.0.0.1:8081",
            ],
        ),
        (
            "--payment-provider https://api.example.com/pay",
            ["--set=airworthy_payment_providers=https://api.example.com/pay"],
        ),
        ("-- --set stream_large_bodies=1m", ["--set", "stream_large_bodies=1m"]),
    ],
)
def test_options_are_passed_to_mitmproxy(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, wanted: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    proxy(f"{TARGET} {option}")

    assert set(wanted) <= set(started[0][1])
    modes = [each for each in started[0][1] if each.startswith("--mode=")]
    assert len(modes) == 1 + ("https://pay.example" in option)


def test_mitmproxy_logs_connections_and_flows_only_if_verbose(started: Started) -> None:
    proxy(TARGET)
    assert logging.getLogger("mitmproxy.proxy").getEffectiveLevel() == logging.WARNING

    logging.getLogger("mitmproxy").setLevel(logging.NOTSET)
    proxy(TARGET, "--verbose")
    assert logging.getLogger("mitmproxy").level == logging.NOTSET
    assert "--set=flow_detail=0" not in started[1][1]


def test_mitmweb_listens_on_the_port_after_the_others(started: Started) -> None:
    proxy(TARGET, "--web", "--web-without-login", "--payment-provider", "https://pay.example")

    assert started[0][0] == "mitmweb"
    assert "--set=web_port=8082" in started[0][1]


@pytest.mark.parametrize(("version", "refused"), [("11.0.2", True), ("11.1.2", False), ("12.2.3", False)])
def test_web_page_without_login_requires_an_option(
    started: Started, monkeypatch: pytest.MonkeyPatch, version: str, refused: bool
) -> None:
    monkeypatch.setattr("mitmproxy.version.VERSION", version)
    if refused:
        with pytest.raises(
            UsageError, match=r"--web: .* has no login \(CVE-2025-23217\); Python 3.12 .* --web-without-login"
        ):
            proxy(TARGET, "--web")
    else:
        proxy(TARGET, "--web")
    assert len(started) == (not refused)


def test_profile_names_the_service_and_its_secrets_are_not_arguments(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = tmp_path / "acme.toml"
    profile.write_text('base_url = "https://api.acme.example"\n[v4]\nkey = "$ACME_KEY"\ncustomer_code = "$ACME_KEY"\n')
    monkeypatch.setenv("ACME_KEY", "very-secret")

    proxy("--profile", str(profile))

    assert "--mode=reverse:https://api.acme.example:443@127.0.0.1:8080" in started[0][1]
    assert "very-secret" not in json.dumps(started)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "the service is missing: name it with --target URL or --profile FILE"),
        (
            "--target api.example.com",
            "--target: expected an absolute URL such as https://api.example.com, got 'api.example.com'",
        ),
        ("--target https://user:word@api.example.com", "--target: expected a URL without user and password"),
        ("--target https://api.example.com:99999", "expected an absolute URL"),
        (f"{TARGET} --annotate --enforce", "--annotate and --enforce cannot be combined"),
        (f"{TARGET} --on-error block", "--on-error block has no effect without --enforce"),
        (f"{TARGET} --listen localhost", "--listen: expected HOST:PORT such as 127.0.0.1:8080, got 'localhost'"),
        (f"{TARGET} --listen 127.0.0.1:0", "--listen: expected HOST:PORT"),
        (f"{TARGET} --listen 127.0.0.1:65535 --web --web-without-login", "expected HOST:PORT"),
        (f"{TARGET} --listen example.com:80", "expected an IP address as the host"),
        ("--target https://api.example.com/v4", "--target: must not end with the version"),
        ("--target http://a.example", "--target must start with https://, got 'http://a.example'; without TLS"),
        (f"{TARGET} --payment-provider pay", "--payment-provider: expected an absolute URL"),
        (f"{TARGET} --ca-bundle /nowhere.pem", "--ca-bundle /nowhere.pem: cannot be read: No such file"),
        (f"{TARGET} --ca-bundle {__file__}", "test_command.py: does not contain a PEM certificate"),
        ("--profile /nowhere.toml", "/nowhere.toml: cannot be read"),
        (
            f"{TARGET} --evidence a --evidence-dir b",
            "--evidence and --evidence-dir exclude each other: choose one of them",
        ),
        (f"{TARGET} --evidence /nowhere/e", "--evidence /nowhere/e: No such file or directory"),
        (f"{TARGET} --evidence-dir /dev/null/e", "--evidence-dir /dev/null/e: Not a directory"),
        (f"{TARGET} --evidence-dir /dev/null", "--evidence-dir /dev/null: Not a directory"),
        (f"{TARGET} --report /dev/null/r", "--report /dev/null/r: Not a directory"),
        (f"{TARGET} --rotate 5m", "--rotate has no effect without --evidence-dir"),
        (f"{TARGET} --evidence-dir b --rotate 5", "--rotate: expected a duration such as 30s, 5m or 1h, or"),
        (f"{TARGET} --pseudonym-key-env KEY", "--pseudonym-key-env has no effect without --evidence or"),
    ],
)
def test_usage_error_is_one_line(started: Started, arguments: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        proxy(arguments)

    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert not started


def test_port_in_use_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_require_free", REQUIRE_FREE)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=rf"^--listen: port {port} on 127\.0\.0\.1 is in use"):
            proxy(TARGET, "--listen", f"127.0.0.1:{port}")


def test_shared_key_is_named_by_its_variable_only(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = base64.b64encode(b"very-secret" * 3).decode()
    monkeypatch.setenv("FLEET_KEY", key)

    output = proxy(TARGET, "--evidence", str(tmp_path / "e"), "--pseudonym-key-env", "FLEET_KEY")

    assert "--set=airworthy_pseudonym_key_env=FLEET_KEY" in started[0][1]
    assert key not in json.dumps(started) + output


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "expected the name of an environment variable that contains a key, but it is not set or empty"),
        ("", "but it is not set or empty"),
        ("very secret!", "the value of the environment variable is not Base64"),
        ("dmVyeS1zZWNyZXQ=", "the key has 11 bytes, at least 32 are required"),
    ],
)
def test_wrong_key_is_not_shown(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str | None, message: str
) -> None:
    monkeypatch.setenv("FLEET_KEY", value) if value is not None else monkeypatch.delenv("FLEET_KEY", raising=False)
    with pytest.raises(UsageError) as error:
        proxy(TARGET, "--evidence", str(tmp_path / "e"), "--pseudonym-key-env", "FLEET_KEY")

    assert str(error.value).startswith(f"--pseudonym-key-env: {message}" if value is None else "--pseudonym-key-env: ")
    assert message in str(error.value)
    assert str(error.value).endswith("; create one with: openssl rand -base64 32")
    assert not value or value not in str(error.value)
    assert "FLEET_KEY" not in str(error.value)
    assert not started


def test_script_option_prints_the_path_of_the_script() -> None:
    assert Path(proxy("--script").strip()).is_file()


@pytest.mark.parametrize(
    ("version", "is_http2_safe", "is_web_safe"),
    [
        *((version, False, False) for version in ("10.4.2", "11.0.2", "11.1.1", "11.1.1.dev")),
        *((version, False, True) for version in ("11.1.2", "11.1.3", "12.0.0", "12.1.1")),
        *((version, True, True) for version in ("12.1.2", "12.2.3", "12.10.0", "13.0.0.dev")),
    ],
)
def test_restrictions_say_why(version: str, is_http2_safe: bool, is_web_safe: bool) -> None:
    found = restrictions(version)

    assert (not found.http2, not found.web) == (is_http2_safe, is_web_safe)
    for reason in filter(None, (found.http2, found.web)):
        assert version in reason
        assert "Python 3.12" in reason
        assert "\n" not in reason
