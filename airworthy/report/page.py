"""report.html: one self-contained file that a person reads, a browser prints and nobody's traffic can script."""

import base64
import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import groupby
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

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
from airworthy.resources import resource

_LONGEST: Final = 8000
_MOST_EXHIBITS: Final = 400
_MINUTE: Final = 60
_POSITION: Final = re.compile(r"(?<=/)[0-9]+(?=/|$)")
_UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


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
    style, script = (_own(name) for name in ("report.css", "report.js"))
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
            policy=_policy(style, script),
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


def _policy(style: str, script: str) -> str:
    """Allow this page's own style and script, by their hashes, and nothing else: not even its own attributes."""
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script))
    return (
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'".format(
            *hashes
        )
    )


def _own(name: str) -> Markup:
    return Markup((resource("templates") / name).read_text(encoding="utf-8"))  # noqa: S704 - it is no traffic


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(resource("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_plain,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "slug": lambda text: text.lower().replace("_", "-").replace(" ", "-"),
        "words": lambda text: text.replace("_", " ").replace("-", " "),
        "seconds": duration,
        "moment": _moment,
        "tri": lambda value, unknown: {True: "yes", False: "no", None: unknown}[value],
        "weight": weigh,
        "first_failing": _first_failing,
        "kinds": _kinds,
    }
    return environment


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a template prints
    """Bound what is printed, and make visible what would not be: control characters and those that turn text round."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    text = value if len(value) <= _LONGEST else f"{value[:_LONGEST]}… ({len(value)} characters)"
    return "".join(
        f"\\u{ord(each):04x}" if unicodedata.category(each) in _UNSEEN and each not in "\n\t" else each for each in text
    )


def duration(seconds: float) -> str:
    """Return a duration for people: 12 ms, 3.4 s, 30 min 54 s."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), _MINUTE)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _first_failing(shown: Sequence[Shown]) -> Shown | None:
    return next((each for each in shown if each.exhibit), None)


def _kinds(ledger: Sequence[LedgerEntry]) -> str:
    counted = Counter(entry.kind for entry in ledger)
    return " and ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in counted.items())
