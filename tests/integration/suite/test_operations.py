"""An operation that never works violates its own rule, and no rule that only needs it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from airworthy.contract import Contract
from airworthy.target.profile import VERSIONS
from collected_suite import CollectedSuite

pytestmark = pytest.mark.exhaustive

# Its own rules only warn: the documents promise nothing about it any more (OPEN-40).
UNMAINTAINED = "verifyFlight"
OPERATIONS = sorted(each.id for each in Contract.load(VERSIONS).operations() if each.version in VERSIONS)


@pytest.fixture(scope="module")
def suite() -> Iterator[CollectedSuite]:
    with CollectedSuite() as collected:
        yield collected


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if each != UNMAINTAINED])
def test_operation_that_never_works_violates_one_rule(suite: CollectedSuite, tmp_path: Path, operation: str) -> None:
    # What the documents list for a resource that is gone, and what they list for an error of the service.
    status = 409 if operation.startswith("create") else 404 if OPERATIONS.index(operation) % 2 else 500

    ran = suite.run(tmp_path / "run", refused=(operation, status))

    # A response to a mistake of a client with 500 is a violation, whatever else does not work.
    failed = [rule.id for rule in ran.results.rules if rule.verdict in ("failed", "warning", "error")]
    (owner,) = (each for each in failed if not each.endswith("NO-SERVER-FAULT"))
    assert len(failed) == 1 or status == 500
    reasons = {each.reason for rule in ran.results.rules for each in rule.scenarios if each.verdict == "untested"}
    assert all(f"({owner})" in each or "could not" in each for each in reasons), reasons
