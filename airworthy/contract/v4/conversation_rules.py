"""The rules of v4 that show only across exchanges, judged by what a `Journey` has seen before.

What was not seen is not judged: an order created elsewhere, a fare list never read, a booking confirmed by somebody
else. What is not found is held against the service only where the same key was shown it before.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from airworthy.contract import wording
from airworthy.contract.body import Pointer
from airworthy.contract.coded_rules import journey_rule
from airworthy.contract.conversation.v4 import OFFERS_OF_A_FARE, Bag, Journey, Offer, Order, departure_from, legs
from airworthy.contract.shape import Breach
from airworthy.contract.transaction import Message, items, member, method, same_id, whole
from airworthy.contract.v4 import echo
from airworthy.contract.v4.response_rules import GONE, ORDERS

RETENTION = timedelta(minutes=30)
CLOCK_TOLERANCE = timedelta(seconds=5)
BIRTH_DATE = ("birth_date", "birthdate")


# The request


@journey_rule("V4-ORDER-EXPIRED-OFFER", "request", "createOrder")
def offer_has_expired(message: Message, journey: Journey) -> Iterator[Breach]:
    """The offer of an order must be within its 30 minutes."""
    offer = journey.offer(message.call.value("offerId"))
    if offer and message.begun - offer.stored > RETENTION + CLOCK_TOLERANCE:
        age = (message.begun - offer.stored) // timedelta(minutes=1)
        text = f"the offer of the order is {age} minutes old"
        where = "query:offerId"
        yield Breach("V4-ORDER-EXPIRED-OFFER", (), text, "at most 30 minutes", f"{age} minutes", where=where)


@journey_rule("V4-ORDER-FARE-OF-OFFER", "request", "createOrder")
def fare_of_the_offer(message: Message, journey: Journey) -> Iterator[Breach]:
    """The fare of an order is a fare of its offer, as far as its fares were seen."""
    offer_id, fare = message.call.value("offerId"), message.call.value("fareId")
    offer = journey.offer(offer_id)
    if offer is None or offer_id is None or fare is None or fare.lower() in offer.fares:
        return
    offers = journey.offers_of_fare(fare)
    elsewhere = [journey.offer(each) for each in offers] if len(offers) < OFFERS_OF_A_FARE else []
    listed = offer.all_fares
    # Where two offers were seen to share a fare, more than what was seen may be shared.
    foreign = bool(elsewhere) and all(other and not other.fares & offer.fares for other in elsewhere)
    absent = (
        bool(listed) and bool(offer.fares & (listed or frozenset())) and fare.lower() not in (listed or frozenset())
    )
    if foreign or absent:
        text = "the fare of the order is that of another offer" if foreign else "the offer does not list this fare"
        where = "query:fareId"
        yield Breach("V4-ORDER-FARE-OF-OFFER", (), text, "a fare of that offer", "another fare", where=where)


@journey_rule("V4-ORDER-PASSENGER-COUNT", "request", "createOrder")
def passengers_of_the_offer(message: Message, journey: Journey) -> Iterator[Breach]:
    """An order has the passengers that its offer was made for."""
    offer = journey.offer(message.call.value("offerId"))
    if offer is None or not isinstance(member(message.sent, "passengers"), list):
        return
    types = Counter(str(passenger.get("type")).lower() for passenger in items(message.sent, "passengers"))
    differing = [kind for kind, count in offer.counts.items() if types[kind] != count]
    if differing and set(types) <= {"adult", "child", "infant"}:
        expected = ", ".join(f"{offer.counts[kind]} {kind}" for kind in offer.counts)
        actual = ", ".join(f"{types[kind]} {kind}" for kind in offer.counts)
        text = f"the order is for {actual}, its offer was made for {expected}"
        yield Breach("V4-ORDER-PASSENGER-COUNT", ("passengers",), text, expected, actual, tolerable=True)


@journey_rule("V4-ORDER-BAGGAGE-MAXIMUM", "request", "createOrder")
def baggage_within_the_options(message: Message, journey: Journey) -> Iterator[Breach]:
    """No more baggage is selected than was offered. It only warns (OPEN-65)."""
    offer, fare = journey.offer(message.call.value("offerId")), message.call.value("fareId")
    options = offer.bags.get(fare.lower()) if offer and fare else None
    if options is None:
        return
    for index, item in enumerate(items(message.sent, "selectedBaggage")):
        for direction in ("outbound", "inbound"):
            key = f"{direction}SegmentBaggageSelection"
            selected = items(item, key)
            for position, selection in enumerate(selected):
                of_type = [bag for bag in options if (bag.direction, bag.type) == (direction, selection.get("type"))]
                place: Pointer = ("selectedBaggage", index, key, position)
                yield from _above(of_type, selection.get("numberOfPieces"), selection.get("kilosPerPiece"), place)


@journey_rule("V4-ORDER-IDENTIFICATION-OPTION", "request", "createOrder")
def identification_is_an_option(message: Message, journey: Journey) -> Iterator[Breach]:
    """A passenger is identified by one of the types that the offer lists. It only warns (OPEN-68)."""
    offer = journey.offer(message.call.value("offerId"))
    for index, passenger in enumerate(items(message.sent, "passengers") if offer else ()):
        kind = member(passenger, "identification", "type")
        options = offer.identification.get(str(passenger.get("type"))) if offer else None
        if options and isinstance(kind, str) and kind not in options:
            place: Pointer = ("passengers", index, "identification", "type")
            listed = wording.one_of(sorted(option for option in options if wording.is_plain(option))[:6])
            text = f"a passenger is identified by {wording.shown(kind)}, which the offer does not list"
            rule = "V4-ORDER-IDENTIFICATION-OPTION"
            yield Breach(rule, place, text, listed, wording.shown(kind), soft=True, tolerable=True)


@journey_rule("V4-ORDER-ADULT-BIRTH-DATE", "request", "createOrder")
def adult_birth_date(message: Message, journey: Journey) -> Iterator[Breach]:
    """An adult has a birth date where the offer lists it among the required fields. It only warns (OPEN-43)."""
    offer = journey.offer(message.call.value("offerId"))
    fields = {name.lower() for name in offer.required.get("adult", ())} if offer else set()
    for index, passenger in enumerate(items(message.sent, "passengers")):
        if passenger.get("type") == "adult" and passenger.get("birthDate") is None and fields.intersection(BIRTH_DATE):
            place: Pointer = ("passengers", index, "birthDate")
            text = "birthDate is missing from an adult, for whom the offer requires it"
            yield Breach("V4-ORDER-ADULT-BIRTH-DATE", place, text, "a date (YYYY-MM-DD)", "missing", soft=True)


@journey_rule("V4-CONFIRM-ONCE", "request", "confirmOrder")
def confirmed_once(message: Message, journey: Journey) -> Iterator[Breach]:
    """An order can be confirmed once: its client knew that it was booked."""
    order = journey.order(message.call.path_values.get("orderId"))
    if order and order.booked and order.booked <= message.begun and order.confirmed != message.exchange.id:
        text = "the order is confirmed again after it was answered as BOOKED"
        yield Breach("V4-CONFIRM-ONCE", (), text, "one confirmation", "another one", where="path", tolerable=True)


@journey_rule("V4-CONFIRM-SAME-METHOD", "request", "confirmOrder")
def confirmed_by_the_same_method(message: Message, journey: Journey) -> Iterator[Breach]:
    """An order is confirmed by the payment method that it was created with."""
    order = journey.order(message.call.path_values.get("orderId"))
    chosen = method(member(message.sent, "paymentMethod"))
    if order and order.method and chosen and chosen != order.method:
        text = f"an order to be paid by {order.method} is confirmed by {chosen}"
        yield Breach("V4-CONFIRM-SAME-METHOD", ("paymentMethod",), text, order.method, chosen)


# The answer


@journey_rule("V4-FARES-EXPIRED", "response", "getFares")
def fares_of_an_expired_offer(message: Message, journey: Journey) -> Iterator[Breach]:
    """An expired offer has an empty array of fares."""
    offer = journey.offer(message.call.path_values.get("offerId"))
    fares = member(message.delivered, "fares")
    if offer and message.begun - offer.stored > RETENTION + CLOCK_TOLERANCE and isinstance(fares, list) and fares:
        text = "the fares of an expired offer are not an empty array"
        yield Breach("V4-FARES-EXPIRED", ("fares",), text, "an empty array", wording.shown(fares))


@journey_rule("V4-FARES-LIVE", "response", "getFares")
def fares_of_a_live_offer(message: Message, journey: Journey) -> Iterator[Breach]:
    """A live offer has fares: its cheapest, at least. It only warns (OPEN-03)."""
    offer = journey.offer(message.call.path_values.get("offerId"))
    if member(message.delivered, "fares") == [] and is_live(message, offer):
        text = "the fares of a live offer are an empty array"
        yield Breach("V4-FARES-LIVE", ("fares",), text, "its fares", "an empty array", soft=True)


@journey_rule("V4-OFFER-RETENTION", "response", "getBaggage")
def live_offer_is_found(message: Message, journey: Journey) -> Iterator[Breach]:
    """An offer is kept for 30 minutes. It only warns: the documents say so of Create Order only."""
    offer = journey.offer(message.call.path_values.get("offerId"))
    if message.status in GONE and is_live(message, offer):
        text, actual = "an offer is not found that was stored less than 30 minutes before", str(message.status)
        yield Breach("V4-OFFER-RETENTION", (), text, "the offer kept", actual, where="status", soft=True)


@journey_rule("V4-CONFIRM-ONCE", "response", "confirmOrder")
def accepted_once(message: Message, journey: Journey) -> Iterator[Breach]:
    """Of two confirmations that the service took as success, one was too many."""
    order = journey.order(message.call.path_values.get("orderId"))
    if order is None or order.booked is None or not message.accepted or order.confirmed == message.exchange.id:
        return
    over = order.confirmed_over
    at_once = over is not None and message.begun < over[1] and over[0] < message.ended
    if not at_once and order.booked > message.begun:
        return
    rule = "V4-CONFIRM-CONCURRENT" if at_once else "V4-CONFIRM-ONCE"
    text = "two simultaneous confirmations both succeeded" if at_once else "a booked order was confirmed once more"
    yield Breach(rule, (), text, "a refusal with a 4xx status", str(message.status), where="status")


@journey_rule("V4-ORDER-READ", "response", "getOrder")
def order_is_found(message: Message, journey: Journey) -> Iterator[Breach]:
    """An order that was answered is found again. How long one lives that is not booked is open: it only warns."""
    order = journey.order(message.call.path_values.get("orderId"))
    if order and message.status in GONE and order.caller == message.caller != "":
        text = "an order is not found that was answered before"
        soft = order.booked is None
        yield Breach("V4-ORDER-READ", (), text, "the order", str(message.status), where="status", soft=soft)


@journey_rule("V4-ORDER-STAYS-BOOKED", "response", "getOrder", "confirmOrder")
def stays_booked(message: Message, journey: Journey) -> Iterator[Breach]:
    """A booked order stays booked."""
    order = _order(message, journey)
    status = member(message.delivered, "status")
    if order and order.booked and order.booked <= message.begun and status in ("OPEN", "FAILED"):
        text = f"the order was BOOKED before and is {status} now"
        yield Breach("V4-ORDER-STAYS-BOOKED", ("status",), text, "BOOKED", status)


@journey_rule("V4-CONFIRM-FAILED-STATUS", "response", "getOrder")
def is_booked_by_a_confirmation(message: Message, journey: Journey) -> Iterator[Breach]:
    """An order whose confirmations all failed is not booked. It only warns: one may have gone unseen."""
    order = _order(message, journey)
    if order and order.declined and order.booked is None and member(message.delivered, "status") == "BOOKED":
        text = "the order is BOOKED, although its confirmation failed"
        yield Breach("V4-CONFIRM-FAILED-STATUS", ("status",), text, "FAILED or OPEN", "BOOKED", soft=True)


@journey_rule("V4-ORDER-RESERVATION-ID", "response", "getOrder", "confirmOrder")
def keeps_its_reservation(message: Message, journey: Journey) -> Iterator[Breach]:
    """The reservation of a booked order stays the same."""
    order = _order(message, journey)
    answered = member(message.delivered, "reservationId")
    if order and order.reservation and isinstance(answered, str) and not same_id(answered, order.reservation):
        text = "the order has another reservation than before"
        yield Breach("V4-ORDER-RESERVATION-ID", ("reservationId",), text, "the same id as before", "another id")


@journey_rule("V4-ORDER-OFFER", "response", "getOrder", "confirmOrder")
def keeps_its_offer(message: Message, journey: Journey) -> Iterator[Breach]:
    """An order holds the offer and the fare that it was created from."""
    order = _order(message, journey)
    places: tuple[tuple[str, ...], ...] = (("offer", "id"), ("offer", "fare", "id"))
    for place, known in zip(places, (order.offer, order.fare) if order else ("", ""), strict=True):
        answered = member(message.delivered, *place)
        if known and isinstance(answered, str) and not same_id(answered, known):
            text = f"{'.'.join(place)} is not that of the order's creation"
            yield Breach("V4-ORDER-OFFER", place, text, "the same id as before", "another id")


@journey_rule("V4-ORDER-OFFER", "response", *ORDERS)
def flies_as_offered(message: Message, journey: Journey) -> Iterator[Breach]:
    """An order flies as its offer does. What is read later may have been rescheduled: it only warns."""
    offer = journey.offer(member(message.delivered, "offer", "id"))
    flown = legs(member(message.delivered, "offer", "outboundSegment"))
    if offer and offer.outbound and flown and flown != offer.outbound:
        text = "an order flies otherwise than its offer"
        place = ("offer", "outboundSegment", "sections", *departure_from(offer.outbound, flown))
        soft = message.operation != "createOrder"
        yield Breach("V4-ORDER-OFFER", place, text, "the sections of the offer", "other sections", soft=soft)


@journey_rule("V4-ORDER-PASSENGERS-ECHO", "response", "getOrder", "confirmOrder")
def keeps_its_passengers(message: Message, journey: Journey) -> Iterator[Breach]:
    """An order answers its passengers as they were sent at its creation."""
    sent, answered = _sent(message, journey, "passengers"), member(message.delivered, "passengers")
    yield from echo.passengers("V4-ORDER-PASSENGERS-ECHO", sent, answered)


@journey_rule("V4-ORDER-CONTACT-ECHO", "response", "getOrder", "confirmOrder")
def keeps_its_contact(message: Message, journey: Journey) -> Iterator[Breach]:
    """An order answers its contact as it was sent at its creation."""
    yield from echo.contact(_sent(message, journey, "customerContact"), member(message.delivered, "customerContact"))


@journey_rule("V4-ORDER-BAGGAGE-ECHO", "response", "getOrder", "confirmOrder")
def keeps_its_baggage(message: Message, journey: Journey) -> Iterator[Breach]:
    """An order answers its selected baggage as it was sent at its creation."""
    sent, answered = _sent(message, journey, "selectedBaggage"), member(message.delivered, "selectedBaggage")
    yield from echo.baggage(sent, answered)


@journey_rule("V4-ORDER-PAYMENT-METHOD-ECHO", "response", "getOrder", "confirmOrder")
def keeps_its_payment_method(message: Message, journey: Journey) -> Iterator[Breach]:
    """An order answers the payment method that was chosen at its creation."""
    sent, answered = _sent(message, journey, "paymentMethod"), member(message.delivered, "paymentMethod")
    yield from echo.payment_method(sent, answered)


# What the rules share


def is_live(message: Message, offer: Offer | None) -> bool:
    """Whether an offer was stored for the same key, and its 30 minutes are not over by the time of the answer."""
    mine = offer is not None and offer.caller == message.caller != ""
    return mine and offer is not None and message.ended - offer.stored < RETENTION - CLOCK_TOLERANCE


def _order(message: Message, journey: Journey) -> Order | None:
    asked, answered = message.call.path_values.get("orderId"), member(message.delivered, "id")
    return journey.order(asked) if same_id(asked, answered) else None


def _sent(message: Message, journey: Journey, name: str) -> object:
    order = _order(message, journey)
    return member(order.sent, name) if order else None


def _above(options: list[Bag], pieces: object, kilos: object, place: Pointer) -> Iterator[Breach]:
    rule = "V4-ORDER-BAGGAGE-MAXIMUM"
    number, weight = whole(pieces), whole(kilos)
    if not number:
        return
    if not options:
        text = "baggage is selected of a type that the fare does not offer"
        yield Breach(rule, (*place, "type"), text, "a type that is offered", "another type", soft=True, tolerable=True)
        return
    most, heaviest = max(bag.pieces for bag in options), max(bag.kilos for bag in options)
    if number > most:
        text = f"{number} pieces are selected where at most {most} are offered"
        where = (*place, "numberOfPieces")
        yield Breach(rule, where, text, f"at most {most}", str(number), soft=True, tolerable=True)
    elif weight is not None and weight > heaviest:
        text = f"pieces of {weight} kg are selected where at most {heaviest} kg are offered"
        where = (*place, "kilosPerPiece")
        yield Breach(rule, where, text, f"at most {heaviest}", str(weight), soft=True, tolerable=True)
