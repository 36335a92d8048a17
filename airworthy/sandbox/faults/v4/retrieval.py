"""Faults in Get Order and Get Reservation."""

from dataclasses import replace
from http import HTTPStatus
from uuid import uuid4

from airworthy.sandbox.faults.changes import Json, after, change, first, increase, new_id, others, put, remove
from airworthy.sandbox.faults.table import (
    behaves,
    crashes,
    does,
    finds_by_beginning,
    rejects_with,
    responds,
    rule,
    serves,
    sets,
    table,
    tolerates,
)
from airworthy.sandbox.faults.updates import failing_orders
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import SandboxService

_ANY_RESERVATION = {"id": str(uuid4()), "orderId": str(uuid4()), "pnr": "AAAAAA"}


def _lose_infants_of_round_trips(service: SandboxService, _: SandboxRequest, reservation: Json) -> None:
    order = service.store.orders.get(reservation.get("orderId"))
    if order is not None and order.offer.trip.inbound is not None:
        reservation["passengers"] = [each for each in reservation["passengers"] if each["type"] != "infant"]


def _reject_if_the_offer_expired(service: SandboxService, _: SandboxRequest, reservation: Json) -> None:
    order = service.store.orders.get(reservation.get("orderId"))
    if order is not None and order.offer.expires < service.clock.now():
        raise service.rejection("reservation-unknown")


def _needs_nationalities(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
    """Respond with 500 to Get Reservation if a passenger has no nationality."""
    if not request.operation.endswith("Reservation") or response.status != HTTPStatus.OK:
        return response
    is_complete = all(each.get("nationalityCountryCode") for each in response.body["passengers"])
    return response if is_complete else replace(response, status=500, body=b"Internal Server Error")


FAULTS = table(
    rule("V4-ORDER-READ"),
    responds("order-read-stale", put("getOrder:/status", "OPEN"), remove("getOrder:/reservationId")),
    responds("order-read-other-id", new_id("getOrder:/id")),
    does(
        "order-read-failed: responds to Get Order with an open order as FAILED",
        change("getOrder:/status", lambda status: "FAILED" if status == "OPEN" else status),
    ),
    responds("order-read-other-total", increase("getOrder:/totalPrice/amount", 1)),
    rule("V4-ORDER-READ", warns="OPEN-61: what the prices of an ordered fare include is not documented"),
    responds("order-read-other-fare-price", increase("getOrder:/offer/fare/totalPrice/amount", 1)),
    rule("V4-ORDER-STAYS-BOOKED"),
    sets("booked-fails: sets a booked order to FAILED when it rejects a second confirmation", update=failing_orders),
    rule("V4-ORDER-UNKNOWN"),
    rejects_with("order-unknown-400: Get Order for an unknown order", 400, "order-unknown@getOrder"),
    serves(
        "order-unknown-empty: responds with 200 and an empty object to Get Order for an unknown order",
        "order-unknown@getOrder",
        {},
    ),
    finds_by_beginning("getOrder"),
    rule("V4-ORDER-FOREIGN"),
    tolerates("orders-for-all: responds with orders that belong to another organisation", "order-foreign@getOrder"),
    tolerates(
        "orders-confirmed-by-all: confirms orders that belong to another organisation", "order-foreign@confirmOrder"
    ),
    rule("V4-RESERVATION-MATCHES-ORDER"),
    responds("reservation-of-other-order", new_id("*Reservation:/orderId")),
    responds("reservation-other-names", put("*Reservation:/passengers/*/firstLastName", "Nobody")),
    responds("reservation-all-male", put("*Reservation:/passengers/*/gender", "MALE")),
    responds("reservation-of-one-passenger", first("*Reservation:/passengers")),
    behaves(
        "reservation-round-trip-infants: responds with the reservation of a round trip without its infants",
        after("*Reservation", _lose_infants_of_round_trips),
    ),
    behaves(
        "reservation-expires-with-offer: responds with 404 to Get Reservation once the offer has expired",
        after("getReservation", _reject_if_the_offer_expired),
    ),
    does(
        "reservation-needs-nationality: responds with 500 to Get Reservation if a passenger has no nationality",
        rewrite=_needs_nationalities,
    ),
    responds("reservation-other-email", put("*Reservation:/email", "nobody@example.com")),
    rule("V4-RESERVATION-BY-ORDER"),
    responds("found-other-reservation", new_id("findReservation:/id")),
    does(
        "found-in-list: responds to Get Reservation by order with an array",
        change("findReservation:", lambda found: [found]),
    ),
    responds(
        "found-without-second-nationality", others("findReservation:/passengers", put("/nationalityCountryCode", None))
    ),
    rule("V4-RESERVATION-BEFORE-BOOKING"),
    serves(
        "reservation-before-booking: responds with a reservation for an open order",
        "reservation-not-yet",
        _ANY_RESERVATION,
    ),
    rule("V4-RESERVATION-UNKNOWN"),
    rejects_with("reservation-unknown-400: an unknown reservation", 400, "reservation-unknown"),
    finds_by_beginning("getReservation"),
    finds_by_beginning("findReservation"),
    rejects_with(
        "reservation-order-unknown: the reservation of an unknown order", 400, "order-unknown@findReservation"
    ),
    rule("V4-RESERVATION-FOREIGN"),
    tolerates(
        "reservations-for-all: responds with reservations that belong to another organisation",
        "reservation-foreign",
        "order-foreign@findReservation",
    ),
    rule("V4-RESERVATION-QUERY"),
    serves(
        "reservation-of-nothing: responds with some reservation if orderId is missing",
        "order-query-missing",
        _ANY_RESERVATION,
    ),
    crashes("reservation-query-crash: Get Reservation without orderId", "order-query-missing"),
)
