"""Every single change that can be made to a JSON value, each with the place and the name of what was done there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from airworthy.contract.body import Json

_GONE = object()
_ANOTHER_KIND: dict[str, tuple[Any, ...]] = {
    "text": (7, {"zq": 1}),
    "number": ("zq", True),
    "flag": ("yes", 1),
    "list": ({"zq": 1}, "zq"),
    "object": (["zq"], "zq"),
    "null": ("zq", 7, True, ["zq"], {"zq": 1}),
}
_CHANGES: dict[str, dict[str, Callable[[Any], Any]]] = {
    "text": {"another text": lambda _: "zq", "a text more": lambda text: f"{text}X", "no text": lambda _: ""},
    "number": {
        "one more": lambda number: number + 1,
        "a fraction": lambda number: number + 0.5,
        "below zero": lambda _: -5,
    },
    "flag": {"the contrary": lambda flag: not flag},
    "list": {"no entry": lambda _: [], "an entry twice": lambda entries: [*entries, *entries[:1]]},
    "object": {"no member": lambda _: {}},
    "null": {},
}


@dataclass(frozen=True, slots=True)
class Mutation:
    """A value with one change: ``place`` is where (``*`` for a position in an array), ``done`` what."""

    place: str
    done: str
    value: Json


def mutations(value: Json) -> Iterator[Mutation]:
    """Yield a value with each change that can be made to one place of it."""
    for way, found in _places(value, ()):
        place = "/".join("*" if isinstance(part, int) else part for part in way)
        for done, changed in _changes(found, is_member=bool(way) and isinstance(way[-1], str)):
            if changed != found or isinstance(changed, bool):
                yield Mutation(place, done, _with(value, way, changed))


def _places(value: Json, way: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    yield way, value
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, below in entries:
        yield from _places(below, (*way, part))


def _changes(found: Json, *, is_member: bool) -> Iterator[tuple[str, Json]]:
    kind = _kind(found)
    if is_member:
        yield "left out", _GONE
    if found is not None:
        yield "null", None
    yield from (("another type", other) for other in _ANOTHER_KIND[kind])
    yield from ((done, change(found)) for done, change in _CHANGES[kind].items())


def _kind(found: Json) -> str:
    if found is None:
        return "null"
    kinds: tuple[tuple[Any, str], ...] = (
        (bool, "flag"),
        (int | float, "number"),
        (str, "text"),
        (list, "list"),
        (dict, "object"),
    )
    return next(name for kind, name in kinds if isinstance(found, kind))


def _with(value: Json, way: tuple[str | int, ...], changed: Json) -> Json:
    """Return a value with a change at a place; what is not on the way there is shared."""
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
