"""Render report.html: one self-contained file, printable, and safe for text from hostile traffic."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, islice
from pathlib import Path
from typing import Final

from jinja2 import Environment

from airworthy.contract import Contract, Finding, Operation
from airworthy.contract.http.operations import SERVED
from airworthy.contract.rules.coded_rules import rules_of
from airworthy.report.blockers import MOST_BLOCKERS
from airworthy.report.decision import stale_waivers
from airworthy.report.exchange_summaries import at_fault, operation_name
from airworthy.report.exchange_view import ExchangeView, Records, view_exchange
from airworthy.report.exploration import ExploredFinding
from airworthy.report.explored import diagrams, explored_exchanges, never_reached, reached
from airworthy.report.overview import INTERFACES, count_verdicts, interface_order, overview, rules_of_interface
from airworthy.report.results import (
    WORST_FIRST,
    Failure,
    FindingCount,
    Observation,
    Results,
    RuleResult,
    ScenarioResult,
    Verdict,
    weigh,
)
from airworthy.report.templating import environment, page
from airworthy.report.violations import MOST_VIOLATIONS, violation_line, violations_by_item
from airworthy.target.records import LedgerEntry, Wait

_OPEN_QUESTIONS: Final = Path(__file__).parent / "open_questions.json"
_MOST_EXCHANGES: Final = 400
_MOST_OPEN: Final = 5
_MOST_OF_A_STEP: Final = 6
_FAILING: Final[tuple[Verdict, ...]] = ("failed", "error")
_STEPS: Final = (10.0, 30.0, 60.0, 300.0, 600.0, 1800.0, 3600.0, 7200.0, 21600.0)
_MOST_TICKS: Final = 4
FOR_CLIENTS: Final = "for clients"
_POSITION: Final = re.compile(r"(?<=/)[0-9]+(?=/|$)")


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """An operation with its responses by status, or an area of rules that are about no single operation."""

    name: str
    statuses: Mapping[str, int]
    rules: Sequence[RuleResult]

    @property
    def requests(self) -> int:
        """How often the run used the operation."""
        return sum(self.statuses.values())

    @property
    def counts(self) -> dict[Verdict, int]:
        """The rules by verdict."""
        return count_verdicts(self.rules)

    @property
    def unmet(self) -> list[str]:
        """The ids of the rules that are neither met nor inapplicable."""
        return [each.id for each in self.rules if each.verdict not in ("passed", "not_applicable")]


@dataclass(frozen=True, slots=True)
class InterfaceCoverage:
    """The operations of an interface in the order of its document, and the areas of its other rules."""

    name: str
    operations: Sequence[CoverageRow]
    areas: Sequence[CoverageRow]

    @property
    def unused(self) -> int:
        """The number of operations that the run never used."""
        return sum(not each.requests for each in self.operations)


def coverage(results: Results, binding: Sequence[RuleResult]) -> list[InterfaceCoverage]:
    """Return the coverage of each interface that the run examined; ``binding`` are the rules that bind the service."""
    used = {each.operation: each.statuses for each in results.operations}
    known = Contract.load(tuple(each for each in SERVED if each in results.scope.versions)).operations()
    found = []
    for interface in INTERFACES:
        others = sorted(rules_of_interface(interface, binding, results), key=lambda each: each.area)
        about = {
            each: [rule for rule in others if _is_about(rule, each)] for each in known if each.version == interface
        }
        rows = [CoverageRow(name := operation_name(each), used.get(name, {}), rules) for each, rules in about.items()]
        others = [rule for rule in others if not any(rule in rules for rules in about.values())]
        areas = [CoverageRow(area, {}, list(group)) for area, group in groupby(others, lambda each: each.area)]
        found.append(InterfaceCoverage(interface, rows, areas))
    return [each for each in found if each.operations or each.areas]


def _is_about(rule: RuleResult, operation: Operation) -> bool:
    """Return whether the contract checks a rule in an operation, or its area or source is the operation."""
    path = rf"{operation.method} (/v[23])?{re.escape(operation.path)}(?![\w/{{])"
    return rule.id in rules_of(operation) or rule.area == operation.name or bool(re.search(path, rule.source))


@dataclass(frozen=True, slots=True)
class ReportItem:
    """A scenario, or a finding in an exchange of another scenario, with the exchange at fault.

    ``proofs`` are the exchanges that show an item of a partner's go-live list.
    """

    result: ScenarioResult | FindingCount
    exchange: ExchangeView | None
    proofs: tuple[ExchangeView, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleSection:
    """A rule on the page. ``other_findings`` are the findings that none of its own scenarios reports.

    For an item of a partner's go-live list, they are all its violations.

    ``is_binding`` says whether the rule is one of those that the decision counts.
    """

    rule: RuleResult
    scenarios: tuple[ReportItem, ...]
    other_findings: tuple[ReportItem, ...]
    is_binding: bool = True

    @property
    def group(self) -> str:
        """What the page counts the rule as: its verdict, or `FOR_CLIENTS` if it binds clients only and did not fail."""
        return self.rule.verdict if self.is_binding or self.rule.verdict in _FAILING else FOR_CLIENTS

    @property
    def is_read(self) -> bool:
        """Whether the reader has to know more of the rule than its verdict."""
        return self.rule.verdict not in ("passed", "not_applicable")

    @property
    def is_reason_shown(self) -> bool:
        """Whether a scenario already shows the reason of the rule."""
        return any(each.failure or each.reason == self.rule.reason for each in self.rule.scenarios)


@dataclass(frozen=True, slots=True)
class AreaSection:
    """The rules of one area of one version, worst first."""

    version: str
    name: str
    rules: tuple[RuleSection, ...]

    @property
    def counts(self) -> Counter[str]:
        """The rules by group."""
        return Counter(each.group for each in self.rules)

    @property
    def is_failing(self) -> bool:
        """Whether a rule failed or could not be judged."""
        return any(each.rule.verdict in _FAILING for each in self.rules)

    @property
    def is_read(self) -> bool:
        """Whether the reader has to know more of the area than its verdicts."""
        return any(each.is_read for each in self.rules)


def exchanges_shown(results: Results) -> frozenset[str]:
    """Return the ids of the exchanges that the report shows: those of failures, findings and conversations."""
    proofs = {each for rule in results.rules for each in _proofs(rule, results)}
    return at_fault(results) | explored_exchanges(results) | proofs


def render_html(results: Results, records: Records) -> str:
    """Return the page. ``records`` are those of `exchanges_shown`; the page says which of them are missing."""
    seen = overview(results)
    binding = {rule.id for rule in seen.binding}
    sections = sorted(_rule_sections(results, records, binding), key=lambda each: interface_order(each.rule.version))
    if results.is_exploration:
        sections = [each for each in sections if each.is_binding]
    grouped = groupby(sections, lambda each: (each.rule.version, each.rule.area))
    deciding = [each for each in seen.decision.blocks[:MOST_BLOCKERS] if each.exchange in records]
    areas = [
        AreaSection(*key, tuple(sorted(group, key=lambda each: WORST_FIRST.index(each.rule.verdict))))
        for key, group in grouped
    ]
    failing = (each.rule.id for area in areas for each in area.rules if each.rule.verdict in _FAILING)
    return page(
        _environment(),
        "report.html.j2",
        ["report.css"],
        "report.js",
        results=results,
        overview=seen,
        decision=seen.decision,
        exchanges={each: view_exchange(records[each.exchange], each.side, each.pointer) for each in deciding},
        areas=areas,
        opened=set(islice(failing, _MOST_OPEN)),
        groups=(*WORST_FIRST, FOR_CLIENTS),
        counts=Counter(each.group for each in sections),
        questions=list(_questions(results.observations)),
        timeline=_timeline(results.waits),
        coverage=coverage(results, seen.binding),
        diagrams=diagrams(results),
        conversations=list(_conversations(results, records)),
        stale=stale_waivers(results),
        most_violations=MOST_VIOLATIONS,
    )


def _rule_sections(results: Results, records: Records, binding: Collection[str]) -> Iterator[RuleSection]:
    left = _MOST_EXCHANGES

    def view(fault: Failure | Finding | None) -> ExchangeView | None:
        nonlocal left
        record = records.get(fault.exchange) if fault else None
        if fault is None or record is None or left <= 0:
            return None
        left -= 1
        return view_exchange(record, fault.side, fault.pointer)

    def prove(rule: RuleResult, scenario: ScenarioResult) -> tuple[ExchangeView, ...]:
        nonlocal left
        found = [records[each] for each in scenario.exchanges if each in records and each in _proofs(rule, results)]
        shown = found[: max(left, 0)]
        left -= len(shown)
        return tuple(view_exchange(record) for record in shown)

    against: dict[str, list[FindingCount]] = {}
    for counted in results.findings:
        if weigh(counted.finding) != "passed":
            against.setdefault(counted.finding.rule, []).append(counted)
    violations = violations_by_item(results)
    for rule in results.rules:
        listed = violations.get(rule.id, ())
        found = {each.finding.key: each for each in listed or against.get(rule.id, [])}
        failures = [None if listed else scenario.failure for scenario in rule.scenarios]
        scenarios = []
        for scenario, failure in zip(rule.scenarios, failures, strict=True):
            same = failure and next((each.finding for each in found.values() if _is_same(failure, each.finding)), None)
            # A check of all exchanges has no exchange of its own: show that of the finding it reports.
            at_fault = view(same if failure and not failure.exchange else failure)
            scenarios.append(ReportItem(scenario, at_fault, prove(rule, scenario)))
        reported = [each for each in failures if each]
        others = (each for each in found.values() if not any(_is_same(failure, each.finding) for failure in reported))
        others_shown = tuple(ReportItem(each, view(each.finding)) for each in others)
        yield RuleSection(rule, tuple(scenarios), others_shown, rule.id in binding)


def _conversations(
    results: Results, records: Records
) -> Iterator[tuple[ExploredFinding, list[tuple[str, list[ExchangeView]]]]]:
    """Yield the explored findings, each with the steps of its conversation and their exchanges."""
    for found in (each for explored in results.explored for each in explored.found):
        fault, steps = found.finding, []
        for step in found.steps:
            shown = [each for each in step.exchanges[:_MOST_OF_A_STEP] if each in records]
            place = {fault.exchange: (fault.side, fault.pointer)}
            steps.append((step.text, [view_exchange(records[each], *place.get(each, ())) for each in shown]))
        yield found, steps


def _proofs(rule: RuleResult, results: Results) -> frozenset[str]:
    """Return the exchanges that show an item of a partner's go-live list; none for a rule of a service."""
    if results.integration is None or rule.verdict not in ("passed", "warning"):
        return frozenset()
    return frozenset(each for scenario in rule.scenarios for each in scenario.exchanges)


