"""Sentences that state an expectation belong to the rule that they state."""

from collections.abc import Iterator
from typing import Any

import pytest
from gherkin.parser import Parser

from airworthy.resources import resource
from airworthy.suite.capture import Capture
from conformance.expectations import EXPECTATIONS
from conformance.fixtures import RuleCheck


def _stated() -> Iterator[tuple[str, set[str]]]:
    """Yield each step of the features with the tags of its rule."""
    for path in resource("features").rglob("*.feature"):
        document: Any = Parser().parse(path.read_text(encoding="utf-8"))
        for child in document["feature"]["children"]:
            rule = child.get("rule", {"tags": [], "children": []})
            tags = {tag["name"].removeprefix("@") for tag in rule["tags"]}
            for scenario in (each["scenario"] for each in rule["children"] if "scenario" in each):
                yield from ((step["text"], tags) for step in scenario["steps"])


def test_each_expectation_is_stated_by_scenarios_of_its_rule_only() -> None:
    stated = [(EXPECTATIONS[sentence], tags) for sentence, tags in _stated() if sentence in EXPECTATIONS]

    assert [(rule, tags) for rule, tags in stated if rule not in tags] == []
    assert {rule for rule, _ in stated} == set(EXPECTATIONS.values())


def test_no_scenario_of_v4_says_only_that_a_rule_is_kept() -> None:
    folders = [resource("features") / name for name in ("v4", "payment")]
    texts = [path.read_text(encoding="utf-8") for folder in folders for path in folder.glob("*.feature")]

    assert texts
    assert not any("keeps this rule" in text for text in texts)


def test_an_expectation_of_another_rule_is_an_error_of_the_suite() -> None:
    check = RuleCheck(Capture("a scenario", frozenset({"V4-MONEY"})), shows_on_the_wire=False)

    check.service_keeps("V4-MONEY")
    with pytest.raises(LookupError, match="V4-CURRENCY"):
        check.service_keeps("V4-CURRENCY")
