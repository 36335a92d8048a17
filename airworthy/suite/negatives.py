"""The wrong values that a schema rules out, derived from a request that the service accepted.

Each negative is the smallest change of the accepted request that violates exactly one keyword: a member is left out,
has another type (among them those that a lenient service coerces, such as ``"2"`` for 2), another spelling, another
date format, one character too few or too many, is beyond a limit, negative or empty. The items of an array have the
wrong values of a member in turn. What refers to a changed member is changed with it, so that a request is wrong in one
respect only.

The schemas decide what may be asserted. A rejection is expected only if the schema finds a single defect in the changed
request, which binds the service (``x-binds``), is firm (``x-soft``) and concerns the changed member. What the documents
leave open, such as null for an optional member, a day that does not exist or the letter case of codes (OPEN-64), is not
such a defect. Of such changes, those that a careless service does not survive are negatives, too: it may accept or
reject them, but not respond with a 5xx status.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

import orjson

from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.http.operations import Operation
from airworthy.contract.schema.compiled_schema import CompiledSchema
from airworthy.documents.references import parts
from airworthy.suite.request_members import (
    MISSING,
    Schema,
    documented_members,
    first_keyword,
    has_turns,
    in_turn,
    is_name,
    pattern_of,
    schemas_below,
    with_change,
)
from airworthy.suite.wrong_values import wrong_numbers, wrong_texts, wrong_types_of_absent, wrong_values

# What a single value can violate. The other keywords are about combinations of members: the features have scenarios
# for them.
KEYWORDS: Final = frozenset(
    {"type", "required", "enum", "pattern", "minimum", "maximum", "minItems", "minProperties", "oneOf", "anyOf"}
)
# The keywords of a rejection with 400 exactly, by interface. In v2 and v3 the documents leave the status of any other
# violation open (OPEN-29), and in v4 that of a number without a documented range.
_FIELD_KEYWORDS: Final[Mapping[str, frozenset[str]]] = {
    "v4": frozenset({"type", "required", "enum", "pattern", "maximum"}),
    "v3": frozenset({"type", "required"}),
    "v2": frozenset({"type", "required"}),
}
_COUNTS: Final = frozenset({"adults", "children", "infants"})
# Members of whose rejection the status is open although the violation is one of a single field, with the keywords of
# which it is not: a missing or ill-typed member.
_OPEN_STATUS: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    "payment_method": ("OPEN-29, OPEN-51", frozenset()),
    "payment_intent_id": ("OPEN-51", frozenset()),
    "three_d_secure": ("OPEN-29, OPEN-51", frozenset()),
    "self_psp": ("OPEN-90", frozenset()),
    "customer_code": ("OPEN-90", frozenset({"required"})),
    "customerCode": ("OPEN-31", frozenset({"required"})),
    "flight_ids": ("OPEN-20, OPEN-29", frozenset({"required", "type"})),
    "request_ids": ("OPEN-29, OPEN-88", frozenset({"required", "type"})),
    "bags": ("OPEN-29, OPEN-86", frozenset({"required", "type"})),
    "luggage": ("OPEN-29, OPEN-99", frozenset({"required"})),
}
# What is not derived although the schema finds a defect, by the end of the pointer, with the reason.
LEFT_OUT: Final[Mapping[str, str]] = {
    "/inboundSegmentBaggageSelection": "a service need not read it in a one-way order",
    "/paymentMethod/card": "a second member of paymentMethod is open (OPEN-69)",
    "/paymentMethod/balance": "a second member of paymentMethod is open (OPEN-69)",
    "/flights/*": "the type of ids in v2 is open (OPEN-99)",
    "/requests/*": "the type of ids in v2 is open (OPEN-99)",
}
# The changes that a service must survive even where it may accept them.
_UNUSUAL: Final = ("null", "empty", "no items", "no members", "a negative number")
_FEWEST_COMBINED: Final = 2
_FEW_VALUES: Final = 2
_LEFT_OUT: Final = "left out"
# Values that other members depend on.
_OF_WHOLE_REQUESTS: Final = ("round_trip",)
NO_5XX: Final = "2xx or 4xx"
# What refers to a member after a change: to the items of an array by their numbers or ids, as far as it may be empty,
# or to what is left out; and the value that it has then.
_REFERRING: Final[Mapping[tuple[Pointer, str], tuple[Pointer, Json]]] = {
    (("passengers",), "no items"): (("selectedBaggage",), []),
    (("requests",), "no items"): (("luggage",), {}),
    (("payment_method",), _LEFT_OUT): (("three_d_secure",), MISSING),
}
# Members of which a service may ignore one where a request has both (OPEN-23).
_ALTERNATIVES: Final = frozenset({"customer_code", "customer_data"})
_LONGEST_VALUE: Final = 60


@dataclass(frozen=True, slots=True)
class DerivedNegative:
    """A request with one wrong value.

    ``pointer`` leads to the member (``*`` for an index or a key that is an id; ``query:NAME`` for a parameter),
    ``keyword`` is what it violates and ``change`` what was done, so that the three identify the negative for every
    accepted request of one shape. ``value`` is the wrong value (`MISSING` for a member that is left out), ``sent`` the
    whole changed body or query. ``rule`` owns the member; ``status`` is ``400``, ``4xx`` or `NO_5XX`, and ``reason``
    says which open question leaves the status open. ``broken`` are the rules that a client breaks with the request.
    ``parts`` are the keys of several negatives that this one combines: they need to be sent only if it is rejected.
    """

    pointer: str
    keyword: str
    change: str
    value: Any
    sent: Any
    rule: str
    status: str
    reason: str = ""
    broken: frozenset[str] = frozenset()
    parts: tuple[tuple[str, str, str], ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether the service may accept the request."""
        return self.status == NO_5XX

    @property
    def key(self) -> tuple[str, str, str]:
        """The identity of the negative among those of one operation."""
        return self.pointer, self.keyword, self.change

    @property
    def shown(self) -> str:
        """The member, the wrong value and what was changed, for a message."""
        if self.value is MISSING:
            return f"{self.pointer} is missing{self.change.removeprefix(_LEFT_OUT)}"
        text = orjson.dumps(self.value).decode()
        text = text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"
        return f"{self.pointer} is {text} ({self.change})"


