"""report.html: one self-contained file that a person reads, a browser prints and nobody's traffic can script."""

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
from airworthy.report.exhibits import Exhibit, Records, exhibit
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

_MOST_EXHIBITS: Final = 400
_POSITION: Final = re.compile(r"(?<=/)[0-9]+(?=/|$)")


@dataclass(frozen=True, slots=True)
class Shown:
    """A scenario, or a finding of another scenario's exchange, with what it shows of the exchange at fault."""

    what: ScenarioResult | FindingCount
    exhibit: Exhibit | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule as the page shows it. ``elsewhere`` is what the contract found against it in no scenario of its own."""

    rule: RuleResult
    scenarios: tuple[Shown, ...]
    elsewhere: tuple[Shown, ...]

    @property
    def told(self) -> bool:
        """Whether a scenario says what the rule's reason says."""
        return any(each.failure or each.reason == self.rule.reason for each in self.rule.scenarios)


@dataclass(frozen=True, slots=True)
class Area:
    """The rules of one area of one version, with their number by verdict."""

    version: str
    name: str
    entries: tuple[Entry, ...]
    counts: dict[Verdict, int]


def exchanges_shown(results: Results) -> frozenset[str]:
    """Return the ids of the exchanges that a report shows: those that failures and findings refer to."""
    failures = {each.failure.exchange for rule in results.rules for each in rule.scenarios if each.failure}
    findings = {each.finding.exchange for each in results.findings if weigh(each.finding) != "passed"}
    return frozenset(failures | findings) - {""}


def render_html(results: Results, records: Records) -> str:
    """Return the page. ``records`` are those of `exchanges_shown`; where one is missing, the page says so."""
    decision = decide(results)
    entries = groupby(_entries(results, records), lambda entry: (entry.rule.version, entry.rule.area))
    areas = [_area(version, name, tuple(group)) for (version, name), group in entries]
    style, script = (own(name) for name in ("report.css", "report.js"))
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            results=results,
            decision=decision,
            lead=_lead(results, decision),
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


def _entries(results: Results, records: Records) -> Iterator[Entry]:
    left = _MOST_EXHIBITS

    def exhibited(fault: Failure | Finding | None) -> Exhibit | None:
        nonlocal left
        record = records.get(fault.exchange) if fault else None
        if fault is None or record is None or left <= 0:
            return None
        left -= 1
        return exhibit(record, fault.side, fault.pointer)

    against: dict[str, list[FindingCount]] = {}
    for counted in results.findings:
        if weigh(counted.finding) != "passed":
            against.setdefault(counted.finding.rule, []).append(counted)
    for rule in results.rules:
        found = {each.finding.key: each for each in against.get(rule.id, ())}
        scenarios = []
        for scenario in rule.scenarios:
            failure = scenario.failure
            same = failure and next((each.finding for each in found.values() if _tells(failure, each.finding)), None)
            # A check of all exchanges says what the contract found, and the finding in which of them.
            scenarios.append(Shown(scenario, exhibited(same if failure and not failure.exchange else failure)))
        failures = [scenario.failure for scenario in rule.scenarios if scenario.failure]
        untold = (each for each in found.values() if not any(_tells(failure, each.finding) for failure in failures))
        yield Entry(rule, tuple(scenarios), tuple(Shown(each, exhibited(each.finding)) for each in untold))


def _tells(failure: Failure, finding: Finding) -> bool:
    """Whether a scenario's failure is this finding, or what a step said of the same place."""
    place, found = (_POSITION.sub("*", each.pointer) for each in (failure, finding))
    return place == found and failure.side in (finding.side, "")


def _area(version: str, name: str, entries: tuple[Entry, ...]) -> Area:
    counted = Counter(entry.rule.verdict for entry in entries)
    return Area(version, name, entries, {verdict: counted[verdict] for verdict in WORST_FIRST})


def _lead(results: Results, decision: Decision) -> str:
    judged = [rule for rule in results.rules if rule.binds != "client"]
    kept = sum(rule.verdict in ("passed", "warning") for rule in judged)
    of_all = f"{kept} of the {len(judged)} rules that bind the service were exercised and kept"
    match decision.outcome:
        case "CERTIFIED":
            return f"{of_all}; nothing stands in the way."
        case "CERTIFIED WITH WAIVERS":
            return f"{of_all}; what else applies is waived."
        case "NOT CERTIFIED":
            broken = len({name for block in decision.blocks if block.cause == "failed" for name in block.rules})
            said = f"{broken} rule{'' if broken == 1 else 's'} of the documents {'is' if broken == 1 else 'are'} broken"
            return f"{said if broken else 'A waiver no longer holds'}; {of_all}."
        case "INCOMPLETE":
            return f"No broken rule was shown, yet the question stays open: {of_all}."


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


def _first_failing(shown: Sequence[Shown]) -> Shown | None:
    return next((each for each in shown if each.exhibit), None)


def _kinds(ledger: Sequence[LedgerEntry]) -> str:
    counted = Counter(entry.kind for entry in ledger)
    return " and ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in counted.items())
