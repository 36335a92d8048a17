"""The installed wheel works outside of the checkout: features, schemas, steps and templates are in it."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

CHECKOUT = Path(__file__).parents[3]


def test_the_wheel_certifies_from_an_empty_folder(tmp_path: Path) -> None:
    wheels, site, empty = tmp_path / "wheels", tmp_path / "site", tmp_path / "empty"
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels), str(CHECKOUT)]
    subprocess.run(build, check=True, capture_output=True, timeout=120)  # noqa: S603
    (wheel,) = wheels.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(site)
    empty.mkdir()

    ended = subprocess.run(
        [sys.executable, "-P", "-m", "airworthy.cli", "certify", "service", "--run-id", "run"],
        cwd=empty,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert str(CHECKOUT) not in ended.stdout + ended.stderr
    written = {path.name for path in (empty / "reports" / "run").iterdir()}
    assert {"results.json", "report.html", "junit.xml", "evidence.jsonl"} <= written
