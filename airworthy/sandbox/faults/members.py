"""Faults in single members of requests that no scenario of its own looks at: derived values find them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from airworthy.sandbox.faults.fault import Condition, Fault
from airworthy.sandbox.faults.kinds import crashes, rejects_with

# By the rule that the member belongs to.
_UNCHECKED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "V4-ORDER-REQUIRED": ("createOrder:/passengers:minItems",),
        "V3-REQUESTS-REQUIRED": ("createRequests:/passengers:minItems",),
        "V23-FLIGHTS-PARAMETERS": ("searchRoundTrips:query/returnStart:pattern",),
    }
)
# By the rule that requires 400.
_WRONG_STATUS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "V4-BAD-REQUEST": "createOrder:/passengers/*/localityCodeOfResidency:type",
        "V3-BAD-REQUEST": "createBookings:/external_id:type",
        "V2-BAD-REQUEST": "createBookingsV2:/customer_data/vat_number:type",
    }
)
# Optional members that a service requires all the same, by the rule that the client may leave them out.
_REQUIRED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "V4-DOCUMENTED-VALUES": (
            "searchOffers:/travelClass",
            "getOffer:/travelClass",
            "getOffer:/inboundSegment/sections/*/travelClass",
        ),
        "V4-ORDER-OPTIONAL": (
            "createOrder:/passengers/*/middleName",
            "createOrder:/passengers/*/secondLastName",
            "createOrder:/passengers/*/nationalityCountryCode",
            "createOrder:/passengers/*/phone",
            "createOrder:/selectedBaggage/*/inboundSegmentBaggageSelection",
        ),
        "V3-REQUESTS-OPTIONAL": (
            "createRequests:/passengers/*/middle_name",
            "createRequests:/passengers/*/passport_number",
        ),
        "V2-REQUESTS-CUSTOMER-CODE": ("createRequestsV2:/customer_code", "createRequestsV2:/passengers/infants"),
        "V23-BOOKINGS-OPTIONAL": (
            "createBookings:/address",
            "createBookingsV2:/external_id",
            "createBookingsV2:/passengers/*/nationality",
        ),
        "V2-BOOKINGS-CUSTOMER-DATA": ("createBookingsV2:/customer_data/is_company",),
    }
)
# Documented values that a service rejects: the rule of the member, the operation, the member and the value.
_REJECTED: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("V4-ORDER-BIRTH-DATE", "createOrder", "/passengers/*/birthDate", "02-29"),
    ("V4-ORDER-TITLE", "createOrder", "/passengers/*/title", "MS"),
    ("V4-ORDER-CONTACT", "createOrder", "/customerContact/gender", "MALE"),
    ("V3-REQUESTS-PASSENGER", "createRequests", "/passengers/*/date_of_birth", "02-29"),
)
# Members of which a service does not survive an empty text, although it may accept or reject one.
_FATAL: Final[Mapping[str, str]] = MappingProxyType(
    {
        "V4-BAD-REQUEST": "createOrder:/passengers/*/middleName",
        "V23-NO-SERVER-FAULT": "createBookings:/external_id",
    }
)
_CRASH: Final = "getOffer:/outboundSegment/sections:minItems"
# A rejection because of a single member of a body.
_MEMBER: Final = re.compile(r"\w+:[*/]")
_PREFIX: Final = "unchecked:"
_DOCUMENTED: Final = "undocumented:"


def validation_rule(fault: Fault) -> str:
    """Return the rule whose scenarios find a fault that those of its own rule do not, or an empty string."""
    if fault.name.startswith(_DOCUMENTED):
        place = fault.name.removeprefix(_DOCUMENTED)
        operations = {each.partition(":")[0]: rule for rule, places in _REQUIRED.items() for each in places}
        return operations[place.partition(":")[0]]
    members = [each for each in fault.tolerates if _MEMBER.match(each)]
    if not members and not fault.name.startswith(_PREFIX):
        return ""
    operation = (members or [fault.name.removeprefix(_PREFIX)])[0].partition(":")[0]
    if operation.endswith("V2"):
        return "V2-BAD-REQUEST"
    return "V4-BAD-REQUEST" if fault.rule.startswith("V4-") else "V3-BAD-REQUEST"


def _faults() -> Iterator[Fault]:
    for rule, rejections in _UNCHECKED.items():
        for name in rejections:
            operation, place, _ = name.split(":")
            description = f"The service does not validate {place.removeprefix('/')} of {operation}"
            yield Fault(f"{_PREFIX}{name}", rule, description, tolerates=(name,))
    for rule, places in _REQUIRED.items():
        for name in places:
            operation, place = name.split(":")
            description = f"The service requires {place.removeprefix('/')} of {operation}"
            yield Fault(f"required:{name}", rule, description, rejects=_lacks(operation, place))
    for rule, operation, place, value in _REJECTED:
        description = f"The service rejects {place.removeprefix('/')} with {value} of {operation}"
        name = f"{_DOCUMENTED}{operation}:{place}:{value}"
        yield Fault(name, rule, description, rejects=_has(operation, place, re.compile(f"(?:.*-)?{value}")))
    for rule, name in _FATAL.items():
        operation, place = name.split(":")
        description = f"The service responds with 500 to an empty {place.removeprefix('/')} of {operation}"
        is_empty = _has(operation, place, re.compile(""))
        yield Fault(f"{_PREFIX}{name}:empty", rule, description, rejects=is_empty, rejects_with=500)
    yield crashes(f"{_PREFIX}{_CRASH}:500", "V4-NO-SERVER-FAULT", "an offer request without sections", _CRASH)
    for rule, name in _WRONG_STATUS.items():
        operation, place, _ = name.split(":")
        what = f"a wrong {place.removeprefix('/')} of {operation}"
        yield rejects_with(f"status-422:{name}", rule, 422, what, name)


def _lacks(operation: str, place: str) -> Condition:
    """Return a condition for requests in which a member is missing somewhere."""
    *holders, name = place.removeprefix("/").split("/")
    return lambda request: (
        request.operation == operation
        and any(isinstance(holder, dict) and name not in holder for holder in _at(request.body, holders))
    )


def _has(operation: str, place: str, text: re.Pattern[str]) -> Condition:
    """Return a condition for requests in which a member is a text of a pattern."""
    steps = place.removeprefix("/").split("/")
    return lambda request: (
        request.operation == operation
        and any(isinstance(found, str) and text.fullmatch(found) for found in _at(request.body, steps))
    )


def _at(value: Any, steps: Sequence[str]) -> Iterator[Any]:  # noqa: ANN401 - any JSON
    """Yield the values at a pointer, in which ``*`` stands for every item of an array or member of a map."""
    if not steps:
        yield value
    elif steps[0] == "*":
        for item in value.values() if isinstance(value, dict) else value or ():
            yield from _at(item, steps[1:])
    elif isinstance(value, dict) and steps[0] in value:
        yield from _at(value[steps[0]], steps[1:])


FAULTS: Final = tuple(_faults())
