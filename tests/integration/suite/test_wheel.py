"""The installed wheel works outside of the checkout: features, schemas, steps and templates are in it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from airworthy.report.document import load_results
from command_line import run

pytestmark = pytest.mark.exhaustive

CHECKOUT = Path(__file__).parents[3]
RULES = ("V4-SEARCH-ADULTS", "V4-CONFIRM-ONCE", "V3-CANCEL", "V2-REQUESTS-REQUIRED", "EXPORT-ROUTE-AND-DAY")


def _run(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder where the wheel is installed. Pytest loads only the plugins that are named."""
    environment = {"PYTHONPATH": str(site), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return run(sys.executable, "-P", *arguments, folder=folder, environment=environment)


def test_wheel_certifies_from_an_empty_folder(site: Path, tmp_path: Path) -> None:
    # One rule of each interface: what the wheel lacks would end even the shortest run.
    command = ["certify", "service", "--run-id", "run", "--", "-m", " or ".join(RULES)]

    ended = _run(site, tmp_path, "-m", "airworthy.cli", *command)

    assert ended.returncode == 3, ended.stdout + ended.stderr
    verdicts = {rule.id: rule.verdict for rule in load_results(tmp_path / "reports" / "run" / "results.json").rules}
    assert {verdicts[rule] for rule in RULES} == {"passed"}
    assert str(CHECKOUT) not in ended.stdout + ended.stderr
    written = {path.name for path in (tmp_path / "reports" / "run").iterdir()}
    assert {"results.json", "report.html", "junit.xml", "evidence.jsonl"} <= written


def test_wheel_changes_nothing_in_other_projects(site: Path, tmp_path: Path) -> None:
    (metadata,) = site.glob("airworthy-*.dist-info")
    assert "pytest11" not in (metadata / "entry_points.txt").read_text()
    assert not list(site.glob("*.pth"))
    assert {path.name for path in site.iterdir()} == {"airworthy", metadata.name}

    (tmp_path / "test_other.py").write_text(
        "import sys\n\n\ndef test_nothing_is_loaded():\n    assert 'airworthy' not in sys.modules\n"
    )
    ended = _run(site, tmp_path, "-W", "error", "-m", "pytest", "-W", "error", "-p", "pytest_bdd.plugin")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "1 passed" in ended.stdout
    assert not (tmp_path / "reports").exists()


def test_wheel_names_the_tested_versions_before_they_are_installed(site: Path, tmp_path: Path) -> None:
    # -S: without the installed packages.
    ended = _run(site, tmp_path, "-S", "-m", "airworthy.constraints")

    path = Path(ended.stdout.strip())
    assert path.is_relative_to(site)
    assert path.read_bytes() == (CHECKOUT / "constraints" / path.name).read_bytes()


def test_plugin_serves_the_documented_tests_of_another_project(site: Path, tmp_path: Path) -> None:
    page = (CHECKOUT / "docs" / "how-to" / "run-in-your-own-tests.md").read_text(encoding="utf-8")
    name, text = re.findall(r"^```python tests/(test_\w+\.py)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0]
    (tmp_path / name).write_text(text)
    plugins = ("-p", "pytest_bdd.plugin", "-p", "airworthy.suite.plugin")
    ended = _run(site, tmp_path, "-W", "error", "-m", "pytest", "-W", "error", *plugins, name)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "1 passed" in ended.stdout
