"""One process that runs scenarios: the target it talks to, what it keeps, and the verdict of each scenario."""

import hashlib
import json
import tempfile
import traceback
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

import pytest

from airworthy.contract import Contract, Conversation, ServiceAddress
from airworthy.contract.applications import Applications
from airworthy.contract.exchange import Exchange
from airworthy.contract.finding import Finding
from airworthy.errors import StorageError
from airworthy.evidence import Pseudonyms, Recorder
from airworthy.private_files import make_folder
from airworthy.register import Rule, rules
from airworthy.sandbox import SandboxServer
from airworthy.suite import options, outcomes, selection, terminal
from airworthy.suite.capture import Capture, Record, conclude
from airworthy.suite.examination import Connections, Examination, connect
from airworthy.suite.outcomes import Broken, Untested
from airworthy.suite.selection import Selected
from airworthy.target.ageing import Ageing
from airworthy.target.ledger import Ledger
from airworthy.target.preflight import preflight
from airworthy.target.profile import Profile
from airworthy.target.profile_file import profile_from
from airworthy.target.transport import ExchangeError
from airworthy.target.variables import secret_placeholders

PROPERTY = "airworthy"
SELECTION = "airworthy-selection"
_PASSING = ("passed", "warning")
_FAILING = ("failed", "error")
_FRAMES = 6
_OWN_CODE = {"conformance", "airworthy"}

Told = tuple[Literal["passed", "failed", "skipped"], str | tuple[str, int, str] | None]


