"""Faults generated from the schemas: a few for every operation, end to end.

The unit tests of the contract mutate every field of the example messages in-process. Here each operation gets three
faults, chosen in the order of its schema: its first required response field is missing; the first response field whose
rule no other such fault breaks (or, failing that, the first) has another type; its first required request field may be
missing.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from airworthy.sandbox import request_bodies, schemas
from airworthy.sandbox.faults.changes import edit_responses, put, remove
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.kinds import accepts
from airworthy.sandbox.schemas import SchemaField

RESPONSES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "searchOffers": "search-response.json",
        "getOffer": "stored-offer.json",
        "getBaggage": "baggage.json",
        "createOrder": "order.json",
        "confirmOrder": "order.json",
        "getOrder": "order.json",
        "getReservation": "reservation.json",
        "findReservation": "reservation.json",
        "searchFlights": "v3/flights-response.json",
        "searchFlightsV2": "v2/flights-response.json",
        "searchRoundTrips": "v3/round-trips-response.json",
        "createRequests": "v3/booking-requests-response.json",
        "createRequestsV2": "v2/booking-requests-response.json",
        "createBookings": "v3/bookings-response.json",
        "createBookingsV2": "v2/bookings-response.json",
        "getBookings": "v3/bookings-response.json#/$defs/retrieved",
        "getBookingsV2": "v2/bookings-response.json#/$defs/retrieved",
    }
)
_OF_ANOTHER_TYPE: Final[Mapping[str, Any]] = MappingProxyType(
    {"string": 7, "integer": "7", "number": "7", "object": "text", "array": {"0": 1}, "boolean": "true"}
)
# Only some responses have these fields.
_RARE: Final = ("/child", "/infant", "/inboundSegment", "Selection/*/pricePerPiece")


def faults() -> Iterator[Fault]:
    """Yield the generated faults: ``lacks:``, ``retypes:`` and ``spares:``, with the operation and the field."""
    retyped: set[str] = set()
    for operation, name in RESPONSES.items():
        fields = [
            each for each in schemas.schema_fields(name) if each.required and not any(r in each.pointer for r in _RARE)
        ]
        yield _missing(operation, fields[0])
        typed = [each for each in fields if _another_type(each) is not None]
        field = next((each for each in typed if each.rule not in retyped), typed[0])
        retyped.add(field.rule)
        yield _retyped(operation, field)
    for operation, name in request_bodies.OPERATIONS.items():
        if schemas.schema(name).get("x-binds") != "client":
            yield _not_required(operation, next(field for field in schemas.schema_fields(name) if field.required))


def _missing(operation: str, field: SchemaField) -> Fault:
    where = f"{operation}{field.pointer}"
    return Fault(
        f"lacks:{where}",
        field.holder_rule,
        f"The service responds to {operation} without {field.pointer}",
        rewrite=edit_responses(operation, remove(field.pointer)),
    )


def _retyped(operation: str, field: SchemaField) -> Fault:
    where = f"{operation}{field.pointer}"
    return Fault(
        f"retypes:{where}",
        field.rule,
        f"The service responds to {operation} with a value of another type at {field.pointer}",
        rewrite=edit_responses(operation, put(field.pointer, _another_type(field))),
    )


def _not_required(operation: str, field: SchemaField) -> Fault:
    what = f"a request for {operation} without {field.pointer}"
    rejection = f"{operation}:{field.pointer}:required"
    return accepts(f"spares:{operation}{field.pointer}:required", field.holder_rule, what, rejection)


def _another_type(field: SchemaField) -> Any:  # noqa: ANN401 - any JSON
    """Return a value of a type that a field cannot have, or None if its schema has no type."""
    types = field.schema.get("type", ())
    types = [types] if isinstance(types, str) else types
    if {"string", "number"} <= set(types):
        return {"0": 1}
    return next((wrong for each, wrong in _OF_ANOTHER_TYPE.items() if each in types), None)
