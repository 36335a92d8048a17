"""Every single mutation of a JSON value, with its place and kind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from airworthy.contract.body import Json

_GONE = object()
_OTHER_TYPES: dict[str, tuple[Any, ...]] = {
    "text": (7, {"zq": 1}),
    "number": ("zq", True),
    "flag": ("yes", 1),
    "list": ({"zq": 1}, "zq"),
    "object": (["zq"], "zq"),
    "null": ("zq", 7, True, ["zq"], {"zq": 1}),
}
_CHANGES: dict[str, dict[str, Callable[[Any], Any]]] = {
    "text": {"another text": lambda _: "zq", "longer text": lambda text: f"{text}X", "empty text": lambda _: ""},
    "number": {
        "one more": lambda number: number + 1,
        "fraction": lambda number: number + 0.5,
        "negative": lambda _: -5,
    },
    "flag": {"negated": lambda flag: not flag},
    "list": {"empty array": lambda _: [], "repeated entry": lambda entries: [*entries, *entries[:1]]},
    "object": {"empty object": lambda _: {}},
    "null": {},
}


@dataclass(frozen=True, slots=True)
class Mutation:
    """A value with one change. In ``place`` a position in an array is ``*``."""

    place: str
    kind: str
    value: Json


def mutations(value: Json) -> Iterator[Mutation]:
    """Yield a value with each change that can be made to one place of it."""
    for way, found in _places(value, ()):
        place = "/".join("*" if isinstance(part, int) else part for part in way)
        for kind, changed in _changes(found, is_member=bool(way) and isinstance(way[-1], str)):
            if changed != found or isinstance(changed, bool):
                yield Mutation(place, kind, _with(value, way, changed))


def _places(value: Json, way: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    yield way, value
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, below in entries:
        yield from _places(below, (*way, part))


def _changes(found: Json, *, is_member: bool) -> Iterator[tuple[str, Json]]:
    json_type = _json_type(found)
    if is_member:
        yield "missing", _GONE
    if found is not None:
        yield "null", None
    yield from (("another type", other) for other in _OTHER_TYPES[json_type])
    yield from ((kind, change(found)) for kind, change in _CHANGES[json_type].items())


def _json_type(found: Json) -> str:
    if found is None:
        return "null"
    types: tuple[tuple[Any, str], ...] = (
        (bool, "flag"),
        (int | float, "number"),
        (str, "text"),
        (list, "list"),
        (dict, "object"),
    )
    return next(name for python_type, name in types if isinstance(found, python_type))


def _with(value: Json, way: tuple[str | int, ...], changed: Json) -> Json:
    """Return a value with a change at a place; other parts are shared with the original."""
    if not way:
        return changed
    copy = value.copy()
    first, *rest = way
    if rest:
        copy[first] = _with(value[first], tuple(rest), changed)
    elif changed is _GONE:
        del copy[first]
    else:
        copy[first] = changed
    return copy
