"""Random conversations with v3 and v2: booking requests and bookings."""

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from hypothesis import strategies

from airworthy.suite.outcomes import Untested
from conformance.explore.random_conversation import (
    FLAW,
    FOREIGN,
    SECOND,
    TIMES,
    Choices,
    Draw,
    ExploredService,
    Move,
    RandomConversation,
    WayToPay,
    at_once,
    described,
    mostly,
    one_of,
    ways_to_pay,
)
from conformance.request_draft import RequestDraft
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import BookingClient, CreatedBookingRequests
from conformance.v3.flight_client import Flight, FlightCriteria
from conformance.v3.request_bodies import BagKind, Interface
from conformance.v3.requested_flights import GONE
from conformance.v4.request_bodies import PassengerCounts

_COUNT = strategies.integers(1, 2)
_FARES = "round_trip_fares"
_SITUATIONS = ("regular", "charter", "connecting", _FARES)
_BAGS: Mapping[Interface, tuple[BagKind, ...]] = {"v3": ("checked", "cabin"), "v2": ("checked",)}
_FAMILY = 5
_PAIR = 2
# How many booking requests are booked at once.
_MOST: Mapping[Interface, int] = {"v3": _PAIR, "v2": 3}
# With more of them, less would happen to each.
_MOST_REQUESTS = 2


@dataclass(frozen=True, slots=True)
class HeldRequest:
    """A booking request that the service accepted, the others that were created with it, and its bag if it has one.

    ``second`` says whether it belongs to the second organisation.
    """

    request: Any
    created: CreatedBookingRequests
    bag: BagKind | None
    second: bool

    @property
    def id(self) -> Any:
        """Its id."""
        return self.request["id"]


def _key(held: HeldRequest) -> str:
    return str(held.id)


def choices(service: ExploredService, interface: Interface, client: BookingClient) -> Choices:
    """Return what a service offers."""

    def fields(words: str) -> object:
        if words == "self_psp":
            assert client.credentials(interface).self_psp
        return client.payment(interface, words)

    sells = service.profile.has_capability
    situations = [each for each in _SITUATIONS if service.profile.route(f"flights_{each}") and sells(each)]
    return {
        "party": service.parties(),
        "way": ways_to_pay(fields, "self_psp", intents=False),
        "situation": [each for each in situations if interface == "v3" or each != _FARES],
        "bag": [None, *(each for each in _BAGS[interface] if sells(f"{each}_bags"))],
    }


