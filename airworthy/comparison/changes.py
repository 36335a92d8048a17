"""What has changed from one side to the other, each change once and under the heading that matters most."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, get_args

from airworthy.comparison.sides import LEFT_OUT, Side, Sign, Source, Trait

What = Literal[
    "newly broken",
    "fixed",
    "newly drifting",
    "no longer drifting",
    "newly warned",
    "no longer warned",
    "newly untested",
    "no longer untested",
    "not called any more",
    "observed differently",
    "rule appeared",
    "rule disappeared",
]
HEADINGS: Final[tuple[What, ...]] = get_args(What)
NOT_OBSERVED: Final = "not observed"
NOT_CALLED: Final = "not called"

_NEW: Final[dict[Trait, What]] = {
    "broken": "newly broken",
    "drifting": "newly drifting",
    "warned": "newly warned",
    "unjudged": "newly untested",
}
_GONE: Final[dict[Trait, What]] = {
    "broken": "fixed",
    "drifting": "no longer drifting",
    "warned": "no longer warned",
    "unjudged": "no longer untested",
}
_EXAMINED: Final = frozenset(("passed", "warning", "failed"))
_MENDED: Final[dict[str, What]] = {
    "failed": "fixed",
    "warning": "no longer warned",
    "untested": "no longer untested",
    "error": "no longer untested",
    "not_applicable": "no longer untested",
}
# What two sides should have in common: where they do not, that may be all the difference.
_EXPECTED_ALIKE: Final = (
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


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: of a rule, at a place of it, or of what was observed.

    ``place`` is where it shows (an operation, a side and a pointer), empty where it is the rule as a whole; ``before``
    and ``after`` are verdicts, numbers of times or observed values, empty where there is none.
    """

    what: What
    subject: str
    place: str = ""
    before: str = ""
    after: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What has changed from ``old`` to ``new``, in the order of `HEADINGS`; ``notes`` say what may explain it all."""

    old: Side
    new: Side
    notes: tuple[str, ...]
    changes: tuple[Change, ...]

    @property
    def broken(self) -> bool:
        """Whether anything is newly broken."""
        return any(change.what == "newly broken" for change in self.changes)

    def of(self, what: What) -> tuple[Change, ...]:
        """Return the changes under a heading."""
        return tuple(change for change in self.changes if change.what == what)


def compare(old: Side, new: Side) -> Comparison:
    """Compare two sides of the same source; pure."""
    changes = [*_rules(old, new), *_signs(old, new), *_observations(old, new)]
    changes.sort(key=lambda change: (HEADINGS.index(change.what), change.subject, change.place))
    return Comparison(old, new, tuple(_notes(old, new)), tuple(changes))


def _rules(old: Side, new: Side) -> Iterator[Change]:
    for rule in sorted(old.standings.keys() | new.standings.keys()):
        before, after = old.standings.get(rule), new.standings.get(rule)
        if after is None:
            yield Change("rule disappeared", rule, before=old.standings[rule].verdict)
            continue
        was = before.verdict if before else ""
        if what := _turned(was or LEFT_OUT, after.verdict):
            place = _broken_place(new if what == "newly broken" else old, rule)
            yield Change(what, rule, place, was, after.verdict, after.reason)
        elif before is None:
            yield Change("rule appeared", rule, "", was, after.verdict, after.reason)


def _turned(was: str, now: str) -> What | None:
    """Say what has become of a rule; what a selection left out says nothing."""
    if now in (was, LEFT_OUT):
        return None
    if now == "failed":
        return "newly broken"
    if now not in _EXAMINED:
        return "newly untested" if was in _EXAMINED else None
    return "newly warned" if now == "warning" and was != "failed" else _MENDED.get(was)


def _broken_place(side: Side, rule: str) -> str:
    """Return where a rule is broken, so that a reader knows where to begin."""
    return next((_place(sign) for sign in side.signs.values() if sign.rule == rule and sign.trait == "broken"), "")


def _signs(old: Side, new: Side) -> Iterator[Change]:
    for key in old.signs.keys() | new.signs.keys():
        before, after = old.signs.get(key), new.signs.get(key)
        if before is None and after is not None and not _told_by_its_rule(after, old, new):
            was = "" if _could_show(after, old) else NOT_CALLED
            yield Change(_NEW[after.trait], after.rule, _place(after), was, _times(after, new.source), after.message)
        elif after is None and before is not None and not _told_by_its_rule(before, old, new):
            what = _GONE[before.trait] if _could_show(before, new) else "not called any more"
            yield Change(what, before.rule, _place(before), _times(before, old.source), "", before.message)


def _told_by_its_rule(sign: Sign, old: Side, new: Side) -> bool:
    """Whether a change of the rule as a whole says already what a sign of it would: one cause, one change."""
    before, after = old.standings.get(sign.rule), new.standings.get(sign.rule)
    if before is None and after is None:
        return False
    if sign.trait == "drifting":
        return after is None or after.verdict == LEFT_OUT
    return before is None or after is None or before.verdict != after.verdict


def _could_show(sign: Sign, side: Side) -> bool:
    """Whether a side could have shown a sign: what was not called says nothing."""
    return not sign.operation or sign.operation in side.operations


def _observations(old: Side, new: Side) -> Iterator[Change]:
    for question in old.observations.keys() | new.observations.keys():
        before, after = old.observations.get(question), new.observations.get(question)
        if before == after or ((before is None or after is None) and _is_selection(old, new)):
            continue
        place, asked = question
        yield Change("observed differently", place, asked, _values(before), _values(after))


def _is_selection(old: Side, new: Side) -> bool:
    return any(each.verdict == LEFT_OUT for side in (old, new) for each in side.standings.values())


def _values(values: frozenset[str] | None) -> str:
    return "; ".join(sorted(values)) if values else NOT_OBSERVED


def _place(sign: Sign) -> str:
    told = f"{sign.operation}: {sign.place}" if sign.operation else sign.place
    return f"{told} ({sign.drift})" if sign.drift else told


def _times(sign: Sign, source: Source) -> str:
    # How often a run shows something depends on what else it examined.
    return f"{sign.count} times" if source == "traffic" else ""


def _notes(old: Side, new: Side) -> Iterator[str]:
    for name in _EXPECTED_ALIKE:
        before, after = old.facts.get(name), new.facts.get(name)
        if before != after:
            yield f"the two have another {name}: {before}, now {after}"
