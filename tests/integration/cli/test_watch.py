"""``airworthy certify service --watch`` in a terminal, with a service that restarts after a change."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pytest

from command_line import AIRWORTHY, start

pytestmark = pytest.mark.exhaustive

FULL = "airworthy: .*running everything"
WAITS = "airworthy: waiting for changes in "
PROFILE = """
base_url = "https://127.0.0.1:{port}"
ca_bundle = "authority/ca.pem"
[v4]
key = "test-key-first-6f1f0c52"
customer_code = "FIRST-OTA"
[routes.regular]
origin = "MAD"
destination = "BCN"
"""

Watch = Callable[..., pexpect.spawn]


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    """Start the command in a terminal, in a folder with a source of the service."""
    (tmp_path / "src").mkdir()
    started: list[pexpect.spawn] = []

    def start(*options: str) -> pexpect.spawn:
        command = ["-m", "airworthy.cli", "certify", "service", "--watch", "src", *options]
        environment = os.environ | {"NO_COLOR": "1", "COLUMNS": "200"}
        spawned = pexpect.spawn(
            sys.executable, command, cwd=str(tmp_path), env=environment, encoding="utf-8", timeout=120
        )
        started.append(spawned)
        return spawned

    yield start
    for each in started:
        each.close(force=True)


@contextmanager
def service(folder: Path, port: int, *options: str) -> Iterator[None]:
    """Run the service, a sandbox, and return when it listens."""
    command = (*AIRWORTHY, "sandbox", "--port", port, "--ca-dir", "authority", *options)
    with start(*command, folder=folder, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        assert process.stdout.readline()
        try:
            yield
        finally:
            process.terminate()
            process.stdout.read()


def runs(folder: Path) -> list[dict[str, Any]]:
    """Return the results of all runs, in their order."""
    return [json.loads(path.read_text()) for path in sorted((folder / "reports").glob("*/results.json"))]


def test_change_runs_what_failed_last_and_then_everything(watch: Watch, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with service(tmp_path, port, "--fault", "search-ten-adults"):
        (tmp_path / "airworthy.toml").write_text(PROFILE.format(port=port))
        terminal = watch("--profile", "airworthy.toml", "--", "-m", "V4-SEARCH-ADULTS or V4-SEARCH-INFANTS")
        terminal.expect(FULL)
        terminal.expect("NOT CERTIFIED")
        terminal.expect(WAITS)
        (tmp_path / "src" / "service.py").write_text("fixed = True\n")
    with service(tmp_path, port):
        terminal.expect("airworthy: service.py changed, running what failed last")
        terminal.expect("INCOMPLETE")
        terminal.expect(FULL)
        terminal.expect(WAITS)
        terminal.sendintr()
        terminal.expect(pexpect.EOF)
        terminal.wait()
    # The last run is filtered by -m, so it cannot certify.
    assert terminal.exitstatus == 3
    before, failed, after = runs(tmp_path)
    assert [each["decision"]["outcome"] for each in (before, failed, after)] == ["NOT CERTIFIED", *["INCOMPLETE"] * 2]
    assert "--lf" in failed["results"]["scope"]["filtered_why"]
    selected = [sum(len(rule["scenarios"]) for rule in each["results"]["rules"]) for each in (before, failed, after)]
    assert selected[0] == selected[2] > selected[1] > 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_during_the_first_run_ends_it_with_a_report(
    watch: Watch, tmp_path: Path, number: signal.Signals
) -> None:
    terminal = watch("--", "-m", "v4")
    terminal.expect("scenarios +[0-9]+")
    # Only to the command itself, not to its runs.
    terminal.kill(number)
    terminal.expect("INCOMPLETE")
    terminal.expect(pexpect.EOF)
    terminal.wait()
    assert terminal.exitstatus == 3
    assert len(runs(tmp_path)) == 1
