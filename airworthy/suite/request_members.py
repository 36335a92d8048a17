"""The members of a request body as its schema documents them, and the change of one of them."""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any, Final

from airworthy.contract.bodies.body import Json, Pointer
from airworthy.documents.references import parts

Schema = Mapping[str, Any]


class _Missing:
    """The type of `MISSING`."""

    def __repr__(self) -> str:
        return "missing"


MISSING: Final = _Missing()


def documented_members(
    schema: Schema, value: Json, path: Pointer = (), rule: str = "", *, every: bool = False
) -> Iterator[tuple[Pointer, Schema, Any, str]]:
    """Yield the path, the schema, the value and the rule of each documented member of a value, then those inside it.

    The value of an absent member is `MISSING`. Only the last item of an array and the first member of a map are
    yielded, unless it is ``every`` one: a service that checks every item checks the last one, too.
    """
    for name, member in _own_members(schema, value, every=every):
        found = value.get(name, MISSING) if isinstance(value, dict) else value[name]
        place, owner = (*path, name), first_keyword(member, "x-rule") or rule
        yield place, member, found, owner
        if isinstance(found, dict | list):
            yield from documented_members(member, found, place, owner, every=every)


def _own_members(schema: Schema, value: Json, *, every: bool) -> Iterator[tuple[str | int, Schema]]:
    schemas = [part.schema for part in parts(schema)]
    if isinstance(value, list):
        items = [each["items"] for each in schemas if isinstance(each.get("items"), Mapping)]
        if value and items:
            yield from ((index, {"allOf": items}) for index in range(0 if every else len(value) - 1, len(value)))
    elif isinstance(value, dict):
        known: dict[str, list[Schema]] = {}
        for each in schemas:
            for name, member in each.get("properties", {}).items():
                if isinstance(member, Mapping):
                    known.setdefault(name, []).append(member)
        yield from ((name, {"allOf": members}) for name, members in known.items())
        maps = [found for each in schemas if isinstance(found := each.get("additionalProperties"), Mapping)]
        others = [name for name in value if name not in known]
        if maps:
            yield from ((name, {"allOf": maps}) for name in (others if every else others[:1]))


def in_turn(body: Json, path: Pointer, turn: int) -> Pointer:
    """Return the path to a member in one of the items of the arrays on its path: turn 0 is that of the last.

    A service may check the items of one kind only, such as the passengers that are adults. Items without the member, or
    without what contains it, have no turn.
    """
    found = _turns(body, path)
    return found[turn % len(found)]


def has_turns(body: Json, path: Pointer) -> bool:
    """Return whether several items of the arrays on a path have a member, or none of them."""
    return len(_turns(body, path)) > 1


def _turns(body: Json, path: Pointer) -> list[Pointer]:
    alike = _has(_at(body, path[:-1]), path[-1])
    return [place for place in _places(body, path) if _has(_at(body, place[:-1]), path[-1]) == alike]


def _places(body: Json, path: Pointer) -> Iterator[Pointer]:
    """Yield a path with every index of each array on the way to its last part, the last ones first."""
    places: list[Pointer] = [()]
    for part in path[:-1]:
        places = [(*place, each) for place in places for each in _alternatives(_at(body, place), part)]
    return ((*place, path[-1]) for place in places)


def _alternatives(holder: Json, part: str | int) -> Iterable[str | int]:
    """Return every index of an array in place of one, the last first."""
    return range(len(holder) - 1, -1, -1) if isinstance(part, int) and isinstance(holder, list) else (part,)


def _at(body: Json, path: Pointer) -> Any:  # noqa: ANN401 - any JSON, or MISSING
    return reduce(lambda value, step: value[step] if _has(value, step) else MISSING, path, body)


def _has(value: Any, step: str | int) -> bool | None:  # noqa: ANN401 - any JSON, or MISSING
    """Return whether a value has a member or an item, or None if it cannot have one."""
    match value, step:
        case dict(), str():
            return step in value
        case list(), int():
            return step < len(value)
        case _:
            return None


def first_keyword(schema: Schema, keyword: str) -> Any:  # noqa: ANN401 - the value of any keyword
    """Return the first value of a keyword in a schema and those that apply beside it, None if there is none."""
    return next((part.schema[keyword] for part in parts(schema) if keyword in part.schema), None)


def schemas_below(schema: Schema, step: str | int) -> Iterator[Schema]:
    """Yield the schemas of one member of an object, or of the items of an array."""
    for each in (part.schema for part in parts(schema)):
        inside = each.get("items" if isinstance(step, int) else "additionalProperties")
        found = each.get("properties", {}).get(step, inside)
        if isinstance(found, Mapping):
            yield found


def with_change(body: Json, path: Pointer, value: Any) -> Json:  # noqa: ANN401 - any JSON, or MISSING
    """Return a body with one member changed; what is not on the way to it is shared."""
    first, *rest = path
    copy = body.copy()
    if rest:
        copy[first] = with_change(body[first], tuple(rest), value)
    elif value is MISSING:
        del copy[first]
    else:
        copy[first] = value
    return copy


def pattern_of(path: Pointer) -> str:
    """Return a pointer with ``*`` for each index and each key that is an id."""
    return "".join(f"/{part}" if is_name(part) else "/*" for part in path)


def is_name(part: str | int) -> bool:
    """Return whether a part of a path is the name of a member, rather than an index or a key that is an id."""
    return isinstance(part, str) and not part.isdecimal()
