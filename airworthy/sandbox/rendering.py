"""What the JSON resources of all interfaces have in common.

A resource contains `ABSENT` for each field that the dialect leaves out; `finished` drops these fields.
"""

from collections.abc import Mapping
from typing import Any, Final

from airworthy.sandbox.dialects.choices import Choices

ABSENT: Final = object()
# Maps with passenger types as keys: an extra key would be an unknown passenger type.
_BY_PASSENGER_TYPE = frozenset(
    {"passengerPricingByPassengerType", "providerAdditionalPassengerInformationByPassengerType"}
)


def empty_field(choices: Choices) -> Any:  # noqa: ANN401 - null or `ABSENT`
    """Return the value of an optional field that has none."""
    return None if choices.optional_fields == "null" else ABSENT


def finished(document: Any, choices: Choices, *, extra: bool = True) -> Any:  # noqa: ANN401 - any JSON
    """Return a document without absent fields, and with unknown ones in dialects that add them."""
    if isinstance(document, Mapping):
        fields = {
            name: finished(value, choices, extra=name not in _BY_PASSENGER_TYPE)
            for name, value in document.items()
            if value is not ABSENT
        }
        adds = extra and choices.extra_fields == "everywhere"
        return fields | {"sandboxRemark": {"text": "unasked"}} if adds else fields
    if isinstance(document, list | tuple):
        return [finished(each, choices) for each in document]
    return document
