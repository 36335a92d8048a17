"""Every single mutation of a JSON value, with its place and kind."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import chain, repeat
from pathlib import Path
from types import NoneType
from typing import Any, Final, NamedTuple

from airworthy.contract.bodies.body import Json, Pointer

GONE = object()
_JSON_TYPES: Final = {
    bool: "flag",
    int: "number",
    float: "number",
    str: "text",
    list: "list",
    dict: "object",
    NoneType: "null",
}
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
_DATES: Final = ("2035-03-15", "2026-11-01", "2035-02-29", "2035-3-14", "20350314", "14/03/2035", "2035-03-14\n")
_TIMES: Final = ("2035-03-14T16:05:00", "2035-03-14T16:00:00Z", "2035-03-14T24:00:00", "2035-02-29T10:00:00")
_TIMES_OF_FLIGHTS: Final = ("2035-03-14 06:40:00", "2035-03-14 25:00:00", "2035-02-30 10:00:00")
_OTHER_FORMS: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (re.compile(r"\d{4}-\d\d-\d\d"), (*_DATES, *_TIMES)),
    (re.compile(r"\d{4}-\d\d-\d\dT.*"), (*_TIMES, *_TIMES_OF_FLIGHTS, "2035-03-15T16:00:00", *_DATES)),
    (re.compile(r"\d{4}-\d\d-\d\d .*"), (*_TIMES_OF_FLIGHTS, "2035-03-16 10:00:00", *_TIMES, *_DATES)),
    (re.compile(r"\d\d:\d\d"), ("01:25", "80", "1h20", "25:61")),
    (re.compile(r"[A-Z]{3}"), ("MA", "madrid", "M4D", "MAD\n", "МАД")),
    (re.compile(r"[A-Z][A-Z0-9]"), ("V", "VYE", "vy", "az", "V-")),
    (re.compile(r"[0-9a-f]{8}-.*"), ("00000000-0000-4000-8000-000000000000",)),
    (re.compile(r"\d{2,4}"), ("0012", "12345", "IB12", "12\n", "١٢")),
    (re.compile(r"[A-Z_]{4,}"), ("mixed_Case",)),
    (re.compile(r"[\d.]+"), ("2.3.1",)),
    (re.compile(r"0\d"), ("00", "01", "03", "07")),
    (re.compile(r"[\w+/]+=+"), ("AAEC", "AAECAwQFBgcICQoLDA0ODxAREhM!")),
)
"""What stands where a text has a form: values of the same form and of others."""
_MORE: Final[dict[str, dict[str, Callable[[Any], Any]]]] = {
    "number": {"zero": lambda _: 0, "nine more": lambda number: number + 9},
    "list": {"four entries": lambda entries: [*entries, *entries * 3][:4]},
    "object": {"unknown member": lambda members: members | {"zq": 1}},
}


@dataclass(frozen=True, slots=True)
class Mutation:
    """A value with one change. In ``place`` a position in an array or an id is ``*``.

    ``kind`` says what was changed, as JSON where it is one of the `_OTHER_FORMS`. Every value of a JSON type has the
    ``general`` ones of its type.
    """

    place: str
    kind: str
    value: Json
    general: bool


class AllowedMutation(NamedTuple):
    """Kinds of mutation at some places of some bodies that nothing has to find, and why: a line of a table.

    All but the reason are lists. In an operation or a place ``*`` matches any text, and ``[*]`` a position in an array.
    """

    side: str
    operations: str
    places: str
    kinds: str
    reason: str

    def fits(self, *mutation: str) -> bool:
        """Whether this entry allows a mutation: its side, operation, place and kind."""
        return all(map(_matches, mutation, self[:4]))


@cache
def _matches(text: str, patterns: str) -> bool:
    return any(fnmatchcase(text, each) for each in patterns.split(", "))


def allowed_mutations(path: Path) -> list[AllowedMutation]:
    """Read a table, whose reasons come from the documents or the open questions."""
    return [AllowedMutation(*line.split(" | ")) for line in path.read_text(encoding="utf-8").splitlines()]


def mutations(value: Json) -> Iterator[Mutation]:
    """Yield a value with each change that can be made to one place of it."""
    for way, found in places(value):
        place = "/".join("*" if str(part).isdigit() else str(part) for part in way)
        general = _changes(found, is_member=bool(way) and isinstance(way[-1], str))
        special = _changes_of_form(found)
        for (kind, changed), is_general in (*zip(general, repeat(True)), *zip(special, repeat(False))):
            if changed != found or isinstance(changed, bool):
                yield Mutation(place, kind, with_change(value, way, changed), is_general)


def places(value: Json, way: Pointer = ()) -> Iterator[tuple[Pointer, Json]]:
    """Yield the way to each value in a JSON value, which comes first itself, and what is there."""
    yield way, value
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, below in entries:
        yield from places(below, (*way, part))


def _changes(found: Json, *, is_member: bool) -> Iterator[tuple[str, Json]]:
    json_type = _JSON_TYPES[type(found)]
    if is_member:
        yield "missing", GONE
    if found is not None:
        yield "null", None
    yield from (("another type", other) for other in _OTHER_TYPES[json_type])
    yield from ((kind, change(found)) for kind, change in _CHANGES[json_type].items())


def _changes_of_form(found: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(found, str):
        others = chain.from_iterable(others for form, others in _OTHER_FORMS if form.fullmatch(found))
        yield from ((json.dumps(other), other) for other in dict.fromkeys(others))
    yield from ((kind, change(found)) for kind, change in _MORE.get(_JSON_TYPES[type(found)], {}).items())


def with_change(value: Json, way: tuple[str | int, ...], changed: Json) -> Json:
    """Return a value with a change at a place; other parts are shared with the original."""
    if not way:
        return changed
    copy = value.copy()
    first, *rest = way
    if rest:
        copy[first] = with_change(value[first], tuple(rest), changed)
    elif changed is GONE:
        del copy[first]
    else:
        copy[first] = changed
    return copy
