"""The rules of v4 on reservations that show only across exchanges: a reservation is that of its order."""

from collections.abc import Iterator

from airworthy.contract.coded_rules import journey_rule
from airworthy.contract.conversation.v4 import Journey, departure_from, legs
from airworthy.contract.shape import Breach
from airworthy.contract.transaction import Message, member, same_id
from airworthy.contract.v4 import echo
from airworthy.contract.v4.conversation_rules import is_live
from airworthy.contract.v4.response_rules import GONE, RESERVATIONS


@journey_rule("V4-RESERVATION-MATCHES-ORDER", "response", *RESERVATIONS)
def reservation_is_found(message: Message, journey: Journey) -> Iterator[Breach]:
    """A booked order has its reservation."""
    reservation = message.call.path_values.get("reservationId")
    order = journey.order(journey.order_of_reservation(reservation) or message.call.value("orderId"))
    if order and order.booked and message.status in GONE and order.caller == message.caller != "":
        text = "the reservation of a booked order is not found"
        rule = "V4-RESERVATION-MATCHES-ORDER"
        yield Breach(rule, (), text, "the reservation", str(message.status), where="status")


@journey_rule("V4-RESERVATION-MATCHES-ORDER", "response", *RESERVATIONS)
def reservation_is_that_of_its_order(message: Message, journey: Journey) -> Iterator[Breach]:
    """A reservation has the id, the flight, the passengers and the baggage of its order."""
    answered = message.delivered
    order_id, reservation = member(answered, "orderId"), member(answered, "id")
    known, asked = journey.order_of_reservation(reservation), message.call.value("orderId")
    rule = "V4-RESERVATION-MATCHES-ORDER"
    if asked is not None and not same_id(asked, order_id):
        return
    if known and isinstance(order_id, str) and not same_id(order_id, known):
        text = "the reservation names another order than the one that it was booked for"
        yield Breach(rule, ("orderId",), text, "the order that showed this reservation", "another id")
        return
    order = journey.order(order_id)
    if order is None:
        return
    if order.reservation and isinstance(reservation, str) and not same_id(reservation, order.reservation):
        text = "the reservation has another id than its order says"
        yield Breach(rule, ("id",), text, "the order's reservationId", "another id")
    offer, flown = journey.offer(order.offer), legs(member(answered, "outboundSegment"))
    if offer and offer.outbound and flown and flown != offer.outbound:
        text, soft = "the reservation flies otherwise than its order", not is_live(message, offer)
        place = ("outboundSegment", "sections", *departure_from(offer.outbound, flown))
        yield Breach(rule, place, text, "the sections of the offer", "other sections", soft=soft)
    passengers = member(order.sent, "passengers")
    yield from echo.passengers(rule, passengers, member(answered, "passengers"), echo.RESERVED)
    yield from echo.reserved_baggage(rule, member(order.sent, "selectedBaggage"), member(answered, "selectedBaggage"))
    yield from echo.reserved_contact(rule, member(order.sent, "customerContact"), member(answered, "customerContact"))


@journey_rule("V4-RESERVATION-MATCHES-ORDER", "response", *RESERVATIONS)
def reservation_has_the_address_of_its_order(message: Message, journey: Journey) -> Iterator[Breach]:
    """The e-mail address of a reservation is that of its order's contact; unless that was seen, of its own."""
    places = ("email",), ("customerContact", "email")
    given = [member(message.delivered, *place) for place in places]
    order = journey.order(member(message.delivered, "orderId"))
    sent = member(order.sent, *places[1]) if order else None
    told = isinstance(sent, str)
    wanted, whose = (sent, "order") if told else (given[1], "contact")
    for place, address in zip(places, given, strict=True):
        if isinstance(wanted, str) and isinstance(address, str) and wanted.casefold() != address.casefold():
            text = f"the e-mail address of the reservation is not that of its {whose}"
            expected = "the address that was sent" if told else "the contact's address"
            yield Breach("V4-RESERVATION-MATCHES-ORDER", place, text, expected, "another address")
            return


@journey_rule("V4-RESERVATION-BEFORE-BOOKING", "response", "findReservation")
def order_without_reservation(message: Message, journey: Journey) -> Iterator[Breach]:
    """An order whose confirmations all failed has no reservation. It only warns: one may have gone unseen."""
    order = journey.order(message.call.value("orderId"))
    if order and order.declined and order.booked is None and message.fulfilled:
        text = "a reservation is answered for an order whose confirmation failed"
        yield Breach("V4-RESERVATION-BEFORE-BOOKING", (), text, "a 4xx status", "200", where="status", soft=True)