def body_negatives(operation: Operation, body: Json, below: str = "") -> Iterator[DerivedNegative]:
    """Yield the negatives of a request body that the service accepted, each once, in the order of the schema.

    ``below`` limits them to one member of the body and what is in it, except that each other member is left out, too:
    a service may forget that it is required where this one is sent.
    """
    if operation.request is not None:
        yield from _changed_members(operation, operation.request, body, below)
        yield from _left_out_beside_other_values(operation.request, body, below)


def _changed_members(
    operation: Operation, request: CompiledSchema, body: Json, below: str
) -> Iterator[DerivedNegative]:
    unusual: list[tuple[Pointer, DerivedNegative]] = []
    turns: dict[str, int] = {}
    for last, change, value in _changes_of_members(request.document, body):
        is_elsewhere = below not in ("", last[0]) and (last[1:] or change != _LEFT_OUT)
        if is_elsewhere or is_left_open(body, last):
            continue
        pointer = pattern_of(last)
        # Each member begins with another item, so that a member is left out of items of every kind.
        turn = turns.setdefault(pointer, len(turns))
        # What is wrong in the last item, such as an infant without a birth date, need not be wrong in another one.
        for path in dict.fromkeys((in_turn(body, last, turn), last)):
            sent = with_change(body, path, value)
            referring, value_then = _REFERRING.get((path, change), ((), None))
            if referring and referring[0] in sent:
                sent = with_change(sent, referring, value_then)
            defects = request.defects(sent)
            defect = _only_defect(defects, path)
            if defect is not None:
                break
        broken = frozenset(each.rule for each in defects)
        if defect is not None:
            turns[pointer] += 1
            status, reason = _status(operation, path, defect)
            yield DerivedNegative(pointer, defect.keyword, change, value, sent, defect.rule, status, reason, broken)
        elif change in _UNUSUAL:
            unusual.append((path, DerivedNegative(pointer, "", change, value, sent, "", NO_5XX, "open", broken)))
    yield from (negative for _, negative in unusual)
    for change in _UNUSUAL:
        yield from _combined(body, [each for each in unusual if each[1].change == change])


