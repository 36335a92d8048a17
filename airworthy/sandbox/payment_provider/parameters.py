"""Read the parameters of requests to the payment provider, with names such as ``card[number]``.

Parameters that the sandbox has no use for are ignored.
"""

import operator
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, TypeVar
from urllib.parse import urlsplit

from airworthy.sandbox.http.masking import is_card_number
from airworthy.sandbox.payment_provider.records import PaymentIntent, PaymentMethod, ProviderError

Record = TypeVar("Record", PaymentMethod, PaymentIntent)

_CAPTURE_METHODS = ("automatic", "automatic_async", "manual")
# The provider knows more currencies than the service sells in.
_CURRENCIES = ("eur", "gbp", "usd")
_COMPARISONS = {"gt": operator.gt, "gte": operator.ge, "lt": operator.lt, "lte": operator.le}
_SECURITY_DIGITS = (3, 4)
_MONTHS = range(1, 13)
_MOST_DIGITS = 8
_PAGE = 10
_LONGEST_PAGE = 100
_LONGEST_URL = 2_048
_LONGEST_DESCRIPTION = 1_000
_METADATA_KEYS, _METADATA_NAME, _METADATA_VALUE = 50, 40, 500
_ORIGIN = re.compile(r"[A-Za-z0-9.-]+(?::[0-9]+)?|\[[0-9A-Fa-f:.]+\](?::[0-9]+)?")


def card_details(form: Mapping[str, str], today: date) -> tuple[str, int, int]:
    """Return number, month and year of the card that a form describes; raises `ProviderError`."""
    if form.get("type") != "card":
        raise invalid("type", "must be card") if "type" in form else missing("type")
    for name in ("card[number]", "card[exp_month]", "card[exp_year]"):
        if not form.get(name):
            raise missing(name)
    number, month, year = form["card[number]"], form["card[exp_month]"], form["card[exp_year]"]
    if not (number.isascii() and is_card_number(number)):
        raise ProviderError(402, "incorrect_number", "Your card number is incorrect.", param="card[number]")
    if not _is_number(month) or int(month) not in _MONTHS:
        raise ProviderError(402, "invalid_expiry_month", "Invalid month.", param="card[exp_month]")
    if not _is_number(year) or (int(year), int(month)) < (today.year, today.month):
        raise ProviderError(402, "invalid_expiry_year", "Invalid year.", param="card[exp_year]")
    security = form.get("card[cvc]", "123")
    if not _is_number(security) or len(security) not in _SECURITY_DIGITS:
        raise ProviderError(402, "invalid_cvc", "Invalid security code.", param="card[cvc]")
    return number, int(month), int(year)


def payment_terms(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the members of a payment intent that say what is paid; raises `ProviderError`."""
    terms: dict[str, Any] = {}
    if "amount" in form:
        terms["amount"] = cents("amount", form["amount"])
    if "currency" in form:
        currency = form["currency"].lower()
        if currency not in _CURRENCIES:
            raise invalid("currency", f"must be one of {', '.join(_CURRENCIES)}")
        terms["currency"] = currency
    if "capture_method" in form:
        if form["capture_method"] not in _CAPTURE_METHODS:
            raise invalid("capture_method", f"must be one of {', '.join(_CAPTURE_METHODS)}")
        terms["manual_capture"] = form["capture_method"] == "manual"
    return terms


def payment_notes(metadata: Mapping[str, str], form: Mapping[str, str]) -> dict[str, Any]:
    """Return the members of a payment intent that clients write for themselves; raises `ProviderError`."""
    notes: dict[str, Any] = {"metadata": changed_metadata(metadata, form)}
    if "description" in form:
        if len(form["description"]) > _LONGEST_DESCRIPTION:
            raise invalid("description", f"must have at most {_LONGEST_DESCRIPTION} characters")
        notes["description"] = form["description"] or None
    return notes


def changed_metadata(before: Mapping[str, str], form: Mapping[str, str]) -> Mapping[str, str]:
    """Return metadata with the changes in a form: an empty value removes a key; raises `ProviderError`."""
    metadata = {} if form.get("metadata") == "" else dict(before)
    for name, value in form.items():
        if name.startswith("metadata[") and name.endswith("]"):
            metadata[name.removeprefix("metadata[").removesuffix("]")] = value
    kept = {name: value for name, value in metadata.items() if value}
    if len(kept) > _METADATA_KEYS:
        raise invalid("metadata", f"must have at most {_METADATA_KEYS} keys")
    if any(len(name) > _METADATA_NAME or len(value) > _METADATA_VALUE for name, value in kept.items()):
        raise invalid("metadata", f"must have names up to {_METADATA_NAME} and values up to {_METADATA_VALUE} long")
    return kept


def checked_return_url(form: Mapping[str, str]) -> str | None:
    """Return the address to which the browser returns after the challenge; raises `ProviderError`."""
    url = form.get("return_url")
    if not url:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        raise invalid("return_url", "is not a valid URL") from None
    is_plain = len(url) <= _LONGEST_URL and url.isascii() and url.isprintable() and not set(url) & set(' "<>\\')
    if not is_plain or parts.scheme not in ("http", "https") or not _ORIGIN.fullmatch(parts.netloc):
        raise invalid("return_url", "is not a valid URL")
    return url


def page_of(records: list[Record], account: str, query: Mapping[str, str]) -> tuple[list[Record], bool]:
    """Return the records of an account on the page that a query asks for, and whether more follow in that direction."""
    limit = query.get("limit", str(_PAGE))
    if not _is_number(limit) or not 1 <= int(limit) <= _LONGEST_PAGE:
        raise invalid("limit", f"must be a number from 1 to {_LONGEST_PAGE}")
    if "customer" in query:
        # The sandbox has no customers.
        return [], False
    chosen = [each for each in records if each.account == account and _is_created_then(each.created, query)]
    if after := query.get("starting_after"):
        chosen = chosen[_position(chosen, after, "starting_after") + 1 :]
    if before := query.get("ending_before"):
        chosen = chosen[: _position(chosen, before, "ending_before")]
        return chosen[-int(limit) :], len(chosen) > int(limit)
    return chosen[: int(limit)], len(chosen) > int(limit)


def _is_created_then(created: int, query: Mapping[str, str]) -> bool:
    limits = {name: query[f"created[{name}]"] for name in _COMPARISONS if f"created[{name}]" in query}
    exact = query.get("created", str(created))
    for text in (exact, *limits.values()):
        if not text.isascii() or not text.isdigit() or len(text) > len(str(2**63)):
            raise invalid("created", "must be a timestamp in seconds")
    return int(exact) == created and all(_COMPARISONS[name](created, int(text)) for name, text in limits.items())


def _position(records: Sequence[Record], reference: str, param: str) -> int:
    for position, each in enumerate(records):
        if each.id == reference:
            return position
    raise ProviderError(400, "resource_missing", f"The object of {param} does not exist", param=param)


def missing(name: str) -> ProviderError:
    """Return the error about a required parameter that is missing."""
    return ProviderError(400, "parameter_missing", f"Missing required param: {name}.", param=name)


def invalid(name: str, message: str) -> ProviderError:
    """Return the error about an invalid parameter."""
    return ProviderError(400, "parameter_invalid", f"Invalid {name}: {message}", param=name)


def cents(name: str, text: str) -> int:
    """Return the amount in a parameter; raises `ProviderError`."""
    if not _is_number(text) or int(text) < 1:
        raise invalid(name, f"must be a whole number of cents with at most {_MOST_DIGITS} digits")
    return int(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
