"""What exchanges of v4 have shown of offers, orders and reservations."""

from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from typing import Any

from airworthy.contract.bodies.body import Json
from airworthy.contract.conversation.agreement import LARGEST, completed, kept, without
from airworthy.contract.conversation.store import ConversationStore, Subject
from airworthy.contract.conversation.v3.memory import reference
from airworthy.contract.conversation.v4.resources import (
    MOST_NAMES,
    SEGMENTS,
    OrderPrice,
    SeenOffer,
    SeenOrder,
    bag_options,
    price_of_fare,
    requested_flights,
)
from airworthy.contract.http.transaction import Transaction, amount, items, member, method, same_id, whole

ORDERS_OF_AN_OFFER = 20
OFFERS_OF_A_FARE = 20
REFUSED = (HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN)
PAYMENT_FAILED = (HTTPStatus.PAYMENT_REQUIRED, HTTPStatus.NOT_ACCEPTABLE, HTTPStatus.UNPROCESSABLE_ENTITY)
SUBJECTS: tuple[Subject, ...] = ("offer", "fare", "order", "reservation")
_COUNTS = {"adult": "adults", "child": "children", "infant": "infants"}


class V4Memory:
    """Remembers the offers, orders and reservations that exchanges of v4 have shown."""

    def __init__(self, store: ConversationStore, *, dates: bool = True) -> None:
        self._store, self._dates = store, dates

    def offer(self, key: Json) -> SeenOffer | None:
        """Return what is known of an offer."""
        found = self._get("offer", key)
        return found if isinstance(found, SeenOffer) else None

    def may_be_renewed(self, transaction: Transaction, offer: SeenOffer) -> bool:
        """Return whether the caller sent a Get Offer since, whose response was not seen: it may have the same id.

        A service may return the same id again (OPEN-73).
        """
        sent = self._get("offer", f"unseen {transaction.caller}")
        return isinstance(sent, datetime) and sent > offer.stored.recorded

    def order(self, key: Json) -> SeenOrder | None:
        """Return what is known of an order."""
        found = self._get("order", key)
        return found if isinstance(found, SeenOrder) else None

    def offers_of_fare(self, fare: Json) -> frozenset[str]:
        """Return the offers that a fare was seen in, at most `OFFERS_OF_A_FARE`."""
        found = self._get("fare", fare)
        return found if isinstance(found, frozenset) else frozenset()

    def order_of_reservation(self, reservation: Json) -> str | None:
        """Return the id of the order that a reservation belongs to."""
        found = self._get("reservation", reservation)
        return found if isinstance(found, str) else None

    def identified(self, key: str) -> list[Subject]:
        """Return what an id has identified so far."""
        return [subject for subject in SUBJECTS if self._get(subject, key) is not None]

    def observe(self, transaction: Transaction, wrong: frozenset[str]) -> None:
        """Remember what an exchange of v4 shows, except for what is ``wrong``."""
        if transaction.operation == "confirmOrder":
            self._confirmed(transaction)
        body = transaction.delivered
        sound = without(body, "", wrong) if isinstance(body, dict) else {}
        if not isinstance(body, dict):
            if transaction.operation == "getOffer" and not transaction.rejected:
                self._store.put("offer", f"unseen {transaction.caller}", transaction.ended)
            return
        match transaction.operation:
            case "getOffer":
                self._offered(transaction, body, sound)
            case "getFares":
                self._fares_listed(transaction.url.path_values.get("offerId"), body)
            case "getBaggage":
                self._bags_listed(transaction.url.path_values.get("offerId"), body)
            case "createOrder":
                self._created(transaction, body, sound)
            case "confirmOrder" | "getOrder":
                self._read(transaction, body, sound)
            case "getReservation" | "findReservation":
                self._reserved(transaction, body, sound)

    def _get(self, subject: Subject, key: Json) -> Json:
        return self._store.get(subject, key.lower()) if isinstance(key, str) else None

    def _offered(self, transaction: Transaction, body: dict[str, Any], sound: dict[str, Any]) -> None:
        key = body.get("id")
        if not isinstance(key, str):
            return
        counts = {kind: whole(member(transaction.sent, name)) for kind, name in _COUNTS.items()}
        extra = body.get("providerAdditionalPassengerInformationByPassengerType")
        fare = member(body, "cheapestFare", "id")
        known = self.offer(key)
        fees = {str(option.get("type")): amount(option.get("fee")) for option in items(body, "paymentOptions")}
        offer = SeenOffer(
            requested=transaction.started,
            stored=transaction.completed_by(dates=self._dates),
            counts={kind: count for kind, count in counts.items() if count is not None},
            fares=known.fares if known else frozenset(),
            identification={kind: _texts(extra, kind, "providerIdentificationTypeOptions") for kind in _COUNTS},
            required={kind: _texts(extra, kind, "providerRequiredAdditionalFields") for kind in _COUNTS},
            fees={kind: fee for kind, fee in fees.items() if fee is not None},
            bags=known.bags if known else {},
            orders=known.orders if known else (),
            flights=requested_flights(transaction.sent),
            caller=transaction.caller,
            one_way=member(transaction.sent, "tripType") == "ONE_WAY",
            cheapest=fare.lower() if isinstance(fare, str) else "",
            price=amount(member(body, "cheapestFare", "totalPrice")),
            shown=kept({name: sound.get(name) for name in (*SEGMENTS, "cheapestFare")}),
            booked=known.booked if known else False,
        )
        self._store.put("offer", key.lower(), offer)
        self._fare_seen(key, [fare])

    def _fare_seen(self, offer: Json, fares: list[Any]) -> None:
        known = self.offer(offer)
        ids = frozenset(fare.lower() for fare in fares if isinstance(fare, str))
        if known is None or not ids:
            return
        self._store.put("offer", offer.lower(), replace(known, fares=known.fares | ids))
        for fare in ids:
            offers = self.offers_of_fare(fare)
            if len(offers) < OFFERS_OF_A_FARE:
                self._store.put("fare", fare, offers | {offer.lower()})

    def _fares_listed(self, offer: Json, body: dict[str, Any]) -> None:
        known = self.offer(offer)
        if known is not None and isinstance(body.get("fares"), list) and body["fares"]:
            fares = [each for each in items(body, "fares")[:MOST_NAMES] if isinstance(each.get("id"), str)]
            prices = {each["id"].lower(): price_of_fare(each)[0] for each in fares}
            listed = kept({fare: {"amount": price} for fare, price in prices.items() if price is not None})
            self._store.put("offer", offer.lower(), replace(known, all_fares=_ids(body["fares"]), listed=listed))

    def _bags_listed(self, offer: Json, body: dict[str, Any]) -> None:
        known = self.offer(offer)
        if known is None:
            return
        bags = dict(known.bags)
        for options in items(body, "fareBaggageOptions")[:MOST_NAMES]:
            fare = options.get("fareId")
            if isinstance(fare, str):
                bags[fare.lower()] = frozenset(bag_options(options))
        self._store.put("offer", offer.lower(), replace(known, bags=bags))
        self._fare_seen(offer, list(bags))

    def _created(self, transaction: Transaction, body: dict[str, Any], sound: dict[str, Any]) -> None:
        key = body.get("id")
        offer, fare = transaction.url.query_value("offerId"), transaction.url.query_value("fareId")
        if not isinstance(key, str) or offer is None or fare is None:
            return
        chosen = method(member(transaction.sent, "paymentMethod"))
        sent = transaction.exchange.request.body or b""
        body_sent = sent if len(sent) <= LARGEST else b""
        order = SeenOrder(offer.lower(), fare.lower(), chosen, body_sent, created=transaction.ended)
        self._store.put("order", key.lower(), order)
        known = self.offer(offer)
        priced = OrderPrice.of(transaction, known)
        if known is not None and priced is not None:
            orders = (*known.orders, priced)[-ORDERS_OF_AN_OFFER:]
            self._store.put("offer", offer.lower(), replace(known, orders=orders))
        self._read(transaction, body, sound)

    def _confirmed(self, transaction: Transaction) -> None:
        key = transaction.url.path_values.get("orderId")
        order = self.order(key)
        failed = transaction.status in PAYMENT_FAILED or member(transaction.delivered, "status") == "FAILED"
        # Another rejection may be for a booked order; a confirmation without a response may have booked it.
        if order is not None and key is not None:
            if not _lacks_the_right(transaction, order):
                refused = transaction.status in REFUSED and order.refused is not False
                order = replace(order, attempted=True, refused=refused)
            if failed or not transaction.rejected:
                order = replace(order, declined=failed and order.declined is not False)
            self._store.put("order", key.lower(), order)

    def _reserved(self, transaction: Transaction, body: dict[str, Any], sound: dict[str, Any]) -> None:
        locator, key, reservation = reference(body.get("pnr")), sound.get("orderId"), sound.get("id")
        self._store.put("reference", f"v4 {locator}", value=True)
        order = self.order(key) or SeenOrder()
        if isinstance(key, str) and isinstance(reservation, str) and order.reserved is None:
            order = replace(order, reservation=order.reservation or reservation.lower())
            caller = order.caller or transaction.caller
            order = replace(order, caller=caller, reservation_shown=kept(sound), reserved=transaction.completed)
            if self.order_of_reservation(reservation) is None:
                self._store.put("reservation", reservation.lower(), key.lower())
            self._store.put("order", key.lower(), order)

    def _read(self, transaction: Transaction, body: dict[str, Any], sound: dict[str, Any]) -> None:
        key = body.get("id")
        requested = transaction.url.path_values.get("orderId")
        if not isinstance(key, str) or (requested is not None and not same_id(key, requested)):
            return
        order = self.order(key) or SeenOrder()
        order = replace(
            order, caller=order.caller or transaction.caller, shown=completed(order.shown, sound, ("status",))
        )
        if body.get("status") == "FAILED" and transaction.operation == "getOrder" and not order.booked:
            order = replace(order, declined=True)
        if body.get("status") == "BOOKED":
            reservation = body.get("reservationId")
            if isinstance(reservation, str):
                order = replace(order, reservation=order.reservation or reservation.lower())
                self._store.put("reservation", reservation.lower(), key.lower())
            if order.booked is None or transaction.ended < order.booked.recorded:
                total = kept(sound.get("totalPrice"))
                order = replace(order, booked=transaction.completed, booked_total=total)
                if (offer := self.offer(order.offer)) is not None:
                    self._store.put("offer", order.offer, replace(offer, booked=True))
            if transaction.operation == "confirmOrder" and not order.confirmed:
                over = (transaction.started, transaction.ended)
                order = replace(order, confirmed=transaction.exchange.id, confirmed_over=over)
        self._store.put("order", key.lower(), order)


def _lacks_the_right(transaction: Transaction, order: SeenOrder) -> bool:
    """Return whether a confirmation was rejected because its key is wrong, or not that of the order (OPEN-59)."""
    is_foreign = order.caller not in ("", transaction.caller)
    denials = (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND) if is_foreign else ()
    return transaction.status in (HTTPStatus.UNAUTHORIZED, *denials)


def _texts(value: Json, *path: str) -> frozenset[str]:
    found = member(value, *path)
    texts = found[:MOST_NAMES] if isinstance(found, list) else []
    return frozenset(text for text in texts if isinstance(text, str))


def _ids(value: Json) -> frozenset[str]:
    """Return every text in a response whose structure is not documented, so that its ids are among them.

    Returns an empty set if there are more texts than `MOST_NAMES`.
    """
    found: set[str] = set()
    waiting = [value]
    while waiting:
        if len(found) > MOST_NAMES:
            return frozenset()
        node = waiting.pop()
        if isinstance(node, dict):
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, str):
            found.add(node.lower())
    return frozenset(found)
