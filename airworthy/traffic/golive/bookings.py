"""What the bookings of a partner, and everything around them, show of the go-live list.

An attempt to book is clear if the service says that it booked, declined the payment or rejected the request. It is
unclear without a response or with a status 5xx: then only a further request shows whether it booked.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from datetime import timedelta
from http import HTTPStatus
from typing import Final, NamedTuple, TypeVar

from airworthy.contract.conversation.limits import CLOCK_TOLERANCE
from airworthy.contract.conversation.v3.declined_payments import payment_failed, payment_may_have_failed
from airworthy.contract.conversation.v3.memory import BOOKINGS, REQUESTS, RETRIEVALS, identifier, reference, sent_ids
from airworthy.contract.conversation.v4.memory import PAYMENT_FAILED
from airworthy.contract.http.exchange import THROTTLING
from airworthy.contract.http.transaction import Transaction, items, member
from airworthy.traffic.golive import findings as ids
from airworthy.traffic.golive import purchases
from airworthy.traffic.golive.items import GoLiveSettings
from airworthy.traffic.golive.progress import ProgressRecord
from airworthy.traffic.golive.purchases import Hold, Purchase, Reading

OPERATIONS: Final = frozenset(
    (
        *(*REQUESTS, *BOOKINGS, *RETRIEVALS, "cancelRequest"),
        *("getOffer", "createOrder", "confirmOrder", "getOrder", "getReservation", "findReservation"),
    )
)
"""The operations that this module reads."""
_REMEMBERED: Final = 10_000
_POLLING: Final = timedelta(minutes=1)
"""Minimum time between the first and the last read that counts as polling; two reads at once do not."""
_NAMES: Final = {True: "an offer", False: "a booking request"}
"""What a client holds, by whether the version is v4."""
_UNSEEN: Final = (
    "the client pays with a payment_intent_id, but the traffic does not show that this payment was authenticated: "
    "only a 406 to an earlier confirmation of the same order does"
)
# Such a rejection does not say what became of an earlier attempt; one for a booked order may have any other status.
_UNANSWERED: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.REQUEST_TIMEOUT, *THROTTLING)

Value = TypeVar("Value")


class BookingObserver:
    """Follows offers, orders, booking requests and bookings, and records what they show. Its memory is bounded."""

    def __init__(self, settings: GoLiveSettings, record: ProgressRecord, memory: "BookingMemory | None" = None) -> None:
        self._settings = settings
        self._record = record
        self.memory = memory or BookingMemory.empty()
        self._offers, self._holds, self._purchases, self._declined, self._unclear, self._bookings = self.memory

    def observe(self, transaction: Transaction) -> None:
        """Take an exchange of one of the `OPERATIONS` into account."""
        if transaction.operation in REQUESTS:
            self._request(transaction)
        elif transaction.operation in BOOKINGS:
            self._attempt(
                transaction, self._known(f"{transaction.url.version} {each}" for each in sent_ids(transaction))
            )
        elif transaction.operation in RETRIEVALS:
            self._retrieve(transaction)
        elif transaction.operation == "cancelRequest":
            self._cancel(transaction)
        elif transaction.operation == "getOffer":
            self._offer(transaction)
        elif transaction.operation == "createOrder":
            self._order(transaction)
        elif transaction.operation == "confirmOrder":
            self._attempt(transaction, self._known([transaction.url.path_values.get("orderId", "").lower()]))
        else:
            self._look_up_order(transaction)

    # What a client buys

    def _offer(self, transaction: Transaction) -> None:
        if (offered := purchases.offer(transaction)) is not None:
            key, hold = offered
            self._hold(transaction, hold)
            self._offers.put(key, hold)

    def _request(self, transaction: Transaction) -> None:
        for request in purchases.booking_requests(transaction):
            if request.hold is not None:
                self._hold(transaction, request.hold)
            self._purchases.put(request.key, request)

    def _cancel(self, transaction: Transaction) -> None:
        request = self._purchases.get(f"{transaction.url.version} {transaction.url.path_values.get('request_id', '')}")
        if request is not None and request.hold is not None and transaction.accepted:
            request.hold.has_ended = True

    def _known(self, keys: Iterable[str]) -> list[Purchase]:
        """Return the purchases with these keys, or none if one of them is not known."""
        found = [self._purchases.get(key) for key in keys]
        return [each for each in found if each is not None] if None not in found else []

    def _hold(self, transaction: Transaction, hold: Hold) -> None:
        """Remember an offer or a booking request; it may replace an expired one for the same flights."""
        key = f"{hold.flights} {hold.travellers}"
        earlier, name = self._holds.get(key), _NAMES[transaction.url.version == "v4"]
        if earlier is not None and not earlier.has_ended:
            age, (shortest, longest) = _age(earlier, transaction), self._lifetimes(transaction)
            reason = f"the client replaces {name} that has expired, but uses no new one"
            if age >= longest:
                hold.replaces = earlier
            else:
                lasts = f"surely expired only {longest.total_seconds():.0f} seconds after its creation"
                reason = f"the client replaces {name} after {age.total_seconds():.0f} seconds; it has {lasts}"
            if age >= shortest:
                self._record.attempt(transaction, ids.EXPIRY, reason, earlier.exchange, earlier.rejected)
        self._holds.put(key, hold)

    def _lifetimes(self, transaction: Transaction) -> tuple[timedelta, timedelta]:
        """Return the age from which an offer or a booking request may have expired, and from which it surely has.

        The clocks of client and service may differ by `CLOCK_TOLERANCE`.
        """
        lifetimes = self._settings.lifetimes
        if transaction.url.version == "v4":
            return lifetimes.offer - CLOCK_TOLERANCE, lifetimes.offer + CLOCK_TOLERANCE
        return lifetimes.request_min - CLOCK_TOLERANCE, lifetimes.request_max + CLOCK_TOLERANCE

    def _is_expired(self, hold: Hold, transaction: Transaction) -> bool:
        return _age(hold, transaction) >= self._lifetimes(transaction)[1]

    def _use(self, transaction: Transaction, hold: Hold) -> None:
        """Note that an offer was ordered, or a booking request was booked."""
        hold.has_ended = True
        if (earlier := hold.replaces) is not None:
            self._record.show(transaction, ids.EXPIRY, earlier.exchange, earlier.rejected, hold.exchange)

    def _reject(self, transaction: Transaction, hold: Hold) -> None:
        """Note that the service rejects an offer or a booking request that has expired, not only its payload.

        From then on the client knows it, and starts again.
        """
        if not self._is_expired(hold, transaction):
            return
        name = _NAMES[transaction.url.version == "v4"]
        if hold.rejected_at is not None and transaction.started >= hold.rejected_at:
            where = "query:offerId" if transaction.url.version == "v4" else ""
            text = f"the client uses {name} again that the service rejected after its expiry"
            what = text, "a new one", "the expired one"
            self._record.contradict(transaction, ids.EXPIRY, *what, hold.exchange, hold.rejected, pointer=where)
        elif not hold.rejected and transaction.status != HTTPStatus.BAD_REQUEST:
            hold.rejected, hold.rejected_at = transaction.exchange.id, transaction.ended
            reason = f"the client uses {name} that has expired, and no new one after it"
            self._record.attempt(transaction, ids.EXPIRY, reason, hold.exchange)

    def _order(self, transaction: Transaction) -> None:
        offered = self._offers.get((transaction.url.query_value("offerId") or "").lower())
        if transaction.rejected and offered is not None:
            self._reject(transaction, offered)
        order = purchases.order(transaction, offered)
        if order is not None:
            self._purchases.put(order.key, order)
            if offered is not None:
                self._use(transaction, offered)

    def _attempt(self, transaction: Transaction, wanted: list[Purchase]) -> None:
        """Take a confirmation or a booking into account, whatever its outcome."""
        exchange = transaction.exchange.id
        for each in wanted:
            if transaction.url.version == "v2":
                each.people = purchases.people(items(transaction.sent, "passengers"))
                each.checked = purchases.luggage(transaction, each.key)
        if transaction.exchange.response is None or transaction.failed:
            for each in wanted:
                self._check_repetition(transaction, each)
                each.unclear = each.unclear or exchange
                self._unclear.put(each.key, each)
            return
        for each in wanted if transaction.status not in _UNANSWERED else ():
            self._resolve(transaction, each)
        if transaction.accepted and (transaction.url.version == "v4" or items(transaction.delivered, "bookings")):
            self._book(transaction, wanted)
            return
        self._decline(transaction, wanted)
        for each in wanted if transaction.url.version != "v4" and transaction.rejected else ():
            if each.hold is not None and not each.is_declined and not each.unclear:
                self._reject(transaction, each.hold)

    def _resolve(self, transaction: Transaction, purchase: Purchase) -> None:
        """Note that the client asks what became of a purchase after an unclear response."""
        if purchase.unclear and not purchase.is_resolved:
            purchase.is_resolved = True
            self._record.show(transaction, ids.SAFE_RETRY, purchase.unclear)

    def _decline(self, transaction: Transaction, wanted: list[Purchase]) -> None:
        exchange = transaction.exchange.id
        # Which status a failed payment has is open (OPEN-91).
        is_by_card = isinstance(member(transaction.sent, "payment_method"), str)
        is_forbidden = is_by_card and transaction.status == HTTPStatus.FORBIDDEN
        if transaction.url.version == "v4":
            is_failed = member(transaction.delivered, "status") == "FAILED"
            for each in wanted if is_failed or transaction.status in PAYMENT_FAILED else ():
                if transaction.status == HTTPStatus.NOT_ACCEPTABLE:
                    each.unverified = exchange
                else:
                    self._declined.put(each.buyer, exchange)
        elif payment_failed(transaction) or payment_may_have_failed(transaction) or is_forbidden:
            for each in wanted:
                # After an unclear response, the rejection says that it is booked already.
                if not each.unclear and not (each.hold and self._is_expired(each.hold, transaction)):
                    each.is_declined = True
                    self._declined.put(each.buyer, exchange)

    def _book(self, transaction: Transaction, wanted: list[Purchase]) -> None:
        self._record.show(transaction, ids.BOOK_ONCE)
        is_secure = isinstance(member(transaction.sent, "three_d_secure"), Mapping)
        has_intent = isinstance(member(transaction.sent, "payment_intent_id"), str)
        if is_secure:
            self._record.show(transaction, ids.SECURE)
        for each in wanted:
            self._check_repetition(transaction, each)
            each.booked = each.booked or transaction.exchange.id
            if each.unverified and has_intent:
                self._record.show(transaction, ids.SECURE, each.unverified)
            elif has_intent and transaction.url.version == "v4":
                self._record.attempt(transaction, ids.SECURE, _UNSEEN)
            if declined := self._declined.get(each.buyer):
                self._record.show(transaction, ids.FAILED_PAYMENT, declined)
            if each.hold is not None and transaction.url.version != "v4":
                self._use(transaction, each.hold)
        if wanted:
            self._cover(transaction, wanted)
        for booking in items(transaction.delivered, "bookings"):
            if key := reference(booking.get("cp_reference")):
                made = wanted[0] if wanted else Purchase("", "", None, booked=transaction.exchange.id)
                self._bookings.put(f"{transaction.url.version} {key}", made)

    def _check_repetition(self, transaction: Transaction, purchase: Purchase) -> None:
        """Check that an attempt does not book again what an earlier, unclear attempt may have booked."""
        for other in self._unclear.values():
            same = other.buyer == purchase.buyer and purchase.people
            if same and other.key != purchase.key and not other.is_resolved:
                text = "the client books the same flights for the same passengers again after an unclear response"
                what = text, "a request that shows whether the first attempt booked", "a second booking"
                self._record.contradict(transaction, ids.SAFE_RETRY, *what, other.unclear)
                return

    def _cover(self, transaction: Transaction, wanted: list[Purchase]) -> None:
        """Show the go-live bookings that a booking is."""
        settings = self._settings
        has_two_ways = len(wanted) > 1 and transaction.url.version != "v4"
        shown = {
            "GOLIVE-ADULTS": all(each.adults >= settings.adults for each in wanted),
            "GOLIVE-INFANTS": all(each.infants >= settings.infants for each in wanted),
            "GOLIVE-CHILDREN": all(each.children for each in wanted),
            "GOLIVE-ROUND-TRIP": has_two_ways or any(each.hold and each.hold.is_round_trip for each in wanted),
        }
        chosen = {"CHECKED": [each.checked for each in wanted], "CABIN": [each.cabin for each in wanted]}
        for kind, bags in chosen.items():
            shown[f"GOLIVE-{kind}-BAGS"] = None not in bags and any(bags)
            shown[f"GOLIVE-NO-{kind}-BAGS"] = None not in bags and not any(bags)
        created = [each.hold.exchange for each in wanted if each.hold]
        for item, is_shown in shown.items():
            if is_shown:
                self._record.show(transaction, item, *created)

    # Retrieval

    def _look_up_order(self, transaction: Transaction) -> None:
        key = _order_of(transaction)
        purchase = self._purchases.get(key)
        if purchase is None or transaction.failed or transaction.exchange.response is None:
            return
        if transaction.fulfilled or transaction.status == HTTPStatus.NOT_FOUND:
            self._resolve(transaction, purchase)
        if not transaction.fulfilled:
            return
        is_reservation = transaction.operation != "getOrder"
        if not purchase.booked and (is_reservation or member(transaction.delivered, "status") == "BOOKED"):
            purchase.booked = purchase.unclear or transaction.exchange.id
            self._record.show(transaction, ids.BOOK_ONCE, purchase.unclear)
            self._cover(transaction, [purchase])
        if purchase.booked:
            self._record.show(transaction, ids.RETRIEVAL, purchase.booked)
        if is_reservation and member(transaction.delivered, "pnr"):
            self._record.show(transaction, ids.LOCATOR, purchase.booked)

    def _retrieve(self, transaction: Transaction) -> None:
        version, found = transaction.url.version, items(transaction.delivered, "bookings")
        for booking in found:
            request = self._purchases.get(f"{version} {identifier(booking.get('request_id'))}")
            if request is not None:
                self._resolve(transaction, request)
            made = self._bookings.get(f"{version} {reference(booking.get('cp_reference'))}") or request
            if made is None:
                continue
            seen = Reading(transaction.exchange.id, transaction.ended, transaction.service_time)
            first = made.first_read = made.first_read or seen
            self._record.show(transaction, ids.RETRIEVAL, made.booked)
            is_due = booking.get("pnr_airline") is None and booking.get("status") == "AWAITING_PNR_AIRLINE"
            if booking.get("pnr_airline") or (is_due and _age(first, transaction) >= _POLLING):
                self._record.show(transaction, ids.LOCATOR, made.booked, first.exchange)


def _age(earlier: Hold | Reading, transaction: Transaction) -> timedelta:
    """Return how long ago something was, by the recording or by the clock of the service."""
    now, age = transaction.service_time, transaction.started - earlier.created
    return max(age, now - earlier.service_time) if now is not None and earlier.service_time is not None else age


class _Remembered(OrderedDict[str, Value]):
    def put(self, key: str, value: Value) -> None:
        self[key] = value
        self.move_to_end(key)
        if len(self) > _REMEMBERED:
            self.popitem(last=False)


class BookingMemory(NamedTuple):
    """What a `BookingObserver` remembers. It can be pickled as a whole: its parts share objects."""

    offers: _Remembered[Hold]
    holds: _Remembered[Hold]
    purchases: _Remembered[Purchase]
    declined: _Remembered[str]
    unclear: _Remembered[Purchase]
    bookings: _Remembered[Purchase]

    @classmethod
    def empty(cls) -> "BookingMemory":
        """Return the memory before the first exchange."""
        return cls(_Remembered(), _Remembered(), _Remembered(), _Remembered(), _Remembered(), _Remembered())


def _order_of(transaction: Transaction) -> str:
    """Return the id of the order that a request reads, in lower case."""
    found = (
        transaction.url.path_values.get("orderId")
        or transaction.url.query_value("orderId")
        or member(transaction.delivered, "orderId")
    )
    return found.lower() if isinstance(found, str) else ""
