"""Every tolerant check names its reason: an open question or a place in the documents."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import airworthy.contract
from airworthy.resources import resource

REASON = re.compile(r"OPEN-[0-9]{2}|v[234], [A-Z]")
FOLDER = Path(airworthy.contract.__file__).parent
MARKS = ("x-soft", "x-open")
MAKERS = ("Defect", "Drift")
# This function reads the marks of schemas, which name their reasons themselves.
READER = "compiled_schema.py:_defect"


def is_tolerant(call: ast.AST) -> bool:
    """Whether a call makes a defect that only warns, or that a service may accept."""
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in MAKERS:
        return False
    named = {each.arg: each.value for each in call.keywords if each.arg in ("soft", "tolerable")}
    return any(not (isinstance(value, ast.Constant) and value.value is False) for value in named.values())


def tolerant_checks() -> Iterator[tuple[str, str]]:
    """Yield each function that makes a tolerant defect or drift, with its docstring."""
    for path in sorted(FOLDER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and any(map(is_tolerant, ast.walk(node))):
                yield f"{path.relative_to(FOLDER)}:{node.name}", ast.get_docstring(node) or ""


def tolerant_schemas() -> Iterator[tuple[str, str]]:
    """Yield each schema that only warns, binds only clients or is open, with its description."""
    for folder in ("v4", "v3", "v2", "payment"):
        for path in sorted((resource("schemas") / folder).glob("*.json")):
            yield from marked(json.loads(path.read_text()), path.name)


def marked(node: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        if any(node.get(mark) is True for mark in MARKS) or node.get("x-binds") == "client":
            yield place, f"{node.get('x-reason', '')} {node.get('description', '')}"
        for name, child in node.items():
            yield from marked(child, f"{place}/{name}")
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from marked(child, f"{place}/{index}")


def test_tolerant_check_names_its_reason() -> None:
    checks = list(tolerant_checks())
    assert len(checks) > 20
    assert [name for name, text in checks if name != READER and not REASON.search(text)] == []


def test_tolerant_schema_names_its_reason() -> None:
    schemas = list(tolerant_schemas())
    assert len(schemas) > 20
    assert [place for place, text in schemas if not REASON.search(text)] == []
