"""Places in a JSON document, as JSON Pointers: which hold something private, and what stands there instead."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any

from airworthy.evidence.vocabulary import Names


def with_holders(pointers: Iterable[str]) -> frozenset[str]:
    """Return places, and all that hold them."""
    found: set[str] = set()
    for pointer in pointers:
        while pointer and pointer not in found:
            found.add(pointer)
            pointer = pointer.rpartition("/")[0]  # noqa: PLW2901  one after the other
    return frozenset(found)


def name_of(pointer: str) -> str:
    """Return the name of the member that stands at a place."""
    return _steps(pointer)[-1]


def named(document: Any, names: Names, known: frozenset[str]) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON
    """Yield the places, but for those that are known, of members that have one of some names, with their kinds."""
    return _named(document, names, known, "")


def _named(value: Any, names: Names, known: frozenset[str], place: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    if isinstance(value, dict):
        for name, item in value.items():
            below = f"{place}/{name.replace('~', '~0').replace('/', '~1')}"
            kind = names.kind_of(name)
            if kind and below not in known:
                yield below, kind
            else:
                yield from _named(item, names, known, below)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _named(item, names, known, f"{place}/{index}")


def replaced(document: Any, kinds: Mapping[str, str], stand_in: Callable[[str, Any], Any]) -> Any:  # noqa: ANN401
    """Put stand-ins at places of a document, which is changed. What holds a place covers those inside it."""
    # The root stands under "", as the first step of each pointer says.
    root: dict[str, Any] = {"": document}
    covered = ""
    # By steps, so that what a place covers follows it.
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
        parent[key] = stand_in(kinds[pointer], value)
        if isinstance(value, dict | list):
            covered = f"{pointer}/"
    return root[""]


def beginning(document: Any, length: int) -> Any:  # noqa: ANN401 - any JSON
    """Return a part of a document, from its start, that is about so many characters long; no text is cut."""
    return _begun(document, [length])


def _begun(value: Any, left: list[int]) -> Any:  # noqa: ANN401
    left[0] -= len(value) if isinstance(value, str) else 1
    if isinstance(value, str):
        return value if left[0] >= 0 else "…"
    if isinstance(value, dict):
        names = takewhile(lambda _: left[0] > 0, value)
        return {_begun(name, left): _begun(value[name], left) for name in names}
    if isinstance(value, list):
        return [_begun(item, left) for item in takewhile(lambda _: left[0] > 0, value)]
    return value


def _steps(pointer: str) -> list[str]:
    steps = pointer.split("/")
    return [step.replace("~1", "/").replace("~0", "~") for step in steps] if "~" in pointer else steps
