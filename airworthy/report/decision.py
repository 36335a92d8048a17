"""Decide whether results lead to a certificate, and name what prevents it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from airworthy.report.blockers import Blocker, Cause, blockers
from airworthy.report.results import ITEM_WORDS, Results, Verdict
from airworthy.target.records import Waiver

Outcome = Literal[
    "CERTIFIED", "CERTIFIED WITH WAIVERS", "NOT CERTIFIED", "INCOMPLETE", "VIOLATIONS FOUND", "NO VIOLATION FOUND"
]
_EXIT_CODES: Final[dict[Cause, int]] = {"failed": 1, "stale waiver": 1, "error": 4, "untested": 3, "filtered": 3}
_SEVEREST_FIRST: Final = (1, 4, 3)


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on a run.

    ``exit_code`` is 0 (certified, or no violation found), 1 (not certified, or violations found), 3 (incomplete) or 4
    (incomplete because of an internal error). ``waived`` are the waivers that the decision depends on.
    """

    outcome: Outcome
    exit_code: int
    blocks: tuple[Blocker, ...] = ()
    waived: tuple[Waiver, ...] = ()

    @property
    def certifies(self) -> bool:
        """Whether the run leads to a certificate."""
        return self.outcome in ("CERTIFIED", "CERTIFIED WITH WAIVERS")


def decide(results: Results) -> Decision:
    """Return the decision on a run.

    A failed rule leads to NOT CERTIFIED, whatever else happened. Otherwise an error of the suite or the transport, an
    untested rule or a filtered run leads to INCOMPLETE. A waiver covers a failed or untested rule until its expiry
    date; an expired or unnecessary waiver fails the run. An exploration alone certifies nothing, and no waiver covers
    what it found.
    """
    if results.is_exploration:
        return _of_exploration(results)
    verdicts = {rule.id: rule.verdict for rule in results.rules}
    stale = stale_waivers(results)
    waived = tuple(waiver for waiver in results.waivers if waiver not in stale and _covers(waiver, verdicts))
    others = [*(Blocker("stale waiver", why, (waiver.rule,)) for waiver, why in stale.items()), *_of_scope(results)]
    blocks = blockers(results, {waiver.rule for waiver in waived}, others)
    codes = {_EXIT_CODES[block.cause] for block in blocks}
    exit_code = next((code for code in _SEVEREST_FIRST if code in codes), 0)
    outcome: Outcome = "CERTIFIED WITH WAIVERS" if waived else "CERTIFIED"
    if exit_code:
        outcome = "NOT CERTIFIED" if exit_code == 1 else "INCOMPLETE"
    return Decision(outcome, exit_code, blocks, waived)


def _of_exploration(results: Results) -> Decision:
    endings = {each.interface: each.ended for each in results.explored}
    ended = [
        Blocker("untested", f"the exploration of {version} ended early: {why}")
        for version in results.scope.versions
        if (why := endings.get(version, "it had not begun"))
    ]
    blocks = blockers(results, (), ended)
    if any(found.is_firm for each in results.explored for found in each.found):
        return Decision("VIOLATIONS FOUND", 1, blocks)
    return Decision("INCOMPLETE", 3, blocks) if ended else Decision("NO VIOLATION FOUND", 0, blocks)


def stale_waivers(results: Results) -> dict[Waiver, str]:
    """Return the waivers that are expired or unnecessary on the day of the run, each with the reason."""
    verdicts, stale = {rule.id: rule.verdict for rule in results.rules}, {}
    for waiver in results.waivers:
        if waiver.expires < results.finished.date():
            stale[waiver] = f"the waiver by {waiver.owner} expired on {waiver.expires}"
        elif waiver.rule not in verdicts and not results.scope.filtered:
            stale[waiver] = "the waiver names a rule that does not exist"
        elif waiver.rule in verdicts and not _covers(waiver, verdicts) and not results.scope.filtered:
            words = verdicts[waiver.rule].replace("_", " ")
            of_item = f"the item is {ITEM_WORDS.get(words, words)}"
            found = of_item if results.integration else f"the verdict of the rule is {words}"
            stale[waiver] = f"the waiver is unnecessary: {found}"
    return stale


def _covers(waiver: Waiver, verdicts: dict[str, Verdict]) -> bool:
    return verdicts.get(waiver.rule) in ("failed", "untested")


def _of_scope(results: Results) -> Iterator[Blocker]:
    if results.scope.filtered:
        why = f" ({results.scope.filtered_why})" if results.scope.filtered_why else ""
        yield Blocker("filtered", f"only some of the rules were selected{why}; only a full run can certify")
    elif not results.rules:
        yield Blocker("untested", "no rule was tested")
