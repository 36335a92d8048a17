"""Results with another text in every field that is text; the text may be an attack."""

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import date
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from airworthy.contract import Finding
from airworthy.report.results import FindingCount, Rejudgement, Results, ScenarioResult, VerdictChange, failure_of
from airworthy.target.records import Waiver

from .sample import CURRENCY, HOSTILE, partner, sample

TYPST: Final = '#set page(fill: red) #panic() #read("/etc/passwd") $x^2$ _a_ *b* `c` <label> @ref \\ // /* = Heading'
MARKDOWN: Final = (
    "\n\n# Heading\n- [ ] task ![i](https://evil.example/i) [l](javascript:1) | a | b |\n```\nfence\n~~~ <b>"
)
TERMINAL: Final = "\x1b]0;title\x07\x1b[2J\x9b31m\r\b\u2066\u200f\x85\u2028\ud800\ufffe"
ATTACK: Final = f"{HOSTILE} {TYPST} {MARKDOWN} {TERMINAL}"
INVISIBLE: Final = frozenset("\x00\x07\x08\x1b\x85\x9b\u202e\u2066\u200f\u2028\ud800\ufffe")
# The schema of results.json prescribes the form of these, or the renderers look them up.
_FIXED: Final = re.compile(r"versions?|evidence|open_id|sha256|last_hash|\w+_digest")


def service_with(text: str) -> Results:
    """Return results of a service with a text in every field."""
    made: Results = everywhere(_again(sample()), text)
    return made


def partner_with(text: str) -> Results:
    """Return results of a partner with a text in every field, of which every part is filled."""
    violated, *others = sorted(partner().rules, key=lambda rule: rule.verdict != "failed")
    waived = Waiver(others[-1].id, "Support", "Agreed", date(2027, 1, 31))
    stale = Waiver(violated.id, "Support", "Agreed", date(2026, 1, 31))
    finding = replace(CURRENCY, side="request", rule=violated.id)
    results = replace(
        partner(),
        waivers=(waived, stale),
        findings=(FindingCount(finding, 3), FindingCount(replace(finding, kind="drift", drift="unknown-field"), 1)),
        rules=(*others, replace(violated, scenarios=tuple(_failed(each, finding) for each in violated.scenarios))),
    )
    made: Results = everywhere(_again(results), text)
    return made


def everywhere(value: Any, text: str) -> Any:  # noqa: ANN401 - any part of results
    """Return results, or a part of them, with a text at the end of every field that is text."""
    if isinstance(value, str):
        return f"{value} {text}"
    if isinstance(value, tuple):
        return tuple(everywhere(each, text) for each in value)
    if isinstance(value, Mapping):
        return {everywhere(name, text): everywhere(each, text) for name, each in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    hints = get_type_hints(type(value))
    changed = {
        each.name: everywhere(getattr(value, each.name), text)
        for each in fields(value)
        if each.init and not _FIXED.fullmatch(each.name) and not _is_choice(hints[each.name])
    }
    return replace(value, **changed)


def _is_choice(hint: Any) -> bool:  # noqa: ANN401 - a type
    """Whether a field has one of some fixed texts."""
    if get_origin(hint) is Literal:
        return True
    return get_origin(hint) in (Union, UnionType) and any(map(_is_choice, get_args(hint)))


def _failed(scenario: ScenarioResult, finding: Finding) -> ScenarioResult:
    failure = replace(failure_of(finding), steps=("Given recorded traffic", "Then no order is confirmed twice"))
    return replace(scenario, verdict="failed", reason="confirmed twice", exchanges=("a:1",), failure=failure)


def _again(results: Results) -> Results:
    changes = (
        VerdictChange("V4-ONE", "passed", "failed", "the check is new"),
        VerdictChange("V4-TWO", "passed", "", ""),
    )
    return replace(results, rejudgement=Rejudgement("0.9.1", "2026-10", 3, changes))