def _left_out_beside_other_values(request: CompiledSchema, body: Json, below: str) -> Iterator[DerivedNegative]:
    """Yield a negative for each member that is required whatever value another member of its object has.

    A service may forget it for one of them, such as a version of 3D Secure or a company.
    """
    members = [
        (path, member, found)
        for path, member, found, _ in documented_members(request.document, body)
        if found is not MISSING and below in ("", path[0]) and not any(isinstance(part, int) for part in path)
    ]
    for path, member, found in members:
        values = [not found] if isinstance(found, bool) else first_keyword(member, "enum") or ()
        others = [each for each in values if each not in (found, None, *_OF_WHOLE_REQUESTS)]
        changed = {orjson.dumps(each).decode().strip('"'): with_change(body, path, each) for each in others}
        allowed = [name for name, sent in changed.items() if not request.defects(sent)]
        beside = [other for other, *_ in members if other[:-1] == path[:-1] and other != path]
        for at, other in enumerate(beside if allowed else ()):
            # Each of a few values, and the next one of many.
            for name in allowed if len(allowed) <= _FEW_VALUES else allowed[at % len(allowed) :][:1]:
                sent = with_change(changed[name], other, MISSING)
                defects = request.defects(sent)
                defect = _only_defect(defects, other)
                if defect is not None and not is_left_open(body, other):
                    change = f"{_LEFT_OUT} with {path[-1]} {name}"
                    broken = frozenset(each.rule for each in defects)
                    pointer, keyword, rule = pattern_of(other), defect.keyword, defect.rule
                    yield DerivedNegative(pointer, keyword, change, MISSING, sent, rule, "4xx", "OPEN-29", broken)


def _combined(body: Json, unusual: Sequence[tuple[Pointer, DerivedNegative]]) -> Iterator[DerivedNegative]:
    """Yield one negative for all changes of one kind that are not inside another changed member, if it is several."""
    paths = [path for path, _ in unusual]
    outermost = [each for each in unusual if not any(each[0] != path == each[0][: len(path)] for path in paths)]
    if len(outermost) < _FEWEST_COMBINED:
        return
    sent = body
    for path, negative in outermost:
        sent = with_change(sent, path, negative.value)
    negatives = [negative for _, negative in outermost]
    yield DerivedNegative(
        ", ".join(dict.fromkeys(each.pointer for each in negatives)),
        "",
        negatives[0].change,
        negatives[0].value,
        sent,
        "",
        NO_5XX,
        "open",
        frozenset().union(*(each.broken for each in negatives)),
        tuple(each.key for each in negatives),
    )


def is_about(operation: Operation, rule: str) -> bool:
    """Return whether a schema of an operation's requests excludes values for a rule."""
    request = operation.request.document if operation.request else {}
    of_query = (part for each in operation.parameters for part in (each.rule, each.schema.document))
    return rule in orjson.dumps([request, *of_query]).decode().split('"')


