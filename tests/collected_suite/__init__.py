"""The conformance suite, collected once and run many times: each run is a fork of the process that collected it.

Collecting takes seconds, the scenarios of one rule take hundredths of a second.
"""

import contextlib
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from airworthy import suite
from airworthy.report.document import load_results
from airworthy.report.results import Results, RuleResult
from airworthy.resources import resource
from collected_suite.relay import Spoiled

TERMINAL: Final = "terminal.txt"
JUDGED: Final = "judged.pickle"
BRIEF: Final = "results.pickle"
_SETTINGS: Final = Path(suite.__file__).parent / "certify.ini"
_TIMEOUT: Final = 900


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A run to make.

    ``folder`` receives its files, ``faults`` and ``dialect`` configure the sandbox, and only the scenarios of ``rules``
    run (None: all scenarios). ``profile`` is the file of another target, at which no scenario waits. The contract
    reports nothing against the rule ``forgotten``. ``judged`` writes what the contract found in each exchange to the
    file `JUDGED`. ``brief`` ends the run at its first failed scenario and writes only the results, pickled, because
    validating a document takes longer than most of these runs. ``situations`` changes the profile: by key, such as
    ``routes.city``, the key whose value takes its place, or "" to leave it out. ``refused`` maps operations to the
    status with which the service responds to all their requests. ``spoiled`` is a kind of `HOSTILE` responses, and
    which responses of the service are of this kind. ``replaced`` is a module of the sandbox and the file that is
    imported instead. The scenarios ``first``, named by their rules or node ids, run before the others. Planned
    conversations cover every combination of ``together`` circumstances.
    """

    folder: str
    faults: Sequence[str] = ()
    dialect: str | None = None
    rules: Sequence[str] | None = None
    profile: str = ""
    forgotten: str = ""
    judged: bool = False
    brief: bool = False
    situations: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, int] = field(default_factory=dict)
    spoiled: tuple[str, Spoiled] | None = None
    replaced: tuple[str, str] | None = None
    first: Sequence[str] = ()
    together: int = 2


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run that ended: its results, the terminal output, pytest's exit code, and its folder."""

    results: Results
    terminal: str
    exit_code: int
    folder: Path

    def rule(self, identifier: str) -> RuleResult:
        """Return the result of a rule."""
        return next(rule for rule in self.results.rules if rule.id == identifier)

    def rules(self, verdict: str) -> set[str]:
        """Return the ids of the rules with a verdict."""
        return {rule.id for rule in self.results.rules if rule.verdict == verdict}


class CollectedSuite:
    """A process that collects the suite and, while the ``with`` block runs, makes one run after the other."""

    def __enter__(self) -> Self:
        here, there = socket.socketpair()
        here.settimeout(_TIMEOUT)
        with there:
            command = [
                # -rs: a failed test shows the output of its run, which has to say why a scenario was skipped.
                *(sys.executable, "-m", "pytest", "-q", "-rs", "-c", str(_SETTINGS)),
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
        # The process may have ended already.
        with contextlib.suppress(OSError):
            self._lines.close()
        self._socket.close()
        try:
            self._process.communicate(timeout=_TIMEOUT)
        finally:
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)

    def run(self, folder: Path, **options: Any) -> FinishedRun:  # noqa: ANN401 - the fields of RunRequest
        """Run the suite against the embedded sandbox as a `RunRequest` with these options says.

        Raises:
            TimeoutError: the run takes too long.
            RuntimeError: the suite was not collected, or the run left no results.
        """
        request = RunRequest(str(folder), **options)
        try:
            self._lines.write(json.dumps(asdict(request)) + "\n")
            self._lines.flush()
            exit_code = int(self._lines.readline())
        except (ConnectionError, ValueError):
            output, _ = self._process.communicate(timeout=_TIMEOUT)
            raise RuntimeError(f"the suite was not collected:\n{output}") from None
        terminal = (folder / TERMINAL).read_text(encoding="utf-8")
        written = folder / (BRIEF if request.brief else "results.json")
        if not written.exists():
            raise RuntimeError(f"the run left no results:\n{terminal}")
        results: Results = pickle.loads(written.read_bytes()) if request.brief else load_results(written)  # noqa: S301 - our own
        return FinishedRun(results, terminal, exit_code, folder)
