"""Create Order, Confirm Order and the reads: from an offer to a reservation."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from datetime import timedelta
from itertools import pairwise

import orjson

from airworthy.sandbox.inventory import baggage_options, day_of
from airworthy.sandbox.payment_provider.charging import Problem, card_problems, has_failed
from airworthy.sandbox.payment_provider.provider import ANY_AMOUNT
from airworthy.sandbox.rejections import Rejected
from airworthy.sandbox.service import SandboxRequest, SandboxService
from airworthy.sandbox.states import Fare, InvalidTransition, Offer, Order, Reservation
from airworthy.sandbox.v4.responses import Json, baggage_total, selections

_CONFIRMATION_WINDOW = timedelta(minutes=45)
_MOST_PIECES = 99
_CARD_REFUSALS: Mapping[Problem, str] = {
    "attempted": "payment-attempted",
    "declined": "payment-rejected",
    "unverified": "payment-not-ready",
}
_TITLES = {"MALE": {"MR"}, "FEMALE": {"MRS", "MS"}}

# Create Order


def create_order(service: SandboxService, call: SandboxRequest) -> Json:
    """POST /order: an OPEN order of one fare of a live offer."""
    organisation = call.organisation
    offer, fare = ordered_fare(service, call)
    body = call.body
    check_passengers(service, offer, body)
    check_baggage(service, offer, body)
    check_payment_method(service, body)
    by_balance = body["paymentMethod"].get("balance") is True
    if by_balance and not organisation.balance and service.choices.balance_not_enabled != "at confirm":
        service.reject("balance-ordered")
    fee = 0 if by_balance else offer.fee
    total = service.policy.order_total(fare.total, baggage_total(offer.trip, body["selectedBaggage"]), fee)
    order = Order(organisation.name, offer, fare, body, total, service.clock.now())
    return service.answers.order(repeated(service, order) or service.book.orders.put(order.id, order))


def ordered_fare(service: SandboxService, call: SandboxRequest) -> tuple[Offer, Fare]:
    """Return the offer and the fare that the query names; raises `Rejected`."""
    if not call.query.get("offerId"):
        raise service.rejection("query-missing")
    offer = service.book.offers.get(service.identifier(call.query["offerId"]))
    if offer is None or offer.organisation != call.organisation.name:
        raise service.rejection(f"offer-unknown@{call.operation}")
    if offer.expires <= service.clock.now():
        service.reject("offer-expired")
    if not call.query.get("fareId"):
        service.reject("query-missing")
        return offer, offer.cheapest
    fare_id = service.identifier(call.query["fareId"])
    fare = next((each for each in offer.fares if each.id == fare_id), None)
    if fare is None:
        service.reject("fare-foreign")
    return offer, fare or offer.cheapest


def repeated(service: SandboxService, order: Order) -> Order | None:
    """Return the open order that the same request created before, where the dialect repeats ids."""
    if service.choices.repeated_order != "same id":
        return None
    key: Hashable = (order.offer.id, order.fare.id, orjson.dumps(order.wishes, option=orjson.OPT_SORT_KEYS))
    before = service.book.orders.get(service.book.repeated.get(key) or "")
    if before is None or before.status != "OPEN":
        service.book.repeated.put(key, order.id)
        return None
    return before


def check_passengers(service: SandboxService, offer: Offer, body: Json) -> None:
    """Refuse what the fields of passengers cannot show one by one."""
    choices = service.choices
    passengers = body["passengers"]
    numbers = [each["number"] for each in passengers] or [0]
    first = {"any": numbers[0], "one": 1, "zero": 0}[choices.first_passenger_number]
    if numbers[0] != first or any(later != earlier + 1 for earlier, later in pairwise(numbers)):
        service.reject("passenger-numbers")
    counts = Counter(each["type"] for each in passengers)
    matches = all(counts[kind] == number for kind, number in offer.passengers.counts().items())
    titled = all(each["title"] in _TITLES[each["gender"]] for each in passengers)
    if not passengers:
        service.reject("passengers-none")
    if choices.passenger_mismatch != "accepted" and not (matches and titled):
        service.reject("passenger-mismatch")
    for each in passengers:
        check_birth_date(service, offer, each)
        check_identification(service, offer, each)


def check_birth_date(service: SandboxService, offer: Offer, passenger: Json) -> None:
    """Refuse a passenger whose birth date is missing though it is needed."""
    if passenger.get("birthDate") is not None:
        return
    if passenger["type"] != "adult":
        service.reject("birth-date-missing")
    elif "BIRTH_DATE" in offer.trip.situation.additional_fields:
        service.reject("adult-birth-date-missing")
    elif service.choices.unlisted_birth_date != "optional":
        service.reject("adult-birth-date-unlisted")


def check_identification(service: SandboxService, offer: Offer, passenger: Json) -> None:
    """Refuse a document that has expired; where the dialect demands what the offer lists, refuse its absence."""
    choices = service.choices
    identification = passenger.get("identification")
    if identification is not None:
        missing = {"identificationNumber", "expirationDate", "issueCountryCode"} - identification.keys()
        if missing and (identification["type"] != "BIRTH_DATE" or choices.birth_date_identification == "as any other"):
            service.reject("identification-incomplete")
        if (
            "expirationDate" in identification
            and day_of(identification["expirationDate"]) <= service.clock.now().date()
        ):
            service.reject("document-expired")
    documents = offer.trip.situation.documents
    kind = (identification or {}).get("type")
    listed = {*documents, *({"BIRTH_DATE"} if choices.birth_date_option == "listed" else ())}
    if choices.identification_demanded == "no":
        return
    if documents and kind not in listed:
        service.reject("identification-missing")
    fields = offer.trip.situation.additional_fields
    if "LOCALITY_CODE_OF_RESIDENCY" in fields and not passenger.get("localityCodeOfResidency"):
        service.reject("locality-missing")


def check_baggage(service: SandboxService, offer: Offer, body: Json) -> None:
    """Refuse baggage that is not one item per passenger, and where the dialect is strict, what is not offered."""
    items = body["selectedBaggage"]
    if sorted(each["passengerNumber"] for each in items) != sorted(each["number"] for each in body["passengers"]):
        service.reject("baggage-per-passenger")
    if not all(0 <= each["numberOfPieces"] <= _MOST_PIECES for item in items for each in selections(item)):
        service.reject("baggage-pieces")
    if service.choices.baggage_beyond_options == "accepted":
        return
    options = baggage_options(offer.trip)
    for selection in (each for item in items for each in selections(item)):
        if not any(
            option.type == selection["type"]
            and 0 < selection["numberOfPieces"] <= option.pieces
            and selection["kilosPerPiece"] == option.kilos
            for option in options
        ):
            service.reject("baggage-beyond-options")


def check_payment_method(service: SandboxService, body: Json) -> None:
    """Refuse any payment method but exactly one."""
    method = body["paymentMethod"]
    if sum(method.get(name) is True for name in ("card", "balance")) != 1:
        service.reject("payment-method-one@createOrder")
        method.clear()
        method["card"] = True
    if len(method) > 1 and service.choices.payment_method_false != "accepted":
        service.reject("payment-method-false")


# Confirm Order


def confirm_order(service: SandboxService, call: SandboxRequest) -> Json:
    """POST /order/{orderId}/confirm: pay and book, once."""
    order = own_order(service, call, service.identifier(call.path["orderId"]))
    body = call.body
    order = claim(service, order)
    try:
        problems = payment_problems(service, call, order, body)
        problem = next((each for each in problems if not service.seams.tolerates(each)), None)
    except Rejected:
        settle(service, order, service.choices.wrongly_confirmed_order)
        raise
    if problem is None:
        return service.answers.order(book(service, order))
    return not_paid(service, order, problem)


def claim(service: SandboxService, order: Order) -> Order:
    """Claim an order for this one confirmation; raises `Rejected`."""
    choices = service.choices
    now = service.clock.now()
    too_old = choices.confirmation_window != "none" and now > order.created + _CONFIRMATION_WINDOW
    if order.status == "OPEN" and too_old:
        service.reject("order-too-old")
    if order.status == "OPEN" and choices.confirm_after_offer_expired != "works" and now >= order.offer.expires:
        service.reject("offer-expired-meanwhile")
    try:
        return service.policy.claim(service.book.orders, order.id, choices.failed_order == "confirmable")
    except InvalidTransition as state:
        name = "order-failed" if str(state) == "FAILED" else "order-booked"
        service.reject(name)
        return service.book.orders.change(order.id, Order.reclaim)


def payment_problems(service: SandboxService, call: SandboxRequest, order: Order, body: Json) -> Iterator[str]:
    """Yield the names of what keeps a payment from succeeding; raises `Rejected` for a body against the rules."""
    if confirmed_method(service, order, body) == "balance":
        if not call.organisation.balance:
            yield "balance-not-enabled"
        return
    if body.get("payment_intent_id") is not None:
        yield from intent_problems(service, order, body["payment_intent_id"])
    else:
        yield from (_CARD_REFUSALS[each] for each in card_problems(service, body))


def confirmed_method(service: SandboxService, order: Order, body: Json) -> str:
    """Return how the order is to be paid; refuse what Confirm Order may not be sent with which other field."""
    method, secure = body["paymentMethod"], body.get("three_d_secure")
    chosen = [name for name in ("card", "balance") if method.get(name) is True]
    if len(chosen) != 1:
        service.reject("payment-method-one@confirmOrder")
    elif chosen != [order.method]:
        service.reject("method-mismatch")
    if len(method) > 1 and service.choices.payment_method_false != "accepted":
        service.reject("payment-method-false")
    references = [name for name in ("payment_intent_id", "payment_method") if body.get(name) is not None]
    if chosen == ["balance"]:
        if references or secure is not None:
            service.reject("balance-alone")
        return "balance"
    if len(references) != 1:
        service.reject("payment-reference-one")
    if secure is not None and "payment_method" not in references:
        service.reject("authentication-alone")
    if has_failed(secure):
        service.reject("authentication-failed")
    return "card"


def intent_problems(service: SandboxService, order: Order, reference: str) -> Iterator[str]:
    """Yield what is wrong with a payment intent that the client has made."""
    intent = service.provider.intent(reference)
    if intent is None:
        if service.choices.unknown_payment_reference != "accepted":
            yield "payment-rejected"
        return
    if intent.status != "requires_capture":
        yield "payment-not-ready"
    if intent.amount not in {ANY_AMOUNT, order.total}:
        yield "payment-amount"
    if not service.provider.capture(reference):
        yield "payment-not-ready"


def book(service: SandboxService, order: Order) -> Order:
    """Make the reservation of an order that is paid."""
    reservation = Reservation(order.organisation, order.id)
    service.book.reservations.put(reservation.id, reservation)
    return service.book.orders.change(order.id, lambda claimed: claimed.book(reservation.id))


def settle(service: SandboxService, order: Order, status: str) -> Order:
    """End a confirmation that was not paid: the order has failed, or is as open as before."""
    return service.book.orders.change(order.id, Order.fail if status == "FAILED" else Order.release)


def not_paid(service: SandboxService, order: Order, problem: str) -> Json:
    """Answer a confirmation whose payment did not succeed: as an error, or as an order that has failed."""
    choices = service.choices
    as_answer, left = {
        "balance-not-enabled": (False, choices.balance_refused),
        "payment-attempted": (choices.attempted_authentication == "FAILED", "FAILED"),
        "payment-not-ready": (choices.payment_not_ready == "FAILED", choices.payment_not_ready.removeprefix("error, ")),
        "payment-rejected": (choices.payment_rejected == "FAILED", service.policy.rejected_order),
        "payment-amount": (choices.payment_rejected == "FAILED", service.policy.rejected_order),
    }[problem]
    order = settle(service, order, left)
    if not as_answer:
        raise service.rejection(problem)
    return service.answers.order(order)


# Reads


def own_order(service: SandboxService, call: SandboxRequest, order_id: str) -> Order:
    """Return an order of the caller's organisation; raises `Rejected`."""
    order = service.book.orders.get(order_id)
    if order is None:
        raise service.rejection(f"order-unknown@{call.operation}")
    if order.organisation != call.organisation.name:
        service.reject(f"order-foreign@{call.operation}")
    return order


def get_order(service: SandboxService, call: SandboxRequest) -> Json:
    """GET /order/{orderId}: the order as it was last stored."""
    return service.answers.order(own_order(service, call, service.identifier(call.path["orderId"])))


def get_reservation(service: SandboxService, call: SandboxRequest) -> Json:
    """GET /reservation/{reservationId}."""
    reservation = service.book.reservations.get(service.identifier(call.path["reservationId"]))
    order = None if reservation is None else service.book.orders.get(reservation.order)
    if reservation is None or order is None:
        raise service.rejection("reservation-unknown")
    if reservation.organisation != call.organisation.name:
        service.reject("reservation-foreign")
    return service.answers.reservation(reservation, order)


def find_reservation(service: SandboxService, call: SandboxRequest) -> Json:
    """GET /reservation?orderId={orderId}: the reservation of a booked order."""
    wanted = call.query.get("orderId")
    if not wanted:
        raise service.rejection("order-query-missing")
    order = own_order(service, call, service.identifier(wanted))
    reservation = service.book.reservations.get(order.reservation or "")
    if reservation is None:
        raise service.rejection("reservation-not-yet")
    return service.answers.reservation(reservation, order)