def _is_same(failure: Failure, finding: Finding) -> bool:
    """Whether a failure reports this finding, or another defect at the same location."""
    place, found = (_POSITION.sub("*", each.pointer) for each in (failure, finding))
    return place == found and failure.side in (finding.side, "")


def _sender(results: Results, exchange: str) -> str:
    """Return the rule and the name of the scenario that sent an exchange, empty if none did."""
    scenarios = ((rule.id, each) for rule in results.rules for each in rule.scenarios)
    return next((f"{rule}, {each.name}" for rule, each in scenarios if exchange in each.exchanges), "")


def _questions(observations: Sequence[Observation]) -> Iterator[tuple[str, str, list[Observation]]]:
    """Yield each open question, in the order of its number, with its text and the observations about it."""
    ordered = sorted(observations, key=lambda each: int(each.open_id.partition("-")[2]))
    for open_id, group in groupby(ordered, lambda each: each.open_id):
        yield open_id, open_questions().get(open_id, ""), list(group)


@cache
def open_questions() -> Mapping[str, str]:
    """Return the questions that the documents leave open, by the ids of the observations."""
    questions: dict[str, str] = json.loads(_OPEN_QUESTIONS.read_text(encoding="utf-8"))
    return questions


def _timeline(waits: Sequence[Wait]) -> tuple[list[Wait], list[float], float]:
    """Return the waits, shortest first, the about four ticks of their common axis, and its length, all in seconds."""
    ordered = sorted(waits, key=lambda each: each.seconds)
    longest = ordered[-1].seconds if ordered else 0.0
    step = next((each for each in _STEPS if longest <= _MOST_TICKS * each), longest / _MOST_TICKS)
    ticks = [step * number for number in range(_MOST_TICKS + 1) if step * number <= longest] if longest else []
    return ordered, ticks, longest or 1.0


@cache
def _environment() -> Environment:
    return environment(
        {
            "weight": weigh,
            "first_failing": lambda items: next((each for each in items if each.exchange), None),
            "kinds": _kinds,
            "violation_line": violation_line,
            "sender": _sender,
            "reached": reached,
            "never_reached": never_reached,
        }
    )


def _kinds(ledger: Sequence[LedgerEntry]) -> str:
    """Return what was created, in words. "request" alone means an HTTP request."""
    kinds = (entry.kind.replace("request", "booking request") for entry in ledger if entry.status != "throttled")
    *others, last = [f"{count:,} {kind}{'' if count == 1 else 's'}" for kind, count in Counter(kinds).items()] or [
        "nothing"
    ]
    return f"{', '.join(others)} and {last}" if others else last
