"""Create Order, Confirm Order, Get Order and Get Reservation."""

from collections import Counter
from collections.abc import Hashable
from datetime import timedelta
from itertools import pairwise

import orjson

from airworthy.sandbox.http.exchange import Json, SandboxRequest
from airworthy.sandbox.http.rejections import FAILED_INDICATOR, Rejected
from airworthy.sandbox.model.inventory import baggage_options, day_of
from airworthy.sandbox.model.tables import InvalidTransition
from airworthy.sandbox.payment_provider.provider import ANY_AMOUNT
from airworthy.sandbox.resources.v4.responses import baggage_total, listed_documents, required_fields, selections
from airworthy.sandbox.resources.v4.states import Fare, Offer, Order, Reservation
from airworthy.sandbox.service.charging import CardRejections, authentication_failed, charge_card
from airworthy.sandbox.service.service import ResponseLost, SandboxService

_CONFIRMATION_WINDOW = timedelta(minutes=45)
_MAX_PIECES = 99
_CURRENCY = "eur"
_CAPTURABLE = "/payment_intent_id: expected an intent with status requires_capture"
_ONE_METHOD = "/paymentMethod: expected exactly one of {card: true} and {balance: true}"
_CARD_REJECTIONS = CardRejections("payment-attempted", "payment-rejected", "payment-not-ready")
_TYPES = {"adult": "an adult", "child": "a child", "infant": "an infant"}
_TITLES = {"MALE": {"MR"}, "FEMALE": {"MRS", "MS"}}


def create_order(service: SandboxService, request: SandboxRequest) -> Json:
    """POST /order: create an OPEN order for one fare of a live offer."""
    organisation = request.organisation
    offer, fare = ordered_fare(service, request)
    body = request.body
    check_passengers(service, offer, body)
    check_baggage(service, offer, body)
    check_payment_method(service, body)
    by_balance = body["paymentMethod"].get("balance") is True
    if by_balance and not organisation.balance:
        service.reject("balance-ordered")
    fee = 0 if by_balance and service.choices.v4.charge_for_balance == "none" else offer.fee
    total = service.policy.order_total(fare.total, baggage_total(offer.trip, body["selectedBaggage"]), fee)
    order = Order(organisation.name, offer, fare, body, total, service.clock.now())
    before = repeated(service, order)
    takes_seats = before is None and service.choices.v4.seats_on_sale != "many"
    if takes_seats and not service.store.seats.hold(order, service.clock.now()):
        raise service.rejection("itinerary-gone")
    return service.v4_resources.order(before or service.store.orders.put(order.id, order))


def ordered_fare(service: SandboxService, request: SandboxRequest) -> tuple[Offer, Fare]:
    """Return the offer and the fare whose ids the query contains; raises `Rejected`."""
    if not request.query.get("offerId"):
        raise service.rejection("query-missing", "query parameter offerId: missing")
    found = service.store.offers.get(service.identifier(request.query["offerId"]))
    offer = service.own(request, found, f"offer-unknown@{request.operation}", "offer-foreign")
    if offer.expires <= service.clock.now():
        service.reject("offer-expired")
    if not request.query.get("fareId"):
        raise service.rejection("query-missing", "query parameter fareId: missing")
    fare_id = service.identifier(request.query["fareId"])
    fare = next((each for each in offer.fares if each.id == fare_id), None)
    if fare is None:
        raise service.rejection("fare-foreign", "query parameter fareId: expected the id of a fare of this offer")
    return offer, fare


def repeated(service: SandboxService, order: Order) -> Order | None:
    """Return the open order that the same request created earlier, in dialects that repeat ids."""
    if service.choices.v4.repeated_order != "same id":
        return None
    key: Hashable = (order.offer.id, order.fare.id, orjson.dumps(order.details, option=orjson.OPT_SORT_KEYS))
    before = service.store.orders.get(service.store.repeated_ids.get(key) or "")
    if before is None or before.status != "OPEN":
        service.store.repeated_ids.put(key, order.id)
        return None
    return before


