"""Everything that a process needs to run scenarios: target, evidence, connections, and the report of each scenario."""

import hashlib
import time
import traceback
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import orjson
import pytest

from airworthy.contract import Contract, Conversation, Exchange, Finding
from airworthy.errors import AirworthyError, StorageError, TargetError
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import Recorder
from airworthy.private_files import make_folder, temporary_folder
from airworthy.register import rules
from airworthy.report.exchange_summaries import error_message
from airworthy.report.results import EMBEDDED
from airworthy.report.write import EVIDENCE, LEDGER
from airworthy.suite import options, outcomes, selection, terminal
from airworthy.suite.capture import Capture, Record, conclude
from airworthy.suite.examination import Connections, Examination, connect
from airworthy.suite.outcomes import ExpectationError, Outcome, SeatsGone, UnexpectedError, Untested
from airworthy.suite.processes import Share
from airworthy.suite.selection import Selected
from airworthy.target.ageing import Ageing
from airworthy.target.ledger import Ledger
from airworthy.target.preflight import check_target, preflight
from airworthy.target.profile import Profile, known_terms
from airworthy.target.profile_file import profile_from
from airworthy.target.transport import ExchangeError
from airworthy.target.urls import named_service

if TYPE_CHECKING:
    from airworthy.suite.exploration import Exploration

PROPERTY = "airworthy"
SELECTION = "airworthy-selection"
_PASSING = ("passed", "warning")
_FAILING = ("failed", "error")
_MAX_FRAMES = 6
_SUITE_FOLDERS = {"conformance", "airworthy"}

PytestOutcome = tuple[Literal["passed", "failed", "skipped"], str | tuple[str, int, str] | None]