class Examiner:
    """Examines a target scenario by scenario.

    ``external`` is the profile of a target, None for the embedded sandbox, which then starts with the first scenario.
    ``folder`` is the run's; ``key`` makes pseudonyms the same in all processes; ``worker`` is xdist's name for this
    process ("" where it is the only one) and ``processes`` how many there are.
    """

    def __init__(
        self,
        config: pytest.Config,
        folder: Path,
        key: bytes,
        external: Profile | None,
        *,
        worker: str = "",
        processes: int = 1,
    ) -> None:
        self.config = config
        self.folder = folder
        self.selected: list[Selected] = []
        self.ageing: Ageing | None = None
        self._key = key
        self._external = external
        self._worker = worker
        self._processes = processes
        self._stack = ExitStack()
        self._aged = 0
        self._has_sent_selection = not worker

    # What the fixtures give

    @cached_property
    def profile(self) -> Profile:
        """The target's profile; the embedded sandbox is started for it where no target was named."""
        if self._external:
            return self._external
        option = self.config.option
        server = self._stack.enter_context(SandboxServer(options.sandbox_settings(option), ftp_port=0))
        profile = profile_from(server.profile(), options.EMBEDDED)
        return options.adjusted(replace(profile, ca_bundle=server.ca_bundle), option)

    @cached_property
    def contract(self) -> Contract:
        """The contract of the versions that are examined."""
        profile = self.profile
        providers = (profile.payment.url,) if profile.payment.url else ()
        service = ServiceAddress((profile.base_url,), providers, allow_plain_http=profile.allow_plain_http)
        return Contract.load(self.profile.versions, service)

    @cached_property
    def journey(self) -> Conversation:
        """What this process has seen of the target."""
        return Conversation(lifetimes=self.profile.lifetimes)

    @cached_property
    def recorder(self) -> Recorder:
        """Writes the evidence; all processes write to one file."""
        path = self.folder / "evidence.jsonl"
        pseudonyms, secrets = Pseudonyms(self._key), secret_placeholders(self.profile)
        try:
            make_folder(self.folder)
            return self._stack.enter_context(Recorder(path, self.contract, pseudonyms=pseudonyms, secrets=secrets))
        except OSError as error:
            raise StorageError(f"{path}: {error.strerror}") from None

    @cached_property
    def examination(self) -> Examination:
        """What hears every exchange."""
        contract, journey, recorder = self.contract, self.journey, self.recorder

        def judge(exchange: Exchange, applied: Applications) -> list[Finding]:
            return contract.judge(exchange, journey, applied)

        def keep(exchange: Exchange, capture: Capture) -> None:
            try:
                recorder.append(exchange, scenario=capture.scenario, rules=" ".join(sorted(capture.rules)))
            except OSError as error:
                raise StorageError(f"{self.folder / 'evidence.jsonl'}: {error.strerror}") from None

        return Examination(judge, keep, Ledger(self.folder / "ledger.jsonl"))

    @cached_property
    def connections(self) -> Connections:
        """The clients and the clock."""
        # Only a target that several processes share has a clock to share, too.
        shared, _ = clock_files(self._key)
        connections = connect(
            self.profile,
            self.examination,
            allow_live_bookings=self.config.option.allow_live_bookings,
            processes=self._processes,
            prefix=f"{self._worker}x",
            shared_clock=shared if self._worker and self._external else None,
        )
        self._stack.callback(connections.close)
        return connections

    # Scenario by scenario

    def open(self) -> None:
        """Open the target, the evidence and the connections, where that was not done yet.

        Raises:
            UsageError, TargetError, StorageError: one of them is not available.
        """
        _ = self.examination, self.connections

    def held(self, item: pytest.Item) -> AbstractContextManager[None]:
        """Keep other processes from moving the target's clock meanwhile, or from using it while this one moves it."""
        return self.connections.clock.held(moving=selection.is_ageing(item))

    def begin(self, item: pytest.Item) -> None:
        """Start a scenario."""
        template = selection.template_of(item)
        if template:
            outcomes.comparisons.made = 0
            self.examination.begin(selection.name_of(item, template), frozenset(selection.rules_of(template)))

    def report(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """Return pytest's report of the phase that ended a scenario, with the verdict on it."""
        error = _as_outcome(call.excinfo.value if call.excinfo else None)
        if reason := self._reason_to_stop(error):
            item.session.shouldstop = reason
            # What went wrong afterwards is a consequence.
            error = error if isinstance(error, Broken) else Untested(reason)
        capture = self.examination.capture
        capture.compared = outcomes.comparisons.made
        record = self._scrubbed(conclude(capture, error, item.nodeid, call.duration))
        if self.ageing:
            record = replace(record, aged=tuple(self.ageing.log[self._aged :]))
            self._aged = len(self.ageing.log)
        outcome, longrepr = self._told(item, capture, record, error)
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
            user_properties=[*item.user_properties, *self._selection(), (PROPERTY, json.dumps(asdict(record)))],
        )

    def _selection(self) -> list[tuple[str, str]]:
        """Return what this process selected, once: xdist's controller has not collected it, and may be interrupted."""
        if self._has_sent_selection:
            return []
        self._has_sent_selection = True
        return [(SELECTION, json.dumps([asdict(each) for each in self.selected]))]

    def _told(self, item: pytest.Item, capture: Capture, record: Record, error: BaseException | None) -> Told:
        """Return pytest's word for the verdict, and what it shows."""
        result = record.result
        if result.verdict in _PASSING:
            return "passed", None
        if result.verdict in _FAILING:
            own_fault = result.verdict == "error" and error is not None
            return "failed", self._failure_text(capture, record, error if own_fault else None)
        path, line, _ = item.location
        return "skipped", (path, (line or 0) + 1, f"{result.verdict.replace('_', ' ')}: {result.reason}")

    def close(self) -> None:
        """End connections, evidence and the sandbox."""
        self._stack.close()

    def _scrubbed(self, record: Record) -> Record:
        """Take personal data and secrets out of everything that is shown of a scenario."""
        scrub = self.recorder.scrub
        result = record.result
        failure = result.failure
        if failure:
            failure = replace(
                failure,
                message=scrub(failure.message),
                expected=scrub(failure.expected),
                actual=scrub(failure.actual),
                steps=tuple(map(scrub, failure.steps)),
            )
        return replace(
            record,
            result=replace(
                result,
                name=scrub(result.name),
                reason=scrub(result.reason),
                findings=tuple(map(self._finding_scrubbed, result.findings)),
                failure=failure,
            ),
            findings=tuple(replace(each, finding=self._finding_scrubbed(each.finding)) for each in record.findings),
            observations=tuple(replace(each, value=scrub(each.value)) for each in record.observations),
        )

    def _finding_scrubbed(self, finding: Finding) -> Finding:
        scrub = self.recorder.scrub
        return replace(
            finding,
            message=scrub(finding.message),
            expected=scrub(finding.expected),
            actual=scrub(finding.actual),
        )

    def _failure_text(self, capture: Capture, record: Record, own_fault: BaseException | None) -> str:
        failure = record.result.failure
        at_fault = capture.exchange(failure.exchange) if failure else None
        shown = self.recorder.redactor.exchange(at_fault) if at_fault else None
        trace = self.recorder.scrub(_trace(own_fault)) if own_fault else ""
        ca_bundle = self._external.ca_bundle if self._external else None
        return terminal.failure_text(record.result, self._rules(record), shown, trace, ca_bundle)

    def _rules(self, record: Record) -> list[Rule]:
        return [rule for rule in rules() if rule.id in record.rules]

    def _reason_to_stop(self, error: BaseException | None) -> str:
        """Return why the run cannot go on; an empty string if it can."""
        if self.examination.unwritten:
            return str(self.examination.unwritten)
        if self.connections.retry_budget.exhausted:
            return self.connections.retry_budget.exhausted
        return self._gone(error) if isinstance(error, ExchangeError) else ""

    def _gone(self, error: ExchangeError) -> str:
        """Say so where the target is gone as a whole: the run stops, instead of failing every scenario that is left."""
        if error.kind in ("too large", "undecodable") or error.exchange is None:
            return ""
        try:
            preflight(self.connections.client, self.profile)
        except ExchangeError as gone:
            return f"the target is gone: {gone}"
        return ""


EXAMINER: Final = pytest.StashKey[Examiner]()


def clock_files(key: bytes) -> tuple[Path, Path]:
    """Return the file by which the processes of a run share their target's clock, and the file that locks it."""
    shared = Path(tempfile.gettempdir()) / f"airworthy-{hashlib.sha256(key).hexdigest()[:16]}.clock"
    return shared, shared.with_suffix(".lock")


def _trace(error: BaseException) -> str:
    """Return where the suite's own code went wrong, without the frames of its tools."""
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if set(Path(frame.filename).parts) & _OWN_CODE
    ]
    return "".join(traceback.format_list(frames[-_FRAMES:]))


def _as_outcome(error: BaseException | None) -> BaseException | None:
    """Read what pytest's own words mean for a rule."""
    if isinstance(error, pytest.fail.Exception):
        return Broken(str(error))
    if isinstance(error, pytest.skip.Exception):
        return Untested(str(error))
    return error
