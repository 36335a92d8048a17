"""Faults that the schemas themselves suggest: for each field, its breach."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from airworthy.sandbox import request_bodies, schemas
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import answering, drop, put, tolerating
from airworthy.sandbox.schemas import SchemaField

_ANSWERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "search-answer.json": ("searchOffers",),
        "stored-offer.json": ("getOffer",),
        "baggage.json": ("getBaggage",),
        "order.json": ("createOrder", "confirmOrder", "getOrder"),
        "reservation.json": ("getReservation", "findReservation"),
        "v3/flights-answer.json": ("searchFlights",),
        "v2/flights-answer.json": ("searchFlightsV2",),
        "v3/round-trips-answer.json": ("searchRoundTrips",),
        "v3/requests-answer.json": ("createRequests",),
        "v2/requests-answer.json": ("createRequestsV2",),
        "v3/bookings-answer.json#/$defs/retrieved": ("getBookings",),
        "v3/bookings-answer.json": ("createBookings",),
        "v2/bookings-answer.json": ("createBookingsV2",),
        "v2/bookings-answer.json#/$defs/retrieved": ("getBookingsV2",),
    }
)
_OF_ANOTHER_TYPE: Mapping[str, Any] = MappingProxyType(
    {"string": 7, "integer": "7", "number": "7", "object": "text", "array": {"0": 1}, "boolean": "true"}
)
_CHECKED = ("type", "enum", "pattern", "minimum", "maximum")
# What nobody would see: another check refuses it all the same, or what happens then is left open (OPEN-54).
_UNSEEN = frozenset({"/infants:maximum", "/travelClass:type", "/balance:type"})
# What only some offers have, or the documents leave open.
_RARE = ("/child", "/infant", "/inboundSegment", "Selection/*/pricePerPiece")


def faults() -> Iterator[Fault]:
    """Yield the generated faults."""
    yield from _wrong_answers()
    yield from _unchecked_requests()


def _wrong_answers() -> Iterator[Fault]:
    """Yield for each required field of an answer: it is left out, and it has another type.

    A field that several answers share is broken once.
    """
    seen = set()
    for name, operations in _ANSWERS.items():
        for place in schemas.schema_fields(name):
            field = place.pointer.rpartition("/")[2]
            if not place.required or any(rare in place.pointer for rare in _RARE) or (place.rule, field) in seen:
                continue
            seen.add((place.rule, field))
            where = f"{operations[0]}{place.pointer}"
            yield answering(f"lacks:{where}", f"{where} is missing", operations, drop(place.pointer))(place.holder_rule)
            wrong = _of_another_type(place)
            if wrong is not None:
                edit = put(place.pointer, wrong)
                yield answering(f"retypes:{where}", f"{where} has another type", operations, edit)(place.rule)


def _unchecked_requests() -> Iterator[Fault]:
    """Yield for each field of a request and each thing that the schema says of it: it is not checked.

    Of v3 and v2 what a field has to be is broken by hand, and a field that both have is spared once.
    """
    spared = set()
    for operation, name in request_bodies.OPERATIONS.items():
        is_request_based = "/" in name
        if schemas.schema(name).get("x-binds") == "client":
            continue
        for place in schemas.schema_fields(name):
            where = f"{operation}{place.pointer}"
            field = (place.holder_rule, place.pointer.rpartition("/")[2])
            if place.required and not (is_request_based and field in spared):
                spared.add(field)
                rejection = f"{operation}:{place.pointer}:required"
                yield tolerating(f"spares:{where}:required", f"{where} may be missing", rejection)(place.holder_rule)
            for keyword in () if is_request_based else _CHECKED:
                if keyword in place.schema and not _is_unseen(place, keyword):
                    rejection = f"{operation}:{place.pointer}:{keyword}"
                    yield tolerating(f"spares:{where}:{keyword}", f"{where}: {keyword} is unchecked", rejection)(
                        place.rule
                    )


def _is_unseen(place: SchemaField, keyword: str) -> bool:
    """Say whether the lack of a check makes no difference: whoever knows the values refuses another type, too."""
    listed = any("enum" in part for part in (place.schema, *place.schema.get("allOf", ())))
    field = place.pointer.rpartition("/")[2]
    return (keyword == "type" and listed) or f"/{field}:{keyword}" in _UNSEEN


def _of_another_type(place: SchemaField) -> Any:  # noqa: ANN401 - any JSON
    kinds = place.schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if {"string", "number"} <= set(kinds):
        return {"0": 1}
    return next((wrong for kind, wrong in _OF_ANOTHER_TYPE.items() if kind in kinds), None)
