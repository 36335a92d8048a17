"""What random conversations draw: resources, values, and one change of a request, of all that its schema documents."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from hypothesis import strategies

from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.http.operations import Operation
from airworthy.suite.negatives import is_left_open
from airworthy.suite.request_members import MISSING, Schema, documented_members, pattern_of, with_change
from airworthy.suite.wrong_values import wrong_types_of_absent, wrong_values

T = TypeVar("T")


class Draw(Protocol):
    """Draws a value of a strategy."""

    def __call__(self, strategy: strategies.SearchStrategy[T]) -> T:
        """Return the value."""


def one_of(found: Sequence[T], state: Callable[[T], object]) -> strategies.SearchStrategy[T]:
    """Return a strategy that draws a state, and with it the newest resource of a conversation in that state."""
    return strategies.sampled_from(newest(found, state))


def newest(found: Sequence[T], state: Callable[[T], object]) -> list[T]:
    """Return the newest resource in each state, the newest of all first."""
    return list({state(each): each for each in found}.values())[::-1]


def mostly(usual: Any, *others: Any, times: int = 3) -> strategies.SearchStrategy[Any]:
    """Return a strategy that draws the usual value so many times as often as any other."""
    return strategies.sampled_from([*[usual] * times, *others])


_PLACE = strategies.integers(0, 999)
_IS_WHOLE = mostly(False, True)
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")


def changed(operation: Operation, body: Json, draw: Draw) -> tuple[Json, str]:
    """Return a body with one member changed, of any item, and the change in words; as it is if nothing can change."""
    if operation.request is None or not isinstance(body, dict):
        return body, ""
    path, schema, found = _drawn_member(operation.request.document, body, draw)
    changes = list(_changes(schema, found))
    if not changes or is_left_open(body, path):
        return body, ""
    change, value = changes[draw(_PLACE) % len(changes)]
    return with_change(body, path, value), f", changed at {pattern_of(path)} ({change})"


def _drawn_member(schema: Schema, found: Any, draw: Draw) -> tuple[Pointer, Schema, Any]:
    """Draw a member on the way from the body to a leaf, so that each member of an object is as likely as its others."""
    path: Pointer = ()
    while inside := dict(documented_members(schema, found, every=True)):
        if path and draw(_IS_WHOLE):
            break
        name = list(inside)[draw(_PLACE) % len(inside)]
        path, schema = (*path, name), inside[name]
        found = found.get(name, MISSING) if isinstance(found, dict) else found[name]
    return path, schema, found


def _changes(schema: Schema, found: Any) -> Iterator[tuple[str, Any]]:
    """Yield other values of a member: without it, wrong ones, and some that are wrong only beside other values."""
    if found is MISSING:
        yield from wrong_types_of_absent(schema)
        return
    yield "left out", MISSING
    yield from wrong_values(schema, found)
    match found:
        case bool():
            yield "the other value", not found
        case int() | float():
            yield from (("one more", found + 1), ("ten more", found + 10))
        case str() if _YEAR.search(found):
            yield from ((f"in {year}", _YEAR.sub(year, found)) for year in ("1999", "2099"))
        case [*_, last]:
            yield from (("an item fewer", found[:-1]), ("an item twice", [*found, last]), ("reversed", found[::-1]))
        case Mapping() if found:
            yield "a member fewer", dict(list(found.items())[:-1])
