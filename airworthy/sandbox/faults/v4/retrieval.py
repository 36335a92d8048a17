"""Faults in Get Order and Get Reservation."""

from uuid import uuid4

from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import (
    answering,
    change,
    drop,
    of,
    policy,
    put,
    rewording,
    to_status,
    to_success,
    tolerating,
)
from airworthy.sandbox.faults.updates import failing_orders

_ANY_RESERVATION = {"id": str(uuid4()), "orderId": str(uuid4()), "pnr": "AAAAAA"}
_RESERVATIONS = ("getReservation", "findReservation")


def _another_id(_: object) -> str:
    return str(uuid4())


FAULTS: tuple[Fault, ...] = (
    *of(
        "V4-ORDER-READ",
        answering(
            "order-read-stale",
            "Get Order shows what was created",
            "getOrder",
            put("/status", "OPEN"),
            drop("/reservationId"),
        ),
        answering("order-read-other-id", "Get Order shows another order's id", "getOrder", change("/id", _another_id)),
    ),
    *of(
        "V4-ORDER-STAYS-BOOKED",
        policy("booked-fails", "A refused confirmation makes a booked order fail", update=failing_orders),
    ),
    *of(
        "V4-ORDER-UNKNOWN",
        rewording("order-unknown-400", "An unknown order gives 400", "order-unknown@getOrder", to_status(400)),
        rewording(
            "order-unknown-empty", "An unknown order gives an empty success", "order-unknown@getOrder", to_success({})
        ),
    ),
    *of(
        "V4-ORDER-FOREIGN",
        tolerating("orders-for-all", "Everybody reads everybody's orders", "order-foreign@getOrder"),
        tolerating("orders-confirmed-by-all", "Everybody confirms everybody's orders", "order-foreign@confirmOrder"),
    ),
    *of(
        "V4-RESERVATION-FIELDS",
        answering("reservation-without-locator", "Reservations lack pnr", _RESERVATIONS, drop("/pnr")),
        answering("reservation-empty-locator", "pnr is empty", _RESERVATIONS, put("/pnr", "")),
        answering(
            "reservation-without-contact", "Reservations lack customerContact", _RESERVATIONS, drop("/customerContact")
        ),
    ),
    *of(
        "V4-RESERVATION-PASSENGERS",
        answering(
            "reserved-without-gender", "Reserved passengers lack gender", _RESERVATIONS, drop("/passengers/*/gender")
        ),
        answering(
            "reserved-upper-type",
            "Reserved passengers have another type",
            _RESERVATIONS,
            put("/passengers/*/type", "person"),
        ),
    ),
    *of(
        "V4-RESERVATION-MATCHES-ORDER",
        answering(
            "reservation-of-other-order",
            "A reservation names another order",
            _RESERVATIONS,
            change("/orderId", _another_id),
        ),
        answering(
            "reservation-other-names",
            "A reservation names other passengers",
            _RESERVATIONS,
            put("/passengers/*/firstLastName", "Nobody"),
        ),
        answering(
            "reservation-of-one-passenger",
            "A reservation has the first passenger only",
            _RESERVATIONS,
            change("/passengers", lambda all_of_them: all_of_them[:1]),
        ),
        answering(
            "reservation-other-email",
            "A reservation has another e-mail",
            _RESERVATIONS,
            put("/email", "nobody@example.com"),
        ),
    ),
    *of(
        "V4-RESERVATION-BY-ORDER",
        answering(
            "found-other-reservation",
            "An order's reservation has another id",
            "findReservation",
            change("/id", _another_id),
        ),
        answering(
            "found-in-list",
            "An order's reservation comes in an array",
            "findReservation",
            change("", lambda found: [found]),
        ),
    ),
    *of(
        "V4-RESERVATION-BEFORE-BOOKING",
        rewording(
            "reservation-before-booking",
            "An open order has a reservation",
            "reservation-not-yet",
            to_success(_ANY_RESERVATION),
        ),
    ),
    *of(
        "V4-RESERVATION-UNKNOWN",
        rewording("reservation-unknown-400", "An unknown reservation gives 400", "reservation-unknown", to_status(400)),
        rewording(
            "reservation-order-unknown",
            "The reservation of an unknown order gives 400",
            "order-unknown@findReservation",
            to_status(400),
        ),
    ),
    *of(
        "V4-RESERVATION-FOREIGN",
        tolerating(
            "reservations-for-all",
            "Everybody reads everybody's reservations",
            "reservation-foreign",
            "order-foreign@findReservation",
        ),
    ),
    *of(
        "V4-RESERVATION-QUERY",
        rewording(
            "reservation-of-nothing",
            "Without orderId any reservation is found",
            "order-query-missing",
            to_success(_ANY_RESERVATION),
        ),
        rewording("reservation-query-crash", "A missing orderId gives 500", "order-query-missing", to_status(500)),
    ),
)
