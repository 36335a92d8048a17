"""The step functions for the sentences of the features, and the sentences without one, which state what holds."""

from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import pytest

from airworthy.register import rules
from conformance.step_table import _DEFINITIONS, STATEMENT, StepTable, given, when


@pytest.fixture
def module(request: pytest.FixtureRequest) -> ModuleType:
    made = ModuleType(request.node.name)

    def buy(count: str) -> None:
        assert count

    buy.__module__ = made.__name__
    given(r"(?P<count>\d+) offers")(buy)
    return made


def test_step_of_another_keyword_or_module_does_not_match(module: ModuleType) -> None:
    assert not StepTable("when", (module.__name__,)).is_matching("2 offers")
    assert not StepTable("given", ()).is_matching("2 offers")
    assert StepTable("given", (module.__name__,)).parse_arguments("no offers") is None


def test_ambiguous_step_is_an_error(module: ModuleType) -> None:
    def sell() -> None: ...

    sell.__module__ = module.__name__
    when("2 offers")(sell)
    when(r"\d offers")(sell)

    with pytest.raises(LookupError, match="2 steps match '2 offers', expected one"):
        StepTable("when", (module.__name__,)).is_matching("2 offers")


PACKAGES = ("conformance.steps", "conformance.v4.steps", "conformance.v3.steps")
ALIKE = 0.9


def test_no_statement_is_a_misspelt_step() -> None:
    for package in PACKAGES:
        for each in iter_modules(import_module(package).__path__, f"{package}."):
            import_module(each.name)
    import_module("conformance.export.steps")
    known = [each.parser for (_, keyword), found in _DEFINITIONS.items() if keyword == "then" for each in found]
    others = [each for each in known if each.name != STATEMENT]
    steps = {step.replace("<interface>", "v3") for rule in rules() for scenario in rule.steps for step in scenario}
    sentences = {step.partition(" ")[2] for step in steps}
    statements = {each for each in sentences if not any(parser.is_matching(each) for parser in others)}

    misspelt = {each: get_close_matches(each, [parser.name for parser in others], 1, ALIKE) for each in statements}
    assert {each: found for each, found in misspelt.items() if found} == {}
