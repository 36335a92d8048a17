"""Traffic continues whatever fails, and what was not judged is counted."""

import os
import resource as limits
import shutil
import signal
import sys
from pathlib import Path

import pytest

from airworthy.evidence.recorder import read
from airworthy.evidence.verification import verify_chains
from airworthy.resources import resource
from command_line import run

from . import corpus
from .mitm import SCRIPT, Service, exchange, mitm, until

pytestmark = pytest.mark.exhaustive

REQUEST = corpus.REQUESTS["as documented"]
ROOT = resource("proxy_addons").parent


@pytest.fixture(autouse=True)
def _responses(service: Service) -> None:
    service.responses = [corpus.RESPONSES["as documented"]]


def test_service_that_is_not_trusted_is_named(tmp_path: Path, service: Service) -> None:
    with mitm(tmp_path, f"reverse:{service.url}") as proxy:
        assert exchange(proxy.port, REQUEST)[0].startswith(b"HTTP/1.1 502 ")
        log = proxy.end()

    assert "cannot be reached by TLS" in log
    assert "name its authority with --ca-bundle" in log
    assert "[redacted" not in log


def test_full_disk_stops_the_evidence_and_nothing_else(tmp_path: Path, service: Service, trust: str) -> None:
    folder = tmp_path / "evidence"

    def written() -> list[Path]:
        return [path for path in folder.glob("*.open") if path.stat().st_size]

    with mitm(tmp_path, f"reverse:{service.url}", trust, f"--set=airworthy_evidence_dir={folder}") as proxy:
        exchange(proxy.port, REQUEST)
        until(written, lambda: "no evidence")
        size = written()[0].stat().st_size
        limits.prlimit(proxy.judge, limits.RLIMIT_FSIZE, (size + 100, size + 100))
        responses = exchange(proxy.port, *([REQUEST] * 3))
        proxy.wait_for("evidence is being lost")
        log = proxy.end()

    assert all(response.startswith(b"HTTP/1.1 200") for response in responses)
    assert log.count("evidence is being lost") == 1
    assert "4 exchanges: 4 judged\n" in log
    assert "the evidence of 3 exchanges could not be written" in log
    (chain,) = verify_chains(folder.glob("*.zst"))
    assert chain.lines == 1
    assert all(problem.is_unfinished for problem in chain.problems)


# `test_fleet` terminates proxies that write into folders.
def test_evidence_in_a_folder_is_complete_after_a_kill(tmp_path: Path, service: Service, trust: str) -> None:
    folder = tmp_path / "evidence"
    options = (trust, f"--set=airworthy_evidence_dir={folder}", "--set=airworthy_rotate=10KB")
    with mitm(tmp_path, f"reverse:{service.url}", *options) as proxy:
        exchange(proxy.port, *([REQUEST] * 40))
        proxy.end(signal.SIGKILL)
        lines = [0]

        def is_complete() -> bool:
            # A leading dot marks a file that is still being compressed.
            lines[:] = [len(list(read(path))) for path in sorted(folder.glob("[!.]*.zst"))]
            return sum(lines) == 40 and not list(folder.glob("*.open"))

        until(is_complete, lambda: f"{lines} of 40")

    (chain,) = verify_chains(folder.glob("*.zst"))
    assert (chain.lines, chain.files, chain.problems) == (40, len(lines), ())
    assert len(lines) > 3


def test_broken_schema_stops_the_judging_and_not_the_traffic(tmp_path: Path, service: Service, trust: str) -> None:
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
        proxy.wait_for(
            "no exchange is judged until the judge can be started again: the judge cannot start (JSONDecodeError)"
        )
        responses = exchange(proxy.port, *([REQUEST] * 3))
        log = proxy.end()

    assert all(response.startswith(b"HTTP/1.1 200") for response in responses)
    assert "3 exchanges: 0 judged, 3 not judged (the judge cannot start (JSONDecodeError))" in log


def test_port_in_use_ends_mitmdump_with_one_line(tmp_path: Path, service: Service) -> None:
    program, taken = Path(sys.executable).with_name("mitmdump"), f"127.0.0.1:{service.port}"
    ran = run(program, f"--set=confdir={tmp_path}", f"--scripts={SCRIPT}", f"--mode=regular@{taken}")

    assert ran.returncode == 1
    assert f"failed to listen on {taken} with [Errno 98] error while attempting to bind" in ran.stdout + ran.stderr


def test_script_of_the_wheel_finds_the_package_from_any_working_directory(
    service: Service, trust: str, site: Path, tmp_path: Path
) -> None:
    script = site / "airworthy" / "_resources" / "proxy_addons" / "airworthy.py"
    # In its own folder, airworthy.py could be imported as the package. Elsewhere, the wheel takes precedence over the
    # checkout of an editable installation.
    path = {"PYTHONPATH": os.pathsep.join((str(script.parent), str(site)))}
    with mitm(tmp_path, f"reverse:{service.url}", trust, script=script, environment=path, cwd=script.parent) as proxy:
        exchange(proxy.port, REQUEST)
        log = proxy.end()

    assert "1 exchange: 1 judged\n" in log
