"""Find the differences between two sides; each is reported once, under the most important heading."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, get_args

from airworthy.comparison.side import NOT_SELECTED, ComparisonSide, Issue, IssueKind
from airworthy.traffic.summary import number

ChangeKind = Literal[
    "newly broken",
    "newly tested",
    "fixed",
    "newly drifting",
    "no longer drifting",
    "newly warned",
    "no longer warned",
    "newly untested",
    "no longer untested",
    "no longer requested",
    "observed differently",
    "rule appeared",
    "rule disappeared",
]
HEADINGS: Final[tuple[ChangeKind, ...]] = get_args(ChangeKind)
NOT_OBSERVED: Final = "not observed"
NOT_REQUESTED: Final = "not requested"

# What it is called that an issue appears, and that it disappears.
_ISSUE_CHANGES: Final[dict[IssueKind, tuple[ChangeKind, ChangeKind]]] = {
    "broken": ("newly broken", "fixed"),
    "drifting": ("newly drifting", "no longer drifting"),
    "warned": ("newly warned", "no longer warned"),
    "unjudged": ("newly untested", "no longer untested"),
}
_EXAMINED: Final = frozenset(("passed", "warning", "failed"))
# The change of a rule that now passes, or only warns, by its verdict before.
_IMPROVED: Final[dict[str, ChangeKind]] = {
    "failed": "fixed",
    "warning": "no longer warned",
    **dict.fromkeys(("untested", "error", "not_applicable"), "no longer untested"),
}
# Facts that should be equal on both sides; a difference here may explain all others.
_COMPARED_FACTS: Final = (
    "subject",
    "target",
    "versions",
    "selection",
    "suite",
    "requirement set",
    "contract",
    "schemas",
    "features",
)


class Change(NamedTuple):
    """A difference in the verdict on a rule, in its findings, or in an observation.

    ``subject`` is the id of a rule or of an open question. ``location`` is the operation, side and pointer of the first
    finding, empty if the change is about the rule as a whole. ``before`` and ``after`` are verdicts, numbers of
    occurrences or observed values, empty if there is none.
    """

    what: ChangeKind
    subject: str
    location: str = ""
    before: str = ""
    after: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The changes from ``old`` to ``new``, sorted by `HEADINGS`; ``notes`` are differences that may explain them."""

    old: ComparisonSide
    new: ComparisonSide
    notes: tuple[str, ...]
    changes: tuple[Change, ...]

    @property
    def broken(self) -> bool:
        """Whether any rule is newly broken. What was not tested before is not."""
        return any(change.what == "newly broken" for change in self.changes)

    @property
    def new_failures(self) -> tuple[str, ...]:
        """The ids of the rules that fail in the new run and did not fail in the old one."""
        return tuple(
            rule
            for rule, after in self.new.rules.items()
            if after.verdict == "failed" and (rule not in self.old.rules or self.old.rules[rule].verdict != "failed")
        )

    def of(self, kind: ChangeKind) -> tuple[Change, ...]:
        """Return the changes under a heading."""
        return tuple(change for change in self.changes if change.what == kind)


def compare(old: ComparisonSide, new: ComparisonSide) -> Comparison:
    """Return the comparison of two runs, or of two recordings of traffic."""
    changes = [*_rule_changes(old, new), *_issue_changes(old, new), *_observation_changes(old, new)]
    changes.sort(key=lambda change: (HEADINGS.index(change.what), change.subject, change.location))
    return Comparison(old, new, tuple(_notes(old, new)), tuple(changes))


def _rule_changes(old: ComparisonSide, new: ComparisonSide) -> Iterator[Change]:
    # Other versions have other rules: the note on the versions says so once.
    same_versions = old.facts.get("versions") == new.facts.get("versions")
    for rule in sorted(old.rules.keys() | new.rules.keys()):
        before, after = old.rules.get(rule), new.rules.get(rule)
        if after is None:
            if same_versions:
                yield Change("rule disappeared", rule, before=old.word(old.rules[rule].verdict))
            continue
        verdict_before = before.verdict if before else ""
        if kind := _rule_change(verdict_before or NOT_SELECTED, after.verdict):
            side = new if after.verdict == "failed" else old
            own = (each for each in side.issues.values() if each.finding.rule == rule and each.type == "broken")
            location = next((each.location for each in own), "")
            yield Change(kind, rule, location, old.word(verdict_before), new.word(after.verdict), after.reason)
        elif before is None and same_versions:
            yield Change("rule appeared", rule, "", "", new.word(after.verdict), after.reason)


def _rule_change(before: str, after: str) -> ChangeKind | None:
    """Return the kind of change between two verdicts; a rule that was not selected has not changed."""
    if after in (before, NOT_SELECTED):
        return None
    if after == "failed":
        return "newly broken" if before in _EXAMINED else "newly tested"
    if after not in _EXAMINED:
        return "newly untested" if before in _EXAMINED else None
    return "newly warned" if after == "warning" and before != "failed" else _IMPROVED.get(before)


def _issue_changes(old: ComparisonSide, new: ComparisonSide) -> Iterator[Change]:
    for key in old.issues.keys() | new.issues.keys():
        before, after = old.issues.get(key), new.issues.get(key)
        issue = after or before
        if (before and after) or issue is None or _is_reported_by_rule(issue, old, new):
            continue
        side, other = (new, old) if after else (old, new)
        appears, disappears = _ISSUE_CHANGES[issue.type]
        was_requested = not issue.operation or issue.operation in other.operations
        # The number of occurrences in a run depends on which other rules it examined.
        count = number(issue.count, "time") if side.source == "traffic" else ""
        if after:
            what, values = appears, ("" if was_requested else NOT_REQUESTED, count)
        else:
            what, values = disappears if was_requested else "no longer requested", (count, "")
        yield Change(what, issue.finding.rule, issue.location, *values, issue.finding.message)


def _is_reported_by_rule(issue: Issue, old: ComparisonSide, new: ComparisonSide) -> bool:
    """Whether the change of the rule's verdict already reports the issue: one cause is one change."""
    before, after = old.rules.get(issue.finding.rule), new.rules.get(issue.finding.rule)
    if before is None and after is None:
        return False
    if issue.type == "drifting":
        return after is None or after.verdict == NOT_SELECTED
    return before is None or after is None or before.verdict != after.verdict


def _observation_changes(old: ComparisonSide, new: ComparisonSide) -> Iterator[Change]:
    is_selection = any(each.verdict == NOT_SELECTED for side in (old, new) for each in side.rules.values())
    for question in old.observations.keys() | new.observations.keys():
        before, after = old.observations.get(question), new.observations.get(question)
        if before != after and not (is_selection and None in (before, after)):
            values = ("; ".join(sorted(each)) if each else NOT_OBSERVED for each in (before, after))
            yield Change("observed differently", *question, *values)


def _notes(old: ComparisonSide, new: ComparisonSide) -> Iterator[str]:
    for name in _COMPARED_FACTS:
        before, after = old.facts.get(name), new.facts.get(name)
        if before != after:
            yield f"different {name}: {before} before, {after} now"