def check_passengers(service: SandboxService, offer: Offer, body: Json) -> None:
    """Check the rules that concern several passengers, then each passenger."""
    choices = service.choices
    passengers = body["passengers"]
    numbers = [each["number"] for each in passengers]
    first = {"any": next(iter(numbers), 1), "one": 1, "zero": 0}[choices.v4.first_passenger_number]
    if (numbers and numbers[0] != first) or any(later != earlier + 1 for earlier, later in pairwise(numbers)):
        begin = "" if choices.v4.first_passenger_number == "any" else f" that begin with {first}"
        service.reject("passenger-numbers", f"/passengers: expected consecutive numbers{begin}")
    counts = Counter(each["type"] for each in passengers)
    expected = offer.passengers.counts()
    if any(counts[kind] != number for kind, number in expected.items()):
        listed = ", ".join(f"{number} {kind}" for kind, number in expected.items())
        service.reject("passenger-mismatch", f"/passengers: expected the types of the offer: {listed}")
    for index, each in enumerate(passengers):
        titles = _TITLES.get(each["gender"], ())
        if each["title"] not in titles:
            expectation = f"expected {' or '.join(sorted(titles))} for this gender"
            service.reject("passenger-mismatch", f"/passengers/{index}/title: {expectation}")
        check_birth_date(service, offer, each, f"/passengers/{index}")
        check_identification(service, offer, each, f"/passengers/{index}")


def check_birth_date(service: SandboxService, offer: Offer, passenger: Json, pointer: str) -> None:
    """Reject a passenger without a required birth date; ``pointer`` leads to the passenger."""
    if passenger.get("birthDate") is not None:
        return
    detail = f"{pointer}/birthDate: missing for {_TYPES[passenger['type']]}"
    if passenger["type"] != "adult":
        service.reject("birth-date-missing", detail)
    elif "BIRTH_DATE" in required_fields(service.choices.v4, offer.trip):
        service.reject("adult-birth-date-missing", detail)
    else:
        service.reject("adult-birth-date-unlisted", detail)


def check_identification(service: SandboxService, offer: Offer, passenger: Json, pointer: str) -> None:
    """Reject an incomplete or expired document of the passenger at a pointer, or a missing one if it is required."""
    choices = service.choices
    identification = passenger.get("identification")
    if identification is not None:
        missing = {"identificationNumber", "expirationDate", "issueCountryCode"} - identification.keys()
        number_is_enough = choices.v4.birth_date_identification == "number is enough"
        if missing and not (number_is_enough and identification["type"] == "BIRTH_DATE"):
            detail = "; ".join(f"{pointer}/identification/{name}: missing" for name in sorted(missing))
            service.reject("identification-incomplete", detail)
        expires = identification.get("expirationDate")
        if expires is not None and day_of(expires) <= service.clock.now().date():
            service.reject("document-expired", f"{pointer}/identification/expirationDate: expected a future date")
    documents = listed_documents(service.choices.v4, offer.trip)
    if identification is not None and not documents:
        service.reject("identification-unlisted", f"{pointer}/identification: expected none for this offer")
    kind = (identification or {}).get("type")
    if set(documents) - {"BIRTH_DATE"} and kind not in documents:
        service.reject("identification-missing", f"{pointer}/identification/type: expected {' or '.join(documents)}")
    fields = required_fields(choices.v4, offer.trip)
    if "LOCALITY_CODE_OF_RESIDENCY" in fields and not passenger.get("localityCodeOfResidency"):
        service.reject("locality-missing", f"{pointer}/localityCodeOfResidency: missing")


