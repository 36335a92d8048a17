"""The installed wheel works outside of the checkout: features, schemas, steps and templates are in it."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

from airworthy.report import load_results

CHECKOUT = Path(__file__).parents[3]
RULES = ("V4-SEARCH-ADULTS", "V4-CONFIRM-ONCE", "V3-CANCEL", "V2-REQUESTS-REQUIRED", "EXPORT-ROUTE-AND-DAY")


def test_wheel_certifies_from_an_empty_folder(tmp_path: Path) -> None:
    wheels, site, empty = tmp_path / "wheels", tmp_path / "site", tmp_path / "empty"
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels), str(CHECKOUT)]
    subprocess.run(build, check=True, capture_output=True, timeout=120)  # noqa: S603
    (wheel,) = wheels.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(site)
    empty.mkdir()
    # One rule of each interface: what the wheel lacks would end even the shortest run.
    command = ["certify", "service", "--run-id", "run", "--", "-m", " or ".join(RULES)]

    ended = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-P", "-m", "airworthy.cli", *command],
        cwd=empty,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 3, ended.stdout + ended.stderr
    verdicts = {rule.id: rule.verdict for rule in load_results(empty / "reports" / "run" / "results.json").rules}
    assert {verdicts[rule] for rule in RULES} == {"passed"}
    assert str(CHECKOUT) not in ended.stdout + ended.stderr
    written = {path.name for path in (empty / "reports" / "run").iterdir()}
    assert {"results.json", "report.html", "junit.xml", "evidence.jsonl"} <= written
