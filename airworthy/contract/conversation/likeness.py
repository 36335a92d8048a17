"""Whether two values mean the same, although a service may write them in another way.

Names, dates, phone numbers and codes may come back in another form. What cannot be compared counts as the same.
"""

import re
from collections.abc import Callable, Mapping

from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.moments import are_apart, moment
from airworthy.contract.bodies.spelling import is_same_text, spellings
from airworthy.contract.conversation.limits import PRICE_TOLERANCE
from airworthy.contract.http.transaction import as_number

LONGEST_TEXT = 100
# The values of gender are open in v3 and v2, but not what these mean (OPEN-83).
_GENDERS = {"m": "male", "male": "male", "f": "female", "female": "female"}
# The formats of OPEN-10. A time other than midnight may belong to another day in another time zone.
_DAYS = tuple(
    re.compile(rf"{each}(?:[T ]00:00.*)?", re.ASCII)
    for each in (
        r"(?P<year>\d{4})[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})",
        r"(?P<day>\d{1,2})(?P<mark>[-./])(?P<month>\d{1,2})[-./](?P<year>\d{4})",
    )
)
_TIMES = ("_at", "_date", "Date")

Text = frozenset[str]
"""The ways to write a text; empty if it cannot be compared."""


def is_alike(name: str, kind: str, one: Json, other: Json) -> bool:
    """Return whether two values of a member may mean the same; ``kind`` is the kind of private value, if it is one."""
    if isinstance(one, bool) and isinstance(other, bool):
        return one == other
    if isinstance(one, str) and isinstance(other, str):
        compare = _OF_KIND.get(kind) or _OF_NAME.get(name) or (_are_times if name.endswith(_TIMES) else is_same_text)
        return compare(one, other) or "*" in one + other
    first, second = as_number(one), as_number(other)
    if first is None or second is None:
        return True
    # A fraction such as cc_fee is not rounded to cents.
    return abs(first - second) <= PRICE_TOLERANCE * min(1.0, max(abs(first), abs(second)))


def are_other_words(before: Text, now: Text) -> bool:
    """Return whether two texts differ; a name may come back with a title or without a middle name."""
    return bool(before and now) and not any(one in other or other in one for one in before for other in now)


def written(value: Json) -> Text:
    """Return the ways to write a text; one in letters other than Latin ones, or a masked one, cannot be compared."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or "*" in value:
        return frozenset()
    written = spellings(value)
    return written if all(each and each.isascii() for each in written) else frozenset()


def _are_names(one: str, other: str) -> bool:
    return not are_other_words(written(one), written(other))


def _are_days(one: str, other: str) -> bool:
    """Compare two days. OPEN-10 names no format with the month first, but only dots are never used for one.

    So a later value in another format may have slashes or dashes in American order, and an earlier one dashes.
    """
    first, second = (next(filter(None, (form.fullmatch(each) for form in _DAYS)), None) for each in (one, other))
    if not first or not second:
        return True
    marks = [each.groupdict().get("mark") for each in (first, second)]
    may_be_turned = marks[0] != marks[1] and (marks[0] == "-" or marks[1] in ("/", "-"))
    (year, month, day), now = (tuple(int(each[part]) for part in ("year", "month", "day")) for each in (first, second))
    return now == (year, month, day) or (may_be_turned and now == (year, day, month))


def are_phones(one: str, other: str) -> bool:
    """Compare the digits of two numbers, which may have another prefix."""
    digits, others = ("".join(filter(str.isdigit, each)).lstrip("0") for each in (one, other))
    return digits.endswith(others) or others.endswith(digits)


def _are_countries(one: str, other: str) -> bool:
    """Compare two names or two codes of countries."""
    return len(one) != len(other) or is_same_text(one, other)


def _are_times(one: str, other: str) -> bool:
    return not are_apart(moment(one), moment(other))


def _are_genders(one: str, other: str) -> bool:
    meant = [_GENDERS.get(each.casefold()) for each in (one, other)]
    return None in meant or meant[0] == meant[1]


def _are_flight_numbers(one: str, other: str) -> bool:
    return one.lstrip("0") == other.lstrip("0")


_OF_KIND: Mapping[str, Callable[[str, str], bool]] = {
    "name": _are_names,
    "birth-date": _are_days,
    "document-date": _are_days,
    "phone": are_phones,
    "country": _are_countries,
}
_OF_NAME: Mapping[str, Callable[[str, str], bool]] = {"gender": _are_genders, "flightNumber": _are_flight_numbers}
