"""Runs on targets whose profile names a place of the content export: a folder, a server, and one that is not there."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from airworthy.register import rules
from airworthy.report.results import RuleResult
from airworthy.sandbox import SandboxServer
from collected_suite import CollectedSuite

pytestmark = pytest.mark.exhaustive

CANARY = "canary-ftp-5ac1"
Examine = Callable[[str], tuple[dict[str, RuleResult], str]]


@pytest.fixture
def examine(suite: CollectedSuite, sandbox: SandboxServer, tmp_path: Path) -> Examine:
    """``examine(table)`` runs the rules of the export on a target; it returns them by id, and all text of the run."""
    exported = [each.id for each in rules() if each.version == "export"]

    def examine(table: str) -> tuple[dict[str, RuleResult], str]:
        profile = tmp_path / "target.toml"
        profile.write_text(
            f'base_url = "{sandbox.base_url}"\nca_bundle = "{sandbox.ca_bundle}"\n'
            f'[v3]\ntoken = "{sandbox.profile()["v3"]["token"]}"\ncustomer_code = "FIRST-OTA"\n{table}\n'
        )
        ran = suite.run(tmp_path / "run", profile=str(profile), rules=exported)
        # The output of the terminal is one of the files.
        return {each: ran.rule(each) for each in exported}, "\n".join(path.read_text() for path in ran.folder.iterdir())

    return examine


def test_export_on_a_server_is_tested_against_every_rule(sandbox: SandboxServer, examine: Examine) -> None:
    served = sandbox.profile()["export"]
    login = (
        f'user = "{served["user"]}"\npassword = "{served["password"]}"\ncustomers = {json.dumps(served["customers"])}'
    )
    found, text = examine(f'[export]\nlocation = "{served["location"]}"\n{login}')

    passed = {name for name, rule in found.items() if rule.verdict == "passed"}
    assert found.keys() - passed == {"EXPORT-DELIVERY", "EXPORT-LEGACY-NAMES"}
    assert served["password"] not in text


def test_folder_of_wrong_files_fails_their_rules(tmp_path: Path, examine: Examine) -> None:
    (tmp_path / "drop").mkdir()
    header = "departureAirport;arrivalAirport;departureDate"
    (tmp_path / "drop" / "cp_routes_all_v3.csv").write_text(f"{header}\nMAD;BCN;2030-02-03\n")
    found, _ = examine('[export]\nlocation = "drop"')

    verdicts = {name: rule.verdict for name, rule in found.items()}
    assert [name for name, verdict in verdicts.items() if verdict == "failed"] == ["EXPORT-DATES"]
    # The files are those of a client with routes in v3 and no customer of its own.
    assert verdicts["EXPORT-AIRPORTS"] == "passed"
    assert {verdicts[name] for name in ("EXPORT-TIMES", "EXPORT-CUSTOMER-FILES")} == {"not_applicable"}
    (scenario,) = found["EXPORT-DATES"].scenarios
    assert scenario.failure
    assert scenario.failure.pointer == "cp_routes_all_v3.csv, line 2, column departureDate"
    assert scenario.failure.actual == "2030-02-03"


def test_unreachable_server_leaves_the_rules_untested_for_one_reason(examine: Examine) -> None:
    login = f'user = "acme"\npassword = "{CANARY}"'
    found, text = examine(f'[export]\nlocation = "ftp://127.0.0.1:1/in"\n{login}')

    untested = {rule.reason for rule in found.values() if rule.verdict == "untested"}
    assert untested == {
        "the content export cannot be read, [export] location: ftp://127.0.0.1:1/in: Connection refused"
    }
    assert {rule.verdict for rule in found.values()} == {"untested", "not_applicable"}
    assert "Traceback" not in text
    assert CANARY not in text


def test_rules_are_not_applicable_without_an_export(examine: Examine) -> None:
    found, _ = examine("")

    assert {rule.verdict for rule in found.values()} == {"not_applicable"}
