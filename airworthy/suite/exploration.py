"""Random conversations with one interface, for a time or a number of them, each judged step by step.

Hypothesis draws the conversations, shortens one that fails, and saves it. The exploration tells it which ones fail, and
keeps what there is to report: the steps of the shortest conversation of each finding, and how often it failed again.

Hypothesis works in rounds, each with a database folder of its own. A round ends after a few conversations, or at the
first finding that is new, once its conversation is as short as can be; later rounds pass over that finding. The folders
of findings remain, and the next exploration of the target begins with them.
"""

import itertools
import math
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, cast

import orjson
from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.errors import Flaky, Unsatisfiable
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from airworthy.contract.bodies.applications import Applications
from airworthy.contract.findings.finding import Finding
from airworthy.private_files import make_folder
from airworthy.report.exploration import Explored, ExploredStep
from airworthy.report.results import Verdict, count_findings, weigh
from airworthy.suite.capture import Capture, Record
from airworthy.suite.conversation_steps import JudgedStep, judged_step
from airworthy.suite.examination import Examination
from airworthy.suite.explored_findings import ExploredFindings, Key
from airworthy.suite.interrupts import INTERRUPTED, Interrupts
from airworthy.suite.options import ExplorationBudget
from airworthy.suite.plan import Plan, saved_circumstances
from airworthy.target.ledger import BookingLimitError
from airworthy.target.retries import is_throttled

STEPS_OF_A_CONVERSATION: Final = 24
_MOST_TRIES: Final = 6
_SECONDS_TO_SHORTEN: Final = 30.0
_SHARE_TO_SHORTEN: Final = 0.25
_SHARE_OF_PLAN: Final = 0.5
# From ten on, Hypothesis repeats parts of a conversation in others, which shows little that is new.
_CONVERSATIONS_OF_A_ROUND: Final = 9


class ConversationFailed(Exception):  # noqa: N818  Hypothesis is to find it
    """A step of the conversation shows a finding that is new."""


class _Over(KeyboardInterrupt):
    """Ends a round. Hypothesis passes on such an interrupt, and keeps the shortest conversation so far."""


NO_BEGINNING: Final = "no conversation could begin: the service accepted nothing, or the profile lacks what it needs"
NOTHING_LEFT: Final = "no conversation could begin any more: searches find nothing after the clock was moved so far"
_MOST_WITHOUT_TRANSITION: Final = 200


