"""Faults in Get Order and Get Reservation."""

from dataclasses import replace
from http import HTTPStatus
from uuid import uuid4

from airworthy.sandbox.faults.changes import change, edit_responses, put, remove, with_status, with_success
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.updates import failing_orders
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import Handler, SandboxService

_ANY_RESERVATION = {"id": str(uuid4()), "orderId": str(uuid4()), "pnr": "AAAAAA"}
_RESERVATIONS = ("getReservation", "findReservation")


def _another_id(_: object) -> str:
    return str(uuid4())


def _loses_infants_of_round_trips(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Leave the infants out of the reservation of a round trip."""
    response = handler(service, request)
    if request.operation in _RESERVATIONS and isinstance(response, dict):
        order = service.store.orders.get(response["orderId"])
        if order is not None and order.offer.trip.inbound is not None:
            response["passengers"] = [each for each in response["passengers"] if each["type"] != "infant"]
    return response


def _expires_with_the_offer(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Reject Get Reservation once the offer of its order has expired."""
    response = handler(service, request)
    if request.operation == "getReservation" and isinstance(response, dict):
        order = service.store.orders.get(response["orderId"])
        if order is not None and order.offer.expires < service.clock.now():
            raise service.rejection("reservation-unknown")
    return response


def _needs_nationalities(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
    """Respond with 500 to Get Reservation if a passenger has no nationality."""
    if request.operation not in _RESERVATIONS or response.status != HTTPStatus.OK:
        return response
    is_complete = all(each.get("nationalityCountryCode") for each in response.body["passengers"])
    return response if is_complete else replace(response, status=500, body=b"Internal Server Error")


FAULTS: tuple[Fault, ...] = (
    Fault(
        "order-read-stale",
        "V4-ORDER-READ",
        "The service responds to Get Order with the order as it was created",
        rewrite=edit_responses("getOrder", put("/status", "OPEN"), remove("/reservationId")),
    ),
    Fault(
        "order-read-other-id",
        "V4-ORDER-READ",
        "The service responds to Get Order with another order id",
        rewrite=edit_responses("getOrder", change("/id", _another_id)),
    ),
    Fault(
        "order-read-failed",
        "V4-ORDER-READ",
        "The service responds to Get Order with an open order as FAILED",
        rewrite=edit_responses("getOrder", change("/status", lambda status: "FAILED" if status == "OPEN" else status)),
    ),
    Fault(
        "order-read-other-total",
        "V4-ORDER-READ",
        "The service responds to Get Order with a total price that is 1 EUR higher",
        rewrite=edit_responses("getOrder", change("/totalPrice/amount", lambda amount: amount + 1)),
    ),
    Fault(
        "order-read-other-fare-price",
        "V4-ORDER-READ",
        "The service responds to Get Order with another price of the fare",
        rewrite=edit_responses("getOrder", change("/offer/fare/totalPrice/amount", lambda amount: amount + 1)),
        verdict="warning",
        reason="OPEN-61: what the prices of an ordered fare include is not documented",
    ),
    Fault(
        "booked-fails",
        "V4-ORDER-STAYS-BOOKED",
        "The service sets a booked order to FAILED when it rejects a second confirmation",
        policy={"update": failing_orders},
    ),
    Fault(
        "order-unknown-400",
        "V4-ORDER-UNKNOWN",
        "The service responds with 400 to Get Order for an unknown order",
        rewords={"order-unknown@getOrder": with_status(400)},
    ),
    Fault(
        "order-unknown-empty",
        "V4-ORDER-UNKNOWN",
        "The service responds with 200 and an empty object to Get Order for an unknown order",
        rewords={"order-unknown@getOrder": with_success({})},
    ),
    Fault(
        "orders-for-all",
        "V4-ORDER-FOREIGN",
        "The service responds with orders that belong to another organisation",
        tolerates=("order-foreign@getOrder",),
    ),
    Fault(
        "orders-confirmed-by-all",
        "V4-ORDER-FOREIGN",
        "The service confirms orders that belong to another organisation",
        tolerates=("order-foreign@confirmOrder",),
    ),
    Fault(
        "reservation-of-other-order",
        "V4-RESERVATION-MATCHES-ORDER",
        "The service responds with a reservation that has another orderId",
        rewrite=edit_responses(_RESERVATIONS, change("/orderId", _another_id)),
    ),
    Fault(
        "reservation-other-names",
        "V4-RESERVATION-MATCHES-ORDER",
        "The service responds with a reservation for passengers with other names",
        rewrite=edit_responses(_RESERVATIONS, put("/passengers/*/firstLastName", "Nobody")),
    ),
    Fault(
        "reservation-all-male",
        "V4-RESERVATION-MATCHES-ORDER",
        "The service responds with a reservation of male passengers only",
        rewrite=edit_responses(_RESERVATIONS, put("/passengers/*/gender", "MALE")),
    ),
    Fault(
        "reservation-of-one-passenger",
        "V4-RESERVATION-MATCHES-ORDER",
        "The service responds with a reservation that has only the first passenger",
        rewrite=edit_responses(_RESERVATIONS, change("/passengers", lambda all_of_them: all_of_them[:1])),
    ),
    Fault(
        "reservation-round-trip-infants",
        "V4-RESERVATION-MATCHES-ORDER",
        "The service responds with the reservation of a round trip without its infants",
        wraps=_loses_infants_of_round_trips,
    ),
    Fault(
        "reservation-expires-with-offer",
        "V4-RESERVATION-MATCHES-ORDER",
        "The service responds with 404 to Get Reservation once the offer has expired",
        wraps=_expires_with_the_offer,
    ),
    Fault(
        "reservation-needs-nationality",
        "V4-RESERVATION-MATCHES-ORDER",
        "The service responds with 500 to Get Reservation if a passenger has no nationality",
        rewrite=_needs_nationalities,
    ),
    Fault(
        "reservation-other-email",
        "V4-RESERVATION-MATCHES-ORDER",
        "The service responds with a reservation that has another email",
        rewrite=edit_responses(_RESERVATIONS, put("/email", "nobody@example.com")),
    ),
    Fault(
        "found-other-reservation",
        "V4-RESERVATION-BY-ORDER",
        "The service responds to Get Reservation by order with another reservation id",
        rewrite=edit_responses("findReservation", change("/id", _another_id)),
    ),
    Fault(
        "found-in-list",
        "V4-RESERVATION-BY-ORDER",
        "The service responds to Get Reservation by order with an array",
        rewrite=edit_responses("findReservation", change("", lambda found: [found])),
    ),
    Fault(
        "reservation-before-booking",
        "V4-RESERVATION-BEFORE-BOOKING",
        "The service responds with a reservation for an open order",
        rewords={"reservation-not-yet": with_success(_ANY_RESERVATION)},
    ),
    Fault(
        "reservation-unknown-400",
        "V4-RESERVATION-UNKNOWN",
        "The service responds with 400 for an unknown reservation",
        rewords={"reservation-unknown": with_status(400)},
    ),
    Fault(
        "reservation-order-unknown",
        "V4-RESERVATION-UNKNOWN",
        "The service responds with 400 for the reservation of an unknown order",
        rewords={"order-unknown@findReservation": with_status(400)},
    ),
    Fault(
        "reservations-for-all",
        "V4-RESERVATION-FOREIGN",
        "The service responds with reservations that belong to another organisation",
        tolerates=(
            "reservation-foreign",
            "order-foreign@findReservation",
        ),
    ),
    Fault(
        "reservation-of-nothing",
        "V4-RESERVATION-QUERY",
        "The service responds with some reservation if orderId is missing",
        rewords={"order-query-missing": with_success(_ANY_RESERVATION)},
    ),
    Fault(
        "reservation-query-crash",
        "V4-RESERVATION-QUERY",
        "The service responds with 500 if orderId is missing",
        rewords={"order-query-missing": with_status(500)},
    ),
)
