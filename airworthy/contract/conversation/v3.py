"""What was seen so far of flights, booking requests and bookings of v2 and v3, each kept apart by its version.

Ids are integers in bodies and text in paths (OPEN-22), and in v2 perhaps text everywhere (OPEN-99): both are one here.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal

import orjson

from airworthy.contract.body import Json
from airworthy.contract.conversation.store import ConversationStore, Subject
from airworthy.contract.transaction import Transaction, items, member, whole
from airworthy.contract.v3.declined_payments import payment_failed, payment_may_have_failed, terms

SEARCHES = ("searchFlights", "searchFlightsV2")
REQUESTS = ("createRequests", "createRequestsV2")
BOOKINGS = ("createBookings", "createBookingsV2")
RETRIEVALS = ("getBookings", "getBookingsV2")
MOST_OF_A_PAGE = 200
LONGEST_OPTIONS = 8 * 1024
MOST_IDS = 20
LONGEST_ID = 100
LENGTH_OF_A_TIME = len("YYYY-MM-DD HH:mm:ss")
AWAITING, CONFIRMED, CANCELED, CHANGED = STATUSES = ("AWAITING_PNR_AIRLINE", "CONFIRMED", "CANCELED", "CHANGED")
_IDS = {
    "createRequests": "flight_ids",
    "createRequestsV2": "flights",
    "createBookings": "request_ids",
    "createBookingsV2": "requests",
}

SUBJECTS: tuple[Subject, ...] = ("flight", "request", "booking", "reference")
_SUBJECTS: Mapping[str, Subject] = {
    "offerId": "offer",
    "fareId": "fare",
    "orderId": "order",
    "reservationId": "reservation",
}

Ended = Literal["cancelled", "booked", "aborted"]
Way = Literal["outward", "return"]
WAYS: tuple[Way, Way] = ("outward", "return")
Size = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class CabinBagOption:
    """A cabin bag, known by its size (width, height and length), its weight, or both (OPEN-16)."""

    size: Size | None
    weight: float | None


@dataclass(frozen=True, slots=True)
class SeenFlight:
    """Whether passengers of a flight need travel documents, and which bags every search has shown of it.

    ``searched`` says whether one has: round-trip searches show flights without their bags.
    """

    needs_documents: bool
    searched: bool = False
    checked: frozenset[float] = frozenset()
    cabin: frozenset[CabinBagOption] = frozenset()


@dataclass(frozen=True, slots=True)
class DeclinedPayment:
    """What was to be booked, as a digest, and when it was refused."""

    terms: str
    since: datetime


@dataclass(frozen=True, slots=True)
class SeenBookingRequest:
    """A booking request: asked for and created when and for what; how, when and by which exchange it ended.

    ``passengers`` is their number, None where it was not seen; ``caller`` the digest of the key that asked; ``way``
    which one of a round-trip fare it is, where that is known; ``declined`` what may have been a failed payment.
    """

    asked: datetime
    created: datetime
    needs_documents: bool = False
    flight: str = ""
    passengers: int | None = None
    caller: str = ""
    way: Way | None = None
    declined: DeclinedPayment | None = None
    ended: Ended | None = None
    since: datetime | None = None
    exchange: str = ""


@dataclass(frozen=True, slots=True)
class SeenBooking:
    """A booking: made when, of which request and with which external id, where that was seen; its statuses so far.

    ``passengers`` is the number of their records; ``caller`` the digest of the key that made it; ``departs`` when its
    flight was to leave.
    """

    booked: datetime | None = None
    external_id: str | None = None
    request: str = ""
    passengers: int | None = None
    caller: str = ""
    departs: str = ""
    statuses: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class NamedId:
    """An id that a request names: of what, where it stands, and itself."""

    subject: Subject
    id: str
    place: tuple[str | int, ...] = field(default=())
    where: str = ""


def identifier(value: Json) -> str:
    """Return the id of a flight, a request or a booking as text, nothing where it is none."""
    number = whole(value)
    if number is not None:
        return str(number)
    return value if isinstance(value, str) and len(value) <= LONGEST_ID else ""


def answered_id(value: Json) -> str:
    """Return the id that an answer names, as text; nothing where it is no integer, which is said of itself."""
    return "" if whole(value) is None else identifier(value)


def sent_ids(transaction: Transaction) -> list[str]:
    """Return the ids that a booking request or a booking is for; nothing for what is no id."""
    found = member(transaction.sent, _IDS[transaction.operation])
    return [identifier(each) for each in found[: MOST_IDS + 1]] if isinstance(found, list) else []


def named(transaction: Transaction) -> Iterator[NamedId]:
    """Yield the ids and references of earlier answers that a request names."""
    return (each for each in _named(transaction) if each.id)


def _named(transaction: Transaction) -> Iterator[NamedId]:
    operation = transaction.operation
    if operation in (*REQUESTS, *BOOKINGS):
        for index, each in enumerate(sent_ids(transaction)):
            yield NamedId("flight" if operation in REQUESTS else "request", each, (_IDS[operation], index))
    elif operation == "cancelRequest":
        yield NamedId("request", transaction.url.path_values.get("request_id", ""), where="path")
    elif operation in RETRIEVALS:
        yield NamedId("reference", reference(transaction.url.query_value("cp_reference")), where="query:cp_reference")
    elif transaction.url.version == "v4":
        for name, value in transaction.url.path_values.items():
            yield NamedId(_SUBJECTS[name], identifier(value), where="path")
        for name in _SUBJECTS if transaction.url.query else ():
            yield NamedId(_SUBJECTS[name], identifier(transaction.url.query_value(name)), where=f"query:{name}")


def reference(value: Json) -> str:
    """Return a booking reference as passengers may write it: its letter case does not count."""
    return value.casefold() if isinstance(value, str) and len(value) <= LONGEST_ID else ""


def departure(booking: Json) -> str:
    """Return when the original flight of a booking leaves, nothing where that is no time."""
    departs = member(booking, "flight", "departure_date")
    return departs if isinstance(departs, str) and len(departs) == LENGTH_OF_A_TIME else ""


def checked_bag(option: Json) -> float | None:
    """Return what tells a checked bag option from others: its weight."""
    return _number(member(option, "weight"))


def cabin_bag(option: Json) -> CabinBagOption:
    """Return what tells a cabin bag option from others: its dimensions, its weight, or both."""
    size = [_number(member(option, "dimensions", name)) for name in ("width", "height", "length")]
    return CabinBagOption(None if None in size else tuple(size), _number(member(option, "weight")))


class V3Memory:
    """Remembers flights, booking requests and bookings of one traffic."""

    def __init__(self, store: ConversationStore) -> None:
        self._store = store

    def flight(self, version: str, key: str) -> SeenFlight | None:
        """Return what is known of a flight."""
        found = self._store.get("flight", f"{version} {key}")
        return found if isinstance(found, SeenFlight) else None

    def request(self, version: str, key: str) -> SeenBookingRequest | None:
        """Return what is known of a booking request."""
        found = self._store.get("request", f"{version} {key}")
        return found if isinstance(found, SeenBookingRequest) else None

    def booking(self, version: str, key: str) -> SeenBooking | None:
        """Return what is known of a booking."""
        found = self._store.get("booking", f"{version} {key}")
        return found if isinstance(found, SeenBooking) else None

    def passengers(self, transaction: Transaction, request: str) -> int | None:
        """Return how many passengers a booking of a request is for: as sent with it, or with the request."""
        sent, held = member(transaction.sent, "passengers"), self.request(transaction.url.version, request)
        return len(sent) or None if isinstance(sent, list) else held.passengers if held else None

    def bookings_of(self, version: str, key: str) -> tuple[str, ...]:
        """Return the ids of the bookings that were made under a reference."""
        found = self._store.get("reference", f"{version} {key}")
        return found if isinstance(found, tuple) else ()

    def is_fare(self, outward: str, back: str) -> bool:
        """Whether a round-trip fare was seen for two flights, in this order."""
        return self._store.get("round trip", f"{outward} {back}") is True

    def are_of_two_fares(self, outward: str, back: str) -> bool:
        """Whether an answer that held all fares had one with either flight, and none with both."""
        answers = [self._store.get("round trip", key) for key in (f"{outward} outward", f"{back} return")]
        return answers[0] is not None and answers[0] == answers[1] and not self.is_fare(outward, back)

    def knows(self, version: str, what: NamedId) -> bool:
        """Whether an id was seen in v2 or v3, in the place of one of v4 whatever it is there."""
        subjects = SUBJECTS if what.subject in _SUBJECTS.values() else (what.subject,)
        return any(self._store.get(each, f"{version} {what.id}") is not None for each in subjects)

    def is_further_page(self, transaction: Transaction) -> bool:
        """Whether a search continues one that asked for the same, by the cursor that it was answered with."""
        cursor = transaction.url.query_value("next_page_id")
        return cursor is not None and self._store.get("page", _page(transaction, cursor)) is True

    def observe(self, transaction: Transaction) -> None:
        """Remember what an exchange of v2 or v3 shows."""
        cursor = member(transaction.delivered, "next_page_id")
        if isinstance(cursor, str):
            self._store.put("page", _page(transaction, cursor), value=True)
        match transaction.operation:
            case "searchFlights" | "searchFlightsV2":
                self._found(transaction)
            case "searchRoundTrips":
                self._fares(transaction)
            case "createRequests" | "createRequestsV2":
                self._requested(transaction)
            case "cancelRequest" if transaction.accepted:
                self._end(transaction, transaction.url.path_values["request_id"], "cancelled")
            case "createBookings" | "createBookingsV2":
                self._paid(transaction)
            case "getBookings" | "getBookingsV2":
                for booking in items(transaction.delivered, "bookings")[:MOST_IDS]:
                    self._seen(transaction, booking, SeenBooking())

    def _found(self, transaction: Transaction) -> None:
        for flight in items(transaction.delivered, "results")[:MOST_OF_A_PAGE]:
            key = answered_id(flight.get("id"))
            options = _options(orjson.dumps(flight.get("bags")))
            if key and options is not None:
                checked, cabin = options
                known = self.flight(transaction.url.version, key)
                if known is not None and known.searched:
                    # Searches are cached and may differ (OPEN-37): only what each of them has shown must be listed.
                    checked, cabin = checked & known.checked, cabin & known.cabin
                flight_now = SeenFlight(flight.get("need_apis") is True, True, checked, cabin)
                self._store.put("flight", f"{transaction.url.version} {key}", flight_now)

    def _fares(self, transaction: Transaction) -> None:
        is_whole = (
            member(transaction.delivered, "next_page_id") is None
            and transaction.url.query_value("next_page_id") is None
        )
        for fare in items(transaction.delivered, "fares")[:MOST_OF_A_PAGE]:
            pair = (answered_id(fare.get("outward_id")), answered_id(fare.get("return_id")))
            self._store.put("round trip", " ".join(pair), value=True)
            for key, way in zip(pair, WAYS, strict=True) if is_whole else ():
                self._store.put("round trip", f"{key} {way}", transaction.exchange.id)
        for flight in items(transaction.delivered, "flights")[:MOST_OF_A_PAGE]:
            key = answered_id(flight.get("id"))
            if key and self.flight(transaction.url.version, key) is None:
                needs = flight.get("need_apis") is True
                self._store.put("flight", f"{transaction.url.version} {key}", SeenFlight(needs))

    def _requested(self, transaction: Transaction) -> None:
        asked, held = sent_ids(transaction), items(transaction.delivered, "requests")[:MOST_IDS]
        keys = [answered_id(each.get("id")) for each in held]
        flights = [answered_id(member(each, "flight", "id")) for each in held]
        # An answer to something else is said to be one: it would only be said again of the bookings.
        is_answer = sorted(flights) == sorted(asked) and len(set(keys)) == len(keys)
        ways = self._ways(transaction, asked)
        passengers = member(transaction.sent, "passengers")
        number = len(passengers) if isinstance(passengers, list) else None
        for each, key, flight in zip(held, keys, flights, strict=True):
            if key:
                needs = member(each, "flight", "need_apis") is True
                of = flight if is_answer else ""
                request = SeenBookingRequest(
                    transaction.started, transaction.ended, needs, of, number, transaction.caller, ways.get(of)
                )
                self._store.put("request", f"{transaction.url.version} {key}", request)

    def _ways(self, transaction: Transaction, flights: list[str]) -> Mapping[str, Way]:
        """Return the ways of the flights of a round-trip fare; only a fare that was seen tells them (OPEN-87)."""
        is_trip = member(transaction.sent, "fare_type") == "round_trip" and len(flights) == len(WAYS)
        return dict(zip(flights, WAYS, strict=True)) if is_trip and self.is_fare(*flights) else {}

    def _paid(self, transaction: Transaction) -> None:
        for booking in items(transaction.delivered, "bookings")[:MOST_IDS]:
            self._booked(transaction, booking)
        failed = payment_failed(transaction)
        for request in sent_ids(transaction) if failed or payment_may_have_failed(transaction) else ():
            self._put(transaction, request, declined=DeclinedPayment(terms(transaction), transaction.ended))
            if failed:
                self._end(transaction, request, "aborted")

    def _end(self, transaction: Transaction, request: str, how: Ended) -> None:
        self._put(transaction, request, ended=how, since=transaction.ended, exchange=transaction.exchange.id)

    def _put(self, transaction: Transaction, request: str, **what: Any) -> None:  # noqa: ANN401 - members of SeenBookingRequest
        known = self.request(transaction.url.version, request)
        if known is not None and known.ended is None:
            self._store.put("request", f"{transaction.url.version} {request}", replace(known, **what))

    def _booked(self, transaction: Transaction, booking: dict[str, Any]) -> None:
        request = answered_id(booking.get("request_id"))
        self._end(transaction, request, "booked")
        sent = member(transaction.sent, "external_id")
        external_id = sent if isinstance(sent, str) and len(sent) <= LONGEST_ID else None
        records, wanted = booking.get("passengers"), self.passengers(transaction, request)
        # As above: what was not asked for is said of this answer, and not again of those that look the booking up.
        passengers = len(records) if isinstance(records, list) and wanted in (None, len(records)) else None
        own = request if request in sent_ids(transaction) else ""
        made = SeenBooking(transaction.ended, external_id, own, passengers, transaction.caller, departure(booking))
        self._seen(transaction, booking, made)
        under, key = reference(booking.get("cp_reference")), answered_id(booking.get("id"))
        if under and key:
            known = [each for each in self.bookings_of(transaction.url.version, under) if each != key]
            self._store.put("reference", f"{transaction.url.version} {under}", (*known, key)[-MOST_IDS:])

    def _seen(self, transaction: Transaction, booking: dict[str, Any], new: SeenBooking) -> None:
        key, status = answered_id(booking.get("id")), booking.get("status")
        if not key:
            return
        known = self.booking(transaction.url.version, key) or new
        seen = replace(known, statuses=known.statuses | {each for each in STATUSES if each == status})
        self._store.put("booking", f"{transaction.url.version} {key}", seen)


def _page(transaction: Transaction, cursor: str) -> str:
    """Return what stands for a page: the cursor, with everything else that is asked for."""
    asked = sorted((name, value) for name, value in transaction.url.query if name != "next_page_id")
    text = repr((transaction.url.version, transaction.url.path, asked, cursor))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# The flights of a carrier have the same few sets of options.
@lru_cache(maxsize=1024)
def _options(bags: bytes) -> tuple[frozenset[float], frozenset[CabinBagOption]] | None:
    """Return which options a flight's bags are, None where they are too many to be remembered."""
    if len(bags) > LONGEST_OPTIONS:
        return None
    checked, cabin = (items(orjson.loads(bags), kind) for kind in ("checked", "cabin"))
    weights = (checked_bag(option) for option in checked)
    return frozenset(each for each in weights if each is not None), frozenset(map(cabin_bag, cabin))


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
