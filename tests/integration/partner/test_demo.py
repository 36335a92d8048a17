"""The demonstration of ``make demo``: a partner books through the real proxy and is certified."""

import subprocess
import sys
from pathlib import Path

import pytest

from airworthy.report import decide, load_results

pytestmark = pytest.mark.exhaustive

DEMO = Path(__file__).parents[3] / "examples" / "demo.py"


@pytest.mark.parametrize(("name", "version"), [("careful", "v4"), ("careful-v3", "v3"), ("careful-v2", "v2")])
def test_careful_partner_is_certified_through_the_proxy(tmp_path: Path, name: str, version: str) -> None:
    command = [sys.executable, str(DEMO), name]

    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)  # noqa: S603  our own program

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"CERTIFIED: {version} integration of the {name} partner" in ended.stdout
    report = tmp_path / ended.stdout.splitlines()[-1].partition(": ")[2]
    results = load_results(report.with_name("results.json"))
    assert decide(results).outcome == "CERTIFIED"
    assert results.integration
    assert results.integration.version == version
