"""The check for security advisories says what it found, and does not fail where there is no database."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "constraints" / "advisories.py"
CLEAN: dict[str, Any] = {
    "dependencies": [{"name": "h11", "version": "0.16.0", "vulns": []}, {"name": "x", "skip": "?"}]
}
FOUND = {
    "dependencies": [
        {"name": "h11", "version": "0.14.0", "vulns": [{"id": "GHSA-vqfr-h8mv-ghfj", "fix_versions": ["0.16.0"]}]}
    ]
}


def checked(reports: dict[str, dict[str, Any]], *, reachable: bool = True) -> int:
    script = runpy.run_path(str(SCRIPT))
    code: int
    script["main"].__globals__.update(
        is_reachable=lambda: reachable, audited=lambda path: json.dumps(reports.get(path.name, CLEAN))
    )
    code = script["main"]()
    return code


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())


@pytest.mark.parametrize(
    ("reports", "reachable", "code", "shown"),
    [
        ({}, False, 0, "not checked"),
        ({"python3.12.txt": FOUND}, True, 1, "  h11 0.14.0: GHSA-vqfr-h8mv-ghfj, fixed in 0.16.0\n"),
        ({"python3.11.txt": FOUND}, True, 0, "advisories: python3.11.txt: 1\n"),
    ],
    ids=["unreachable database", "version that can be raised", "version that cannot be raised"],
)
def test_advisory_for_a_version_that_can_be_raised_fails_and_others_are_reported(
    capsys: pytest.CaptureFixture[str], reports: dict[str, dict[str, Any]], *, reachable: bool, code: int, shown: str
) -> None:
    assert checked(reports, reachable=reachable) == code
    assert shown in capsys.readouterr().out
