"""Runs on targets whose profile names a place of the content export: a folder, a server, and one that is not there."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from airworthy.sandbox import SandboxServer
from command_line import run

pytestmark = pytest.mark.exhaustive

CANARY = "canary-ftp-5ac1"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(ftp_port=0) as running:
        yield running


def certified(folder: Path, sandbox: SandboxServer, export: str) -> tuple[dict[str, Any], str]:
    """Run the rules of the export on a target with this table; return them by id, and all text that the run left."""
    profile = folder / "target.toml"
    profile.write_text(
        f'base_url = "{sandbox.base_url}"\nca_bundle = "{sandbox.ca_bundle}"\n'
        f'[v3]\ntoken = "{sandbox.profile()["v3"]["token"]}"\ncustomer_code = "FIRST-OTA"\n{export}\n'
    )
    command = [sys.executable, "-m", "airworthy.cli", "certify", "service", "--profile", profile]
    ended = run(*command, "--reports", folder / "reports", "--run-id", "run", "--", "-m", "export", folder=folder)
    reports = folder / "reports" / "run"
    results = json.loads((reports / "results.json").read_text())["results"]
    texts = [ended.stdout, ended.stderr, *(path.read_text() for path in reports.iterdir())]
    return {rule["id"]: rule for rule in results["rules"] if rule["version"] == "export"}, "\n".join(texts)


def test_export_on_a_server_is_tested_against_every_rule(tmp_path: Path, sandbox: SandboxServer) -> None:
    served = sandbox.profile()["export"]
    login = (
        f'user = "{served["user"]}"\npassword = "{served["password"]}"\ncustomers = {json.dumps(served["customers"])}'
    )
    found, text = certified(tmp_path, sandbox, f'[export]\nlocation = "{served["location"]}"\n{login}')

    passed = {name for name, rule in found.items() if rule["verdict"] == "passed"}
    assert found.keys() - passed == {"EXPORT-DELIVERY", "EXPORT-LEGACY-NAMES"}
    assert served["password"] not in text


def test_folder_of_wrong_files_fails_their_rules(tmp_path: Path, sandbox: SandboxServer) -> None:
    (tmp_path / "drop").mkdir()
    header = "departureAirport;arrivalAirport;departureDate"
    (tmp_path / "drop" / "cp_routes_all_v3.csv").write_text(f"{header}\nMAD;BCN;2030-02-03\n")
    found, _ = certified(tmp_path, sandbox, '[export]\nlocation = "drop"')

    verdicts = {name: rule["verdict"] for name, rule in found.items()}
    assert [name for name, verdict in verdicts.items() if verdict == "failed"] == ["EXPORT-DATES"]
    # The files are those of a client with routes in v3 and no customer of its own.
    assert verdicts["EXPORT-AIRPORTS"] == "passed"
    assert {verdicts[name] for name in ("EXPORT-TIMES", "EXPORT-CUSTOMER-FILES")} == {"not_applicable"}
    (scenario,) = found["EXPORT-DATES"]["scenarios"]
    assert scenario["failure"]["pointer"] == "cp_routes_all_v3.csv, line 2, column departureDate"
    assert scenario["failure"]["actual"] == "2030-02-03"


def test_unreachable_server_leaves_the_rules_untested_for_one_reason(tmp_path: Path, sandbox: SandboxServer) -> None:
    login = f'user = "acme"\npassword = "{CANARY}"'
    found, text = certified(tmp_path, sandbox, f'[export]\nlocation = "ftp://127.0.0.1:1/in"\n{login}')

    untested = {rule["reason"] for rule in found.values() if rule["verdict"] == "untested"}
    assert untested == {
        "the content export cannot be read, [export] location: ftp://127.0.0.1:1/in: Connection refused"
    }
    assert {rule["verdict"] for rule in found.values()} == {"untested", "not_applicable"}
    assert "Traceback" not in text
    assert CANARY not in text


def test_rules_are_not_applicable_without_an_export(tmp_path: Path, sandbox: SandboxServer) -> None:
    found, _ = certified(tmp_path, sandbox, "")

    assert {rule["verdict"] for rule in found.values()} == {"not_applicable"}
