"""Request bodies: checked against their schemas, and against what a dialect requires beyond them."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import orjson

from airworthy.sandbox.http import schemas
from airworthy.sandbox.http.exchange import Json, SandboxRequest
from airworthy.sandbox.http.masking import masked
from airworthy.sandbox.service.service import SandboxService

# The largest accepted request body, in bytes.
MAX_BODY = 65_536
OPERATIONS: Final[Mapping[str, str]] = {each.id: each.request for each in schemas.operations().values() if each.request}
"""The schemas of request bodies, by operation."""

# The handlers check what the schemas say about several fields at once, because its status is open.
_SEVERAL_FIELDS = frozenset({"oneOf", "anyOf", "falseSchema", "not"})
_CONDITIONAL = frozenset({"/inboundSegment", "/passengers/*/birthDate"}) | {
    f"/passengers/*/identification/{name}" for name in ("identificationNumber", "expirationDate", "issueCountryCode")
}
_CODES = frozenset(
    {"code", "origin", "destination", "operatingCarrierCode", "marketingCarrierCode", "countryCode"}
    | {"nationalityCountryCode", "countryCodeOfResidence", "issueCountryCode"}
)


def read_body(service: SandboxService, request: SandboxRequest) -> Json:
    """Return the body of a request, which fits its schema; raises `Rejected`."""
    if len(request.raw) > MAX_BODY:
        raise service.rejection("body-too-large")
    try:
        sent = orjson.loads(request.raw)
    except orjson.JSONDecodeError:
        raise service.rejection("body-not-json") from None
    for name, violation in body_violations(request.operation, sent):
        service.reject(name, f"{masked(violation.pointer) or 'body'}: {violation.message}")
    body: Json = service.hooks.accepted_body(request.operation, sent)
    if any(_is_lower_case_code(*each) for each in _members(body)):
        service.reject("code-lower-case", "expected capital letters in codes of airports, airlines and countries")
    unknown = {pointer for pointer, _ in _members(body)} - _known(OPERATIONS[request.operation])
    if "customerCode" in body and "/customerCode" in unknown:
        service.reject("customer-code-elsewhere")
    if unknown:
        service.reject("fields-unknown", f"{masked(min(unknown))}: expected documented fields only")
    return body


def body_violations(operation: str, body: Any) -> Iterator[tuple[str, schemas.SchemaViolation]]:  # noqa: ANN401 - any JSON
    """Yield where a body does not fit the schema of its operation, outermost first, and the names of the rejections."""
    for violation in schemas.schema_violations(OPERATIONS[operation], body):
        pattern = schemas.pattern_of(violation.pointer)
        if violation.keyword in _SEVERAL_FIELDS or (pattern in _CONDITIONAL and _is_missing(body, violation.pointer)):
            continue
        yield f"{operation}:{pattern}:{violation.keyword}", violation


@cache
def _known(name: str) -> frozenset[str]:
    parts = [field.pointer.split("/") for field in schemas.schema_fields(name)]
    return frozenset("/".join(each[:length]) for each in parts for length in range(2, len(each) + 1))


def _members(value: object, pointer: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for name, member in value.items():
            # Only maps have numbers as keys.
            place = f"{pointer}/{'*' if name.isdigit() else name}"
            yield place, member
            yield from _members(member, place)
    if isinstance(value, list):
        for member in value:
            yield from _members(member, f"{pointer}/*")


def _is_lower_case_code(pointer: str, value: object) -> bool:
    return pointer.rpartition("/")[2] in _CODES and isinstance(value, str) and value != value.upper()


def _is_missing(body: Any, pointer: str) -> bool:  # noqa: ANN401 - any JSON
    """Return whether a pointer leads to no value; a null inboundSegment counts as missing."""
    for part in pointer.split("/")[1:]:
        try:
            body = body[int(part) if isinstance(body, list) else part]
        except (KeyError, IndexError, TypeError, ValueError):
            return True
    return body is None and pointer == "/inboundSegment"
