"""Redact headers: only the values that rules and readers need stay, if they have their usual form."""

import re
from collections.abc import Callable
from typing import Final

from airworthy.contract import wording

_DATE: Final = r"[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT"
_NUMBER: Final = r"[0-9]{1,7}"
_CODING: Final = r"(?:br|chunked|compress|deflate|gzip|identity|zstd|\*)(?:;q=[01](?:\.[0-9]{1,3})?)?"
_MEDIA: Final = r"(?:(?:application|text|image|audio|video|multipart|\*)/)(?:json|xml|html|plain|csv|pdf|\*|form-data)"
_RANGE: Final = rf"(?:{_MEDIA})(?: ?; ?(?:q=[01](?:\.[0-9]{{1,3}})?|charset=\"?[A-Za-z0-9-]{{1,12}}\"?))?"
_FORMS: Final = {
    name: re.compile(form, re.ASCII)
    for names, form in (
        ("accept", rf"{_RANGE}(?:, ?{_RANGE}){{0,9}}"),
        ("accept-encoding content-encoding te transfer-encoding", rf"{_CODING}(?:, ?{_CODING}){{0,9}}"),
        ("connection", r"(?i:keep-alive|close|upgrade)"),
        ("content-length", r"[0-9]{1,10}"),
        ("age x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset", _NUMBER),
        ("access-control-request-method allow", r"(?:[A-Z]{3,7}(?:, ?|$)){1,9}"),
        ("cache-control", r"(?:(?:no-cache|no-store|private|public|must-revalidate|max-age=[0-9]{1,9})(?:, ?|$)){1,5}"),
        ("date expires last-modified", _DATE),
        ("retry-after", rf"{_NUMBER}|{_DATE}"),
        ("pragma", r"no-cache"),
    )
    for name in names.split()
}
_LONGEST: Final = 200
# These are read as parts: rules show a part that is a code.
_IN_PARTS: Final = ("accept", "content-type")
_PART: Final = re.compile(r"[^;,\s]+")


def redact_value(name: str, value: str, pseudonym: Callable[[str], str]) -> str:
    """Return the value of a header, ``name`` in lower case, without anything that its usual form does not contain."""
    form = _FORMS.get(name)
    if form and len(value) <= _LONGEST and form.fullmatch(value):
        return value
    if name in _IN_PARTS:
        return _PART.sub(lambda part: _part(part[0], pseudonym), value)
    return pseudonym(value)


def redact_name(name: str, pseudonym: Callable[[str], str]) -> str:
    """Return the name of a header, parameter or member if it looks like one, or its pseudonym."""
    return name if wording.is_name(name) else pseudonym(name)


def _part(part: str, pseudonym: Callable[[str], str]) -> str:
    """Return a media type or a parameter of one."""
    name, equals, value = part.partition("=")
    if equals:
        shown = name.lower() in ("charset", "q") and wording.is_plain(value.strip('"').lower())
        return part if shown else f"{pseudonym(name)}={pseudonym(value)}"
    return part if "/" in part and wording.is_plain(part.lower()) else pseudonym(part)
