"""Explorations of a service that is a few lines of Python: what they find, shorten, repeat, save and count."""

import itertools
import math
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import strategies
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import FlakyStrategyDefinition
from hypothesis.stateful import RuleBasedStateMachine, rule

from airworthy.contract.findings.finding import Finding
from airworthy.contract.http.exchange import Exchange
from airworthy.contract.life_cycles import LIFE_CYCLES, Step
from airworthy.errors import StorageError
from airworthy.report.exploration import ExploredStep
from airworthy.report.results import ScenarioResult
from airworthy.suite import exploration, options
from airworthy.suite.capture import Capture, Record
from airworthy.suite.examination import Examination
from airworthy.suite.exploration import NO_BEGINNING, NOTHING_LEFT, Exploration
from airworthy.suite.explored_findings import ExploredFindings
from airworthy.suite.options import ExplorationBudget
from airworthy.suite.outcomes import ExpectationError, PrerequisiteFailed, Untested
from airworthy.target.ledger import BookingLimitError, Ledger
from airworthy.target.profile import VERSIONS
from unit.evidence.stub import exchange

Judge = Callable[[list[int]], str]
"""Returns the rule that the numbers sent so far violate, or an empty string."""


class Service:
    """Receives numbers; a rule is violated as soon as ``judge`` says so of those of the conversation."""

    def __init__(self, folder: Path, judge: Judge, budget: ExplorationBudget, *, soft: bool = False) -> None:
        self.numbers: list[int] = []
        self.conversations: list[list[int]] = []
        self.before_step: Callable[[int], None] = lambda _: None
        self.after_step: Callable[[int], None] = lambda _: None
        self.is_possible: Callable[[int], bool] = lambda _: True
        self.combinations: list[Mapping[str, int]] = []
        self._judge, self._soft, self._ids = judge, soft, itertools.count()
        examination = Examination(self._findings, lambda *_: None, Ledger(folder / "ledger.jsonl"))
        examination.begin("", frozenset(), explores=True)
        self.examination = examination
        self.exploration = Exploration("v4", examination, budget, folder / "saved" / "v4")

    def _findings(self, exchange: Exchange, capture: Capture) -> list[Finding]:
        assert capture.explores
        capture.taken.append(Step(LIFE_CYCLES[0], "none", "getOffer", "stored"))
        violated = self._judge(self.numbers)
        text, place = f"{violated} is violated", exchange.id
        found = Finding(violated, "violation", "response", "status", text, "", "", place, soft=self._soft)
        return [found] if violated else []

    def machine(self) -> RuleBasedStateMachine:
        return Conversation(self)

    def receive(self, number: int) -> None:
        self.before_step(number)
        self.numbers.append(number)
        # It books nothing: writing a booking to the ledger takes longer than everything else.
        self.examination.receive(exchange(None, b"", method="GET", identifier=f"x{next(self._ids)}"))
        self.after_step(number)

    def explore(self) -> "Service":
        self.exploration.run(self.machine, [self])
        return self

    @property
    def sizes(self) -> Mapping[str, int]:
        return dict.fromkeys(self.combinations[0] if self.combinations else (), 10)

    def converse(self, circumstances: Mapping[str, int]) -> None:
        conversation = Conversation(self)
        for number in circumstances.values():
            conversation.send_number(number)

    @property
    def record(self) -> Record:
        return self.exploration.record(Record("test", (), ScenarioResult("exploration of v4", "passed")))


class Conversation(RuleBasedStateMachine):
    def __init__(self, service: Service) -> None:
        service.exploration.begin_conversation()
        super().__init__()
        self.service = service
        service.numbers = []
        service.conversations.append(service.numbers)

    @rule(number=strategies.integers(0, 9))
    def send(self, number: int) -> None:
        self.send_number(number)

    def send_number(self, number: int) -> None:
        if not self.service.is_possible(number):
            return
        with self.service.exploration.step(f"sends {number}", needed=number == 9):
            self.service.receive(number)


def big_after_five(numbers: list[int]) -> str:
    return "V4-ALPHA" if 5 in numbers and max(numbers[numbers.index(5) :]) >= 7 else ""


def two_rules(numbers: list[int]) -> str:
    return big_after_five(numbers) or ("V4-BETA" if numbers.count(3) > 1 else "")


def never(_: list[int]) -> str:
    return ""


MANY = ExplorationBudget(conversations=40, seed=7)


