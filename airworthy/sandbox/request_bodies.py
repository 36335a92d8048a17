"""Request bodies: held against their schemas, and against what a dialect asks beyond them."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from airworthy.sandbox import schemas
from airworthy.sandbox.rejections import COUNTING

if TYPE_CHECKING:
    from airworthy.sandbox.service import SandboxService

OPERATIONS: Mapping[str, str] = MappingProxyType(
    {
        "searchOffers": "search-request.json",
        "getOffer": "offer-request.json",
        "createOrder": "order-request.json",
        "confirmOrder": "confirmation.json",
        "verifyFlight": "v3/verify-request.json",
        "createRequests": "v3/requests-request.json",
        "createBookings": "v3/bookings-request.json",
        "createRequestsV2": "v2/requests-request.json",
        "createBookingsV2": "v2/bookings-request.json",
    }
)

# What the schemas say about several fields at once is refused by name in the handlers, where its status is open.
_SEVERAL_FIELDS = frozenset({"oneOf", "anyOf", "falseSchema", "not"})
_CONDITIONAL = frozenset(
    {"/inboundSegment", "/passengers/*/birthDate"}
    | {
        f"/passengers/*/identification/{name}"
        for name in ("identificationNumber", "expirationDate", "issueCountryCode")
    }
)
_CODES = frozenset(
    {
        "code",
        "origin",
        "destination",
        "operatingCarrierCode",
        "marketingCarrierCode",
        "countryCode",
        "nationalityCountryCode",
        "countryCodeOfResidence",
        "issueCountryCode",
    }
)


def checked(service: "SandboxService", operation: str, body: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """Return a body that fits its schema; raises `Rejected`.

    A breach that a fault tolerates is mended, so that the handlers never see a body that does not fit.
    """
    for breach in schemas.schema_violations(OPERATIONS[operation], body):
        pattern = pattern_of(breach.pointer)
        if breach.keyword in _SEVERAL_FIELDS or (pattern in _CONDITIONAL and _is_missing(body, breach.pointer)):
            continue
        service.reject(f"{operation}:{pattern}:{breach.keyword}", f"{breach.pointer or 'body'}: {breach.message}")
        if breach.keyword not in COUNTING:
            body = service.seams.mended(operation, body, breach.pointer)
    choices = service.choices
    if choices.lower_case_codes != "accepted" and any(_lower_case_codes(body)):
        service.reject("code-lower-case")
    unknown = set(_pointers(body)) - _known(OPERATIONS[operation])
    if "customerCode" in body and "/customerCode" in unknown and choices.customer_code_elsewhere != "ignored":
        service.reject("customer-code-elsewhere")
    if unknown and choices.unknown_request_fields != "ignored":
        service.reject("fields-unknown")
    fitting: dict[str, Any] = body
    return fitting


def pattern_of(pointer: str) -> str:
    """Return a pointer with ``*`` for each list index."""
    return re.sub(r"/[0-9]+(?=/|$)", "/*", pointer)


@cache
def _known(name: str) -> frozenset[str]:
    parts = [place.pointer.split("/") for place in schemas.schema_fields(name)]
    return frozenset("/".join(each[:length]) for each in parts for length in range(2, len(each) + 1))


def _pointers(value: object, pointer: str = "") -> Iterator[str]:
    """Yield the patterns of all fields in a body."""
    if isinstance(value, Mapping):
        for name, member in value.items():
            # Maps are keyed by numbers, and every other field has a name.
            part = "*" if name.isdigit() else name
            yield f"{pointer}/{part}"
            yield from _pointers(member, f"{pointer}/{part}")
    if isinstance(value, list):
        for member in value:
            yield from _pointers(member, f"{pointer}/*")


def _lower_case_codes(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, member in value.items():
            if name in _CODES and isinstance(member, str) and member != member.upper():
                yield member
            yield from _lower_case_codes(member)
    if isinstance(value, list):
        for member in value:
            yield from _lower_case_codes(member)


def _is_missing(body: Any, pointer: str) -> bool:  # noqa: ANN401 - any JSON
    """Say whether there is nothing at a pointer; a null inboundSegment is nothing, too."""
    for part in pointer.split("/")[1:]:
        try:
            body = body[int(part) if isinstance(body, list) else part]
        except (KeyError, IndexError, TypeError, ValueError):
            return True
    return body is None and pointer == "/inboundSegment"
