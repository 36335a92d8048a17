"""What random conversations draw: resources, values, and one change of a request, of all that its schema documents."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from hypothesis import strategies

from airworthy.contract.bodies.body import Json
from airworthy.contract.http.operations import Operation
from airworthy.suite.negatives import is_left_open
from airworthy.suite.request_members import MISSING, Schema, documented_members, with_change
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
Changes = Sequence[tuple[int, int, int]]
"""The places of up to four changes, drawn at once: what is drawn must not depend on how the service responds."""


def changes_if(is_changed: bool) -> strategies.SearchStrategy[Changes]:
    """Return a strategy that draws changes, or none."""
    places = strategies.tuples(_PLACE, _PLACE, _PLACE)
    return strategies.lists(places, min_size=int(is_changed), max_size=4 * is_changed)


CHANGES = mostly(False, True).flatmap(changes_if)
"""The changes of a request, if it has any. Its rejections must not change anything."""
TIMES_AND_CHANGES = mostly((1, False), (2, False), (1, True), (1, True), times=5).flatmap(
    lambda each: strategies.tuples(strategies.just(each[0]), changes_if(each[1]))
)
"""How often a request is sent at once, and the changes of a single one."""
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")


def changed(operation: Operation, body: Json, places: tuple[int, int, int]) -> tuple[Json, str]:
    """Return a body with one member changed, of any item, and the change in words; as it is if nothing can change.

    ``places`` choose the member, the kind of change and the change.
    """
    if operation.request is None or not isinstance(body, dict):
        return body, ""
    members = list(documented_members(operation.request.document, body, every=True))
    of_member, of_kind, of_change = places
    path, schema, found, _ = members[of_member % len(members)]
    kinds = [each for each in map(list, _changes(schema, found)) if each]
    if not kinds or is_left_open(body, path):
        return body, ""
    kind = kinds[of_kind % len(kinds)]
    change, value = kind[of_change % len(kind)]
    return with_change(body, path, value), f", changed at /{'/'.join(map(str, path))} ({change})"


def _changes(schema: Schema, found: Any) -> Iterator[Iterable[tuple[str, Any]]]:
    """Yield kinds of changes: to leave a member out, wrong values, and values that are wrong only beside others."""
    if found is MISSING:
        yield wrong_types_of_absent(schema)
        return
    yield [("left out", MISSING)]
    yield wrong_values(schema, found)
    yield _other_values(found)


def _other_values(found: Any) -> Iterator[tuple[str, Any]]:
    match found:
        case bool():
            yield "the other value", not found
        case int() | float():
            yield from (("one more", found + 1), ("ten more", found + 10))
        case str() if _YEAR.search(found):
            yield from ((f"in {year}", _YEAR.sub(year, found)) for year in ("1999", "2099"))
        case [*_, last]:
            yield from (("an item fewer", found[:-1]), ("an item twice", [*found, last]), ("reversed", found[::-1]))
