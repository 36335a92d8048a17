"""Recognise the security code and the expiry of a card by the names of members, parameters and headers."""

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote_plus

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.http.transaction import Transaction

SECURITY_CODE, EXPIRY = "a card's security code", "a card's expiry date"
LONGEST_BODY = 1024 * 1024
_CODES = r"cvc2?|cvv2?|cvn2?|csc|(?:card)?(?:security|verification)(?:code|value|number)|cardcode"
_EXPIRES = r"exp(?:iry|iration)?(?:month|year|mm|yyyy|yy)"
_DATES = r"exp|expiry|expires|expiration|exp(?:iry|iration)?date|valid(?:to|until|thru)"
# Names are compared in lower case and without punctuation: card[exp_month], cardExpMonth, X-Card-Exp-Month.
_CODE = re.compile(rf"(?:x)?(?:payment|credit|debit)?(?:card)?(?:{_CODES})")
_EXPIRY = re.compile(rf"(?:x)?(?:payment|credit|debit)?(?:card(?:{_EXPIRES}|{_DATES})|{_EXPIRES})")
# Only inside a card: passports expire too.
_DATE = re.compile(_DATES)
_CARD = re.compile(r"(?:payment|credit|debit)?card(?:data|details|info)?")
_PUNCTUATION = re.compile(r"[^a-z0-9]+")
_QUICK = (b"cvc", b"cvv", b"cvn", b"csc", b"security", b"verification", b"cardcode", b"card_code", b"valid")
_DOCUMENTS = (b"expirationdate", b"passport_exp")
_IN_CARD = re.compile(rb"card[a-z]*[\"'\s]*:\s*[{\[]")
_FIELD = re.compile(r"[\"\'&?{,\s]?([A-Za-z][A-Za-z0-9_.\[\]-]{1,39})[\"\']?\s*[=:]\s*[\"\']?[0-9*]")


def card_details(transaction: Transaction) -> Iterator[tuple[Pointer, str, str]]:
    """Yield each detail of a card in a request: its path in the body, its `Defect.where`, and what it is."""
    request = transaction.exchange.request
    content = (request.body or b"")[:LONGEST_BODY]
    if _may_hold_details(content.lower()):
        if isinstance(transaction.sent, dict | list):
            yield from ((place, "", what) for place, what in _in_body(transaction.sent))
        elif transaction.sent is None:
            text = unquote_plus(content.decode("utf-8", "replace"))
            found = {what for field in _FIELD.finditer(text) if (what := _detail(field[1]))}
            yield from (((), "", what) for what in sorted(found))
    for name, value in transaction.url.query:
        if value and (what := _detail(name)):
            yield (), f"query:{_shown(name)}", what
    for name, value in request.headers:
        if value and (what := _detail(name)):
            yield (), f"header:{_shown(name)}", what


def _may_hold_details(content: bytes) -> bool:
    """Return whether bytes may name a detail of a card: a quick test before the thorough one.

    The expiry of a document is not that of a card, unless it is inside of one.
    """
    expiries = content.count(b"exp") > sum(map(content.count, _DOCUMENTS))
    return expiries or any(each in content for each in _QUICK) or _IN_CARD.search(content) is not None


def _in_body(value: Json) -> Iterator[tuple[Pointer, str]]:
    waiting: list[tuple[Pointer, Json, bool]] = [((), value, False)]
    while waiting:
        place, node, in_card = waiting.pop()
        if isinstance(node, dict):
            for name, child in node.items():
                if isinstance(child, dict | list):
                    waiting.append(((*place, name), child, bool(_CARD.fullmatch(_plain(name)))))
                elif _is_said(child) and (what := _detail(name, in_card=in_card)):
                    yield (*place, name), what
        elif isinstance(node, list):
            waiting.extend(((*place, index), child, in_card) for index, child in enumerate(node))


# The same few names occur in every request.
@lru_cache(maxsize=4096)
def _detail(name: str, *, in_card: bool = False) -> str:
    """Return the card detail that a name denotes, or an empty string if it is not a detail of a card."""
    plain = _plain(name)
    if _CODE.fullmatch(plain):
        return SECURITY_CODE
    return EXPIRY if _EXPIRY.fullmatch(plain) or (in_card and _DATE.fullmatch(plain)) else ""


@lru_cache(maxsize=4096)
def _plain(name: str) -> str:
    return _PUNCTUATION.sub("", name.lower()) if len(name) <= wording.LONGEST else ""


def _is_said(value: Json) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""


def _shown(name: str) -> str:
    return name if wording.is_name(name) else "?"