@dataclass(eq=False, repr=False)
class Examiner:
    """Examines a target scenario by scenario.

    Args:
        config: pytest's.
        folder: the folder of the run.
        key: the key of the pseudonyms, which is the same in all processes.
        external: the profile of the target; None for the embedded sandbox, which starts with the first scenario.
        worker: the name that xdist gives this process; empty without xdist.
        processes: the number of processes.
    """

    config: pytest.Config
    folder: Path
    key: bytes
    external: Profile | None
    worker: str = ""
    processes: int = 1
    selected: list[Selected] = field(default_factory=list)
    ageing: Ageing | None = None
    exploration: "Exploration | None" = None
    _stack: ExitStack = field(default_factory=ExitStack)
    _aged: int = 0
    _began: float = 0.0
    _cannot_begin: str = ""

    def __post_init__(self) -> None:
        """Create the folder that the processes share: each has an embedded sandbox, but not an external target."""
        self._has_sent_selection = not self.worker
        # A fixture of other tests may start the target. Without them, the plugin has checked it.
        self._is_target_checked = self.external is None or not selection.other_paths(self.config)
        self.shared = shared_folder(self.key) if self.worker and self.external else None
        if self.shared:
            make_folder(self.shared)

    # Values of the fixtures

    @cached_property
    def profile(self) -> Profile:
        """The target's profile. If no target is named, this starts the embedded sandbox."""
        if self.external:
            return self.external
        # Only a run without a target needs the server, whose import takes a third of a second.
        from airworthy.sandbox import SandboxServer  # noqa: PLC0415

        option = self.config.option
        server = self._stack.enter_context(SandboxServer(options.sandbox_settings(option), ftp_port=0))
        profile = profile_from(server.profile(), EMBEDDED)
        return options.with_options(replace(profile, ca_bundle=server.ca_bundle), option)

    @property
    def share(self) -> Share:
        """The share of this process in the flights of the target; each embedded sandbox belongs to one process."""
        if self.shared is None:
            return Share()
        return Share(int(self.worker.removeprefix("gw")), self.processes, self.shared / "taken")

    @cached_property
    def contract(self) -> Contract:
        """The contract of the examined interfaces."""
        return Contract.load(self.profile.versions, named_service(profile=self.profile))

    @cached_property
    def conversation(self) -> Conversation:
        """The conversation of this process with the target."""
        return Conversation(lifetimes=self.profile.lifetimes, dates=False)

    @cached_property
    def recorder(self) -> Recorder:
        """The recorder of the evidence. All processes write to the same file."""
        path = self.folder / EVIDENCE
        terms = known_terms(self.profile)
        try:
            make_folder(self.folder)
            recorder = Recorder(path, self.contract, pseudonyms=Pseudonyms(self.key), **terms)
            return self._stack.enter_context(recorder)
        except OSError as error:
            raise StorageError(f"{path}: {error.strerror}") from None

    @cached_property
    def examination(self) -> Examination:
        """The examination, which receives every exchange."""
        contract, conversation, recorder = self.contract, self.conversation, self.recorder

        def judge(exchange: Exchange, capture: Capture) -> list[Finding]:
            return contract.judge(exchange, conversation, capture.applied, capture.taken)

        def keep(exchange: Exchange, capture: Capture) -> None:
            try:
                recorder.append(exchange, scenario=capture.scenario, rules=" ".join(sorted(capture.rules)))
            except OSError as error:
                raise StorageError(f"{self.folder / EVIDENCE}: {error.strerror}") from None

        return Examination(judge, keep, Ledger(self.folder / LEDGER))

    @cached_property
    def connections(self) -> Connections:
        """The clients and the clock."""
        connections = connect(
            self.profile,
            self.examination,
            allow_live_bookings=self.config.option.allow_live_bookings,
            prefix=f"{self.worker}x",
            shared=self.shared,
        )
        self._stack.callback(connections.close)
        return connections

    # Scenario by scenario

    def open(self) -> None:
        """Open the target, the evidence and the connections, unless they are open.

        Raises:
            UsageError, TargetError, StorageError: one of them cannot be opened.
        """
        _ = self.examination, self.connections

    def clock_lock(self, item: pytest.Item) -> AbstractContextManager[None]:
        """Return a lock on the target's clock, which is exclusive for a scenario that may advance it."""
        return self.connections.clock.locked(moving=selection.is_ageing(item))

    def begin(self, item: pytest.Item) -> None:
        """Start a scenario, or a test that is not the suite's."""
        template = selection.scenario_of(item)
        self.exploration = None
        self._began = time.process_time()
        if template:
            outcomes.comparisons.total = 0
            self.examination.begin(selection.name_of(item, template), frozenset(selection.rules_of(template)))
        elif explored := selection.interface_explored(item):
            self.exploration = self._exploration(explored)
        elif "examination" in self.__dict__:
            self.examination.leave()

    def _exploration(self, interface: str) -> "Exploration":
        # Only an exploration needs Hypothesis, whose import takes a quarter of a second.
        from airworthy.suite.exploration import Exploration  # noqa: PLC0415

        option, versions = self.config.option, self.profile.versions
        budget = options.budget(option)
        assert budget is not None
        self.examination.bookings_left = options.bookings_of(interface, versions, option)
        # What failed at one target may mean nothing at another.
        target = hashlib.sha256((EMBEDDED if self.external is None else self.profile.base_url).encode()).hexdigest()
        folder = self.folder.parent / ".explored" / target[:16] / interface
        return Exploration(interface, self.examination, budget.share(len(versions)), folder)

    def check_target(self) -> None:
        """Check once whether the target can be examined, unless the plugin has done so. Raise `TargetError` if not."""
        if self.external and not self._is_target_checked:
            self._is_target_checked = True
            try:
                check_target(self.external)
            except TargetError as error:
                self._cannot_begin = str(error)
                raise

    def report(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """Return the report of the phase that ended a scenario, with its record as a property."""
        error = self._as_outcome(call.excinfo.value if call.excinfo else None)
        if "connections" in self.__dict__ and not self.exploration:
            # An exploration has a limit of its own.
            self.connections.run_budget.worked(time.process_time() - self._began)
        if reason := self._reason_to_stop(error):
            item.session.shouldstop = reason
            # Only a violation found before the run stopped is reported; other errors are consequences.
            error = error if isinstance(error, ExpectationError) else Untested(reason)
        capture = self.examination.capture
        capture.compared = outcomes.comparisons.total
        record = conclude(capture, error, item.nodeid, call.duration)
        if self.exploration:
            record = self.exploration.record(record)
            item.session.shouldstop = item.session.shouldstop or self.exploration.interrupted
        record = self.recorder.scrub(record)
        if self.ageing:
            record = replace(record, aged=tuple(self.ageing.log[self._aged :]))
            self._aged = len(self.ageing.log)
        outcome, longrepr = self._pytest_outcome(item, capture, record, error)
        return pytest.TestReport(
            item.nodeid,
            item.location,
            dict.fromkeys(item.keywords, 1),
            outcome,
            longrepr,
            "setup" if call.when == "setup" else "call",
            duration=call.duration,
            start=call.start,
            stop=call.stop,
            user_properties=[*item.user_properties, *self._selection(), (PROPERTY, orjson.dumps(record).decode())],
        )

    def _selection(self) -> list[tuple[str, str]]:
        """Return the selected scenarios with the first report: xdist's controller does not collect them itself."""
        if self._has_sent_selection:
            return []
        self._has_sent_selection = True
        return [(SELECTION, orjson.dumps(self.selected).decode())]

    def _pytest_outcome(
        self, item: pytest.Item, capture: Capture, record: Record, error: BaseException | None
    ) -> PytestOutcome:
        """Return pytest's outcome for the verdict, and the text that pytest shows."""
        result = record.result
        if result.verdict in _PASSING:
            return "passed", None
        if result.verdict in _FAILING:
            return "failed", self._failure_text(capture, record, error if result.verdict == "error" else None)
        path, line, _ = item.location
        return "skipped", (path, (line or 0) + 1, f"{result.verdict.replace('_', ' ')}: {result.reason}")

    def close(self) -> None:
        """Close the connections, the evidence and the sandbox."""
        self._stack.close()

    def _failure_text(self, capture: Capture, record: Record, internal_error: BaseException | None) -> str:
        of_record = [rule for rule in rules() if rule.id in record.rules]
        failure = record.result.failure
        exchange = capture.exchange(failure.exchange) if failure else None
        redacted = self.recorder.redactor.redacted(exchange) if exchange else None
        trace = self.recorder.scrub(_trace(internal_error)) if internal_error else ""
        ca_bundle = self.external.ca_bundle if self.external else None
        return terminal.failure_text(record.result, of_record, redacted, trace, ca_bundle)

    def _as_outcome(self, error: BaseException | None) -> BaseException | None:
        """Return the outcome that corresponds to an exception; the text of one that is not ours is redacted."""
        if isinstance(error, pytest.fail.Exception):
            return ExpectationError(str(error))
        if isinstance(error, pytest.skip.Exception):
            return Untested(str(error))
        if isinstance(error, SeatsGone) and error.exchange:
            said = error_message(self.recorder.redactor.redacted(error.exchange))
            return Untested(error.reason + (f'; the service responds "{said}"' if said else ""))
        if error is None or isinstance(error, AirworthyError | Outcome | ExpectationError | UnexpectedError):
            return error
        redacted = self.recorder.redactor.words(str(error))
        if isinstance(error, AssertionError):
            return AssertionError(redacted)
        return UnexpectedError(f"{type(error).__name__}: {redacted}").with_traceback(error.__traceback__)

    def _reason_to_stop(self, error: BaseException | None) -> str:
        """Return why the run must stop, or an empty string."""
        unstored = str(self.examination.storage_error or "")
        return self._cannot_begin or unstored or self.connections.run_budget.exhausted or self._unreachable(error)

    def _unreachable(self, error: BaseException | None) -> str:
        """Return why no request can be sent to the target any more, or an empty string if it still responds."""
        if isinstance(error, ExchangeError) and error.exchange and error.kind != "undecodable":
            try:
                preflight(self.connections.client, self.profile)
            except ExchangeError as failure:
                return f"the target is gone: {failure}"
        return ""


EXAMINER: Final = pytest.StashKey[Examiner]()


def shared_folder(key: bytes) -> Path:
    """Return the temporary folder by which all processes of a run share the target: its clock and request rate."""
    return temporary_folder() / f"airworthy-{hashlib.sha256(key).hexdigest()[:16]}"


def _trace(error: BaseException) -> str:
    """Return the traceback of an error, with only the frames of the suite's own code."""
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if set(Path(frame.filename).parts) & _SUITE_FOLDERS
    ]
    return "".join(traceback.format_list(frames[-_MAX_FRAMES:]))
