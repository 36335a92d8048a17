"""Run features/golive: the go-live list of a partner, on traffic that is already judged."""

from pytest_bdd import given, parsers, scenarios, then

from airworthy.resources import resource
from airworthy.suite.outcomes import ExpectationError, NotApplicable, SoftCheckFailed, Untested
from airworthy.traffic.golive.progress import ItemOutcome

scenarios(str(resource("features") / "golive"))


@given("the recorded traffic of a partner")
def recorded_traffic(reason_not_applicable: str) -> None:
    """Check that the item applies to the partner."""
    if reason_not_applicable:
        raise NotApplicable(reason_not_applicable)


@then(parsers.re(r"no (?P<what>.+)"))
def not_contradicted(what: str, golive_outcome: ItemOutcome) -> None:
    """Check that no exchange contradicts the item."""
    for sighting in golive_outcome.progress.violations:
        raise ExpectationError(sighting.reason, expected=f"no {what}")


@then(parsers.re(r"it shows (?P<what>.+)"))
def shown(what: str, golive_outcome: ItemOutcome) -> None:
    """Check that exchanges show the item, and that every exchange could be judged for it."""
    progress = golive_outcome.progress
    for gap in progress.gaps:
        raise Untested(f"{gap.name} could not be judged: {gap.reason}")
    if not progress.proofs:
        why = f": {progress.attempts[-1].reason}" if progress.attempts else ""
        raise Untested(f"the recorded traffic does not show {what}{why}")
    for warning in progress.warnings:
        raise SoftCheckFailed(warning.reason)
