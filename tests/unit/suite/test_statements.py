"""A step that no definition knows states what holds, so that a misspelt one must not be taken for a statement."""

from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules

from airworthy.register import rules
from conformance.step_table import _DEFINITIONS, STATEMENT

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
