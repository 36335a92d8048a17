"""Every tolerant schema names its reason: an open question or a place in the documents."""

import json
import re
from collections.abc import Iterator

from airworthy.resources import resource

REASON = re.compile(r"OPEN-[0-9]{2}|v[234], [A-Z]")
MARKS = ("x-soft", "x-open")


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


def test_tolerant_schema_names_its_reason() -> None:
    schemas = list(tolerant_schemas())
    assert len(schemas) > 20
    assert [place for place, text in schemas if not REASON.search(text)] == []
