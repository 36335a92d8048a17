"""What a scenario violates on purpose, the contract has to find."""

import pytest

from airworthy.suite.capture import Capture
from airworthy.suite.outcomes import UnexpectedError
from conformance.fixtures import RuleCheck
from unit.evidence.stub import exchange


def rule_check(rule: str, *, is_self_test: bool = False) -> RuleCheck:
    return RuleCheck(
        Capture("a scenario", frozenset({rule})),
        ("v3", "v4"),
        is_visible_in_traffic=True,
        is_validated_elsewhere=False,
        is_exercised_elsewhere=True,
        is_self_test=is_self_test,
    )


@pytest.mark.parametrize(
    "check", [rule_check("V3-BAGS-LISTED", is_self_test=True), rule_check("V3-BAGS-KEYS")], ids=["self-test", "request"]
)
def test_violation_that_the_contract_must_find_is_an_internal_error_if_it_does_not(check: RuleCheck) -> None:
    with pytest.raises(UnexpectedError, match="does not find the violation"):
        check.check_request_finding(exchange())


def test_contract_need_not_know_the_flights_of_every_service() -> None:
    rule_check("V3-BAGS-LISTED").check_request_finding(exchange())
