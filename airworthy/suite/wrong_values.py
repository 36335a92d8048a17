"""The wrong values next to a value that a service accepted, with what was changed; each violates one keyword."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from airworthy.contract.bodies.body import Json
from airworthy.contract.findings.drift import former_values
from airworthy.documents.references import parts
from airworthy.suite.request_members import Schema, first_keyword

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_DATE_TIME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}:[0-9]{2}):([0-9]{2})")
_MOST_EXTRA_CHARACTERS: Final = 4
_COUNTRY_CODE: Final = 2


def wrong_values(schema: Schema, found: Json) -> Iterator[tuple[str, Any]]:
    """Yield values that violate one keyword of a schema each, next to a value that has none of these faults."""
    if found is None:
        yield from wrong_types_of_absent(schema)
        return
    yield "null", None
    match found:
        case bool():
            yield "text for a boolean", str(found).lower()
            yield "another text for a boolean", str(not found).lower()
            yield "number for a boolean", int(found)
        case int() | float():
            yield "text for a number", str(found)
            yield "fraction for an integer", int(found) + 0.5
            yield "a boolean for a number", True
            yield from _beyond_limits(schema)
        case str():
            # Libraries read a number as the place of a value in an enumeration.
            place = 1 if first_keyword(schema, "enum") else 7
            yield "number for text", int(found) if found.isdecimal() else place
            yield "empty", ""
            if first_keyword(schema, "pattern"):
                yield "an object for text", {}
            yield from wrong_texts(found, schema)
        case list():
            is_simple = bool(found) and not isinstance(found[0], dict | list)
            yield "text for an array", ",".join(map(str, found)) if is_simple else "airworthy"
            yield ("an item for an array", found[0]) if found else ("an object for an array", {})
            if found:
                yield "no items", []
        case dict():
            yield "text for an object", "airworthy"
            yield "an array for an object", []
            if first_keyword(schema, "oneOf"):
                names = [name for part in parts(schema) for name in part.schema.get("properties", {})]
                yield "no alternative", {}
                yield "an unlisted alternative", {"voucher": True}
                yield "every alternative", dict.fromkeys(names, True)
                yield "the alternative is false", dict.fromkeys(found, False)
            else:
                yield "no members", {}


def wrong_types_of_absent(schema: Schema) -> Iterator[tuple[str, Any]]:
    """Yield values of another type for an optional member that the accepted request does not have, or has as null."""
    types = first_keyword(schema, "type")
    wrong: Mapping[str, tuple[tuple[str, Any], ...]] = {
        "string": (("number for text", 7),),
        "integer": (("text for a number", "1"),),
        "number": (("text for a number", "1"),),
        "boolean": (("text for a boolean", "true"), ("number for a boolean", 1)),
        "object": (("text for an object", "airworthy"),),
        "array": (("text for an array", "airworthy"),),
    }
    if isinstance(types, list) and "string" in types:
        types = "string"
    if isinstance(types, str):
        yield from wrong.get(types, ())


def _beyond_limits(schema: Schema) -> Iterator[tuple[str, Any]]:
    minimum, maximum = first_keyword(schema, "minimum"), first_keyword(schema, "maximum")
    if minimum:
        yield "below the minimum", minimum - 1
    yield "a negative number", -1
    if maximum is not None:
        yield "above the maximum", maximum + 1


def wrong_texts(found: str, schema: Schema) -> Iterator[tuple[str, str]]:
    """Yield texts that violate the enumeration or the pattern of a schema."""
    if first_keyword(schema, "enum") and found.swapcase() not in former_values():
        yield "another letter case", found.swapcase()
    if unlisted := first_keyword(schema, "x-unlisted"):
        yield "an unlisted value", unlisted
    if not first_keyword(schema, "pattern"):
        return
    if date_time := _DATE_TIME.fullmatch(found):
        day, minutes, seconds = date_time.groups()
        year, month, date_of_month = day.split("-")
        yield "a date", day
        yield "a space for the T", found.replace("T", " ")
        yield "no seconds", f"{day}T{minutes}"
        yield "with Z", f"{found}Z"
        yield "with an offset", f"{found}+02:00"
        yield "with milliseconds", f"{found}.000"
        yield "DD/MM/YYYY", f"{date_of_month}/{month}/{year} {minutes}:{seconds}"
        yield "one digit for two", f"{_in_fewer_digits(day)}T{minutes}:{seconds}"
    elif date := _DATE.fullmatch(found):
        year, month, day = date.groups()
        yield "DD/MM/YYYY", f"{day}/{month}/{year}"
        yield "DD.MM.YYYY", f"{day}.{month}.{year}"
        yield "YYYYMMDD", f"{year}{month}{day}"
        yield "one digit for two", _in_fewer_digits(found)
        yield "a date and time", f"{found}T00:00:00"
    else:
        yield from _other_codes(found, schema)


def _in_fewer_digits(date: str) -> str:
    """Return a date without the zeros before its month and its day or, if it has none, of a day of one digit."""
    year, month, day = date.split("-")
    shorter = f"{year}-{month.removeprefix('0')}-{day.removeprefix('0')}"
    return shorter if shorter != date else f"{year}-{month}-{max(day)}"


def _other_codes(found: str, schema: Schema) -> Iterator[tuple[str, str]]:
    """Yield a text with a character too few, as many too many as it takes, and with a character of another kind."""
    pattern = re.compile(str(first_keyword(schema, "pattern")))
    yield "a character too few", found[:-1]
    if pattern.match("pm_"):
        yield "no prefix", found.removeprefix("pm_")
    longer = (found + found[-1:] * count for count in range(1, _MOST_EXTRA_CHARACTERS + 1))
    for text in longer:
        if not pattern.search(text):
            yield "a character too many", text
            break
    # Digits for a country may be its dialling prefix.
    other = "1" * len(found) if len(found) == _COUNTRY_CODE else f"{found[:-1]}{'1' if found[-1:].isalpha() else 'A'}"
    yield "another character", other


def wrong_numbers(found: str) -> Iterator[tuple[str, str]]:
    """Yield texts that are not a whole number, for a parameter that is one."""
    yield "a fraction", f"{found}.5"
    yield "text for a number", "two"
    yield "a letter after the number", f"{found}a"
