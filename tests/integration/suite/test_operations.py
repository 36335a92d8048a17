"""An operation that never works violates its own rule, and no rule that only needs it."""

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

import pytest

from airworthy.contract import Contract
from airworthy.report import RuleResult
from airworthy.target.profile import VERSIONS
from collected_suite import CollectedSuite

pytestmark = pytest.mark.exhaustive

# Its own rules only warn: the documents promise nothing about it any more (OPEN-40).
UNMAINTAINED = "verifyFlight"
# This rule needs v4, too.
BOTH = "V23-BESIDE-V4"


def operations() -> Sequence[tuple[str, ...]]:
    """Return the operations that fail together: one of v4, and one of v3 or v2, which have rules of their own."""
    known = sorted((each.id, each.version) for each in Contract.load(VERSIONS).operations() if each.version in VERSIONS)
    v4 = [name for name, version in known if version == "v4"]
    others = [name for name, version in known if version != "v4" and name != UNMAINTAINED]
    assert len(v4) <= len(others)
    return [tuple(filter(None, pair)) for pair in zip_longest(others, v4)]


OPERATIONS = operations()


def status_of(operation: str, index: int) -> int:
    """Return what the documents list for a resource that is gone, or for an error of the service."""
    return 409 if operation.startswith("create") else 404 if index % 2 else 500


@pytest.mark.parametrize("names", OPERATIONS, ids="+".join)
def test_operation_that_never_works_violates_one_rule(
    suite: CollectedSuite, tmp_path: Path, names: tuple[str, ...]
) -> None:
    statuses = {name: status_of(name, OPERATIONS.index(names)) for name in names}

    ran = suite.run(tmp_path / "run", refused=statuses)

    rules = [rule for rule in ran.results.rules if rule.id != BOTH]
    for name, of_v4 in zip(names, (False, True), strict=False):
        expect_one_violation([rule for rule in rules if rule.id.startswith("V4-") == of_v4], statuses[name])
    assert ran.rule(BOTH).verdict in ("passed", "untested")


def expect_one_violation(rules: Sequence[RuleResult], status: int) -> None:
    """Fail unless one rule of an interface fails, and those that are untested name it."""
    # A response to a mistake of a client with 500 is a violation, whatever else does not work.
    failed = [rule.id for rule in rules if rule.verdict in ("failed", "warning", "error")]
    (owner,) = (each for each in failed if not each.endswith("NO-SERVER-FAULT"))
    assert len(failed) == 1 or status == 500
    reasons = {each.reason for rule in rules for each in rule.scenarios if each.verdict == "untested"}
    assert all(f"({owner})" in each or "could not" in each for each in reasons), reasons