def check_baggage(service: SandboxService, offer: Offer, body: Json) -> None:
    """Reject baggage other than one item per passenger and, in strict dialects, baggage that is not offered."""
    items = body["selectedBaggage"]
    if sorted(each["passengerNumber"] for each in items) != sorted(each["number"] for each in body["passengers"]):
        service.reject("baggage-per-passenger", "/selectedBaggage: expected one item for the number of each passenger")
    if not all(0 <= each["numberOfPieces"] <= _MAX_PIECES for item in items for each in selections(item)):
        service.reject("baggage-pieces", f"/selectedBaggage: expected a numberOfPieces from 0 to {_MAX_PIECES}")
    options = baggage_options(offer.trip)
    for selection in (each for item in items for each in selections(item)):
        if not any(
            option.type == selection["type"]
            and 0 < selection["numberOfPieces"] <= option.pieces
            and selection["kilosPerPiece"] == option.kilos
            for option in options
        ):
            listed = ", ".join(f"1 to {each.pieces} {each.type} of {each.kilos} kg" for each in options)
            service.reject("baggage-beyond-options", f"/selectedBaggage: expected {listed or 'no baggage'}")


def check_payment_method(service: SandboxService, body: Json) -> None:
    """Reject a body without exactly one payment method."""
    method = body["paymentMethod"]
    if sum(method.get(name) is True for name in ("card", "balance")) != 1:
        raise service.rejection("payment-method-one@createOrder", _ONE_METHOD)
    if len(method) > 1:
        service.reject("payment-method-false", _ONE_METHOD)


def confirm_order(service: SandboxService, request: SandboxRequest) -> Json:
    """POST /order/{orderId}/confirm: charge the payment and book the order, once."""
    order = own_order(service, request, service.identifier(request.path["orderId"]))
    body = request.body
    order = claim(service, order)
    try:
        pay(service, request, order, body)
    except Rejected as rejected:
        return not_paid(service, order, rejected)
    booked = book(service, order)
    if order.offer.trip.situation.response_lost:
        raise ResponseLost
    return service.v4_resources.order(booked)


def claim(service: SandboxService, order: Order) -> Order:
    """Claim an order for this confirmation; raises `Rejected`."""
    choices = service.choices
    now = service.clock.now()
    too_old = choices.v4.confirmation_window != "none" and now > order.created + _CONFIRMATION_WINDOW
    if order.status == "OPEN" and too_old:
        service.reject("order-too-old")
    if order.status == "OPEN" and now >= order.offer.expires:
        service.reject("offer-expired-meanwhile")
    retry_failed = choices.v4.failed_order == "confirmable"
    try:
        return service.update(order, lambda found: found.claim(retry_failed=retry_failed))
    except InvalidTransition as state:
        raise service.rejection("order-failed" if str(state) == "FAILED" else "order-booked") from None


def pay(service: SandboxService, request: SandboxRequest, order: Order, body: Json) -> None:
    """Charge the payment of an order; raises `Rejected`."""
    if confirmed_method(service, order, body) == "balance":
        if not request.organisation.balance:
            service.reject("balance-not-enabled")
    elif body.get("payment_intent_id") is not None:
        capture_intent(service, order, body["payment_intent_id"])
    else:
        charge_card(service, body, _CARD_REJECTIONS)


def confirmed_method(service: SandboxService, order: Order, body: Json) -> str:
    """Return the payment method of a confirmation; raises `Rejected` for fields that exclude each other."""
    method, secure = body["paymentMethod"], body.get("three_d_secure")
    chosen = [name for name in ("card", "balance") if method.get(name) is True]
    if len(chosen) != 1:
        service.reject("payment-method-one@confirmOrder", _ONE_METHOD)
    elif chosen != [order.method]:
        service.reject("method-mismatch", f"/paymentMethod: expected {order.method}, as in the order")
    if len(method) > 1:
        service.reject("payment-method-false", _ONE_METHOD)
    references = [name for name in ("payment_intent_id", "payment_method") if body.get(name) is not None]
    if chosen == ["balance"]:
        if references or secure is not None:
            service.reject("balance-alone")
        return "balance"
    if len(references) != 1:
        service.reject("payment-reference-one")
    if secure is not None and "payment_method" not in references:
        service.reject("authentication-alone")
    if authentication_failed(secure):
        service.reject("authentication-failed", FAILED_INDICATOR)
    return "card"