@dataclass(eq=False)
class Exploration:
    """An exploration of one interface.

    Args:
        interface: v4, v3 or v2.
        examination: judges and records the exchanges.
        budget: how much is explored.
        database: the folder of the conversations that failed before.
        monotonic: returns the current time in seconds.
    """

    interface: str
    examination: Examination
    budget: ExplorationBudget
    database: Path
    monotonic: Callable[[], float] = time.monotonic
    ended: str = ""
    interrupted: str = ""
    conversations: int = 0
    steps: int = 0
    applied: Applications = field(default_factory=Applications)
    transitions: Counter[str] = field(default_factory=Counter)
    exchanges: list[str] = field(default_factory=list)
    throttled: int = 0
    http_seconds: float = 0.0
    _error: Exception | None = None
    found: ExploredFindings = field(default_factory=ExploredFindings)
    _soft: dict[Key, Finding] = field(default_factory=dict)
    _told: list[ExploredStep] = field(default_factory=list)
    _focus: Key | None = None
    _focus_until: float = 0.0
    _repeating: bool = False
    _is_attempt: bool = False
    _without_transition: int = 0
    _is_drawing: bool = False
    _began: float = 0.0
    _drawn: int = 0

    def __post_init__(self) -> None:
        """Choose a seed, so that it can be reported."""
        self._began = self.monotonic()
        self.seed = secrets.randbelow(2**32) if self.budget.seed is None else self.budget.seed

    def run(self, machine: Callable[[], RuleBasedStateMachine], plans: Sequence[Plan]) -> None:
        """Explore until the budget is used up. Raise the error that ended the exploration early, if any.

        An exploration for some time begins with the conversations of the plans, which take up to half of it. Another
        error is one of the suite, and is raised as it is.
        """
        make_folder(self.database)
        # Hypothesis keeps there what it has learnt from the code of a checkout, which takes it seconds.
        set_hypothesis_home_dir(self.database.parent)
        try:
            self._saved_rounds(machine)
            for number, plan in enumerate(plans if self.budget.seconds is not None else ()):
                self._follow(plan, self.database / f"plan-{number}.json")
            self._new_rounds(machine)
        except _Over:
            pass
        except KeyboardInterrupt as interrupt:
            self.ended = self.interrupted = str(interrupt) or INTERRUPTED
        finally:
            self._end_conversation()
        if not self.transitions:
            self.ended = self.ended or NO_BEGINNING
        if self._error:
            raise self._error

    def _follow(self, plan: Plan, saved: Path) -> None:
        """Have planned conversations, those that failed before first; make one that fails plainer, and repeat it."""
        failed = list[Mapping[str, int]]()
        for circumstances in (*saved_circumstances(plan, saved), *plan.combinations):
            if self._shows_something(plan, circumstances) and (focus := self._focus):
                plainest = circumstances
                for name in circumstances:
                    plainer = {**plainest, name: 0}
                    if plainer != plainest and self._shows_something(plan, plainer):
                        plainest = plainer
                self._repeat(focus, partial(self._shows_something, plan, plainest))
                self.found.settle(focus)
                self._focus = None
                failed.append(plainest)
                saved.write_bytes(orjson.dumps(failed))
            if self._is_used_up(_SHARE_OF_PLAN):
                return

    @staticmethod
    def _shows_something(plan: Plan, circumstances: Mapping[str, int]) -> bool:
        try:
            plan.converse(circumstances)
        except ConversationFailed:
            return True
        return False

    def _saved_rounds(self, machine: Callable[[], RuleBasedStateMachine]) -> None:
        for folder in sorted(each for each in self.database.glob("round-*") if each.is_dir()):
            if not self._is_used_up():
                self._round(machine, folder, (Phase.reuse, Phase.shrink), 0)

    def _new_rounds(self, machine: Callable[[], RuleBasedStateMachine]) -> None:
        before = -1
        for number in itertools.count():
            if self._is_used_up() or self._drawn == before:
                return
            before = self._drawn
            folder = self.database / f"round-{secrets.token_hex(4)}"
            self._round(machine, folder, (Phase.generate, Phase.shrink), number)

    def _round(
        self, machine: Callable[[], RuleBasedStateMachine], folder: Path, phases: Sequence[Phase], number: int
    ) -> None:
        """Explore until a finding is new, and shorten its conversation."""
        self._focus, focus, self._is_drawing = None, None, Phase.generate in phases
        left = math.inf if self.budget.conversations is None else max(self.budget.conversations - self._drawn, 1)
        try:
            focus = self._draw(machine, folder, phases, int(min(left, _CONVERSATIONS_OF_A_ROUND)), number)
            if focus:
                self._repeat(focus, partial(self._draw, machine, folder, (Phase.reuse,), 1, 0))
                self.found.settle(focus)
        finally:
            if self._focus not in self.found and folder.exists():
                shutil.rmtree(folder, ignore_errors=True)

    def _draw(
        self,
        machine: Callable[[], RuleBasedStateMachine],
        folder: Path,
        phases: Sequence[Phase],
        left: int,
        number: int,
    ) -> Key | None:
        """Let Hypothesis draw conversations; return the finding whose conversation it has shortened."""
        drawn = settings(
            max_examples=left,
            stateful_step_count=STEPS_OF_A_CONVERSATION,
            phases=phases,
            database=DirectoryBasedExampleDatabase(folder),
            deadline=None,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
            print_blob=False,
        )
        # Hypothesis reports what did not fail again as flaky, or, if a step was not possible, as unsatisfiable. How
        # often it did fail is counted here.
        with suppress(ConversationFailed, Flaky, Unsatisfiable):
            try:
                # Hypothesis also accepts a function that makes the machine, but does not declare it.
                seeded = cast("type[RuleBasedStateMachine]", seed(self.seed + number)(partial(machine)))
                run_state_machine_as_test(seeded, settings=drawn)
            except _Over:
                if self._focus is None:
                    raise
        return self._focus

    def _repeat(self, focus: Key, converse: Callable[[], object]) -> None:
        """Have the conversation of a finding again; one that cannot take all its steps says nothing about it."""
        self._repeating = True
        try:
            for _ in range(_MOST_TRIES):
                if not self.found.is_repeated_enough(focus):
                    converse()
                    self._end_attempt(focus)
        finally:
            self._repeating = False

    def _end_attempt(self, focus: Key) -> None:
        if self._is_attempt and len(self._told) >= self.found.length(focus):
            self.found.count_attempt(focus, repeated=False)
        self._is_attempt = False

    def _is_used_up(self, share: float = 1.0) -> bool:
        if self.budget.seconds is not None and self.monotonic() - self._began > self.budget.seconds * share:
            return True
        if self.budget.until_found and self.found.has_firm:
            return True
        return self.budget.conversations is not None and self._drawn >= self.budget.conversations

    # What a conversation calls

    def begin_conversation(self) -> None:
        """Begin another conversation."""
        self._end_conversation()
        self._check_time()
        if self.transitions and self._without_transition > _MOST_WITHOUT_TRANSITION:
            self.ended = NOTHING_LEFT
            raise _Over
        if self._is_drawing and self._focus is None and self._drawn == self.budget.conversations:
            raise _Over
        self.conversations += 1
        if self._repeating and self._focus:
            self._end_attempt(self._focus)
            if self.found.is_repeated_enough(self._focus):
                raise _Over
            self._is_attempt = True
        elif self._focus is None and self._is_drawing:
            self._drawn += 1
        self._told = []
        self._capture()

    def _check_time(self) -> None:
        # Hypothesis takes an interrupt for a failure if it comes while a failure is repeated.
        Interrupts.check()
        end = self._focus_until if self._focus else self._began + (self.budget.seconds or math.inf)
        if not self._repeating and self.monotonic() > end:
            raise _Over

    def tell(self, text: str) -> None:
        """Tell something that happens without an exchange."""
        self._told.append(ExploredStep(text, ()))

    @contextmanager
    def step(self, text: str, *, needed: bool = False) -> Iterator[list[str]]:
        """Judge the exchanges of the ``with`` block, a step of the conversation, which ``text`` tells.

        The block may add words to the list that it receives. See `judged_step`.

        Raises:
            ConversationFailed: the step shows a finding that is new.
        """
        words, judged = [text], JudgedStep()
        try:
            with judged_step(self.examination.capture, needed=needed) as judged:
                self._check_time()
                yield words
        except BookingLimitError as error:
            self.ended = str(error)
            raise _Over from error
        except Flaky:
            # A step that draws depends on what the service has shown, and that need not be the same again.
            raise
        except Exception as error:
            self.ended, self._error = str(error), error
            raise _Over from error
        finally:
            if judged.exchanges:
                self.steps += 1
                self._told.append(ExploredStep("".join(words), tuple(each.id for each in judged.exchanges)))
        for each in judged.findings:
            verdict = weigh(each)
            if verdict == "warning":
                self._soft.setdefault(each.key, each)
            if verdict == "failed":
                self._note(each)

    def _note(self, finding: Finding) -> None:
        """Keep a finding with its conversation if that is the shortest; fail if the finding is the one to shorten."""
        if not self.found.keep(finding, self._told) or self._focus not in (None, finding.key):
            return
        if self._focus is None:
            time_to_shorten = max(_SECONDS_TO_SHORTEN, _SHARE_TO_SHORTEN * (self.budget.seconds or 0.0))
            self._focus, self._focus_until = finding.key, self.monotonic() + time_to_shorten
        if self._is_attempt:
            self.found.count_attempt(finding.key, repeated=True)
            self._is_attempt = False
        raise ConversationFailed(finding.message)

    def _capture(self) -> Capture:
        return self.examination.begin(f"exploration of {self.interface}", frozenset(), explores=True)

    def _end_conversation(self) -> None:
        """Add what the last conversation has used to the counts."""
        capture = self.examination.capture
        self.applied.update(capture.applied)
        self.transitions.update(capture.transitions)
        self._without_transition = 0 if capture.transitions else self._without_transition + 1
        self.exchanges += [each.id for each in capture.exchanges]
        self.http_seconds += sum(each.elapsed for each in capture.exchanges)
        self.throttled += sum(is_throttled(each.response) for each in capture.exchanges)
        self._capture()

    # What there is to report

    def explored(self) -> Explored:
        """Return what was explored and found."""
        return Explored(
            interface=self.interface,
            seed=self.seed,
            seconds=self.monotonic() - self._began,
            conversations=self.conversations,
            steps=self.steps,
            transitions=dict(sorted(self.transitions.items())),
            found=tuple(self.found),
            ended=self.ended,
        )

    def record(self, record: Record) -> Record:
        """Return the record of the exploration, made of that of its last conversation.

        A finding counts as a warning if not every repetition of its conversation showed it again.
        """
        explored = self.explored()
        result, firm = record.result, [each for each in explored.found if each.is_firm]
        if result.verdict == "passed":
            verdict: Verdict = "failed" if firm else "warning" if explored.found else "passed"
            reason = next((each.finding.message for each in (*firm, *explored.found)), self.ended)
            result = replace(result, verdict=verdict, reason=reason)
        findings = (*explored.findings, *self._soft.values())
        return replace(
            record,
            result=replace(result, http_seconds=self.http_seconds, exchanges=tuple(self.exchanges), findings=findings),
            findings=count_findings(findings),
            applied=self.applied,
            transitions={},
            throttled=self.throttled,
            explored=explored,
        )
