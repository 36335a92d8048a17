"""``airworthy audit --follow`` as a program, which is killed and started again."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import islice
from pathlib import Path

import pytest

from airworthy.contract import Exchange
from airworthy.evidence.compression import compress
from airworthy.evidence.pseudonyms import Pseudonyms
from command_line import Command
from unit.audit.recordings import evidence
from unit.audit.test_run import AGAIN, V4, later, renamed

from .cluster import ENVIRONMENT

AUDIT = (sys.executable, "-m", "airworthy.cli", "audit")
FOLLOW = ("--engine", "spark", "--spark-master", "local[1]", "--follow", "--format", "jsonl")
POLL = 0.1
DAY = 24 * 60 * 60


class ProxyFolder:
    """The folder into which a proxy closes its evidence files."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "evidence"
        self.path.mkdir()
        self._folder = folder
        self._closed = 0

    def close(self, exchanges: list[Exchange]) -> None:
        """Let a file appear at once, as the proxy does; it was complete when the last exchange ended."""
        content = evidence(self._folder / f"{self._closed}.jsonl", exchanges, pseudonyms=Pseudonyms(b"k" * 32))
        hidden = self.path / "closing"
        with hidden.open("wb") as file:
            compress(BytesIO(content), file)
        complete = exchanges[-1].started.timestamp() + 1
        os.utime(hidden, (complete, complete))
        hidden.rename(self.path / f"edge-00000001-{self._closed:08d}.jsonl.zst")
        self._closed += 1


@pytest.fixture
def proxy(tmp_path: Path) -> ProxyFolder:
    """A proxy that has recorded nothing yet."""
    return ProxyFolder(tmp_path)


@contextmanager
def following(proxy: ProxyFolder, checkpoint: Path) -> Iterator["subprocess.Popen[str]"]:
    """Run the audit; it is killed at the end."""
    command = [*AUDIT, str(proxy.path), *FOLLOW, "--watermark", "1s", "--checkpoint", str(checkpoint)]
    with subprocess.Popen(  # noqa: S603 - our own program
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | ENVIRONMENT,
        start_new_session=True,
    ) as running:
        try:
            yield running
        finally:
            # The JVM is a process of its own, which a machine without power ends as well.
            os.killpg(running.pid, signal.SIGKILL)


def lines(running: "subprocess.Popen[str]", number: int) -> list[str]:
    """The next lines, as soon as they are there."""
    assert running.stdout
    return list(islice(running.stdout, number))


def wait_until_noted(running: "subprocess.Popen[str]", checkpoint: Path, exchanges: int) -> None:
    """Wait until the summary in the checkpoint counts some exchanges: then their findings are not written again."""
    summaries = "summaries/[0-9]*.json"
    while not any(json.loads(each.read_bytes())["judged"] == exchanges for each in checkpoint.glob(summaries)):
        with suppress(subprocess.TimeoutExpired):
            raise AssertionError(f"ended with exit code {running.wait(timeout=POLL)}")


def test_old_files_are_judged_at_once(airworthy: Command, proxy: ProxyFolder, tmp_path: Path) -> None:
    proxy.close([*V4, AGAIN])
    local = airworthy("audit", proxy.path, "--format", "jsonl")

    ran = airworthy("audit", proxy.path, *FOLLOW, "--until-caught-up", "--checkpoint", tmp_path / "new")

    assert (sorted(ran.out.splitlines()), ran.code) == (sorted(local.out.splitlines()), local.code)
    assert ran.out


def test_killed_audit_continues_where_it_was(airworthy: Command, proxy: ProxyFolder, tmp_path: Path) -> None:
    today = [*V4, AGAIN]
    checkpoint = tmp_path / "checkpoint"
    proxy.close(today)
    first = sorted(airworthy("audit", proxy.path, "--format", "jsonl").out.splitlines(keepends=True))
    with following(proxy, checkpoint) as running:
        assert sorted(lines(running, len(first))) == first
        wait_until_noted(running, checkpoint, len(today))

    proxy.close([later(renamed(each, 1), DAY) for each in today])
    every = sorted(airworthy("audit", proxy.path, "--format", "jsonl").out.splitlines(keepends=True))
    with following(proxy, checkpoint) as running:
        found = lines(running, len(every) - len(first))
        running.send_signal(signal.SIGTERM)
        out, err = running.communicate()

    assert len(every) > len(first) > 0
    assert (sorted([*first, *found]), out) == (every, "")
    assert (running.returncode, len(err.splitlines())) == (1, 1)
