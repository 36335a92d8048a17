"""A reason names keys that profiles have, and routes of the interface that it is about."""

import ast
from pathlib import Path

import pytest

from airworthy.resources import resource
from unit.suite.profile_keys import wrong_keys

CONFORMANCE = resource("conformance")
MODULES = sorted(path.relative_to(CONFORMANCE) for path in CONFORMANCE.rglob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_keys_in_the_texts_of_a_module_exist(module: Path) -> None:
    tree = ast.parse((CONFORMANCE / module).read_text(encoding="utf-8"))
    texts = [each.value for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    # A key that is an argument stands without brackets; what ends with a period is a part of one.
    tables = ("routes.", "payment.", "second_organisation.")
    keys = [f"[{text}]" for text in texts if text.startswith(tables) and not text.endswith(".")]
    interface = {"v4": False, "v3": True, "v2": True}.get(module.parts[0])
    patterns = {text for text in texts if "(?" in text or "\\" in text}

    assert [key for text in {*texts, *keys} - patterns for key in wrong_keys(text, of_flights=interface)] == []


def test_wrong_key_is_found() -> None:
    text = "[routes.sold_out] and [routes.flights_many] and [routes.nowhere] of the profile, [capabilities] card"
    assert list(wrong_keys(text, of_flights=False)) == ["routes.flights_many", "routes.nowhere"]
    assert list(wrong_keys(text, of_flights=True)) == ["routes.sold_out", "routes.nowhere"]