class V3Conversation(RandomConversation):
    """A conversation about booking requests and bookings."""

    def __init__(
        self, service: ExploredService, offered: Choices, interface: Interface, clients: Sequence[BookingClient]
    ) -> None:
        super().__init__(service, offered)
        self.interface, self.clients = interface, clients
        self.requests, self.references = list[HeldRequest](), list[str]()
        self._names: dict[str, str] = {}
        self._of_second, self._external_id = set[str](), ""

    def moves(self) -> Sequence[Move]:
        """Return what may happen."""
        return [*[self.book] * 4, *[self.retrieve, self.request] * 2, self.cancel, self.verify]

    def is_possible(self, move: Move) -> bool:
        """Return whether a move is possible now."""
        is_v3, has_some = self.interface == "v3", bool(self.requests)
        needs: dict[Move, bool] = {
            self.request: len(self.requests) < _MOST_REQUESTS,
            self.book: has_some,
            self.retrieve: bool(self.references),
            self.cancel: is_v3 and has_some,
            self.verify: is_v3 and has_some and self.service.profile.has_capability("verify"),
        }
        return needs.get(move, super().is_possible(move))

    def request(self, draw: Draw) -> None:
        """Create booking requests of one or two flights."""
        second, situation, bag = draw(SECOND), self.draw_choice(draw, "situation"), self.draw_choice(draw, "bag")
        party, count = self.draw_choice(draw, "party"), draw(_COUNT)
        _, who = self.actor(second)
        client, second = self._client(second), second and self.service.second is not None
        criteria = FlightCriteria(self.interface, situation)
        count = 2 if situation == _FARES else 1 if bag else count
        flights = "a flight" if count == 1 else "two flights"
        flights = f"{flights}{f' with a {bag} bag' if bag else ''} ({situation.replace('_', ' ')})"
        # How many passengers a booking request may have, no document says; nor who may have a fare.
        is_needed = len(party.types) <= (1 if situation == _FARES else _FAMILY)
        tried = list[Sequence[Flight]]()
        with self.step(f"{who} requests {flights} for {described(party)}", needed=is_needed):
            make = partial(self._request_draft, client, criteria, count, party, bag, tried=tried)
            draft, response = client.send_available(make, count)
            # What a search shows may be gone (OPEN-37).
            is_needed = is_needed and response.status not in GONE
            owner = f"{self.interface.upper()}-REQUESTS-ANSWER"
            reason = "the service does not accept a documented booking request"
            self.needed(response, is_needed, reason, owner, "requests")
            created = CreatedBookingRequests(criteria, draft, response, tried[-1], party)
            self.requests += [HeldRequest(each, created, bag, second) for each in created.requests if each.get("id")]

    def _request_draft(
        self,
        client: BookingClient,
        criteria: FlightCriteria,
        count: int,
        party: PassengerCounts,
        bag: BagKind | None,
        *,
        tried: list[Sequence[Flight]],
    ) -> RequestDraft:
        """Build a booking request of the next flights, and add them to those that were tried."""
        if criteria.situation == _FARES:
            found = client.round_trips(_FARES)
            if not found.fares:
                raise Untested("the search finds no round-trip fares")
            tried.append(client.flights_of(found, found.fares[len(tried) % len(found.fares)]))
            return client.request_draft("v3", tried[-1], party).with_value("fare_type", "round_trip")
        tried.append([client.flight(criteria, party, bag)] if bag else client.together(criteria, count, party))
        is_listed = bag and self.interface == "v3"
        return client.request_draft(self.interface, tried[-1], party, {bag: 1} if bag and is_listed else None)

    def cancel(self, draw: Draw) -> None:
        """Cancel a booking request, perhaps while it is booked."""
        held, foreign, times = draw(one_of(self.requests)), draw(FOREIGN), draw(TIMES)
        if draw(mostly(False, True)):
            self._book_while_cancelling(held, self.draw_choice(draw, "way"))
            return
        client, who = self.actor(foreign != held.second)
        is_needed = not foreign and times == 1 and self._is_pending(held)
        with self.step(f"{who} cancels {self._named([held])}{at_once(times)}", needed=is_needed):
            response = self.sent(client, bodies.cancel_request(held.id), times)
            self.needed(
                response, is_needed, "the service does not cancel a pending booking request", "V3-CANCEL", "success"
            )

    def verify(self, draw: Draw) -> None:
        """Verify the price of a requested flight by the deprecated operation."""
        held = draw(one_of(self.requests))
        second = draw(FOREIGN) != held.second
        flight, code = held.created.flights[0]["id"], self._client(second).customer_code("v3")
        text = f"verifies a flight of {self._named([held])}"
        self.send(text, bodies.verify_flight(flight, code), self.actor(second))

    def book(self, draw: Draw) -> None:
        """Book one or two booking requests, in v2 also three, of the same creation or not."""
        foreign, times, flaw = draw(FOREIGN), draw(TIMES), draw(FLAW)
        held = draw(strategies.lists(one_of(self.requests), min_size=1, max_size=_MOST[self.interface], unique_by=_key))
        payment = self.draw_way(draw, self.choices["way"][0])
        external_id = draw(mostly("", self._external_id))
        second = foreign != held[0].second
        client, who = self.actor(second)
        if self.interface == "v2":
            # A booking of v2 has the passengers, which must be those of all its booking requests.
            held = [each for each in held if each.created.party == held[0].created.party]
        are_together = len({each.created.response.exchange.id for each in held}) == 1
        may_pay = payment.words != "self_psp" or self._client(second).credentials(self.interface).self_psp
        is_documented = not foreign and flaw is None
        # Whether a client may use an external id again is not documented.
        is_needed = payment.succeeds and may_pay and is_documented and not external_id
        # That three are booked together is open (OPEN-19).
        is_needed = is_needed and are_together and len(held) <= _PAIR and all(map(self._is_pending, held))
        again = " with the external id of the booking before" if external_id else ""
        text = f"{who} books {self._named(held)}{again}, paid by {payment!r}{at_once(times)}"
        must_fail = payment.rule_of_failure(self.interface) if may_pay else "V23-BOOKINGS-SELF-PSP-UNAUTHORIZED"
        must_fail = must_fail if is_documented else ""
        with self.step(text, needed=is_needed or bool(must_fail)) as words:
            draft = self._booking(self._client(second), held, payment)
            draft = draft.with_value("external_id", external_id) if external_id else draft
            self._external_id = draft.body["external_id"]
            response = self.sent(client, self.flawed(draft, flaw, words), times)
            self.unpaid(response, must_fail, is_paid=response.succeeded and bool(response.array("bookings")))
            # Prices and seats are final only now (OPEN-37).
            is_needed = is_needed and response.status not in GONE
            reason = "the service rejects a documented booking"
            self.needed(response, is_needed, reason, "V23-BOOKINGS-BOOK", "bookings")
            found = [each.get("cp_reference") for each in response.array("bookings") if isinstance(each, dict)]
            references = [each for each in found[:1] if isinstance(each, str)]
            self.references += references
            self._of_second |= set(references if second else ())

    def _booking(self, client: BookingClient, held: Sequence[HeldRequest], payment: WayToPay) -> RequestDraft:
        interface, requests = self.interface, [each.request for each in held]
        code, notation = client.customer_code(interface), client.notation(interface)
        fields = client.payment(interface, payment.words)
        if interface == "v3":
            return payment.applied(bodies.create_bookings(requests, code, notation, fields))
        party = held[0].created.party
        travellers = bodies.passengers(party, client.today, notation)
        draft = bodies.create_bookings_v2(requests, travellers, code, notation, fields, infants=party.infants)
        luggage = [bodies.luggage([each.request], int(bool(each.bag))) for each in held]
        return payment.applied(draft.with_value("luggage", dict(ChainMap(*luggage))))

    def _book_while_cancelling(self, held: HeldRequest, payment: WayToPay) -> None:
        client, (_, who) = self._client(held.second), self.actor(held.second)
        with self.step(f"{who} books {self._named([held])}, paid by {payment!r}, and cancels it at the same time"):
            drafts = [self._booking(client, [held], payment), bodies.cancel_request(held.id)]
            client.service.client.send_at_once([partial(client.service.send, each) for each in drafts])

    def retrieve(self, draw: Draw) -> None:
        """Retrieve bookings by their reference."""
        reference, foreign = draw(one_of(self.references)), draw(FOREIGN)
        draft = bodies.get_bookings(self.interface, reference)
        self.send("retrieves the booking", draft, self.actor(foreign != (reference in self._of_second)))

    def time_passes(self, draw: Draw) -> None:
        """Let booking requests become almost too old, or too old, or let a record locator arrive."""
        lives = self.service.profile.lifetimes
        ages = [lives.request_seconds_min * 0.9, lives.request_seconds_max + 30]
        ages += [lives.locator_seconds + 60] * bool(self.references)
        self.wait(draw(strategies.sampled_from(ages)))

    def _is_pending(self, held: HeldRequest) -> bool:
        """Whether a booking request, and what was created with it, is certainly pending, and no booking was tried."""
        conversation, now = self.service.conversation, self.service.client.clock.now()
        together = [conversation.v3.request(self.interface, str(each["id"])) for each in held.created.requests]
        lifetime = self.service.profile.lifetimes.request_min * 0.9
        return all(
            seen is not None and seen.ended is None and not seen.attempted and now - seen.requested < lifetime
            for seen in together
        )

    def _client(self, second: bool) -> BookingClient:
        return self.clients[-1] if second else self.clients[0]

    def _named(self, held: Sequence[HeldRequest]) -> str:
        """Return which booking requests of the conversation they are, in words."""
        for each in held:
            self._names.setdefault(str(each.id), chr(ord("A") + len(self._names)))
        names = [self._names[str(each.id)] for each in held]
        return f"booking request{'s' if len(names) > 1 else ''} {' and '.join(names)}"
