"""Faults in the orders of all responses, in Get Order and in Get Reservation."""

import re
from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from typing import NamedTuple
from uuid import uuid4

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import (
    Edit,
    Json,
    after,
    before,
    change,
    first,
    increase,
    new_id,
    on_rejection,
    others,
    put,
    remove,
    when,
)
from airworthy.sandbox.faults.table import rule, table
from airworthy.sandbox.faults.updates import failing_orders
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.service.service import Handler, SandboxService


class _Selection(NamedTuple):
    """Baggage that a passenger selected: the index of the passenger, the way, the index of the selection, its kind."""

    passenger: int
    way: str
    at: int
    kind: str
    pieces: int


def _total_without(left_out: Callable[[_Selection], int]) -> Edit:
    """Return an edit of orders: the total price leaves out some pieces of each selection."""

    def change_total(order: Json) -> Json:
        saved = 0
        for passenger, item in enumerate(order["selectedBaggage"]):
            for way in ("outbound", "inbound"):
                for at, each in enumerate(item.get(f"{way}SegmentBaggageSelection") or ()):
                    price = each.get("pricePerPiece") or item.get("pricePerPiece") or {"amount": 0}
                    pieces = left_out(_Selection(passenger, way, at, each["type"], each["numberOfPieces"]))
                    saved += pieces * price["amount"]
        total = order["totalPrice"]
        return order | {"totalPrice": total | {"amount": round(total["amount"] - saved, 2)}}

    return change("*Order:", change_total)


_NINE = 9
_ANY_RESERVATION = {"id": str(uuid4()), "orderId": str(uuid4()), "pnr": "AAAAAA"}


def _without_the_last_of_a_trip(selected: Json) -> Json:
    has_bags_back = any(each.get("inboundSegmentBaggageSelection") for each in selected)
    return selected[:-1] if has_bags_back and len(selected) > 1 else selected


def _lower_the_total_of_a_booked_order(order: Json) -> Json:
    total = order["totalPrice"]
    lower = total | {"amount": round(total["amount"] - 1, 2)}
    return order | {"totalPrice": lower if order["status"] == "BOOKED" else total}


def _lose_infants_of_round_trips(service: SandboxService, _: SandboxRequest, reservation: Json) -> None:
    order = service.store.orders.get(reservation.get("orderId"))
    if order is not None and order.offer.trip.inbound is not None:
        reservation["passengers"] = [each for each in reservation["passengers"] if each["type"] != "infant"]


def _reject_if_the_offer_expired(service: SandboxService, _: SandboxRequest, reservation: Json) -> None:
    order = service.store.orders.get(reservation.get("orderId"))
    if order is not None and order.offer.expires < service.clock.now():
        raise service.rejection("reservation-unknown")


def _expire_with_the_offer(service: SandboxService, request: SandboxRequest, shown: Json) -> None:
    order = service.store.orders.get(service.identifier(request.path["orderId"]))
    if order is not None and order.status == "OPEN" and order.offer.expires < service.clock.now():
        shown["status"] = "EXPIRED"


def _number_items_by_position(_: SandboxService, request: SandboxRequest) -> None:
    for passenger, item in zip(request.body["passengers"], request.body["selectedBaggage"], strict=False):
        item["passengerNumber"] = passenger["number"]


def _shows_booked_orders(service: SandboxService, request: SandboxRequest) -> Json:
    order = service.store.orders.get(service.identifier(request.path["orderId"]))
    return service.v4_resources.order(order) if order and order.status == "BOOKED" else None