@pytest.fixture(autouse=True, scope="module")
def _one_hypothesis_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what Hypothesis learns from the code of the checkout, which takes it seconds, for all tests."""
    set_hypothesis_home_dir(tmp_path_factory.mktemp("hypothesis"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exploration, "set_hypothesis_home_dir", lambda _: None)
        yield


def test_shortest_conversation_of_each_finding_is_told_and_repeated(tmp_path: Path) -> None:
    service = Service(tmp_path, two_rules, MANY).explore()

    found = {each.finding.rule: each for each in service.exploration.explored().found}
    told = {rule: [step.text for step in each.steps] for rule, each in found.items()}
    assert told == {"V4-ALPHA": ["sends 5", "sends 7"], "V4-BETA": ["sends 3", "sends 3"]}
    for each in found.values():
        assert (each.repeated, each.attempts, each.is_firm) == (3, 3, True)
        assert each.finding.exchange == each.steps[-1].exchanges[0]
    record = service.record
    assert record.result.verdict == "failed"
    assert record.result.reason in ("V4-ALPHA is violated", "V4-BETA is violated")
    assert sorted(each.finding.rule for each in record.findings) == ["V4-ALPHA", "V4-BETA"]
    assert len(record.result.exchanges) == sum(map(len, service.conversations))


def test_planned_conversation_is_made_plainer_and_repeated(tmp_path: Path) -> None:
    service = Service(tmp_path, two_rules, ExplorationBudget(seconds=0.0))
    service.combinations = [{"first": 1, "second": 5, "third": 2, "fourth": 8}, {"first": 3, "second": 3}]
    service.explore()

    [found] = service.exploration.explored().found
    assert [each.text for each in found.steps] == ["sends 0", "sends 5", "sends 0", "sends 8"]
    assert (found.repeated, found.attempts) == (3, 3)

    again = Service(tmp_path, two_rules, ExplorationBudget(seconds=0.0))
    again.combinations = [{"first": 1, "second": 1, "third": 1, "fourth": 1}]
    again.explore()
    assert again.conversations[0] == [0, 5, 0, 8]

    (tmp_path / "saved" / "v4" / "plan-0.json").write_text('[{"first"')
    broken = Service(tmp_path, never, ExplorationBudget(seconds=0.0))
    broken.combinations = again.combinations
    assert broken.explore().conversations[0] == [1, 1, 1, 1]


def test_repetition_that_cannot_take_its_steps_does_not_count(tmp_path: Path) -> None:
    service = Service(tmp_path, big_after_five, ExplorationBudget(seconds=1, conversations=1))
    service.combinations = [{"first": 5, "second": 7}]
    # The second try to repeat it finds nothing left.
    service.is_possible = lambda number: number != 7 or len(service.conversations) != 5
    (found,) = service.explore().exploration.explored().found
    assert service.conversations[:6] == [[5, 7], [0, 7], [5, 0], [5, 7], [5], [5, 7]]
    assert (found.repeated, found.attempts, found.is_firm) == (3, 3, True)


def test_exploration_ends_at_its_first_violation_if_it_is_to(tmp_path: Path) -> None:
    service = Service(tmp_path, two_rules, replace(MANY, until_found=True)).explore()
    assert [each.attempts for each in service.exploration.explored().found] == [3, 0]
    assert service.exploration.ended == ""

    again = Service(tmp_path, two_rules, replace(MANY, until_found=True)).explore()
    assert again.conversations[0] == service.conversations[-1]
    assert len(again.conversations) < len(service.conversations)


def test_same_seed_draws_the_same_conversations_and_nothing_found_passes(tmp_path: Path) -> None:
    first, second = (Service(tmp_path / name, never, MANY).explore() for name in ("a", "b"))
    other = Service(tmp_path / "c", never, ExplorationBudget(conversations=40, seed=8)).explore()
    assert first.conversations == second.conversations != other.conversations
    explored = first.exploration.explored()
    assert (explored.found, first.record.result.verdict) == ((), "passed")
    assert explored.conversations == len(first.conversations) == 40
    assert explored.steps == sum(map(len, first.conversations))


def test_conversation_that_failed_is_tried_first_next_time(tmp_path: Path) -> None:
    Service(tmp_path, big_after_five, MANY).explore()
    service = Service(tmp_path, big_after_five, ExplorationBudget(conversations=1, seed=1)).explore()
    assert service.conversations[0] == [5, 7]
    assert len(service.exploration.explored().found) == 1

    repaired = Service(tmp_path, never, ExplorationBudget(conversations=1, seed=1)).explore()
    assert repaired.conversations[0][:2] == [5, 7]
    assert not list((tmp_path / "saved" / "v4").glob("round-*"))


def test_flaky_finding_warns_and_says_how_often_it_repeated(tmp_path: Path) -> None:
    seen: set[int] = set()

    def once(numbers: list[int]) -> str:
        if 4 not in numbers or 4 in seen:
            return ""
        seen.add(4)
        return "V4-ALPHA"

    service = Service(tmp_path, once, MANY).explore()
    (found,) = service.exploration.explored().found
    assert not found.is_firm
    assert found.repeated == 0
    assert service.record.result.verdict == "warning"
    (counted,) = service.record.findings
    assert counted.finding.soft
    assert counted.finding.message == f"V4-ALPHA is violated ({found.repetition})"


def test_firm_findings_come_first_and_then_the_shortest() -> None:
    found = ExploredFindings()
    for number, (steps, repeated, attempts) in enumerate([(2, 1, 3), (9, 3, 3), (4, 0, 0), (3, 3, 3)]):
        finding = Finding(f"V4-{number}", "violation", "response", "", "it is wrong", "", "", "x1")
        found.keep(finding, [ExploredStep("sends 1", ())] * steps)
        for index in range(attempts):
            found.count_attempt(finding.key, repeated=index < repeated)

    assert [len(each.steps) for each in found] == [3, 9, 4, 2]


def test_soft_finding_warns_without_being_shortened(tmp_path: Path) -> None:
    service = Service(tmp_path, big_after_five, MANY, soft=True).explore()
    assert service.exploration.explored().found == ()
    assert [each.finding.rule for each in service.record.findings] == ["V4-ALPHA"]


def test_time_ends_an_exploration(tmp_path: Path) -> None:
    service = Service(tmp_path, never, ExplorationBudget(seconds=30.0, seed=1))
    clock = itertools.count()
    service.exploration.monotonic = lambda: float(next(clock))
    service.exploration.__post_init__()
    service.explore()
    assert 0 < sum(map(len, service.conversations)) < 30
    assert service.exploration.ended == ""


def test_interrupted_exploration_keeps_what_it_has_found(tmp_path: Path) -> None:
    service = Service(tmp_path, two_rules, MANY)

    def interrupt(_: int) -> None:
        if service.exploration.explored().found:
            raise KeyboardInterrupt("the run was interrupted")

    service.before_step = interrupt
    service.explore()
    explored = service.exploration.explored()
    assert explored.ended == service.exploration.interrupted == "the run was interrupted"
    assert len(explored.found) == 1
    assert service.record.result.verdict == "warning"
    assert len(list((tmp_path / "saved" / "v4").glob("round-*"))) == 1


def test_interfaces_share_the_bookings() -> None:
    limited = Namespace(max_bookings=8, target=None, profile=None)
    shares = [options.bookings_of(each, VERSIONS, limited) for each in VERSIONS]

    assert (sum(shares), max(shares) - min(shares)) == (8, 1)
    assert options.bookings_of("v4", VERSIONS, Namespace(max_bookings=None, target=None, profile=None)) == math.inf


@pytest.mark.parametrize(
    ("error", "is_raised"),
    [(StorageError("no space left"), True), (BookingLimitError(), False), (LookupError("x"), True)],
)
def test_error_ends_an_exploration(tmp_path: Path, error: Exception, is_raised: bool) -> None:
    service = Service(tmp_path, never, MANY)

    def fail(number: int) -> None:
        if number == 8:
            raise error

    service.before_step = fail
    if is_raised:
        with pytest.raises(type(error)):
            service.explore()
    else:
        service.explore()
    assert service.exploration.ended == str(error)
    assert [each[-1:] for each in service.conversations if 8 in each] == []


def test_draw_that_differs_when_repeated_does_not_end_an_exploration(tmp_path: Path) -> None:
    service = Service(tmp_path, never, MANY)
    errors = iter([FlakyStrategyDefinition("another kind of value was drawn")])

    def fail(_: int) -> None:
        if error := next(errors, None):
            raise error

    service.before_step = fail
    service.explore()
    assert service.exploration.ended == ""
    assert len(service.conversations) > 20


NOT_WORKING = ExpectationError("must work", expected="status 200", actual="status 403", pointer="status")


@pytest.mark.parametrize(
    ("error", "is_sent", "found"),
    [
        # The step is needed only if it sends 9.
        (PrerequisiteFailed("it does not work", "V4-ALPHA", NOT_WORKING), True, [("V4-ALPHA", "it does not work")]),
        (PrerequisiteFailed("it did not work before", "V4-ALPHA", NOT_WORKING), False, []),
        (Untested("the profile lacks something"), True, []),
    ],
    ids=["failed prerequisite", "prerequisite that failed before", "another outcome"],
)
def test_failed_prerequisite_counts_where_the_step_is_needed(
    tmp_path: Path, error: Exception, is_sent: bool, found: list[tuple[str, str]]
) -> None:
    service = Service(tmp_path, never, MANY)

    def fail(number: int) -> None:
        if number >= 8:
            raise error

    if is_sent:
        service.after_step = fail
    else:
        service.before_step = fail
    findings = [each.finding for each in service.explore().exploration.explored().found]
    assert [(each.rule, each.message) for each in findings] == found
    assert {(each.expected, each.actual) for each in findings} <= {("status 200", "status 403")}
    assert service.exploration.ended == ""


def test_exploration_in_which_no_conversation_begins_is_not_complete(tmp_path: Path) -> None:
    service = Service(tmp_path, never, ExplorationBudget(conversations=5, seed=1))

    def reject(_: int) -> None:
        raise Untested("the service accepts nothing")

    service.before_step = reject
    assert service.explore().exploration.explored().ended == NO_BEGINNING


def test_exploration_ends_when_no_conversation_begins_any_more(tmp_path: Path) -> None:
    service = Service(tmp_path, never, ExplorationBudget(conversations=1000, seed=1))
    service.is_possible = lambda _: len(service.conversations) < 10
    assert service.explore().exploration.explored().ended == NOTHING_LEFT
    assert service.exploration.conversations < 250
