"""Runs on targets whose profile names a server with the content export, and one that is not there."""

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
