"""The values that the documents allow, derived from a request that the service accepted.

Each positive is one change of the accepted request that its schema allows: an optional member is left out, or is null
where the documents say so; a member has another value of its enumeration, its minimum, its maximum, or a birthday on
29 February. Members that say the same of a person change together. What the documents leave open is listed with its
open question.
"""

from calendar import isleap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import Any, Final

import orjson

from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.http.operations import Operation
from airworthy.suite.request_members import (
    MISSING,
    Schema,
    documented_members,
    first_keyword,
    is_name,
    pattern_of,
    with_change,
)

# What is not derived although the schema allows it: operation, ends of pointers, change (* is any), and the reason.
OPEN: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("searchOffers", "/type", "*", "an airport need not be a city: the features search between cities"),
    ("searchOffers", "/children /infants", "maximum", "OPEN-55: a service may limit the sum of the passengers"),
    ("searchOffers", "/departureDate", "*", "OPEN-55: a day may be too far in the future"),
    ("*", "/inboundSegment", "*", "OPEN-25: only null is documented in a one-way request"),
    ("getOffer", "/adults /children /infants", "*", "needs seats for everybody: the features look for them"),
    ("createOrder", "/birthDate", "left out", "OPEN-43"),
    ("createOrder", "/identification", "left out", "OPEN-68"),
    ("createOrder", "/identification/type", "*", "OPEN-68: an offer lists the accepted types"),
    ("createOrder", "/localityCodeOfResidency", "left out", "sent only where the fare rules require it"),
    ("createOrder", "/passengers/*/type", "*", "OPEN-67: the passengers are those of the offer"),
    ("createOrder", "/phone/number /phone/countryCode", "left out", "whether a phone may lack it is not documented"),
    ("createOrder", "/username /password", "*", "which credentials a portal needs is not documented"),
    ("createOrder", "Selection/*/type /numberOfPieces /kilosPerPiece", "*", "OPEN-65"),
    ("createRequests", "/fare_type", "*", "round_trip needs a fare: the features search one"),
    ("createRequests", "/checked /cabin", "left out", "OPEN-28"),
    ("createRequests", "/dimensions /width /height /length /cabin/*/weight", "*", "OPEN-16"),
    ("createRequestsV2", "/adults", "*", "OPEN-99: somebody has to travel"),
    ("*", "/three_d_secure /version /electronic_commerce_indicator", "*", "the features pay in each documented way"),
    ("*", "/self_psp", "*", "OPEN-26"),
    ("createBookingsV2", "/is_infant", "*", "the passengers are those of the booking request"),
    ("createBookingsV2", "/card_token", "*", "deprecated, not to be used"),
)
# What changes beside a member of the same object, where the object has it.
_TOGETHER: Final[Mapping[tuple[str, Any], tuple[str, Any]]] = {
    ("title", "MR"): ("gender", "MALE"),
    ("title", "MRS"): ("gender", "FEMALE"),
    ("title", "MS"): ("gender", "FEMALE"),
    ("gender", "MALE"): ("title", "MR"),
    ("gender", "FEMALE"): ("title", "MRS"),
}
# The notations of dates that a client may have to use (OPEN-10).
_NOTATIONS: Final = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%Y-%m-%dT%H:%M:%S")
_DATES: Final = frozenset({"birthDate", "expirationDate", "date_of_birth", "passport_expiry_date"})
_LEAP_YEARS: Final = 4
_OTHER_BOOLEAN: Final = "the other boolean"


@dataclass(frozen=True, slots=True)
class DerivedPositive:
    """One documented change of an accepted request.

    ``pointer`` leads to the member (``*`` for an index or a key that is an id), and ``change`` says what was done, so
    that the two identify the positive for every accepted request of one shape. ``changes`` are the members that change,
    with their values (`MISSING` for one that is left out). ``rule`` owns the member.
    """

    pointer: str
    change: str
    changes: tuple[tuple[Pointer, Any], ...]
    rule: str

    @property
    def key(self) -> tuple[str, str]:
        """The identity of the positive among those of one operation."""
        return self.pointer, self.change

    @property
    def is_left_out(self) -> bool:
        """Whether a member is left out."""
        return self.changes[0][1] is MISSING

    @property
    def shown(self) -> str:
        """The member and its value, for a message."""
        value = self.changes[0][1]
        return f"{self.pointer} is {'left out' if self.is_left_out else orjson.dumps(value).decode()}"


