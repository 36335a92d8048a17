"""Make text from requests and responses fit to be shown: masked, bounded, and without invisible characters.

Credentials and card data are masked by the names of their fields and by their form.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final
from urllib.parse import parse_qsl

import orjson

from airworthy.sandbox.model.organisations import ORGANISATIONS
from airworthy.text import printable

MASK: Final = "[masked]"
LONGEST_BODY: Final = 1024 * 1024
"""Longer bodies are not shown."""
_LONGEST_SHOWN: Final = 20_000
_LONGEST_TEXT: Final = 300
_LONGEST_LIST: Final = 12
_MOST_MEMBERS: Final = 60
_DEEPEST: Final = 16
_CARD_LENGTHS: Final = range(12, 20)
# Of a card, the provider returns these members to everybody.
_PUBLIC_OF_CARD: Final = frozenset({"brand", "last4", "country", "funding", "checks"})
_SECRET_NAME: Final = re.compile(
    r"authorization|password|passwd|secret|token|api_?key|credential|cookie"
    r"|(?:^|_)key$|cvc|cvv|security_?code|card_?number|cryptogram|iban|exp(?:iry)?_(?:month|year|date)|^pan$",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"(?<![^\W_])\d(?:[ .-]?\d){11,18}(?![^\W_])")
_SECRET: Final = re.compile(
    "|".join(
        (
            r"(?<=\bbearer )\s*\S+|(?<=\bbasic )\s*\S+",
            r"(?<![^\W_])(?:[srp]k|whsec)_\w+",
            r"(?<!\w)\w{1,64}_secret_\w+",
            *(re.escape(value) for each in ORGANISATIONS for value in (each.key, each.token, each.provider_token)),
        )
    ),
    re.IGNORECASE,
)


def masked(text: str, longest: int = _LONGEST_TEXT) -> str:
    """Return a text of bounded length without credentials, card numbers and invisible characters."""
    shown = _SECRET.sub(MASK, _DIGITS.sub(_without_card_number, text))
    return printable(shown if len(shown) <= longest else f"{shown[:longest]}…")


def shown_header(name: str, value: str) -> str:
    """Return the value of a header; for credentials, only the scheme."""
    if not _SECRET_NAME.search(name):
        return masked(value)
    scheme, _, rest = value.partition(" ")
    return f"{scheme} {MASK}" if rest and scheme.lower() in {"bearer", "basic"} else MASK


def shown_query(query: str) -> str:
    """Return a query string, decoded, as ``name=value`` parts."""
    return masked("&".join(f"{name}={value}" for name, value in _masked_form(query)), _LONGEST_SHOWN)


def shown_body(raw: bytes, media_type: str) -> str:
    """Return a body as text: JSON indented, forms line by line; for other bodies, only the length."""
    if not raw:
        return ""
    if len(raw) > LONGEST_BODY:
        return f"(more than {LONGEST_BODY} bytes, not shown)"
    kind = media_type.partition(";")[0].strip().lower()
    try:
        if kind == "application/x-www-form-urlencoded":
            lines = [f"{masked(name)} = {masked(value)}" for name, value in _masked_form(raw.decode())]
            return "\n".join(lines)[:_LONGEST_SHOWN]
        document = orjson.loads(raw)
    except ValueError:
        return f"({len(raw)} bytes that are not JSON, not shown)"
    text = orjson.dumps(_masked(document, 0), option=orjson.OPT_INDENT_2).decode()
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}\n…"


def _masked_form(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names and values of a form or query: a name such as ``card[number]`` is a path."""
    try:
        parts = parse_qsl(text, keep_blank_values=True, max_num_fields=100)
    except ValueError:
        return
    for name, value in parts:
        path = name.replace("]", "").split("[")
        in_card = "card" in path[:-1] and path[-1] not in _PUBLIC_OF_CARD
        yield name, MASK if in_card or _SECRET_NAME.search(name) else value


def _masked(value: Any, depth: int, *, in_card: bool = False) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, Mapping | list) and depth >= _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        members = {
            masked(name): _masked_member(name, member, depth, in_card=in_card)
            for name, member in islice(value.items(), _MOST_MEMBERS)
        }
        more = len(value) - _MOST_MEMBERS
        return members | {"…": f"{more} more"} if more > 0 else members
    if isinstance(value, list):
        items = [_masked(each, depth + 1, in_card=in_card) for each in value[:_LONGEST_LIST]]
        more = len(value) - _LONGEST_LIST
        return [*items, f"… {more} more"] if more > 0 else items
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and is_card_number(f"{value:.0f}"):
        return MASK
    return value


def _masked_member(name: str, value: Any, depth: int, *, in_card: bool) -> Any:  # noqa: ANN401 - any JSON
    is_private = _SECRET_NAME.search(name) or (in_card and name not in _PUBLIC_OF_CARD)
    if is_private and value is not None and not isinstance(value, bool):
        return MASK
    return _masked(value, depth + 1, in_card=name == "card")


def _without_card_number(found: re.Match[str]) -> str:
    return MASK if is_card_number("".join(each for each in found[0] if each.isdigit())) else found[0]


def is_card_number(text: str) -> bool:
    """Return whether digits of any script could be a card number (Luhn's check digit)."""
    if len(text) not in _CARD_LENGTHS or not text.isdecimal():
        return False
    digits = [int(each) for each in reversed(text)]
    return (sum(digits[::2]) + sum(sum(divmod(2 * each, 10)) for each in digits[1::2])) % 10 == 0
