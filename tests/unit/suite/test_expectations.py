"""Each expectation in the features belongs to the rule of its scenario."""

from collections.abc import Iterator
from typing import Any

import pytest
from gherkin.parser import Parser

from airworthy.resources import resource
from airworthy.suite.capture import Capture
from airworthy.suite.outcomes import UnexpectedError
from conformance.expectations import EXPECTATIONS, EXPORT_EXPECTATIONS
from conformance.fixtures import RuleCheck
from unit.evidence.stub import exchange


def _stated() -> Iterator[tuple[str, str, set[str]]]:
    """Yield each step of the features with the folder of its feature and the tags of its rule."""
    for path in resource("features").rglob("*.feature"):
        document: Any = Parser().parse(path.read_text(encoding="utf-8"))
        for child in document["feature"]["children"]:
            rule = child.get("rule", {"tags": [], "children": []})
            tags = {tag["name"].removeprefix("@") for tag in rule["tags"]}
            for scenario in (each["scenario"] for each in rule["children"] if "scenario" in each):
                yield from ((path.parent.name, step["text"], tags) for step in scenario["steps"])


def test_each_expectation_is_used_by_scenarios_of_its_rule_only() -> None:
    steps = list(_stated())
    for expectations, in_export in ((EXPECTATIONS, False), (EXPORT_EXPECTATIONS, True)):
        stated = [
            (expectations[text], tags)
            for folder, text, tags in steps
            if (folder == "export") == in_export and text in expectations
        ]
        assert [(rule, tags) for rule, tags in stated if rule not in tags] == []
        assert {rule for rule, _ in stated} == set(expectations.values())


def rule_check(rule: str, *, is_self_test: bool = False) -> RuleCheck:
    return RuleCheck(
        Capture("a scenario", frozenset({rule})),
        ("v3", "v4"),
        is_visible_in_traffic=True,
        is_validated_elsewhere=False,
        is_exercised_elsewhere=True,
        is_self_test=is_self_test,
    )


def test_expectation_of_another_rule_is_an_internal_error() -> None:
    check = rule_check("V4-MONEY")

    check.check_rule("V4-MONEY")
    with pytest.raises(LookupError, match="V4-CURRENCY"):
        check.check_rule("V4-CURRENCY")


@pytest.mark.parametrize(
    "check", [rule_check("V3-BAGS-LISTED", is_self_test=True), rule_check("V3-BAGS-KEYS")], ids=["self-test", "request"]
)
def test_violation_that_the_contract_must_find_is_an_internal_error_if_it_does_not(check: RuleCheck) -> None:
    with pytest.raises(UnexpectedError, match="does not find the violation"):
        check.check_request_finding(exchange())


def test_contract_need_not_know_the_flights_of_every_service() -> None:
    rule_check("V3-BAGS-LISTED").check_request_finding(exchange())
