"""Compare what two messages show of the same thing: each documented member, and each element of each array.

What is compared follows from the schema of the later message. Elements are matched by their ids or, without ids, by
what they contain: the documents do not name the order of arrays. What either message does not show is not compared.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import product
from typing import Any, Literal

import orjson

from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.moments import ALMOST_A_DAY, are_apart, moment
from airworthy.contract.conversation.likeness import is_alike
from airworthy.contract.schema.known_members import KnownMembers

MOST_ELEMENTS = 30
DEEPEST = 16
ABSENT = (None, "")
"""What shows nothing, as a booking whose record locator has not arrived."""
LARGEST = 64 * 1024
KEYS = ("id", "number", "passengerNumber")
UNKNOWN = KnownMembers()

Weight = Literal["firm", "soft", "open"]


@dataclass(frozen=True, slots=True)
class Terms:
    """How far two messages must agree on a thing: patterns of paths in it, separated by blanks.

    A position in an array is ``*``, which in a pattern matches any text.

    Attributes:
        firm: what must be the same. Any other difference only warns.
        kept: what must not be missing later. Anything else that is missing only warns.
        optional: what may be missing later.
        open: what is not compared.
        chosen: arrays of options, in which one of quantity 0 need not be listed.
        times: what may be less than a day earlier or later; that only warns.
    """

    firm: str = ""
    kept: str = ""
    optional: str = ""
    open: str = ""
    chosen: str = ""
    times: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A value that two messages show differently: its path in the later one, how, and whether it only warns.

    ``before`` and ``now`` are the two values, or the numbers of elements or of chosen options.
    """

    path: Pointer
    kind: Literal["other", "missing", "number", "choices"]
    soft: bool
    before: Json
    now: Json

    @property
    def name(self) -> str:
        """The members on the path."""
        return ".".join(part for part in self.path if isinstance(part, str))


def kept(value: Json) -> bytes:
    """Return a value as a conversation remembers it, or nothing if it is too large."""
    content = orjson.dumps(value)
    return content if len(content) <= LARGEST else b""


def completed(content: bytes, value: dict[str, Any], passing: Collection[str]) -> bytes:
    """Return a remembered object with the members that it did not have yet, except for ``passing`` ones."""
    before = remembered(content) or {}
    more = {
        name: each
        for name, each in value.items()
        if each not in ABSENT and before.get(name) is None and name not in passing
    }
    return kept(before | more) or content if more else content


def without(value: dict[str, Any], place: str, wrong: Collection[str]) -> dict[str, Any]:
    """Return an object without the members that contain one of the ``wrong`` pointers; ``place`` is its own pointer."""
    parts = {each.removeprefix(f"{place}/").partition("/")[0] for each in wrong if each.startswith(f"{place}/")}
    return {name: each for name, each in value.items() if name not in parts} if parts else value


def remembered(content: bytes) -> Json:
    """Return a value that a conversation remembers, or None."""
    return orjson.loads(content) if content else None


def differences(known: KnownMembers, before: Json, now: Json, terms: Terms) -> Iterator[Difference]:
    """Yield what two messages show differently of a thing, which the schema of the later one describes as ``known``."""
    yield from _differences(known, before, now, terms, ())


def _differences(known: KnownMembers, before: Json, now: Json, terms: Terms, path: Pointer) -> Iterator[Difference]:
    if before in ABSENT or before == now or len(path) > DEEPEST:
        return
    pattern = _pattern(path)
    weight = _weight(terms, pattern)
    if weight == "open":
        return
    if now is None:
        if not _fits(pattern, terms.optional):
            yield Difference(path, "missing", not _fits(pattern, terms.kept), before, now)
    elif isinstance(before, dict) and isinstance(now, dict):
        yield from _of_members(known, before, now, terms, path)
    elif isinstance(before, list) and isinstance(now, list):
        yield from _of_elements(known.items or UNKNOWN, before, now, terms, path)
    elif not is_alike(str(path[-1]) if path else "", known.sensitive, before, now):
        is_near = _fits(pattern, terms.times) and not are_apart(moment(before), moment(now), tolerance=ALMOST_A_DAY)
        yield Difference(path, "other", weight == "soft" or is_near, before, now)