def body_positives(operation: Operation, body: Json, below: str = "") -> Iterator[DerivedPositive]:
    """Yield the positives of a request body that the service accepted, each once, in the order of the schema.

    ``below`` limits them to one member of the body and what is in it.
    """
    if operation.request is None:
        return
    for path, change, value, rule in _documented_values(operation.request.document, body):
        pointer = pattern_of(path)
        if below not in ("", path[0]) or reason_left_out(operation.id, pointer, change):
            continue
        positive = DerivedPositive(pointer, change, ((path, value), *_companions(body, path, value)), rule)
        if operation.request.is_valid(changed_together(body, [positive])):
            yield positive


def reason_left_out(operation: str, pointer: str, change: str) -> str:
    """Return why a documented change is not derived, or an empty text if it is."""
    fitting = (
        reason
        for name, ends, kind, reason in OPEN
        if name in ("*", operation) and pointer.endswith(tuple(ends.split())) and kind in ("*", change)
    )
    return next(fitting, "")


def changed_together(body: Json, positives: Sequence[DerivedPositive]) -> Json:
    """Return a request body with the changes of several positives."""
    changes = [change for positive in positives for change in positive.changes]
    return reduce(lambda sent, change: with_change(sent, *change), changes, body)


def rounds(positives: Sequence[DerivedPositive]) -> list[list[DerivedPositive]]:
    """Return groups of positives that can be sent in one request each, so that each positive is in one.

    No group leaves out two members of one object, as a service may need one of them beside the other. Two more come
    first: every optional member is left out at once, and all but those that have their other boolean instead, as a
    service may require more of a company.
    """
    groups: list[list[DerivedPositive]] = []
    for each in positives:
        group = next((group for group in groups if not any(_meet(each, other) for other in group)), None)
        if group is None:
            groups.append([each])
        else:
            group.append(each)
    absent = [each for each in positives if each.is_left_out]
    paths = [each.changes[0][0] for each in absent]
    outermost = [each for each, path in zip(absent, paths, strict=True) if not any(_is_inside(path, p) for p in paths)]
    switched = [each for each in positives if each.change == _OTHER_BOOLEAN]
    kept = {each.changes[0][0] for each in switched}
    beside = [*switched, *(each for each in outermost if each.changes[0][0] not in kept)] if switched else []
    return [*(group for group in (outermost, beside) if len(group) > 1), *groups]


def _meet(one: DerivedPositive, other: DerivedPositive) -> bool:
    """Return whether two positives change the same member, what is inside it, or leave out two members of an object."""
    if one.is_left_out and other.is_left_out and one.changes[0][0][:-1] == other.changes[0][0][:-1]:
        return True
    pairs = [(first, second) for first, _ in one.changes for second, _ in other.changes]
    return any(first == second or _is_inside(first, second) or _is_inside(second, first) for first, second in pairs)


def _is_inside(path: Pointer, holder: Pointer) -> bool:
    return path != holder and path[: len(holder)] == holder


# What can be changed


def _documented_values(schema: Schema, body: Json) -> Iterator[tuple[Pointer, str, Any, str]]:
    """Yield the path, the change, the new value and the rule of every documented change of a body."""
    for path, member, found, rule in documented_members(schema, body):
        if found is MISSING:
            continue
        if is_name(path[-1]):
            yield path, "left out", MISSING, rule
        yield from ((path, change, other, rule) for change, other in _other_values(member, found, str(path[-1])))


def _other_values(schema: Schema, found: Json, name: str) -> Iterator[tuple[str, Any]]:
    if found is not None and "null" in (first_keyword(schema, "type") or ()):
        yield "null", None
    if isinstance(found, bool):
        yield _OTHER_BOOLEAN, not found
    for value in first_keyword(schema, "enum") or ():
        if value != found:
            yield f"the value {value}", value
    for limit in ("minimum", "maximum"):
        value = first_keyword(schema, limit)
        if value not in (None, found):
            yield limit, value
    if name in _DATES and isinstance(found, str):
        yield from (("a leap day", day) for day in _leap_day(found))


def _leap_day(found: str) -> Iterator[str]:
    """Yield the 29 February that is nearest to a date, in the notation of the date."""
    for notation in _NOTATIONS:
        try:
            day = datetime.strptime(found, notation)  # noqa: DTZ007 - the date of a person has no time zone
        except ValueError:
            continue
        years = range(day.year - _LEAP_YEARS, day.year + _LEAP_YEARS + 1)
        days = [day.replace(year=year, month=2, day=29) for year in years if isleap(year)]
        yield min(days, key=lambda other: abs(other - day)).strftime(notation)
        return


def _companions(body: Json, path: Pointer, value: Any) -> Iterator[tuple[Pointer, Any]]:  # noqa: ANN401 - any JSON
    holder = reduce(lambda found, step: found[step], path[:-1], body)
    if isinstance(value, str) and (path[-1], value) in _TOGETHER:
        name, other = _TOGETHER[str(path[-1]), value]
        if name in holder:
            yield (*path[:-1], name), other
