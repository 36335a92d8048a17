"""``airworthy certify service --watch``: run the suite again whenever files change.

Each run is a process of its own, so that nothing of one run is left in the next one.
"""

import contextlib
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import typer
from watchfiles import DefaultFilter, watch

from airworthy.errors import InterruptionError, TargetError, UsageError
from airworthy.suite.interrupts import Interrupts
from airworthy.target.preflight import check_target
from airworthy.target.profile import Profile
from airworthy.target.urls import DEFAULT_PORTS
from airworthy.text import printable

_RESTART_SECONDS: Final = 2.0
_ANSWER_SECONDS: Final = 60.0
_SECONDS_BETWEEN_CHECKS: Final = 0.2
_MILLISECONDS_BETWEEN_LOOKS: Final = 100


@dataclass(frozen=True)
class Watch:
    """What to run, and when.

    Args:
        paths: the files and folders to watch.
        options: the options of ``airworthy certify service`` for each run.
        passed_on: the arguments for pytest.
        reports: the folder of the runs. Changes in it do not count.
        profile: that of the target, which may restart after a change; None for the embedded sandbox.
    """

    paths: Sequence[Path]
    options: Sequence[str]
    passed_on: Sequence[str]
    reports: Path
    profile: Profile | None

    def run(self) -> int:
        """Run everything, and after each change what failed last, then everything, until a signal ends the watch.

        Return the exit code of the last full run that was not interrupted, or 3. Raises `UsageError` if a path does not
        exist, or a file is wrong before the first run.
        """
        for path in self.paths:
            if not path.exists():
                raise UsageError(f"--watch {path}: does not exist")
        changes = watch(
            *(path.resolve() for path in self.paths),
            watch_filter=DefaultFilter(ignore_paths=[self.reports.resolve()]),
            rust_timeout=_MILLISECONDS_BETWEEN_LOOKS,
            yield_on_timeout=True,
        )
        interrupts = Interrupts()
        interrupts.begin()
        code = InterruptionError.exit_code
        try:
            # From now on, files that change during a run are noted, too.
            next(changes)
            code = self._run("running everything")
            while code != UsageError.exit_code:
                _say(f"waiting for changes in {', '.join(map(str, self.paths))}")
                code = self._run_after({path for _, path in next(filter(None, changes))}, code)
        except OSError as error:
            raise UsageError(f"--watch: the files cannot be watched: {error}") from None
        except KeyboardInterrupt:
            pass
        finally:
            interrupts.end()
        return code

    def _run_after(self, changed: Collection[str], code: int) -> int:
        """Run after some files changed. Return the exit code of the full run, or ``code`` if a file is wrong."""
        if self.profile:
            await_restart(self.profile)
        name, others = min(changed), len(changed) - 1
        what = f"{Path(name).name} changed" if not others else f"{Path(name).name} and {others} more files changed"
        if _has_failures(self.reports):
            self._run(f"{what}, running what failed last", "--lf")
            what = "afterwards"
        ended = self._run(f"{what}, running everything")
        return code if ended == UsageError.exit_code else ended

    def _run(self, why: str, *more: str) -> int:
        """Run the suite and return its exit code. A signal for this process ends the run, which writes its report."""
        _say(why)
        command = [sys.executable, "-m", "airworthy.cli", "certify", "service", *self.options]
        # Of a process group of its own: a terminal would send Ctrl-C to it, too.
        process = subprocess.Popen([*command, "--", *self.passed_on, *more], process_group=0)  # noqa: S603  our own
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            process.wait()
            raise


def await_restart(profile: Profile) -> None:
    """Wait until a target that restarts after a change has done so, and until it can be examined. Both are bounded."""
    url = urlsplit(profile.base_url)
    with contextlib.suppress(OSError):
        address = str(url.hostname), url.port or DEFAULT_PORTS[url.scheme]
        with socket.create_connection(address, timeout=_RESTART_SECONDS) as connection:
            # The end of the old process closes its connections.
            connection.recv(1)
    end = time.monotonic() + _ANSWER_SECONDS
    while time.monotonic() < end:
        try:
            check_target(profile)
        except TargetError:
            time.sleep(_SECONDS_BETWEEN_CHECKS)
        else:
            return


def _has_failures(reports: Path) -> bool:
    """Return whether pytest knows what failed last. Otherwise ``--lf`` would run everything."""
    try:
        return bool(json.loads((reports / ".cache" / "v" / "cache" / "lastfailed").read_bytes()))
    except (OSError, ValueError):
        return False


def _say(text: str) -> None:
    typer.echo(f"airworthy: {printable(text)}")
    sys.stdout.flush()
