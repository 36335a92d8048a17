"""`make mutants` names modules and functions that exist."""

import ast
from pathlib import Path

from mutants.areas import AREAS, LEFT_OPEN, SANDBOX

MODULES = [Path(__file__).parents[2] / SANDBOX / f"{name}.py" for area in AREAS.values() for name in area.modules]


def test_modules_and_functions_exist() -> None:
    trees = [ast.parse(each.read_text(encoding="utf-8")) for each in MODULES]
    functions = {each.name for tree in trees for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}
    assert LEFT_OPEN - functions == set()
