"""Faults in the orders of all responses, in Get Order and in Get Reservation."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import NamedTuple
from uuid import uuid4

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import (
    Amend,
    Edit,
    Json,
    after,
    before,
    change,
    first,
    having,
    increase,
    new_id,
    on_rejection,
    others,
    put,
    remove,
)
from airworthy.sandbox.faults.fault import Row
from airworthy.sandbox.faults.table import FAILS, WARNS, Table, rule
from airworthy.sandbox.faults.updates import failing_orders, remembered
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.resources.v4.states import OrderStatus
from airworthy.sandbox.service.service import Handler, SandboxService

_MOST_ORDERS = 1_000
_LARGE = 23
"""The kilos of the dearer checked bag."""


def _show_the_first_contact_with_its(member: str) -> Amend:
    """Return what shows the customer contact of the first order in which a member is the same."""

    def show(service: SandboxService, _: SandboxRequest, order: Json) -> None:
        known = [each.details["customerContact"] for each in service.store.orders.newest(_MOST_ORDERS)]
        own = order["customerContact"][member]
        order["customerContact"] = next(each for each in reversed(known) if each[member] == own)

    return show


def _with_the_same(place: str, name: str) -> Callable[[Json], Json]:
    """Return a change of passengers: a member of an object of theirs has the value of a member of their own."""
    holder, member = place.split("/")

    def change_passenger(each: Json) -> Json:
        has_both = each.get(holder) and each.get(name)
        return each | {holder: each[holder] | {member: each[name]}} if has_both else each

    return change_passenger


def _show_the_first_passengers_of_their_names(service: SandboxService, _: SandboxRequest, order: Json) -> None:
    """Show each passenger with the birthday of the first one of the same name."""
    known = [each for made in service.store.orders.newest(_MOST_ORDERS) for each in made.details["passengers"]]
    for each in order["passengers"]:
        names = each["name"], each["firstLastName"]
        first = next(other for other in reversed(known) if (other["name"], other["firstLastName"]) == names)
        each["birthDate"] = first["birthDate"]


class _Selection(NamedTuple):
    """Baggage that a passenger selected: the index of the passenger, the way, the index of the selection, its data."""

    passenger: int
    way: str
    at: int
    kind: str
    kilos: int
    pieces: int


def _total_without(left_out: Callable[[_Selection], int], party: Sequence[str] = ()) -> Edit:
    """Return an edit of orders, or of those for a ``party``: the total leaves out some pieces of each selection."""

    def change_total(order: Json) -> Json:
        if party and [each["type"] for each in order["passengers"]] != party:
            return order
        saved, numbers = 0, [each["number"] for each in order["passengers"]]
        for item in order["selectedBaggage"]:
            passenger = numbers.index(item["passengerNumber"])
            for way in ("outbound", "inbound"):
                for at, each in enumerate(item.get(f"{way}SegmentBaggageSelection") or ()):
                    price = each.get("pricePerPiece") or item.get("pricePerPiece") or {"amount": 0}
                    kilos, pieces = each["kilosPerPiece"], each["numberOfPieces"]
                    free = left_out(_Selection(passenger, way, at, each["type"], kilos, pieces))
                    saved += free * price["amount"]
        total = order["totalPrice"]
        return order | {"totalPrice": total | {"amount": round(total["amount"] - saved, 2)}}

    return Edit("*Order:", change_total, "a total price without some baggage")


_OF_ADULTS = "/offer/fare/passengerPricingByPassengerType/adult/numberOfPassengers"
_ANY_RESERVATION = {"id": str(uuid4()), "orderId": str(uuid4()), "pnr": "AAAAAA"}


def _without_the_last_of_a_trip(selected: Json) -> Json:
    has_bags_back = any(each.get("inboundSegmentBaggageSelection") for each in selected)
    return selected[:-1] if has_bags_back and len(selected) > 1 else selected


def _lower_the_total_of_a_booked_order(order: Json) -> Json:
    total = order["totalPrice"]
    lower = total | {"amount": round(total["amount"] - 1, 2)}
    return order | {"totalPrice": lower if order["status"] == "BOOKED" else total}


def _lose_infants_of_round_trips(service: SandboxService, _: SandboxRequest, reservation: Json) -> None:
    """Respond with the reservation of a round trip without its infants."""
    order = service.store.orders.get(reservation.get("orderId"))
    if order is not None and order.offer.trip.inbound is not None:
        reservation["passengers"] = [each for each in reservation["passengers"] if each["type"] != "infant"]


def _reject_if_the_offer_expired(service: SandboxService, _: SandboxRequest, reservation: Json) -> None:
    """Respond with 404 to Get Reservation once the offer has expired."""
    order = service.store.orders.get(reservation.get("orderId"))
    if order is not None and order.offer.expires < service.clock.now():
        raise service.rejection("reservation-unknown")


def _expire_with_the_offer(service: SandboxService, request: SandboxRequest, shown: Json) -> None:
    """Respond with the status EXPIRED to Get Order for an open order of an expired offer."""
    order = service.store.orders.get(service.identifier(request.path["orderId"]))
    if order is not None and order.status == "OPEN" and order.offer.expires < service.clock.now():
        shown["status"] = "EXPIRED"


def _number_items_by_position(_: SandboxService, request: SandboxRequest) -> None:
    """Take the first item of selected baggage for that of the first passenger."""
    for passenger, item in zip(request.body["passengers"], request.body["selectedBaggage"], strict=False):
        item["passengerNumber"] = passenger["number"]


def _shows_foreign(status: OrderStatus) -> Row:
    """Respond with orders that have a status and belong to another organisation."""

    def react(service: SandboxService, request: SandboxRequest) -> Json:
        order = service.store.orders.get(service.identifier(request.path["orderId"]))
        return service.v4_resources.order(order) if order and order.status == status else None

    return on_rejection(react, "order-foreign@getOrder")


def _keeps_reservations(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
    """Respond with the reservation of an order to anybody after its owner has read it."""
    if request.operation != "findReservation":
        return handler(service, request)
    read, key = remembered(service), ("reservation", request.query.get("orderId"))
    if key not in read:
        read[key] = handler(service, request)
    return read[key]


def _stays_missing(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
    """Find no reservation of an order that was asked for before the order was booked."""
    missing = ("missing", request.query.get("orderId"))
    if request.operation == "findReservation" and missing in remembered(service):
        raise service.rejection("reservation-not-yet")
    try:
        return handler(service, request)
    except Rejected as rejected:
        if rejected.name == "reservation-not-yet":
            remembered(service)[missing] = True
        raise


def _needs_nationalities(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
    if not request.operation.endswith("Reservation") or response.status != HTTPStatus.OK:
        return response
    is_complete = all(each.get("nationalityCountryCode") for each in response.body["passengers"])
    return response if is_complete else replace(response, status=500, body=b"Internal Server Error")


FAULTS: Table = {
    rule("V4-ORDER-STATUS"): FAILS,
    "status-of-a-person: responds with a passenger's last name as the status of an order": change(
        "*Order:", lambda order: order | {"status": order["passengers"][0]["firstLastName"]}
    ),
    "order-expires": after("getOrder", _expire_with_the_offer),
    rule("V4-ORDER-OPENS"): FAILS,
    "order-opens-failed": put("createOrder:/status", "FAILED"),
    "undocumented:createOrder:/customerContact/gender:MALE": row.rejects_value,
    "order-not-for-nine": row.rejects(having("createOrder:/passengers", minItems=9, maxItems=9)),
    rule("V4-ORDER-OFFER"): FAILS,
    "order-of-other-offer": new_id("*Order:/offer/id"),
    "order-of-other-fare": new_id("getOrder:/offer/fare/id"),
    "order-of-first-section": first("*Order:/offer/outboundSegment/sections"),
    "order-of-other-passengers": put(f"createOrder:{_OF_ADULTS}", 7),
    "order-read-of-other-passengers": put(f"getOrder:{_OF_ADULTS}", 7),
    "order-without-price-of-children": remove("*Order:/offer/fare/passengerPricingByPassengerType/child"),
    "order-of-other-carrier": put("*Order:/offer/outboundSegment/sections/*/operatingCarrierCode", "ZZ"),
    "order-arrives-later: responds with an order whose arrival times differ from those of its offer": change(
        "*Order:/offer/outboundSegment/sections/*/arrivalDate", lambda time: f"{time[:-2]}59"
    ),
    rule("V4-ORDER-OFFER", "OPEN-61: the documents do not say how prices follow from each other"): WARNS,
    "order-of-dearer-fare": increase("createOrder:/offer/fare/totalPrice/amount", 50),
    rule("V4-ORDER-PASSENGERS-ECHO"): FAILS,
    "passengers-renamed": put("*Order:/passengers/*/name", "X"),
    "passengers-other-phone": put("*Order:/passengers/*/phone/number", "600999999"),
    "passengers-other-phone-country": put("*Order:/passengers/*/phone/countryCode", "FR"),
    "passengers-phone-of-nationality": change(
        "*Order:/passengers/*", _with_the_same("phone/countryCode", "nationalityCountryCode")
    ),
    "passengers-document-of-residence": change(
        "*Order:/passengers/*", _with_the_same("identification/issueCountryCode", "countryCodeOfResidence")
    ),
    "passengers-other-birth-date": put("*Order:/passengers/*/birthDate", "1990-01-01"),
    "passengers-kept-by-name": after("createOrder", _show_the_first_passengers_of_their_names),
    "passengers-all-mr": put("*Order:/passengers/*/title", "MR"),
    "passengers-unidentified": remove("*Order:/passengers/*/identification"),
    "passengers-all-with-passports": put("*Order:/passengers/*/identification/type", "PASSPORT"),
    "second-last-name-of-first": others("*Order:/passengers", put("/secondLastName", "Dumont")),
    "second-residence-of-first": others("*Order:/passengers", put("/countryCodeOfResidence", "PT")),
    "passengers-reordered": change("getOrder:/passengers", lambda all_of_them: all_of_them[:-1]),
    rule("V4-ORDER-PASSENGERS-ECHO", "A service may write document numbers as airlines do, in capitals"): WARNS,
    "passengers-document-in-capitals": change("*Order:/passengers/*/identification/identificationNumber", str.upper),
    rule("V4-ORDER-PASSENGERS-ECHO", "OPEN-48: an optional member may be left out"): WARNS,
    "second-middle-name-lost": others("*Order:/passengers", remove("/middleName")),
    rule("V4-ORDER-PASSENGERS-ECHO", "OPEN-67: a service may write names in its own way"): WARNS,
    "missing-name-as-text": change(
        "*Order:/passengers/*", lambda sent: sent | {"secondLastName": str(sent.get("secondLastName"))}
    ),
    rule("V4-ORDER-CONTACT-ECHO"): FAILS,
    "contact-misread: decodes the customer contact with another character encoding than UTF-8": change(
        "*Order:/customerContact/address", lambda text: text.encode().decode("latin-1")
    ),
    "contact-kept-by-address": after("createOrder", _show_the_first_contact_with_its("email")),
    "contact-kept-by-name": after("createOrder", _show_the_first_contact_with_its("lastNames")),
    "contact-of-one-city": put("*Order:/customerContact/cityName", "Barcelona"),
    "contact-without-zip": put("*Order:/customerContact/zipCode", ""),
    "contact-phone-of-its-country": put("*Order:/customerContact/phone/countryCode", "ES"),
    "contact-phone-in-digits: removes everything but digits from the phone of the customer contact": change(
        "*Order:/customerContact/phone/number", lambda text: re.sub(r"\D", "", text)
    ),
    "contact-city-in-title-case": change("*Order:/customerContact/cityName", str.title),
    "contact-email-in-lower-case": change("*Order:/customerContact/email", str.lower),
    "contact-other-email": change("getOrder:/customerContact/email", lambda text: f"x{text}"),
    rule("V4-ORDER-BAGGAGE-ECHO"): FAILS,
    "baggage-pieces-lost": put("*Order:/selectedBaggage/*/outboundSegmentBaggageSelection/*/numberOfPieces", 0),
    "baggage-lost": put("*Order:/selectedBaggage", []),
    "baggage-of-first-passenger": others("*Order:/selectedBaggage", put("/outboundSegmentBaggageSelection", [])),
    "baggage-by-position": before("createOrder", _number_items_by_position),
    "baggage-of-one-kind": first("*Order:/selectedBaggage/*/outboundSegmentBaggageSelection"),
    "baggage-back-lost": put("*Order:/selectedBaggage/*/inboundSegmentBaggageSelection", []),
    "read-without-last-bags": change("getOrder:/selectedBaggage", _without_the_last_of_a_trip),
    rule("V4-ORDER-PRICE-PER-PIECE"): FAILS,
    "piece-without-price": (
        remove("*Order:/selectedBaggage/*/pricePerPiece"),
        remove("*Order:/selectedBaggage/*/outboundSegmentBaggageSelection/*/pricePerPiece"),
    ),
    rule("V4-ORDER-PAYMENT-METHOD-ECHO"): FAILS,
    "method-swapped": put("*Order:/paymentMethod", {"balance": True}),
    rule("V4-ORDER-TOTAL-BAGGAGE"): FAILS,
    "total-without-baggage": row.sets(order_total=lambda fare, _, fee: fare + fee),
    "total-with-half-baggage": row.sets(order_total=lambda fare, baggage, fee: fare + baggage // 2 + fee),
    "total-with-one-piece": _total_without(lambda each: max(each.pieces - 1, 0) if each.way == "outbound" else 0),
    "total-with-two-pieces: charges at most two pieces of a bag": _total_without(lambda each: max(each.pieces - 2, 0)),
    "total-without-baggage-back: leaves the baggage of the inbound segment out of the total price": _total_without(
        lambda each: each.pieces if each.way == "inbound" else 0
    ),
    "total-without-second-passenger": _total_without(lambda each: each.pieces if each.passenger else 0),
    "total-without-cabin-bag": _total_without(lambda each: each.pieces if each.kind == "CABIN" else 0),
    "total-with-double-baggage": row.sets(order_total=lambda fare, baggage, fee: fare + 2 * baggage + fee),
    "total-by-card-without-baggage": row.sets(order_total=lambda fare, bags, fee: fare + (0 if fee else bags) + fee),
    "total-of-one-without-large-bags: charges nothing for the bags of 23 kg of an only passenger": _total_without(
        lambda each: each.pieces if each.kilos == _LARGE else 0, ["adult"]
    ),
    "total-without-infants-bags: charges nothing for the bags of an infant": _total_without(
        lambda each: each.pieces if each.passenger else 0, ["adult", "infant"]
    ),
    "total-without-second-selection": _total_without(lambda each: each.pieces if each.at else 0),
    rule("V4-ORDER-TOTAL-CARD-FEE", "OPEN-61: how the fee enters the total is not documented"): WARNS,
    "total-with-baggage-without-fee": row.sets(order_total=lambda fare, bags, fee: fare + bags + (0 if bags else fee)),
    "total-without-fee": row.sets(order_total=lambda fare, baggage, _: fare + baggage),
    rule("V4-ORDER-RESERVATION-ID"): FAILS,
    "booked-without-reservation": remove("getOrder:/reservationId"),
    "open-with-reservation: responds with a reservationId for open orders": change(
        "createOrder:", lambda order: order | {"reservationId": str(uuid4())}
    ),
    rule("V4-ORDER-READ"): FAILS,
    "order-read-stale": (put("getOrder:/status", "OPEN"), remove("getOrder:/reservationId")),
    "order-read-other-id": new_id("getOrder:/id"),
    "order-read-failed: responds to Get Order with an open order as FAILED": change(
        "getOrder:/status", lambda status: "FAILED" if status == "OPEN" else status
    ),
    "order-read-other-total": increase("getOrder:/totalPrice/amount", 1),
    "booked-order-read-other-total": change("getOrder:", _lower_the_total_of_a_booked_order),
    rule("V4-ORDER-READ", "OPEN-61: what the prices of an ordered fare include is not documented"): WARNS,
    "order-read-other-fare-price": increase("getOrder:/offer/fare/totalPrice/amount", 1),
    rule("V4-ORDER-STAYS-BOOKED"): FAILS,
    "booked-fails": row.sets(update=failing_orders),
    rule("V4-ORDER-UNKNOWN"): FAILS,
    "order-unknown-400: Get Order for an unknown order": row.rejects_with(400, "order-unknown@getOrder"),
    "order-unknown-empty: Get Order for an unknown order": row.serves_empty("order-unknown@getOrder"),
    "id-beginning-getOrder": row.finds_by_beginning,
    rule("V4-ORDER-FOREIGN"): FAILS,
    "orders-for-all: responds with orders that belong to another organisation": row.tolerates("order-foreign@getOrder"),
    "booked-orders-for-all: responds with booked orders of another organisation": _shows_foreign("BOOKED"),
    "failed-orders-for-all: responds with failed orders of another organisation": _shows_foreign("FAILED"),
    "orders-confirmed-by-all": row.tolerates("order-foreign@confirmOrder"),
    rule("V4-RESERVATION-MATCHES-ORDER"): FAILS,
    "reservation-of-other-order": new_id("*Reservation:/orderId"),
    "reservation-other-names": put("*Reservation:/passengers/*/firstLastName", "Nobody"),
    "reservation-all-male": put("*Reservation:/passengers/*/gender", "MALE"),
    "reservation-of-one-passenger": first("*Reservation:/passengers"),
    "reservation-of-first-section": first("*Reservation:/outboundSegment/sections"),
    "reservation-second-nationality": others("*Reservation:/passengers", put("/nationalityCountryCode", "ES")),
    "reservation-round-trip-infants": after("*Reservation", _lose_infants_of_round_trips),
    "reservation-expires-with-offer": after("getReservation", _reject_if_the_offer_expired),
    "reservation-needs-nationality: crashes at a passenger without nationality": row.does(rewrite=_needs_nationalities),
    "reservation-other-contact": put("*Reservation:/customerContact/email", "nobody@example.com"),
    rule("V4-RESERVATION-MATCHES-ORDER", "the documents do not say whose contact e-mail it is"): WARNS,
    "reservation-other-email": put("*Reservation:/email", "nobody@example.com"),
    rule("V4-RESERVATION-MATCHES-ORDER", "the documents do not show the baggage of a reservation"): WARNS,
    "reservation-without-bags-back": put("*Reservation:/selectedBaggage/*/inboundSegmentBaggageSelection", []),
    rule("V4-RESERVATION-MATCHES-ORDER", "OPEN-48: an optional member may be left out"): WARNS,
    "reservation-without-birth-date-of-child: leaves the birth dates of children out of reservations": change(
        "*Reservation:/passengers/*", lambda each: each | ({"birthDate": None} if each["type"] == "child" else {})
    ),
    rule("V4-RESERVATION-BY-ORDER"): FAILS,
    "found-other-reservation": new_id("findReservation:/id"),
    "found-in-list": change("findReservation:", lambda found: [found]),
    "found-without-second-nationality": others("findReservation:/passengers", put("/nationalityCountryCode", None)),
    "reservation-stays-missing": row.behaves(_stays_missing),
    rule("V4-RESERVATION-BEFORE-BOOKING"): FAILS,
    "reservation-before-booking": row.serves("reservation-not-yet", _ANY_RESERVATION),
    rule("V4-RESERVATION-UNKNOWN"): FAILS,
    "reservation-unknown-400: an unknown reservation": row.rejects_with(400, "reservation-unknown"),
    "id-beginning-getReservation": row.finds_by_beginning,
    "id-beginning-findReservation": row.finds_by_beginning,
    "reservation-order-unknown": row.rejects_with(400, "order-unknown@findReservation"),
    rule("V4-RESERVATION-FOREIGN"): FAILS,
    "reservations-for-all": row.tolerates("reservation-foreign", "order-foreign@findReservation"),
    "reservations-read-by-their-owner": row.behaves(_keeps_reservations),
    rule("V4-RESERVATION-QUERY"): FAILS,
    "reservation-of-nothing": row.serves("order-query-missing", _ANY_RESERVATION),
    "reservation-query-crash: Get Reservation without orderId": row.crashes("order-query-missing"),
}