def _of_members(
    known: KnownMembers, before: dict[str, Any], now: dict[str, Any], terms: Terms, path: Pointer
) -> Iterator[Difference]:
    """Yield the differences of the members. Only warns for a thing that was updated: why is not known."""
    if not known.is_object and known.like is not None:
        known = known.like
    was_updated = are_apart(*(moment(each.get("updated_at")) for each in (before, now)))
    for name in known.members or before:
        for each in _differences(known.known(name) or UNKNOWN, before.get(name), now.get(name), terms, (*path, name)):
            yield replace(each, soft=True) if was_updated else each


def _of_elements(
    known: KnownMembers, before: list[Any], now: list[Any], terms: Terms, path: Pointer
) -> Iterator[Difference]:
    pattern, places = _pattern(path), [*range(len(now))]
    are_chosen = _fits(pattern, terms.chosen)
    if are_chosen:
        before, places = [before[at] for at in _chosen(before)], _chosen(now)
        now = [now[at] for at in places]
    pairs: Iterable[tuple[int, int]] = ()
    if len(before) != len(now):
        kind: Literal["number", "choices"] = "choices" if are_chosen else "number"
        yield Difference(path, kind, _weight(terms, pattern) == "soft", len(before), len(now))
        pairs = _of_one_weight(before, now) if are_chosen else ()
    elif len(before) <= MOST_ELEMENTS:
        pairs = _pairs(known, before, now, terms, path)
    for index, other in pairs:
        yield from _differences(known, before[index], now[other], terms, (*path, places[other]))


def _chosen(options: list[Any]) -> list[int]:
    """Return the positions of the options without those of quantity 0."""
    return [at for at, each in enumerate(options) if not isinstance(each, dict) or each.get("quantity") != 0]


def _of_one_weight(before: list[Any], now: list[Any]) -> Iterator[tuple[int, int]]:
    """Yield the positions of the options in two arrays that are the only ones of their weight."""
    here, there = ([each.get("weight") if isinstance(each, dict) else None for each in side] for side in (before, now))
    for index, weight in enumerate(here[:MOST_ELEMENTS]):
        if weight is not None and here.count(weight) == there.count(weight) == 1:
            yield index, there.index(weight)


def _pairs(
    known: KnownMembers, before: list[Any], now: list[Any], terms: Terms, path: Pointer
) -> Iterator[tuple[int, int]]:
    """Yield the positions of each element in two arrays of one length."""
    for key in KEYS:
        here, there = ({each.get(key): at for at, each in enumerate(side) if _has(each, key)} for side in (before, now))
        if here.keys() == there.keys() and len(here) == len(before) == len(there):
            yield from ((at, there[value]) for value, at in here.items())
            return
    left, others = list(range(len(before))), list(range(len(now)))
    for index in tuple(left):
        if (found := next((other for other in others if before[index] == now[other]), None)) is not None:
            left.remove(index)
            others.remove(found)
    # Arrays in elements of arrays are matched by position, or a hostile response would take too long.
    if any(isinstance(part, int) for part in path):
        yield from zip(left, others, strict=True)
        return
    pairs = product(left, others)
    for index, other in sorted(pairs, key=lambda pair: _distance(known, before[pair[0]], now[pair[1]], terms, path)):
        if index in left and other in others:
            left.remove(index)
            others.remove(other)
            yield index, other


def _distance(known: KnownMembers, one: Json, other: Json, terms: Terms, path: Pointer) -> int:
    return sum(1 for _ in _differences(known, one, other, terms, (*path, 0)))


def _has(element: Json, key: str) -> bool:
    return isinstance(element, dict) and isinstance(element.get(key), str | int)


def _pattern(path: Pointer) -> str:
    return "/".join("*" if isinstance(part, int) else part for part in path)


# A value that no schema describes may have any names.
@lru_cache(maxsize=4096)
def _weight(terms: Terms, pattern: str) -> Weight:
    if _fits(pattern, terms.open):
        return "open"
    return "firm" if _fits(pattern, terms.firm) else "soft"


def _fits(pattern: str, patterns: str) -> bool:
    return any(fnmatchcase(pattern, each) for each in patterns.split())
