"""Operations that never work each violate a rule of their own, and no rule that only needs them."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from airworthy.contract import Contract
from airworthy.register import rules
from airworthy.report.results import RuleResult
from airworthy.target.profile import VERSIONS
from collected_suite import CollectedSuite

pytestmark = pytest.mark.exhaustive

# Its own rules only warn: the documents promise nothing about it any more (OPEN-40).
UNMAINTAINED = "verifyFlight"
# This rule needs v4, too.
BOTH = "V23-BESIDE-V4"
# Operations that fail together, because none of them needs another one.
OPERATIONS = (
    ("searchOffers", "searchFlights", "searchFlightsV2"),
    ("createOrder", "createRequests", "createRequestsV2"),
    ("confirmOrder", "createBookings", "createBookingsV2"),
    ("getOffer", "getBookings", "getBookingsV2", "cancelRequest", "searchRoundTrips"),
    ("getFares", "getBaggage", "findReservation", "getOrder", "getReservation"),
)


def test_every_operation_fails_once() -> None:
    known = {(each.id, each.version) for each in Contract.load(VERSIONS).operations()}
    assert sorted(name for names in OPERATIONS for name in names) == sorted(
        name for name, version in known if version in VERSIONS and name != UNMAINTAINED
    )


def status_of(operation: str, index: int) -> int:
    """Return what the documents list for a resource that is gone, or for an error of the service."""
    return 409 if operation.startswith("create") else 404 if index % 2 else 500


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(names, id="+".join(names), marks=pytest.mark.further if index % 2 else ())
        for index, names in enumerate(OPERATIONS)
    ],
)
def test_operation_that_never_works_violates_one_rule(
    suite: CollectedSuite, tmp_path: Path, names: tuple[str, ...]
) -> None:
    statuses = {name: status_of(name, index) for index, name in enumerate(names)}
    v4 = {each.id for each in Contract.load(VERSIONS).operations() if each.version == "v4"}
    interfaces = {name in v4 for name in names}

    examined = [rule.id for rule in rules() if rule.id.startswith("V4-") in interfaces]
    ran = suite.run(tmp_path / "run", refused=statuses, rules=examined, together=1)

    for of_v4 in interfaces:
        refused = [name for name in names if (name in v4) == of_v4]
        judged = [rule for rule in ran.results.rules if rule.id.startswith("V4-") == of_v4 and rule.id != BOTH]
        expect_one_violation_each(judged, refused, statuses)
    assert ran.rule(BOTH).verdict in ("passed", "untested")


def expect_one_violation_each(judged: Sequence[RuleResult], names: Sequence[str], statuses: dict[str, int]) -> None:
    """Fail unless each operation violates a rule, and every untested rule names one of these."""
    failed = [rule.id for rule in judged if rule.verdict in ("failed", "warning", "error")]
    owners = [each for each in failed if not each.endswith("NO-SERVER-FAULT")]
    # The same operation of v2 and v3 may have one rule or two.
    assert len({name.removesuffix("V2") for name in names}) <= len(owners) <= len(names), failed
    # A response to a mistake of a client with 500 is a violation, whatever else does not work.
    assert owners == failed or 500 in {statuses[name] for name in names}
    reasons = {each.reason for rule in judged for each in rule.scenarios if each.verdict == "untested"}
    assert all("could not" in each or any(f"({owner})" in each for owner in owners) for each in reasons), reasons
