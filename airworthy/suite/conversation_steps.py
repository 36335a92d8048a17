"""The steps of conversations with a service: what each has sent, and what it shows."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from airworthy.contract.findings.finding import Finding
from airworthy.contract.http.exchange import Exchange
from airworthy.contract.life_cycles import Step
from airworthy.report.results import weigh
from airworthy.suite.capture import Capture, violation_of
from airworthy.suite.outcomes import Outcome, PrerequisiteFailed
from airworthy.target.client import InconclusiveError


class NotRejectedError(PrerequisiteFailed):
    """The service accepts a request that it must reject, which is a finding of any step."""


@dataclass(slots=True)
class JudgedStep:
    """What a step has sent, the findings in its responses, and those among them that are not the contract's."""

    exchanges: Sequence[Exchange] = ()
    findings: Sequence[Finding] = ()
    own: Sequence[Finding] = ()


@contextmanager
def judged_step(capture: Capture, *, needed: bool) -> Iterator[JudgedStep]:
    """Judge what the ``with`` block sends, and end it at an outcome of the suite's clients.

    That the service does not do what it must is a finding if the step is ``needed``: if the documents say that the
    service must accept its request.
    """
    exchanges, findings, taken = len(capture.exchanges), len(capture.findings), len(capture.taken)
    judged, violation = JudgedStep(), None
    try:
        yield judged
    except PrerequisiteFailed as failed:
        violation = violation_of(failed, capture) if needed or isinstance(failed, NotRejectedError) else None
    except (Outcome, AssertionError, InconclusiveError):
        pass
    finally:
        judged.exchanges = capture.exchanges[exchanges:]
    of_contract = [each for each in capture.findings[findings:] if each.side == "response"]
    own = [*_forbidden_steps(capture.taken[taken:], judged.exchanges, of_contract)]
    # What an earlier conversation could not create says nothing about this one.
    is_new = violation is not None and any(each.id == violation.exchange for each in judged.exchanges)
    if violation and is_new and not any(weigh(each) == "failed" for each in (*of_contract, *own)):
        own.append(violation)
    judged.findings, judged.own = [*of_contract, *own], own


def _forbidden_steps(
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
        expected = " or ".join(_outcome(each.before, line.after, refused=line.refused) for line in each.allowed)
        actual = _outcome(each.before, each.after, refused=each.refused)
        who = " by another organisation" if each.foreign else ""
        done = "is refused" if each.refused else "succeeds"
        state = f"the {each.life_cycle.resource} was {each.before}"
        state += f" and is {each.after} now" if each.after != each.before else ""
        text = f"{each.operation}{who} {done}: {state}"
        yield Finding(rule, "violation", "response", "status", text, expected, actual, each.exchange, soft=soft)


def _overlap(exchanges: Collection[Exchange]) -> bool:
    """Return whether one of the exchanges began before another one had ended."""
    ordered = sorted(exchanges, key=lambda each: each.started)
    ends = (each.started + timedelta(seconds=each.elapsed) for each in ordered)
    return any(end > later.started for end, later in zip(ends, ordered[1:], strict=False))


def _outcome(before: str, after: str, *, refused: bool) -> str:
    return ("a refusal" if refused else "success") + (f" that makes it {after}" if after != before else "")