def _stays_missing(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
    """Look no second time for a reservation that an order did not have."""
    missing = ("missing", request.query.get("orderId"))
    if request.operation == "findReservation" and service.store.repeated_ids.get(missing):
        raise service.rejection("reservation-not-yet")
    try:
        return handler(service, request)
    except Rejected as rejected:
        if rejected.name == "reservation-not-yet":
            service.store.repeated_ids.put(missing, rejected.name)
        raise


def _needs_nationalities(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
    if not request.operation.endswith("Reservation") or response.status != HTTPStatus.OK:
        return response
    is_complete = all(each.get("nationalityCountryCode") for each in response.body["passengers"])
    return response if is_complete else replace(response, status=500, body=b"Internal Server Error")


FAULTS = table(
    rule("V4-ORDER-STATUS"),
    row.does(
        "status-of-a-person: responds with a passenger's last name as the status of an order",
        change("*Order:", lambda order: order | {"status": order["passengers"][0]["firstLastName"]}),
    ),
    row.behaves(
        "order-expires: responds with the status EXPIRED to Get Order for an open order of an expired offer",
        after("getOrder", _expire_with_the_offer),
    ),
    rule("V4-ORDER-OPENS"),
    row.responds("order-opens-failed", put("createOrder:/status", "FAILED")),
    row.rejects(
        "order-not-for-nine: an order for nine adults",
        when("createOrder", lambda body: len(body["passengers"]) == _NINE),
    ),
    rule("V4-ORDER-OFFER"),
    row.responds("order-of-other-offer", new_id("*Order:/offer/id")),
    row.responds("order-of-other-fare", new_id("getOrder:/offer/fare/id")),
    row.responds("order-of-first-section", first("*Order:/offer/outboundSegment/sections")),
    row.responds(
        "order-of-other-passengers",
        put("createOrder:/offer/fare/passengerPricingByPassengerType/adult/numberOfPassengers", 7),
    ),
    row.responds(
        "order-read-of-other-passengers",
        put("getOrder:/offer/fare/passengerPricingByPassengerType/adult/numberOfPassengers", 7),
    ),
    row.responds("order-without-price-of-children", remove("*Order:/offer/fare/passengerPricingByPassengerType/child")),
    row.responds("order-of-other-carrier", put("*Order:/offer/outboundSegment/sections/*/operatingCarrierCode", "ZZ")),
    row.does(
        "order-arrives-later: responds with an order whose arrival times differ from those of its offer",
        change("*Order:/offer/outboundSegment/sections/*/arrivalDate", lambda time: f"{time[:-2]}59"),
    ),
    rule("V4-ORDER-OFFER", warns="OPEN-61: the documents do not say how prices follow from each other"),
    row.responds("order-of-dearer-fare", increase("createOrder:/offer/fare/totalPrice/amount", 50)),
    rule("V4-ORDER-PASSENGERS-ECHO"),
    row.responds("passengers-renamed", put("*Order:/passengers/*/name", "X")),
    row.responds("passengers-other-phone", put("*Order:/passengers/*/phone/number", "600999999")),
    row.responds("passengers-other-phone-country", put("*Order:/passengers/*/phone/countryCode", "FR")),
    row.responds("passengers-other-birth-date", put("*Order:/passengers/*/birthDate", "1990-01-01")),
    row.responds("passengers-all-mr", put("*Order:/passengers/*/title", "MR")),
    row.responds("passengers-unidentified", remove("*Order:/passengers/*/identification")),
    row.responds("passengers-all-with-passports", put("*Order:/passengers/*/identification/type", "PASSPORT")),
    row.responds("second-last-name-of-first", others("*Order:/passengers", put("/secondLastName", "Dumont"))),
    row.responds("second-residence-of-first", others("*Order:/passengers", put("/countryCodeOfResidence", "PT"))),
    row.does(
        "passengers-reordered: leaves the last passenger out of the order",
        change("getOrder:/passengers", lambda all_of_them: all_of_them[:-1]),
    ),
    rule("V4-ORDER-PASSENGERS-ECHO", warns="OPEN-48: an optional member may be left out"),
    row.responds("second-middle-name-lost", others("*Order:/passengers", remove("/middleName"))),
    rule("V4-ORDER-CONTACT-ECHO"),
    row.does(
        "contact-misread: decodes the customer contact with another character encoding than UTF-8",
        change("*Order:/customerContact/address", lambda text: text.encode().decode("latin-1")),
    ),
    row.responds("contact-without-zip", put("*Order:/customerContact/zipCode", "")),
    row.responds("contact-phone-of-its-country", put("*Order:/customerContact/phone/countryCode", "ES")),
    row.does(
        "contact-phone-in-digits: removes everything but digits from the phone of the customer contact",
        change("*Order:/customerContact/phone/number", lambda text: re.sub(r"\D", "", text)),
    ),
    row.does(
        "contact-email-in-lower-case: changes the email of the customer contact to lower case",
        change("*Order:/customerContact/email", str.lower),
    ),
    row.does(
        "contact-other-email: changes the email of the customer contact",
        change("getOrder:/customerContact/email", lambda text: f"x{text}"),
    ),
    rule("V4-ORDER-BAGGAGE-ECHO"),
    row.responds(
        "baggage-pieces-lost", put("*Order:/selectedBaggage/*/outboundSegmentBaggageSelection/*/numberOfPieces", 0)
    ),
    row.responds("baggage-lost", put("*Order:/selectedBaggage", [])),
    row.responds(
        "baggage-of-first-passenger", others("*Order:/selectedBaggage", put("/outboundSegmentBaggageSelection", []))
    ),
    row.behaves(
        "baggage-by-position: takes the first item of selected baggage for that of the first passenger",
        before("createOrder", _number_items_by_position),
    ),
    row.responds("baggage-of-one-kind", first("*Order:/selectedBaggage/*/outboundSegmentBaggageSelection")),
    row.responds("baggage-back-lost", put("*Order:/selectedBaggage/*/inboundSegmentBaggageSelection", [])),
    row.does(
        "read-without-last-bags: leaves the last item of selected baggage out of Get Order for a trip with bags back",
        change("getOrder:/selectedBaggage", _without_the_last_of_a_trip),
    ),
    rule("V4-ORDER-PRICE-PER-PIECE"),
    row.responds(
        "piece-without-price",
        remove("*Order:/selectedBaggage/*/pricePerPiece"),
        remove("*Order:/selectedBaggage/*/outboundSegmentBaggageSelection/*/pricePerPiece"),
    ),
    rule("V4-ORDER-PAYMENT-METHOD-ECHO"),
    row.responds("method-swapped", put("*Order:/paymentMethod", {"balance": True})),
    rule("V4-ORDER-TOTAL-BAGGAGE"),
    row.sets(
        "total-without-baggage: leaves baggage out of the total price", order_total=lambda fare, _, fee: fare + fee
    ),
    row.sets(
        "total-with-half-baggage: includes half of the baggage price in the total price",
        order_total=lambda fare, baggage, fee: fare + baggage // 2 + fee,
    ),
    row.does(
        "total-with-one-piece: includes one piece of outbound baggage in the total price, however many are selected",
        _total_without(lambda each: max(each.pieces - 1, 0) if each.way == "outbound" else 0),
    ),
    row.does(
        "total-without-baggage-back: leaves the baggage of the inbound segment out of the total price",
        _total_without(lambda each: each.pieces if each.way == "inbound" else 0),
    ),
    row.does(
        "total-without-second-passenger: leaves the baggage of the second passenger out of the total price",
        _total_without(lambda each: each.pieces if each.passenger else 0),
    ),
    row.does(
        "total-without-cabin-bag: leaves cabin bags out of the total price",
        _total_without(lambda each: each.pieces if each.kind == "CABIN" else 0),
    ),
    row.sets(
        "total-with-double-baggage: includes the baggage twice in the total price",
        order_total=lambda fare, baggage, fee: fare + 2 * baggage + fee,
    ),
    row.sets(
        "total-by-card-without-baggage: leaves baggage out of the total price of orders by card",
        order_total=lambda fare, baggage, fee: fare + (0 if fee else baggage) + fee,
    ),
    row.does(
        "total-without-second-selection: leaves the second selection of a passenger out of the total price",
        _total_without(lambda each: each.pieces if each.at else 0),
    ),
    rule("V4-ORDER-TOTAL-CARD-FEE", warns="OPEN-61: how the fee enters the total is not documented"),
    row.sets(
        "total-with-baggage-without-fee: leaves the card fee out of the total price of orders with baggage",
        order_total=lambda fare, baggage, fee: fare + baggage + (0 if baggage else fee),
    ),
    row.sets(
        "total-without-fee: leaves the card fee out of the total price",
        order_total=lambda fare, baggage, _: fare + baggage,
    ),
    rule("V4-ORDER-RESERVATION-ID"),
    row.responds("booked-without-reservation", remove("getOrder:/reservationId")),
    row.does(
        "open-with-reservation: responds with a reservationId for open orders",
        change("createOrder:", lambda order: order | {"reservationId": str(uuid4())}),
    ),
    rule("V4-ORDER-READ"),
    row.responds("order-read-stale", put("getOrder:/status", "OPEN"), remove("getOrder:/reservationId")),
    row.responds("order-read-other-id", new_id("getOrder:/id")),
    row.does(
        "order-read-failed: responds to Get Order with an open order as FAILED",
        change("getOrder:/status", lambda status: "FAILED" if status == "OPEN" else status),
    ),
    row.responds("order-read-other-total", increase("getOrder:/totalPrice/amount", 1)),
    row.does(
        "booked-order-read-other-total: responds to Get Order with a lower total price once the order is booked",
        change("getOrder:", _lower_the_total_of_a_booked_order),
    ),
    rule("V4-ORDER-READ", warns="OPEN-61: what the prices of an ordered fare include is not documented"),
    row.responds("order-read-other-fare-price", increase("getOrder:/offer/fare/totalPrice/amount", 1)),
    rule("V4-ORDER-STAYS-BOOKED"),
    row.sets(
        "booked-fails: sets a booked order to FAILED when it rejects a second confirmation", update=failing_orders
    ),
    rule("V4-ORDER-UNKNOWN"),
    row.rejects_with("order-unknown-400: Get Order for an unknown order", 400, "order-unknown@getOrder"),
    row.serves_empty("order-unknown-empty: Get Order for an unknown order", "order-unknown@getOrder"),
    row.finds_by_beginning("getOrder"),
    rule("V4-ORDER-FOREIGN"),
    row.tolerates("orders-for-all: responds with orders that belong to another organisation", "order-foreign@getOrder"),
    row.behaves(
        "booked-orders-for-all: responds with booked orders that belong to another organisation",
        on_rejection(_shows_booked_orders, "order-foreign@getOrder"),
    ),
    row.tolerates(
        "orders-confirmed-by-all: confirms orders that belong to another organisation", "order-foreign@confirmOrder"
    ),
    rule("V4-RESERVATION-MATCHES-ORDER"),
    row.responds("reservation-of-other-order", new_id("*Reservation:/orderId")),
    row.responds("reservation-other-names", put("*Reservation:/passengers/*/firstLastName", "Nobody")),
    row.responds("reservation-all-male", put("*Reservation:/passengers/*/gender", "MALE")),
    row.responds("reservation-of-one-passenger", first("*Reservation:/passengers")),
    row.responds("reservation-of-first-section", first("*Reservation:/outboundSegment/sections")),
    row.responds(
        "reservation-second-nationality", others("*Reservation:/passengers", put("/nationalityCountryCode", "ES"))
    ),
    row.behaves(
        "reservation-round-trip-infants: responds with the reservation of a round trip without its infants",
        after("*Reservation", _lose_infants_of_round_trips),
    ),
    row.behaves(
        "reservation-expires-with-offer: responds with 404 to Get Reservation once the offer has expired",
        after("getReservation", _reject_if_the_offer_expired),
    ),
    row.does(
        "reservation-needs-nationality: responds with 500 to Get Reservation if a passenger has no nationality",
        rewrite=_needs_nationalities,
    ),
    row.responds("reservation-other-email", put("*Reservation:/email", "nobody@example.com")),
    rule("V4-RESERVATION-MATCHES-ORDER", warns="the documents do not show the baggage of a reservation"),
    row.responds(
        "reservation-without-bags-back",
        put("*Reservation:/selectedBaggage/*/inboundSegmentBaggageSelection", []),
    ),
    rule("V4-RESERVATION-MATCHES-ORDER", warns="OPEN-48: an optional member may be left out"),
    row.does(
        "reservation-without-birth-date-of-child: leaves the birth dates of children out of reservations",
        change(
            "*Reservation:/passengers/*",
            lambda each: each | ({"birthDate": None} if each["type"] == "child" else {}),
        ),
    ),
    rule("V4-RESERVATION-BY-ORDER"),
    row.responds("found-other-reservation", new_id("findReservation:/id")),
    row.does(
        "found-in-list: responds to Get Reservation by order with an array",
        change("findReservation:", lambda found: [found]),
    ),
    row.responds(
        "found-without-second-nationality", others("findReservation:/passengers", put("/nationalityCountryCode", None))
    ),
    row.behaves(
        "reservation-stays-missing: finds no reservation of an order that was asked for before the order was booked",
        _stays_missing,
    ),
    rule("V4-RESERVATION-BEFORE-BOOKING"),
    row.serves(
        "reservation-before-booking: responds with a reservation for an open order",
        "reservation-not-yet",
        _ANY_RESERVATION,
    ),
    rule("V4-RESERVATION-UNKNOWN"),
    row.rejects_with("reservation-unknown-400: an unknown reservation", 400, "reservation-unknown"),
    row.finds_by_beginning("getReservation"),
    row.finds_by_beginning("findReservation"),
    row.rejects_with(
        "reservation-order-unknown: the reservation of an unknown order", 400, "order-unknown@findReservation"
    ),
    rule("V4-RESERVATION-FOREIGN"),
    row.tolerates(
        "reservations-for-all: responds with reservations that belong to another organisation",
        "reservation-foreign",
        "order-foreign@findReservation",
    ),
    rule("V4-RESERVATION-QUERY"),
    row.serves(
        "reservation-of-nothing: responds with some reservation if orderId is missing",
        "order-query-missing",
        _ANY_RESERVATION,
    ),
    row.crashes("reservation-query-crash: Get Reservation without orderId", "order-query-missing"),
)
