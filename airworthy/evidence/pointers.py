"""Find and replace the values at JSON Pointers in a document."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any

from airworthy.evidence.sensitive_names import SensitiveNames


def with_ancestors(pointers: Iterable[str]) -> frozenset[str]:
    """Return the pointers, and those of all objects and arrays that contain them."""
    found: set[str] = set()
    for pointer in pointers:
        while pointer and pointer not in found:
            found.add(pointer)
            pointer = pointer.rpartition("/")[0]  # noqa: PLW2901  one after the other
    return frozenset(found)


def name_of(pointer: str) -> str:
    """Return the last step of a pointer."""
    return _steps(pointer)[-1]


def pointers_by_name(document: Any, names: SensitiveNames, known: frozenset[str]) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON
    """Yield (pointer, kind) of the members with one of the names, except those with a known pointer."""
    return _pointers_by_name(document, names, known, "")


def _pointers_by_name(value: Any, names: SensitiveNames, known: frozenset[str], at: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    if isinstance(value, dict):
        for name, item in value.items():
            below = f"{at}/{name.replace('~', '~0').replace('/', '~1')}"
            kind = names.kind_of(name)
            if kind and below not in known:
                yield below, kind
            else:
                yield from _pointers_by_name(item, names, known, below)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _pointers_by_name(item, names, known, f"{at}/{index}")


def replace_values(document: Any, kinds: Mapping[str, str], pseudonymize: Callable[[str, Any], Any]) -> Any:  # noqa: ANN401
    """Replace the values at some pointers in place, given their kinds, and return the document.

    If a pointer is inside a value that was replaced as a whole, it is ignored.
    """
    # The first step of each pointer is empty: it selects the document in this object.
    root: dict[str, Any] = {"": document}
    covered = ""
    # Sorted by steps, so that the pointers inside a value follow it.
    for pointer in sorted(kinds, key=lambda pointer: pointer.split("/")):
        if covered and pointer.startswith(covered):
            continue
        parent: Any = root
        try:
            *steps, last = _steps(pointer)
            for step in steps:
                parent = parent[int(step) if isinstance(parent, list) else step]
            key = int(last) if isinstance(parent, list) else last
            value = parent[key]
        except (LookupError, TypeError, ValueError):
            continue
        parent[key] = pseudonymize(kinds[pointer], value)
        if isinstance(value, dict | list):
            covered = f"{pointer}/"
    return root[""]


def excerpt(document: Any, length: int) -> Any:  # noqa: ANN401 - any JSON
    """Return the beginning of a document with about ``length`` characters; strings are kept whole or omitted."""
    return _excerpt(document, [length])


def _excerpt(value: Any, left: list[int]) -> Any:  # noqa: ANN401
    left[0] -= len(value) if isinstance(value, str) else 1
    if isinstance(value, str):
        return value if left[0] >= 0 else "…"
    if isinstance(value, dict):
        names = takewhile(lambda _: left[0] > 0, value)
        return {_excerpt(name, left): _excerpt(value[name], left) for name in names}
    if isinstance(value, list):
        return [_excerpt(item, left) for item in takewhile(lambda _: left[0] > 0, value)]
    return value


def _steps(pointer: str) -> list[str]:
    steps = pointer.split("/")
    return [step.replace("~1", "/").replace("~0", "~") for step in steps] if "~" in pointer else steps
