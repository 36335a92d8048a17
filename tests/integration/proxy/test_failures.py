"""Whatever happens to the judge, to the disk or to us: traffic goes on, and the gap is shown."""

import os
import resource as limits
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from airworthy.evidence import read, verify_chain
from airworthy.resources import resource

from . import corpus
from .mitm import SCRIPT, Service, exchange, mitm, until

ASKED = corpus.REQUESTS["as documented"]
ROOT = resource("proxy_addons").parent


@pytest.fixture
def trust(service: Service, authority: Path) -> str:
    service.answers = [corpus.ANSWERS["as documented"]]
    return f"--set=ssl_verify_upstream_trusted_ca={authority}"


@pytest.mark.parametrize("mode", ["observe", "annotate", "enforce"])
def test_a_judge_that_is_killed_is_replaced(folder: Path, service: Service, trust: str, mode: str) -> None:
    with mitm(folder, f"reverse:{service.url}", trust, f"--set=airworthy_mode={mode}") as proxy:
        exchange(proxy.port, *([ASKED] * 3))
        os.kill(proxy.judge, signal.SIGKILL)
        proxy.says("Another judge goes on")
        answers = exchange(proxy.port, *([ASKED] * 3))
        log = proxy.end()

    assert all(answer.startswith(b"HTTP/1.1 200") for answer in answers)
    assert "6 exchanges seen: " in log
    assert "the judge's process ended" in log
    assert "Traceback" not in log


def test_evidence_outlives_a_proxy_that_is_killed(tmp_path: Path, service: Service, trust: str) -> None:
    evidence = tmp_path / "evidence.jsonl"
    with mitm(tmp_path, f"reverse:{service.url}", trust, f"--set=airworthy_evidence={evidence}") as proxy:
        answers = exchange(proxy.port, *([ASKED] * 40))
        proxy.end(signal.SIGKILL)
        assert len(answers) == 40
        until(lambda: len(list(read(evidence))) == 40, lambda: f"{len(list(read(evidence)))} of 40")

    assert verify_chain(evidence).altered is None


def test_a_full_disk_takes_the_evidence_and_nothing_else(tmp_path: Path, service: Service, trust: str) -> None:
    evidence = tmp_path / "evidence.jsonl"
    evidence.touch()
    with mitm(tmp_path, f"reverse:{service.url}", trust, f"--set=airworthy_evidence={evidence}") as proxy:
        exchange(proxy.port, ASKED)
        until(lambda: evidence.stat().st_size, lambda: "no evidence")
        size = evidence.stat().st_size
        limits.prlimit(proxy.judge, limits.RLIMIT_FSIZE, (size + 100, size + 100))
        answers = exchange(proxy.port, *([ASKED] * 3))
        log = proxy.end()

    assert all(answer.startswith(b"HTTP/1.1 200") for answer in answers)
    assert "4 exchanges seen: 4 judged\n" in log
    assert "the evidence of 3 exchanges could not be written" in log
    assert len(list(read(evidence))) == 1


def test_schemas_that_cannot_be_read_stop_the_judging_and_not_the_traffic(
    tmp_path: Path, service: Service, trust: str
) -> None:
    broken = tmp_path / "copy"
    for name in ("airworthy", "schemas", "proxy_addons"):
        shutil.copytree(ROOT / name, broken / name, ignore=shutil.ignore_patterns("__pycache__"))
    (broken / "schemas" / "v4" / "openapi.json").write_text("{")
    with mitm(
        tmp_path,
        f"reverse:{service.url}",
        trust,
        script=broken / "proxy_addons" / "airworthy.py",
        environment={"PYTHONPATH": str(broken)},
    ) as proxy:
        proxy.says("nothing is judged from here on: the judge cannot start (JSONDecodeError)")
        answers = exchange(proxy.port, *([ASKED] * 3))
        log = proxy.end()

    assert all(answer.startswith(b"HTTP/1.1 200") for answer in answers)
    assert "3 exchanges seen: 0 judged, 3 not judged (the judge cannot start (JSONDecodeError))" in log


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("airworthy_base_urls=api.example", "is no absolute URL"),
        ("airworthy_mode=block", "airworthy_mode: expected one of observe, annotate, enforce, not 'block'"),
        ("airworthy_evidence=/nowhere/evidence.jsonl", "airworthy_evidence: /nowhere/evidence.jsonl: No such file"),
    ],
)
def test_a_mistake_in_an_option_ends_the_start_with_one_line(tmp_path: Path, option: str, said: str) -> None:
    program = str(Path(sys.executable).with_name("mitmdump"))
    ran = subprocess.run(  # noqa: S603  mitmproxy's own program
        [program, f"--set=confdir={tmp_path}", "--listen-port=0", f"--scripts={SCRIPT}", f"--set={option}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert ran.returncode == 1
    assert said in ran.stdout + ran.stderr


def test_the_script_finds_the_package_wherever_it_is_started(service: Service, trust: str, tmp_path: Path) -> None:
    # Its own folder is where airworthy.py could be taken for the package.
    with mitm(
        tmp_path, f"reverse:{service.url}", trust, cwd=SCRIPT.parent, environment={"PYTHONPATH": str(SCRIPT.parent)}
    ) as proxy:
        exchange(proxy.port, ASKED)
        log = proxy.end()

    assert "1 exchanges seen: 1 judged\n" in log


def test_an_installed_wheel_brings_the_script(service: Service, trust: str, tmp_path: Path) -> None:
    subprocess.run(  # noqa: S603
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    script = tmp_path / "site" / "airworthy" / "_resources" / "proxy_addons" / "airworthy.py"
    # Without the checkout on the path, which an editable installation puts there.
    environment = {"PYTHONPATH": str(tmp_path / "site")}
    with mitm(tmp_path, f"reverse:{service.url}", trust, script=script, environment=environment) as proxy:
        exchange(proxy.port, ASKED)
        log = proxy.end()

    assert "1 exchanges seen: 1 judged\n" in log
