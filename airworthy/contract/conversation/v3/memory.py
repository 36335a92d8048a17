"""What exchanges of v3 and v2 have shown of flights, booking requests and bookings, separately for each version.

Ids are integers in bodies and text in paths (OPEN-22), and in v2 perhaps text everywhere (OPEN-99); here all are text.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import orjson

from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.moments import moment
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation.agreement import completed, kept, remembered, without
from airworthy.contract.conversation.store import ConversationStore, Subject
from airworthy.contract.conversation.v3.bag_options import bag_options, checked_bag, luggage_options
from airworthy.contract.conversation.v3.bag_pieces import KINDS, Pieces, of_request, pieces, weights
from airworthy.contract.conversation.v3.declined_payments import (
    attempt_failed,
    payment_failed,
    payment_may_have_failed,
    terms,
)
from airworthy.contract.conversation.v3.journeys import Journey, is_there_and_back, journey
from airworthy.contract.conversation.v3.parties import COUNTS, Party, named_passengers
from airworthy.contract.conversation.v3.resources import (
    DeclinedPayment,
    Ended,
    HeldPrice,
    SeenBooking,
    SeenBookingRequest,
    SeenFlight,
    Way,
)
from airworthy.contract.http.transaction import Transaction, as_number, items, member, whole

SEARCHES = ("searchFlights", "searchFlightsV2")
REQUESTS = ("createRequests", "createRequestsV2")
BOOKINGS = ("createBookings", "createBookingsV2")
RETRIEVALS = ("getBookings", "getBookingsV2")
MOST_OF_A_PAGE = 200
MOST_IDS = 20
LONGEST_ID = 100
AWAITING, CONFIRMED, CANCELED, CHANGED = STATUSES = ("AWAITING_PNR_AIRLINE", "CONFIRMED", "CANCELED", "CHANGED")
_IDS = {
    "createRequests": "flight_ids",
    "createRequestsV2": "flights",
    "createBookings": "request_ids",
    "createBookingsV2": "requests",
}
# What changes between two responses, and is not remembered.
_PASSING = ("status", "final_flight")

SUBJECTS: tuple[Subject, ...] = ("flight", "booking request", "booking", "reference", "record locator")
_SUBJECTS: Mapping[str, Subject] = {
    "offerId": "offer",
    "fareId": "fare",
    "orderId": "order",
    "reservationId": "reservation",
}

WAYS: tuple[Way, Way] = ("outward", "return")


@dataclass(frozen=True, slots=True)
class NamedId:
    """An id in a request: what it identifies, the id, and its location."""

    subject: Subject
    id: str
    place: tuple[str | int, ...] = field(default=())
    where: str = ""


def identifier(value: Json) -> str:
    """Return the id of a flight, a booking request or a booking as text, or an empty string if it is not an id."""
    number = whole(value)
    if number is not None:
        return str(number)
    return value if isinstance(value, str) and len(value) <= LONGEST_ID else ""


def returned_id(value: Json) -> str:
    """Return an id in a response as text, or an empty string if it is not an integer, which the schema reports."""
    return "" if whole(value) is None else identifier(value)


def sent_ids(transaction: Transaction) -> list[str]:
    """Return the ids in the body of a booking request or a booking; an empty string for what is not an id."""
    found = member(transaction.sent, _IDS[transaction.operation])
    return [identifier(each) for each in found[: MOST_IDS + 1]] if isinstance(found, list) else []


def named(transaction: Transaction) -> Iterator[NamedId]:
    """Yield the ids and references in a request that earlier responses have shown."""
    return (each for each in _named(transaction) if each.id)


def _named(transaction: Transaction) -> Iterator[NamedId]:
    operation = transaction.operation
    if operation in (*REQUESTS, *BOOKINGS):
        for index, each in enumerate(sent_ids(transaction)):
            yield NamedId("flight" if operation in REQUESTS else "booking request", each, (_IDS[operation], index))
    elif operation == "cancelRequest":
        yield NamedId("booking request", transaction.url.path_values.get("request_id", ""), where="path")
    elif operation in RETRIEVALS:
        yield NamedId("reference", reference(transaction.url.query_value("cp_reference")), where="query:cp_reference")
    elif transaction.url.version == "v4":
        for name, value in transaction.url.path_values.items():
            yield NamedId(_SUBJECTS[name], identifier(value), where="path")
        for name in _SUBJECTS if transaction.url.query else ():
            yield NamedId(_SUBJECTS[name], identifier(transaction.url.query_value(name)), where=f"query:{name}")


def reference(value: Json) -> str:
    """Return a booking reference in normal form: its letter case does not count."""
    return value.casefold() if isinstance(value, str) and len(value) <= LONGEST_ID else ""


@lru_cache(maxsize=2)
def listed_flights(transaction: Transaction, path: str) -> tuple[tuple[Node, str, Journey], ...]:
    """Return each flight at a path of a response, with its id and its journey."""
    flights = transaction.response.each(path)
    return tuple((flight, returned_id(flight.get("id")), journey(flight.value)) for flight in flights)


class V3Memory:
    """Remembers the flights, booking requests and bookings that exchanges of v3 and v2 have shown."""

    def __init__(self, store: ConversationStore, *, dates: bool = True) -> None:
        self._store, self._dates = store, dates

    def flight(self, version: str, key: str) -> SeenFlight | None:
        """Return what is known of a flight."""
        found = self._store.get("flight", f"{version} {key}")
        return found if isinstance(found, SeenFlight) else None

    def request(self, version: str, key: str) -> SeenBookingRequest | None:
        """Return what is known of a booking request."""
        found = self._store.get("booking request", f"{version} {key}")
        return found if isinstance(found, SeenBookingRequest) else None

    def booking(self, version: str, key: str) -> SeenBooking | None:
        """Return what is known of a booking."""
        found = self._store.get("booking", f"{version} {key}")
        return found if isinstance(found, SeenBooking) else None

    def passengers(self, transaction: Transaction, request: str) -> int | None:
        """Return the number of passengers of a booking: as sent with it, or with its booking request."""
        sent, held = named_passengers(transaction), self.request(transaction.url.version, request)
        return len(sent) or None if isinstance(sent, list) else held.passengers if held else None

    def sent_passengers(self, transaction: Transaction, request: str) -> Json:
        """Return the passengers of a booking: as sent with it, or with its booking request."""
        sent = named_passengers(transaction)
        return sent or (remembered(held.sent) if (held := self.request(transaction.url.version, request)) else None)

    def requested_pieces(self, transaction: Transaction, request: str) -> Pieces | None:
        """Return the bags of a booking request or, in v2, those sent with a booking if all were offered (OPEN-86)."""
        held, luggage = self.request(transaction.url.version, request), member(transaction.sent, "luggage", request)
        if transaction.url.version != "v2":
            return held.pieces if held else None
        offered = {weight for weight, _ in held.luggage} if held and held.luggage is not None else None
        named = {checked_bag(each) for each in items(luggage)}
        return pieces({"checked": luggage}) if offered is None or named <= offered else None

    def bookings_of(self, version: str, key: str) -> tuple[str, ...]:
        """Return the ids of the bookings that were made under a reference."""
        found = self._store.get("reference", f"{version} {key}")
        return found if isinstance(found, tuple) else ()

    def is_external_id(self, transaction: Transaction, text: str) -> bool:
        """Return whether the caller has sent a text as the external id of a booking."""
        return self._store.get("external id", f"{transaction.url.version} {transaction.caller} {text}") is not None

    def is_fare(self, outward: str, back: str) -> bool:
        """Return whether a round-trip fare was seen for two flights, in this order."""
        return self._store.get("round trip", f"{outward} {back}") is True

    def is_in_a_fare(self, flight: str) -> bool:
        """Return whether a round-trip fare was seen for a flight, whether or not the flight itself was."""
        return self._store.get("round trip", flight) is True

    def are_of_two_fares(self, outward: str, back: str) -> bool:
        """Return whether a complete response had a fare with either flight, but none with both."""
        pages = [self._store.get("round trip", key) for key in (f"{outward} outward", f"{back} return")]
        return pages[0] is not None and pages[0] == pages[1] and not self.is_fare(outward, back)

    def knows(self, version: str, what: NamedId) -> bool:
        """Return whether v2 or v3 has shown an id; for an id of v4, whatever it identifies there."""
        known = self.identified(version, what.id)
        return bool(known) if what.subject in _SUBJECTS.values() else what.subject in known

    def identified(self, version: str, key: str) -> list[Subject]:
        """Return what an id of v2 or v3 has identified so far."""
        return [each for each in SUBJECTS if self._store.get(each, f"{version} {key}") is not None]

    def is_further_page(self, transaction: Transaction) -> bool:
        """Return whether a search continues an earlier one with the same parameters, by its cursor."""
        cursor = transaction.url.query_value("next_page_id")
        return cursor is not None and self._store.get("page", _page(transaction, cursor)) is True

    def observe(self, transaction: Transaction, wrong: frozenset[str]) -> None:
        """Remember what an exchange of v2 or v3 shows, except for what is ``wrong``."""
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
                self._paid(transaction, wrong)
            case "getBookings" | "getBookingsV2":
                for index, booking in enumerate(items(transaction.delivered, "bookings")[:MOST_IDS]):
                    sound = without(booking, f"/bookings/{index}", wrong)
                    self._seen(transaction, booking, SeenBooking(request=returned_id(sound.get("request_id"))), sound)
                    self._referred(transaction, sound)

    def _found(self, transaction: Transaction) -> None:
        for flight, key, flies in listed_flights(transaction, "results/*")[:MOST_OF_A_PAGE]:
            options = bag_options(orjson.dumps(flight.get("bags")))
            if key and options is None:
                self._store.put(
                    "flight", f"{transaction.url.version} {key}", SeenFlight(needs_documents=False, journey=flies)
                )
            elif key and options is not None:
                checked, cabin = every_checked, every_cabin = options
                known = self.flight(transaction.url.version, key)
                if known is not None and known.searched:
                    # Searches are cached and may differ (OPEN-37): only options that all of them showed must be listed.
                    checked, cabin = checked & known.checked, cabin & known.cabin
                    every_checked, every_cabin = every_checked | known.any_checked, every_cabin | known.any_cabin
                needs = flight.get("need_apis") is True
                flight_now = SeenFlight(needs, True, checked, cabin, every_checked, every_cabin, flies)
                self._store.put("flight", f"{transaction.url.version} {key}", flight_now)

    def _fares(self, transaction: Transaction) -> None:
        is_whole = (
            member(transaction.delivered, "next_page_id") is None
            and transaction.url.query_value("next_page_id") is None
        )
        for fare in items(transaction.delivered, "fares")[:MOST_OF_A_PAGE]:
            pair = (returned_id(fare.get("outward_id")), returned_id(fare.get("return_id")))
            for each in (" ".join(pair), *pair):
                self._store.put("round trip", each, value=True)
            for key, way in zip(pair, WAYS, strict=True) if is_whole else ():
                self._store.put("round trip", f"{key} {way}", transaction.exchange.id)
        for flight, key, flies in listed_flights(transaction, "flights/*")[:MOST_OF_A_PAGE]:
            if key and self.flight(transaction.url.version, key) is None:
                needs = flight.get("need_apis") is True
                seen = SeenFlight(needs, journey=flies)
                self._store.put("flight", f"{transaction.url.version} {key}", seen)

    def _requested(self, transaction: Transaction) -> None:
        requested, held = sent_ids(transaction), items(transaction.delivered, "requests")[:MOST_IDS]
        keys = [returned_id(each.get("id")) for each in held]
        flights = [returned_id(member(each, "flight", "id")) for each in held]
        # A response for other flights has a finding of its own, which must not be repeated for the bookings.
        is_for_sent = sorted(flights) == sorted(requested) and len(set(keys)) == len(keys)
        ways, back = self._ways(transaction, requested), _back(held, flights == requested)
        passengers = member(transaction.sent, "passengers")
        number = len(passengers) if isinstance(passengers, list) else None
        for each, key, flight_id in zip(held, keys, flights, strict=True):
            if not key:
                continue
            of, flight = flight_id if is_for_sent else "", member(each, "flight")
            request = SeenBookingRequest(
                requested=transaction.started,
                created=transaction.completed_by(dates=self._dates),
                needs_documents=member(flight, "need_apis") is True,
                flight=of,
                passengers=number,
                caller=transaction.caller,
                way=ways.get(of),
                back=back if each is held[0] else "",
                price=HeldPrice.of(each),
                luggage=luggage_options(flight),
                pieces=of_request(member(transaction.sent, "bags", of), flight),
                weights=weights(member(transaction.sent, "bags", of, "checked")),
                shown=kept(flight),
                sent=kept(passengers) if isinstance(passengers, list) else b"",
                stamp=moment(each.get("created_at")),
                bags_fee=tuple(as_number(member(each, "bags_fee", kind)) for kind in KINDS),
                party=_party(passengers, each),
            )
            self._store.put("booking request", f"{transaction.url.version} {key}", request)

    def _ways(self, transaction: Transaction, flights: list[str]) -> Mapping[str, Way]:
        """Return the directions of the flights of a round-trip fare; known only if the fare was seen (OPEN-87)."""
        is_trip = member(transaction.sent, "fare_type") == "round_trip" and len(flights) == len(WAYS)
        return dict(zip(flights, WAYS, strict=True)) if is_trip and self.is_fare(*flights) else {}

    def _paid(self, transaction: Transaction, wrong: frozenset[str]) -> None:
        failed, requests = payment_failed(transaction), sent_ids(transaction)
        held = [self.request(transaction.url.version, each) for each in requests]
        booked = items(transaction.delivered, "bookings")[:MOST_IDS]
        # Alone, or in another order than in the fare, either may be the way out (OPEN-93, OPEN-97, OPEN-98).
        if [each and each.way for each in held] != list(WAYS) or 0 < len(booked) < len(WAYS):
            first = next(iter(held), None)
            is_trip = first is not None and [first.back] == requests[1:] != [""] and len(booked) == len(WAYS)
            for request in requests:
                self._put(transaction, request, way="outward" if is_trip and request == requests[0] else None)
        for index, booking in enumerate(booked):
            self._booked(transaction, booking, without(booking, f"/bookings/{index}", wrong))
        for request in requests:
            self._put(transaction, request, attempted=True)
        # What another organisation tries to pay is rejected before it pays.
        own = [
            request
            for request, known in zip(requests, held, strict=True)
            if known and known.caller == transaction.caller
        ]
        attempted = attempt_failed(transaction)
        declined = DeclinedPayment(terms(transaction), frozenset(requests), transaction.completed, failed, attempted)
        for request in own if failed or payment_may_have_failed(transaction) else ():
            self._put(transaction, request, declined=declined)
            # Which of several booking requests a failed payment aborts is open (OPEN-97).
            if failed and len(requests) == 1:
                self._end(transaction, request, "aborted")

    def _end(self, transaction: Transaction, request: str, how: Ended) -> None:
        self._put(transaction, request, ended=how, since=transaction.completed, exchange=transaction.exchange.id)

    def _put(self, transaction: Transaction, request: str, **what: Any) -> None:  # noqa: ANN401 - members of SeenBookingRequest
        known = self.request(transaction.url.version, request)
        if known is not None and known.ended is None:
            self._store.put("booking request", f"{transaction.url.version} {request}", replace(known, **what))

    def _booked(self, transaction: Transaction, booking: dict[str, Any], sound: dict[str, Any]) -> None:
        request = returned_id(booking.get("request_id"))
        self._end(transaction, request, "booked")
        sent = member(transaction.sent, "external_id")
        external_id = sent if isinstance(sent, str) and 0 < len(sent) <= LONGEST_ID else None
        if external_id:
            self._store.put("external id", f"{transaction.url.version} {transaction.caller} {external_id}", value=True)
        # A finding on this response must not be repeated when the booking is retrieved.
        own = request if request in sent_ids(transaction) else ""
        new = SeenBooking(
            booked=transaction.ended,
            external_id=external_id,
            request=own,
            caller=transaction.caller,
            reference=str(booking.get("cp_reference"))[:LONGEST_ID],
            pieces=self.requested_pieces(transaction, own) if {"bags", "luggage"} & sound.keys() else None,
        )
        key = returned_id(booking.get("id"))
        # A test system that starts anew may use ids again: what was known of an earlier booking does not count.
        if key:
            self._store.put("booking", f"{transaction.url.version} {key}", new)
        self._seen(transaction, booking, new, sound)
        self._referred(transaction, booking)

    def _referred(self, transaction: Transaction, booking: dict[str, Any]) -> None:
        under, key = reference(booking.get("cp_reference")), returned_id(booking.get("id"))
        if under and key:
            known = [each for each in self.bookings_of(transaction.url.version, under) if each != key]
            self._store.put("reference", f"{transaction.url.version} {under}", (*known, key)[-MOST_IDS:])

    def _seen(self, transaction: Transaction, booking: dict[str, Any], new: SeenBooking, sound: dict[str, Any]) -> None:
        key, status = returned_id(booking.get("id")), booking.get("status")
        if not key:
            return
        if locator := reference(booking.get("pnr_airline")):
            self._store.put("record locator", f"{transaction.url.version} {locator}", value=True)
        known = self.booking(transaction.url.version, key) or new
        statuses = known.statuses | {each for each in STATUSES if each == status}
        passing = _PASSING if booking.get("flight_changes") else (*_PASSING, "flight_changes")
        seen = replace(known, statuses=statuses, shown=completed(known.shown, sound, passing))
        self._store.put("booking", f"{transaction.url.version} {key}", seen)


def _page(transaction: Transaction, cursor: str) -> str:
    """Return a digest that identifies a page: its cursor and all other parameters."""
    requested = sorted((name, value) for name, value in transaction.url.query if name != "next_page_id")
    text = repr((transaction.url.version, transaction.url.path, requested, cursor))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _back(held: Sequence[Json], in_order: bool) -> str:
    """Return the id of the booking request for the way back if two flights, in this order, are there and back."""
    journeys = [journey(member(each, "flight")) for each in held]
    is_trip = in_order and len(journeys) == len(WAYS) and is_there_and_back(*journeys)
    return returned_id(member(held[1], "id")) if is_trip else ""


def _party(sent: Json, request: Json) -> Party | None:
    """Return the passengers of a v2 booking request, or None if they are not those that were sent (OPEN-99)."""
    held = member(request, "passengers")
    counts = {name: whole(member(sent, name)) for name in COUNTS}
    agree = all(count in (None, whole(member(held, name))) for name, count in counts.items())
    return Party.counted(held) if agree and counts["adults"] is not None else None
