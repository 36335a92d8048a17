"""The conformance suite, collected once and run often: each run is a fork of the process that has collected it.

Collecting takes seconds, the scenarios of one rule take hundredths of one: a fork begins where collecting has ended.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

from airworthy import suite
from airworthy.report import Results, load_results
from airworthy.report.results import RuleResult
from airworthy.resources import resource

TERMINAL: Final = "terminal.txt"
JUDGED: Final = "judged.pickle"
_SETTINGS: Final = Path(suite.__file__).parent / "certify.ini"
_PATIENCE: Final = 120.0


@dataclass(frozen=True, slots=True)
class Order:
    """A run to be made.

    ``folder`` takes its files, ``faults`` and ``dialect`` are the sandbox's, ``rules`` those whose scenarios run (None:
    all). ``forgotten`` is the id of a rule of which the contract finds nothing. ``judged`` leaves what the contract
    has found in each exchange, in the file `JUDGED`.
    """

    folder: str
    faults: tuple[str, ...] = ()
    dialect: str | None = None
    rules: tuple[str, ...] | None = None
    forgotten: str = ""
    judged: bool = False


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that was made: its results, what the terminal showed, pytest's exit code, and its folder."""

    results: Results
    terminal: str
    exit_code: int
    folder: Path

    def rule(self, identifier: str) -> RuleResult:
        """Return what the run says about a rule."""
        return next(rule for rule in self.results.rules if rule.id == identifier)


class CollectedSuite:
    """A process that has collected the suite, while the ``with`` block runs; it makes one run after the other."""

    def __enter__(self) -> Self:
        here, there = socket.socketpair()
        here.settimeout(_PATIENCE)
        with there:
            command = [
                *(sys.executable, "-m", "pytest", "-q", "-c", str(_SETTINGS)),
                *(f"--rootdir={resource('conformance')}", "--capture=sys", "-p", "no:cacheprovider"),
                *("-p", "collected_suite.forks", "--forks", str(there.fileno()), str(resource("conformance"))),
            ]
            tests = os.pathsep.join(filter(None, (str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH"))))
            self._process = subprocess.Popen(  # noqa: S603  our own program
                command,
                pass_fds=[there.fileno()],
                start_new_session=True,
                env=os.environ | {"PYTHONPATH": tests},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        self._socket = here
        self._lines = here.makefile("rw", encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        # What was still to be said, to a process that may have ended, is not missed.
        with contextlib.suppress(OSError):
            self._lines.close()
        self._socket.close()
        try:
            self._process.communicate(timeout=_PATIENCE)
        finally:
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)

    def run(
        self,
        folder: Path,
        *,
        faults: Sequence[str] = (),
        dialect: str | None = None,
        rules: Sequence[str] | None = None,
        forgotten: str = "",
        judged: bool = False,
    ) -> Ran:
        """Run the suite against the embedded sandbox, as an `Order` says.

        Raises TimeoutError where a run takes minutes, RuntimeError where it leaves no results.
        """
        order = Order(str(folder), tuple(faults), dialect, None if rules is None else tuple(rules), forgotten, judged)
        try:
            self._lines.write(json.dumps(asdict(order)) + "\n")
            self._lines.flush()
            exit_code = int(self._lines.readline())
        except (ConnectionError, ValueError):
            said, _ = self._process.communicate(timeout=_PATIENCE)
            raise RuntimeError(f"the suite was not collected:\n{said}") from None
        terminal = (folder / TERMINAL).read_text(encoding="utf-8")
        if not (folder / "results.json").exists():
            raise RuntimeError(f"a run left no results:\n{terminal}")
        return Ran(load_results(folder / "results.json"), terminal, exit_code, folder)
