"""What the JSON resources of all interfaces have in common.

A resource contains `ABSENT` for each field that the dialect leaves out; `finished` drops these fields.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from airworthy.sandbox.dialects.choices import Choices

ABSENT: Final = object()
NOTHING: Final[Mapping[str, Any]] = {"null": None, "empty": [], "absent": ABSENT}
"""What a dialect writes in place of a list without items, by the behaviour of its choice."""
# How machine-readable travel documents write letters that have no form without an accent.
_TRANSLITERATED: Final = {"Ä": "AE", "Ö": "OE", "Ü": "UE", "ß": "SS", "Æ": "AE", "Ø": "OE", "Å": "AA", "Ñ": "N"}
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Maps with passenger types as keys: an extra key would be an unknown passenger type.
_BY_PASSENGER_TYPE = ("passengerPricingByPassengerType", "providerAdditionalPassengerInformationByPassengerType")


def empty_field(choices: Choices) -> Any:  # noqa: ANN401 - null or `ABSENT`
    """Return the value of an optional field that has none."""
    return None if choices.v4.optional_fields == "null" else ABSENT


def in_form(text: str, form: str) -> str:
    """Return a text in the form "capital letters", "plain letters" (no accents) or "transliterated"."""
    if form == "capital letters":
        return text.upper()
    if form == "transliterated":
        characters = (_TRANSLITERATED.get(each, " " if each == "-" else each) for each in text.upper())
        text = "".join(each for each in "".join(characters) if each.isalnum() or each == " ")
    if form in {"transliterated", "plain letters"}:
        return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return text


def finished(document: Any, choices: Choices) -> Any:  # noqa: ANN401 - any JSON
    """Return a document without absent fields, and with unknown ones in dialects that add them."""
    remark = {"sandboxRemark": {"text": "unasked"}} if choices.v4.extra_fields == "everywhere" else {}
    has_upper_ids = choices.v4.id_form != "lower case"
    own_id = "id" if choices.v4.id_form == "upper case in references" else None

    def finish(value: Any, name: str = "") -> Any:  # noqa: ANN401 - any JSON
        if isinstance(value, str):
            return value.upper() if has_upper_ids and name != own_id and _UUID.fullmatch(value) else value
        if isinstance(value, list | tuple):
            return [finish(each) for each in value]
        if isinstance(value, dict | Mapping):
            fields = {key: finish(each, key) for key, each in value.items() if each is not ABSENT}
            return fields if name in _BY_PASSENGER_TYPE else fields | remark
        return value

    return finish(document)
