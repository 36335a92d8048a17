"""Random conversations with v3 and v2: booking requests and bookings."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from hypothesis import strategies
from hypothesis.stateful import Bundle, initialize, multiple, precondition, rule

from conformance.explore.random_conversation import (
    BY_CARD,
    PARTY,
    SECOND,
    TIMES,
    ExploredService,
    RandomConversation,
    WayToPay,
    at_once,
    described,
    mostly,
    payments,
)
from conformance.request_draft import RequestDraft
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import BookingClient, CreatedBookingRequests
from conformance.v3.flight_client import FlightCriteria
from conformance.v3.request_bodies import BagKind, Interface
from conformance.v3.requested_flights import GONE
from conformance.v4.request_bodies import PassengerCounts

_WAYS = (*payments(BY_CARD, intents=False), WayToPay("self_psp", succeeds=True))
_MORE = strategies.integers(0, 63)
_COUNT = strategies.integers(1, 2)
_SITUATIONS = ("regular", "charter")
_FAMILY = 5


@dataclass(frozen=True, slots=True)
class HeldRequest:
    """A booking request that the service accepted, and the others that were created with it."""

    request: Any
    created: CreatedBookingRequests

    @property
    def id(self) -> Any:
        """Its id."""
        return self.request["id"]


@dataclass(frozen=True, slots=True)
class V3Options:
    """The interface, the clients of the organisations, and what the profile offers."""

    interface: Interface
    client: BookingClient
    second: BookingClient | None
    parties: list[PassengerCounts]
    ways: list[WayToPay]
    situations: list[str]
    bags: list[BagKind]

    @classmethod
    def of(cls, service: ExploredService, interface: Interface, client: BookingClient) -> "V3Options":
        """Return what a service offers."""

        def fields(words: str) -> object:
            if words == "self_psp":
                assert client.credentials(interface).self_psp
            return client.payment(interface, words)

        second = None
        if service.second:
            notations, flights = client.known_notations, client.requested_flights
            second = BookingClient(service.second, known_notations=notations, requested_flights=flights)
        situations = [each for each in _SITUATIONS if service.profile.route(f"flights_{each}")]
        kinds: tuple[BagKind, ...] = ("checked", "cabin") if interface == "v3" else ()
        bags = [each for each in kinds if service.profile.has_capability(f"{each}_bags")]
        ways = service.usable(_WAYS, fields)
        return cls(interface, client, second, service.parties(), ways, situations, bags)


class V3Conversation(RandomConversation):
    """A conversation about booking requests and bookings."""

    requests: Bundle[HeldRequest] = Bundle("requests")
    references: Bundle[str] = Bundle("references")
    _ONE_OR_TWO = strategies.lists(requests, min_size=1, max_size=2, unique_by=lambda each: str(each.id))

    def __init__(self, service: ExploredService, options: V3Options) -> None:
        super().__init__(service)
        self.options = options

    @initialize(target=requests, count=_COUNT, party=PARTY, bag=_MORE, situation=_MORE)
    def first_request(self, count: int, party: int, bag: int, situation: int) -> Any:
        """Begin with booking requests: nothing else is possible without one."""
        return self._request(count, party, bag, situation)

    @rule(target=requests, count=_COUNT, party=PARTY, bag=_MORE, situation=_MORE)
    def request(self, count: int, party: int, bag: int, situation: int) -> Any:
        """Create booking requests of one or two flights."""
        return self._request(count, party, bag, situation)

    def _request(self, count: int, party: int, bag: int, situation: int) -> Any:
        offered = self.options
        counts = offered.parties[party % len(offered.parties)]
        kind = (None, *offered.bags)[bag % (len(offered.bags) + 1)]
        count = 1 if kind else count
        criteria = FlightCriteria(offered.interface, offered.situations[situation % len(offered.situations)])
        flights = f"{'a flight' if count == 1 else 'two flights'}{f' with a {kind} bag' if kind else ''}"
        held: list[HeldRequest] = []
        # How many passengers a booking request may have, no document says.
        is_needed = len(counts.types) <= _FAMILY
        text = f"the client requests {flights} ({criteria.situation}) for {described(counts)}"
        with self.step(text, needed=is_needed):
            created = offered.client.request(criteria, count=count, party=counts, bag=kind)
            held = [HeldRequest(each, created) for each in created.requests]
        return multiple(*held)

    @precondition(lambda self: self.options.interface == "v3")
    @rule(held=requests, second=SECOND, times=TIMES, way=_MORE, books=mostly(False, False, False, True))
    def cancel(self, held: HeldRequest, second: bool, times: int, way: int, books: bool) -> None:
        """Cancel a booking request, perhaps while it is booked."""
        if books:
            self._book_while_cancelling(held, self.options.ways[way % len(self.options.ways)])
            return
        client, who = self._actor(second)
        is_needed = not second and times == 1 and self._is_pending(held)
        with self.step(f"{who} cancels {self._named([held])}{at_once(times)}", needed=is_needed):
            response = self.sent(client.service, bodies.cancel_request(held.id), times)
            self.needed(response, is_needed, "the service does not cancel a pending booking request", "V3-CANCEL")

    @rule(target=references, held=_ONE_OR_TWO, second=SECOND, times=TIMES)
    def book_by_card(self, held: list[HeldRequest], second: bool, times: int) -> Any:
        """Book one or two booking requests, of the same creation or not, in the plain way."""
        return self._book(held, self.options.ways[0], second, times)

    @rule(target=references, held=_ONE_OR_TWO, way=_MORE, second=SECOND, times=TIMES)
    def book(self, held: list[HeldRequest], way: int, second: bool, times: int) -> Any:
        """Book one or two booking requests in one of the ways to pay."""
        return self._book(held, self.options.ways[way % len(self.options.ways)], second, times)

    def _book(self, held: list[HeldRequest], payment: WayToPay, second: bool, times: int) -> Any:
        client, who = self._actor(second)
        if self.options.interface == "v2":
            # A booking of v2 has the passengers, which must be those of all its booking requests.
            held = [each for each in held if each.created.party == held[0].created.party]
        are_together = len({each.created.response.exchange.id for each in held}) == 1
        is_needed = payment.succeeds and not second and are_together and all(map(self._is_pending, held))
        references: list[str] = []
        text = f"{who} books {self._named(held)}, paid by {payment!r}{at_once(times)}"
        must_fail = "" if second else payment.rule_of_failure(self.options.interface)
        with self.step(text, needed=is_needed or bool(must_fail)):
            response = self.sent(client.service, self._booking(client, held, payment), times)
            self.unpaid(response, must_fail, is_paid=response.succeeded and bool(response.array("bookings")))
            # Prices and seats are final only now (OPEN-37).
            is_needed = is_needed and response.status not in GONE
            self.needed(
                response, is_needed, "the service rejects a documented booking", "V23-BOOKINGS-BOOK", "bookings"
            )
            found = [each.get("cp_reference") for each in response.array("bookings") if isinstance(each, dict)]
            references = [each for each in found[:1] if isinstance(each, str)]
        return multiple(*references)

    def _booking(self, client: BookingClient, held: Sequence[HeldRequest], payment: WayToPay) -> RequestDraft:
        interface, requests = self.options.interface, [each.request for each in held]
        code, notation = client.customer_code(interface), client.notation(interface)
        fields = client.payment(interface, payment.words)
        if interface == "v3":
            return payment.applied(bodies.create_bookings(requests, code, notation, fields))
        party = held[0].created.party
        travellers = bodies.passengers(party, client.today, notation)
        draft = bodies.create_bookings_v2(requests, travellers, code, notation, fields, infants=party.infants)
        return payment.applied(draft)

    def _book_while_cancelling(self, held: HeldRequest, payment: WayToPay) -> None:
        client = self.options.client
        with self.step(f"the client books {self._named([held])}, paid by {payment!r}, and cancels it at the same time"):
            drafts = [self._booking(client, [held], payment), bodies.cancel_request(held.id)]
            client.service.client.send_at_once([partial(client.service.send, each) for each in drafts])

    @rule(reference=references, second=SECOND)
    def retrieve(self, reference: str, second: bool) -> None:
        """Retrieve bookings by their reference."""
        client, who = self._actor(second)
        with self.step(f"{who} retrieves the booking"):
            client.service.send(bodies.get_bookings(self.options.interface, reference))

    @rule(held=requests, how_long=strategies.integers(0, 2))
    def time_passes(self, held: HeldRequest, how_long: int) -> None:  # noqa: ARG002  there must be something to age
        """Let booking requests become almost too old, or too old, or let a record locator arrive."""
        lives = self.service.profile.lifetimes
        ages = (lives.request_seconds_min * 0.9, lives.request_seconds_max + 30, lives.locator_seconds + 60)
        self.wait(ages[how_long])

    def _is_pending(self, held: HeldRequest) -> bool:
        """Whether a booking request, and what was created with it, is certainly pending, and no booking was tried."""
        conversation, now = self.service.conversation, self.service.client.clock.now()
        together = [conversation.v3.request(self.options.interface, str(each["id"])) for each in held.created.requests]
        lifetime = self.service.profile.lifetimes.request_min * 0.9
        return all(
            seen is not None and seen.ended is None and not seen.attempted and now - seen.requested < lifetime
            for seen in together
        )

    def _actor(self, second: bool) -> tuple[BookingClient, str]:
        if second and self.options.second:
            return self.options.second, "the second organisation"
        return self.options.client, "the client"

    def _named(self, held: Sequence[HeldRequest]) -> str:
        """Return which booking requests of the conversation they are, in words."""
        known = self.__dict__.setdefault("_known", dict[str, str]())
        for each in held:
            known.setdefault(str(each.id), chr(ord("A") + len(known)))
        names = [known[str(each.id)] for each in held]
        return f"booking request{'s' if len(names) > 1 else ''} {' and '.join(names)}"
