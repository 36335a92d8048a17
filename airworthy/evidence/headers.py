"""Redact headers: only the values that rules and readers need stay, if they have their usual form."""

import re
from collections.abc import Callable
from http import HTTPMethod
from typing import Final

from airworthy.contract.bodies import wording

_DAY: Final = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH: Final = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DATE: Final = rf"{_DAY}, [0-9]{{2}} {_MONTH} [0-9]{{4}} [0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}} GMT"
_NUMBER: Final = r"[0-9]{1,7}"
_CODING: Final = r"(?:br|chunked|compress|deflate|gzip|identity|zstd|\*)(?:;q=[01](?:\.[0-9]{1,3})?)?"
_MEDIA: Final = r"(?:(?:application|text|image|audio|video|multipart|\*)/)(?:json|xml|html|plain|csv|pdf|\*|form-data)"
_CHARSET: Final = r"charset=\"?(?i:utf-?(?:8|16)|us-ascii|iso-8859-[0-9]{1,2}|windows-125[0-9])\"?"
_RANGE: Final = rf"(?:{_MEDIA})(?: ?; ?(?:q=[01](?:\.[0-9]{{1,3}})?|{_CHARSET}))?"
_FIELD: Final = r"(?:Accept|Accept-Encoding|Accept-Language|Authorization|Content-Type|Cookie|Origin|User-Agent|\*)"
_LANGUAGE: Final = r"(?:[a-z]{2}(?:-[A-Z]{2})?|\*)(?:;q=[01](?:\.[0-9])?)?"
_METHODS: Final = rf"(?:(?:{'|'.join(HTTPMethod)})(?:, ?|$)){{1,9}}"
_FORMS: Final = {
    name: re.compile(form, re.ASCII)
    for names, form in (
        ("accept", rf"{_RANGE}(?:, ?{_RANGE}){{0,9}}"),
        ("accept-encoding content-encoding te transfer-encoding", rf"{_CODING}(?:, ?{_CODING}){{0,9}}"),
        ("accept-language", rf"{_LANGUAGE}(?:, ?{_LANGUAGE}){{0,9}}"),
        ("accept-ranges", r"bytes|none"),
        ("connection", r"(?i:keep-alive|close|upgrade)"),
        ("content-length", r"[0-9]{1,10}"),
        ("content-type", _RANGE),
        ("age x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset", _NUMBER),
        ("access-control-allow-credentials", r"true"),
        ("access-control-allow-origin", r"\*|null"),
        ("access-control-allow-methods access-control-request-method allow", _METHODS),
        ("cache-control", r"(?:(?:no-cache|no-store|private|public|must-revalidate|max-age=[0-9]{1,9})(?:, ?|$)){1,5}"),
        ("date expires last-modified", _DATE),
        ("dnt upgrade-insecure-requests", r"[01]"),
        ("keep-alive", r"timeout=[0-9]{1,4}(?:, ?max=[0-9]{1,4})?"),
        ("retry-after", rf"{_NUMBER}|{_DATE}"),
        ("pragma", r"no-cache"),
        ("sec-fetch-dest", r"audio|document|empty|font|frame|iframe|image|object|script|style|track|video|worker"),
        ("sec-fetch-mode", r"cors|navigate|no-cors|same-origin|websocket"),
        ("sec-fetch-site", r"cross-site|none|same-origin|same-site"),
        (
            "server",
            r"(?i:apache|caddy|cloudflare|envoy|gunicorn|hypercorn|nginx|uvicorn)(?:/[0-9]{1,3}(?:\.[0-9]{1,3}){1,2})?",
        ),
        ("strict-transport-security", r"max-age=[0-9]{1,9}(?:; ?(?:includeSubDomains|preload)){0,2}"),
        ("user-agent", r"airworthy/[0-9]{1,3}(?:\.[0-9]{1,3}){2}"),
        ("vary", rf"{_FIELD}(?:, ?{_FIELD}){{0,9}}"),
        ("www-authenticate", r"Basic|Bearer"),
        ("x-content-type-options", r"nosniff"),
        ("x-frame-options", r"DENY|SAMEORIGIN"),
    )
    for name in names.split()
}
HOST: Final = "host"
ADDRESSES: Final = frozenset(("content-location", "location", "origin", "referer"))
"""Headers with a URL, in lower case."""
_LONGEST: Final = 200
# These are read as parts: rules show a part that is a code.
_IN_PARTS: Final = ("accept", "content-type")
_PARAMETER: Final = re.compile(rf"q=[01](?:\.[0-9]{{1,3}})?|{_CHARSET}")
_PART: Final = re.compile(r"[^;,\s]+")


def redact_value(name: str, value: str, pseudonym: Callable[[str], str]) -> str:
    """Return the value of a header, ``name`` in lower case, without anything that its usual form does not contain."""
    form = _FORMS.get(name)
    if form and len(value) <= _LONGEST and form.fullmatch(value):
        return value
    if name in _IN_PARTS:
        return _PART.sub(lambda part: _part(part[0], pseudonym), value)
    return pseudonym(value)


def is_method(text: str) -> bool:
    """Return whether a text is a method of HTTP, in any letter case."""
    return text.upper() in HTTPMethod.__members__


def redact_name(name: str, pseudonym: Callable[[str], str]) -> str:
    """Return the name of a header, parameter or member if it looks like one, or its pseudonym."""
    return name if wording.is_name(name) else pseudonym(name)


def _part(part: str, pseudonym: Callable[[str], str]) -> str:
    if _PARAMETER.fullmatch(part) or ("/" in part and wording.is_plain(part.lower())):
        return part
    name, equals, value = part.partition("=")
    return f"{pseudonym(name)}{equals}{pseudonym(value)}"
