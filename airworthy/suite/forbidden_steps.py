"""The findings of an exploration in the steps that its requests take in the life cycles of the documents."""

from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta

from airworthy.contract.findings.finding import Finding
from airworthy.contract.http.exchange import Exchange
from airworthy.contract.life_cycles import Step
from airworthy.report.results import weigh


def forbidden_steps(
    steps: Sequence[Step], exchanges: Collection[Exchange], findings: Sequence[Finding]
) -> Iterator[Finding]:
    """Yield a finding for each step of some exchanges that the life cycles do not allow.

    ``findings`` are those of the contract. Where they contain a violation, it is the cause.
    """
    judged = {each.exchange for each in findings if weigh(each) == "failed"}
    # Which of several requests at the same time came first, nobody knows.
    for each in () if _overlap(exchanges) else steps:
        if each.exchange in judged or not each.allowed or each.transition:
            continue
        rule, soft = each.allowed[0].rule, each.allowed[0].soft
        expected = " or ".join(_outcome(line.after, refused=line.refused) for line in each.allowed)
        actual = _outcome(each.after, refused=each.refused)
        who = " by another organisation" if each.foreign else ""
        state = f"the {each.life_cycle.resource} was {each.before}"
        text = f"{each.operation}{who} does what the documents do not allow: {state}"
        yield Finding(rule, "violation", "response", "status", text, expected, actual, each.exchange, soft=soft)


def _overlap(exchanges: Collection[Exchange]) -> bool:
    """Return whether one of the exchanges began before another one had ended."""
    ordered = sorted(exchanges, key=lambda each: each.started)
    ends = (each.started + timedelta(seconds=each.elapsed) for each in ordered)
    return any(end > later.started for end, later in zip(ends, ordered[1:], strict=False))


def _outcome(state: str, *, refused: bool) -> str:
    return f"a rejection that leaves it {state}" if refused else state
