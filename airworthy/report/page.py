"""Render report.html: one self-contained file, printable, and safe for text from hostile traffic."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final

from jinja2 import Environment

from airworthy.contract.finding import Finding
from airworthy.report.decision import Decision, decide, stale_waivers
from airworthy.report.exchange_view import ExchangeView, Records, view_exchange
from airworthy.report.results import (
    WORST_FIRST,
    Failure,
    FindingCount,
    LedgerEntry,
    Results,
    RuleResult,
    ScenarioResult,
    Verdict,
    weigh,
)
from airworthy.report.templating import environment, own, policy

_MOST_EXCHANGES: Final = 400
_POSITION: Final = re.compile(r"(?<=/)[0-9]+(?=/|$)")


@dataclass(frozen=True, slots=True)
class ReportItem:
    """A scenario, or a finding in an exchange of another scenario, with the exchange at fault."""

    result: ScenarioResult | FindingCount
    exchange: ExchangeView | None


@dataclass(frozen=True, slots=True)
class RuleSection:
    """A rule on the page. ``other_findings`` are the findings that none of its own scenarios reports."""

    rule: RuleResult
    scenarios: tuple[ReportItem, ...]
    other_findings: tuple[ReportItem, ...]

    @property
    def is_reason_shown(self) -> bool:
        """Whether a scenario already shows the reason of the rule."""
        return any(each.failure or each.reason == self.rule.reason for each in self.rule.scenarios)


@dataclass(frozen=True, slots=True)
class AreaSection:
    """The rules of one area of one version, with the number of rules per verdict."""

    version: str
    name: str
    rules: tuple[RuleSection, ...]
    counts: dict[Verdict, int]


def exchanges_shown(results: Results) -> frozenset[str]:
    """Return the ids of the exchanges that the report shows: those of failures and findings."""
    failures = {each.failure.exchange for rule in results.rules for each in rule.scenarios if each.failure}
    findings = {each.finding.exchange for each in results.findings if weigh(each.finding) != "passed"}
    return frozenset(failures | findings) - {""}


def render_html(results: Results, records: Records) -> str:
    """Return the page. ``records`` are those of `exchanges_shown`; the page says which of them are missing."""
    decision = decide(results)
    grouped = groupby(_rule_sections(results, records), lambda each: (each.rule.version, each.rule.area))
    areas = [_area(version, name, tuple(group)) for (version, name), group in grouped]
    style, script = (own(name) for name in ("report.css", "report.js"))
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            results=results,
            decision=decision,
            lead=_lead(results, decision),
            client_rules=sum(rule.binds == "client" for rule in results.rules),
            areas=areas,
            versions=[(version, list(group)) for version, group in groupby(areas, lambda area: area.version)],
            verdicts=WORST_FIRST,
            observations=sorted(results.observations, key=lambda each: int(each.open_id.partition("-")[2])),
            stale=stale_waivers(results),
            style=style,
            script=script,
            policy=policy(style, script),
        )
    )


def _rule_sections(results: Results, records: Records) -> Iterator[RuleSection]:
    left = _MOST_EXCHANGES

    def view(fault: Failure | Finding | None) -> ExchangeView | None:
        nonlocal left
        record = records.get(fault.exchange) if fault else None
        if fault is None or record is None or left <= 0:
            return None
        left -= 1
        return view_exchange(record, fault.side, fault.pointer)

    against: dict[str, list[FindingCount]] = {}
    for counted in results.findings:
        if weigh(counted.finding) != "passed":
            against.setdefault(counted.finding.rule, []).append(counted)
    for rule in results.rules:
        found = {each.finding.key: each for each in against.get(rule.id, ())}
        scenarios = []
        for scenario in rule.scenarios:
            failure = scenario.failure
            same = failure and next((each.finding for each in found.values() if _is_same(failure, each.finding)), None)
            # A check of all exchanges has no exchange of its own: show that of the finding it reports.
            scenarios.append(ReportItem(scenario, view(same if failure and not failure.exchange else failure)))
        failures = [scenario.failure for scenario in rule.scenarios if scenario.failure]
        others = (each for each in found.values() if not any(_is_same(failure, each.finding) for failure in failures))
        yield RuleSection(rule, tuple(scenarios), tuple(ReportItem(each, view(each.finding)) for each in others))


def _is_same(failure: Failure, finding: Finding) -> bool:
    """Whether a failure reports this finding, or another defect at the same location."""
    place, found = (_POSITION.sub("*", each.pointer) for each in (failure, finding))
    return place == found and failure.side in (finding.side, "")


def _area(version: str, name: str, rules: tuple[RuleSection, ...]) -> AreaSection:
    counted = Counter(each.rule.verdict for each in rules)
    return AreaSection(version, name, rules, {verdict: counted[verdict] for verdict in WORST_FIRST})


def _lead(results: Results, decision: Decision) -> str:
    """Return the decision in one sentence, counting only the rules that bind the service."""
    binding = [rule for rule in results.rules if rule.binds != "client"]
    met = sum(rule.verdict in ("passed", "warning") for rule in binding)
    tested = f"{met} of the {len(binding)} rules that bind the service were tested and are met"
    match decision.outcome:
        case "CERTIFIED":
            return f"{tested}."
        case "CERTIFIED WITH WAIVERS":
            return f"{tested}; the other applicable rules are waived."
        case "NOT CERTIFIED":
            failed = len({name for block in decision.blocks if block.cause == "failed" for name in block.rules})
            violated = "1 rule is violated" if failed == 1 else f"{failed} rules are violated"
            return f"{violated if failed else 'A waiver is no longer valid'}; {tested}."
        case "INCOMPLETE":
            return f"No violation was found, but the run is incomplete: {tested}."


@cache
def _environment() -> Environment:
    return environment(
        {
            "tri": lambda value, unknown: {True: "yes", False: "no", None: unknown}[value],
            "weight": weigh,
            "first_failing": _first_failing,
            "kinds": _kinds,
        }
    )


def _first_failing(items: Sequence[ReportItem]) -> ReportItem | None:
    return next((each for each in items if each.exchange), None)


def _kinds(ledger: Sequence[LedgerEntry]) -> str:
    counted = Counter(entry.kind for entry in ledger if entry.status != "throttled")
    return " and ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in counted.items()) or "nothing"