def query_negatives(operation: Operation, query: Mapping[str, str]) -> Iterator[DerivedNegative]:
    """Yield the negatives of a query that the service accepted; the status of a wrong text is open (OPEN-78)."""
    for parameter in operation.parameters:
        sent = query.get(parameter.name)
        if parameter.place != "query" or sent is None:
            continue
        where, rule = f"query:{parameter.name}", parameter.rule
        if parameter.required:
            changed = {name: text for name, text in query.items() if name != parameter.name}
            status, reason = ("4xx", "OPEN-49") if operation.version == "v4" else ("400", "")
            broken = frozenset({rule})
            yield DerivedNegative(where, "required", "left out", MISSING, changed, rule, status, reason, broken)
        schema = parameter.schema.document
        texts = wrong_numbers(sent) if schema.get("type") == "integer" else wrong_texts(sent, schema)
        for change, value in texts:
            defects = parameter.schema.defects(parameter.read(value))
            if value and len(defects) == 1 and not (defects[0].soft or defects[0].tolerable):
                found = defects[0]
                changed = {**query, parameter.name: value}
                rule = found.rule or parameter.rule
                broken = frozenset({rule})
                yield DerivedNegative(where, found.keyword, change, value, changed, rule, "4xx", "OPEN-78", broken)


# What can be changed


def _changes_of_members(schema: Schema, body: Json) -> Iterator[tuple[Pointer, str, Any]]:
    """Yield the path, the name and the new value of every change of a body that has the form of its schema."""
    for path, member, found, _ in documented_members(schema, body):
        if found is not MISSING and is_name(path[-1]):
            yield path, _LEFT_OUT, MISSING
            if has_turns(body, path):
                yield path, f"{_LEFT_OUT} in another item", MISSING
        changes = wrong_types_of_absent(member) if found is MISSING else wrong_values(member, found)
        yield from ((path, change, wrong) for change, wrong in changes)


# What is asserted


def _only_defect(defects: Sequence[Defect], path: Pointer) -> Defect | None:
    """Return the defect of a changed request if it is the only one, concerns the change and binds the service."""
    if len(defects) != 1:
        return None
    [defect] = defects
    firm = not (defect.soft or defect.tolerable) and defect.keyword in KEYWORDS and bool(defect.rule)
    # A choice between members is reported at the object that holds them.
    concerned = defect.path[: len(path)] == path or defect.keyword in ("oneOf", "anyOf")
    return defect if firm and concerned else None


def _status(operation: Operation, path: Pointer, defect: Defect) -> tuple[str, str]:
    """Return how the request has to be rejected, and which open question leaves the status open."""
    for name, (reason, closed) in _OPEN_STATUS.items():
        if name in path and (defect.keyword not in closed or isinstance(path[-1], int)):
            return "4xx", reason
    if operation.id == "confirmOrder" and defect.keyword != "required":
        return "4xx", "OPEN-51"
    is_count = operation.version == "v4" and path[-1] in _COUNTS and defect.keyword == "minimum"
    if defect.keyword not in _FIELD_KEYWORDS[operation.version] and not is_count:
        return "4xx", "OPEN-29"
    assert operation.request is not None
    if defect.keyword == "required" and not _is_always_required(operation.request.document, path):
        return "4xx", "OPEN-29"
    return "400", ""


def _is_always_required(schema: Schema, path: Pointer) -> bool:
    """Return whether a member is required whatever the other members say."""
    holders = [schema]
    for step in path[:-1]:
        holders = [member for each in holders for member in schemas_below(each, step)]
    found = (part.schema for each in holders for part in parts(each) if part.certain)
    return any(path[-1] in each.get("required", ()) for each in found)


def is_left_open(body: Json, path: Pointer) -> bool:
    """Return whether the documents leave open what a service does with a wrong value of a member."""
    if isinstance(body, dict) and path[0] in _ALTERNATIVES and not _ALTERNATIVES.isdisjoint(body.keys() - {path[0]}):
        return True
    return pattern_of(path).endswith(tuple(LEFT_OUT)) and not _is_chosen(body, path)


def _is_chosen(body: Json, path: Pointer) -> bool:
    """Return whether a path leads to the member of paymentMethod, or to inbound baggage, of the accepted request."""
    value = reduce(lambda found, step: found.get(step) if isinstance(found, dict) else found[step], path, body)
    return bool(value) and (path[0] == "paymentMethod" or path[-1] == "inboundSegmentBaggageSelection")