def capture_intent(service: SandboxService, order: Order, reference: str) -> None:
    """Capture a payment intent that the client created; raises `Rejected`."""
    intent = service.provider.intent(reference)
    if intent is None:
        if service.choices.v4.unknown_payment_reference != "accepted":
            service.reject("payment-rejected")
        return
    if intent.status == "requires_payment_method":
        service.reject("intent-incomplete", _CAPTURABLE)
    if intent.status != "requires_capture":
        service.reject("payment-not-ready", _CAPTURABLE)
    if intent.amount not in {ANY_AMOUNT, order.total}:
        service.reject("payment-amount", f"/payment_intent_id: expected an intent over {order.total} cents")
    if intent.currency != _CURRENCY:
        service.reject("payment-currency", f"/payment_intent_id: expected an intent in {_CURRENCY}")
    if not service.provider.capture(reference):
        service.reject("payment-not-ready")


def book(service: SandboxService, order: Order) -> Order:
    """Create the reservation of a paid order."""
    for key in service.store.orders if service.choices.v4.other_orders == "fail" else ():
        other = service.store.orders.get(key)
        if other and other.offer.id == order.offer.id and other.status == "OPEN" and not other.claimed:
            service.update(other, Order.fail)
    reservation = Reservation(order.organisation, order.id)
    service.store.reservations.put(reservation.id, reservation)
    return service.update(order, lambda claimed: claimed.book(reservation.id))


def not_paid(service: SandboxService, order: Order, rejected: Rejected) -> Json:
    """End a confirmation that was rejected.

    The dialect decides whether the order is FAILED afterwards, and whether the response is an error or that order.
    """
    choices = service.choices.v4
    not_ready, after_payment = choices.payment_not_ready, (choices.payment_rejected == "FAILED", "FAILED")
    shows_order, status = {
        "balance-not-enabled": (False, choices.balance_refused),
        "payment-attempted": (choices.attempted_authentication == "FAILED", "FAILED"),
        "intent-incomplete": (False, not_ready.removeprefix("error, ")),
        "payment-not-ready": (not_ready == "FAILED", not_ready.removeprefix("error, ")),
        **dict.fromkeys(("payment-rejected", "payment-amount", "payment-currency"), after_payment),
    }.get(rejected.name, (False, choices.wrongly_confirmed_order))
    order = service.update(order, Order.fail if status == "FAILED" else Order.release)
    if not shows_order:
        raise rejected
    return service.v4_resources.order(order)


def own_order(service: SandboxService, request: SandboxRequest, order_id: str) -> Order:
    """Return an order of the organisation that sent the request; raises `Rejected`."""
    names = (f"order-{each}@{request.operation}" for each in ("unknown", "foreign"))
    return service.own(request, service.store.orders.get(order_id), *names)


def get_order(service: SandboxService, request: SandboxRequest) -> Json:
    """GET /order/{orderId}: return an order."""
    return service.v4_resources.order(own_order(service, request, service.identifier(request.path["orderId"])))


def get_reservation(service: SandboxService, request: SandboxRequest) -> Json:
    """GET /reservation/{reservationId}: return a reservation."""
    reservation = service.store.reservations.get(service.identifier(request.path["reservationId"]))
    order = None if reservation is None else service.store.orders.get(reservation.order)
    if reservation is None or order is None:
        raise service.rejection("reservation-unknown")
    if reservation.organisation != request.organisation.name:
        service.reject("reservation-foreign")
    return service.v4_resources.reservation(reservation, order)


def find_reservation(service: SandboxService, request: SandboxRequest) -> Json:
    """GET /reservation?orderId={orderId}: return the reservation of a booked order."""
    order_id = request.query.get("orderId")
    if not order_id:
        raise service.rejection("order-query-missing", "query parameter orderId: missing")
    order = own_order(service, request, service.identifier(order_id))
    reservation = service.store.reservations.get(order.reservation or "")
    if reservation is None:
        raise service.rejection("reservation-not-yet")
    return service.v4_resources.reservation(reservation, order)
