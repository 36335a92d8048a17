"""Random conversations with v3 and v2: booking requests and bookings."""

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from itertools import permutations

from hypothesis import strategies

from airworthy.contract.http.transaction import as_number
from airworthy.suite.outcomes import Untested
from airworthy.target.ageing import DAY
from conformance.explore.drawing import CHANGES, TIMES_AND_CHANGES, Draw, mostly, newest, one_of
from conformance.explore.random_conversation import (
    CERTAIN,
    FOREIGN,
    HOW,
    LATE,
    SECOND,
    TIMES,
    Choices,
    ExploredService,
    Move,
    RandomConversation,
    at_once,
    described,
)
from conformance.explore.v3_choices import (
    BAGS,
    BARE,
    FARES,
    FIELDS,
    ONE_BAG,
    SEATS,
    WITH_DATA,
    BookingPlan,
    HeldRequest,
    RequestPlan,
    SearchPlan,
)
from conformance.explore.ways_to_pay import WayToPay
from conformance.request_draft import RequestDraft
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import BookingClient
from conformance.v3.booking_request_client import CreatedBookingRequests
from conformance.v3.flight_client import Flight, FlightCriteria
from conformance.v3.request_bodies import Bags, Interface
from conformance.v3.requested_flights import GONE

_COUNT = strategies.integers(1, 2)
_NUMBERS = ("", "a flight", "two flights", "three flights")
_NEEDED_SITUATIONS = ("regular", "charter", "connecting", FARES)
_FAMILY = 5
_PAIR = 2
# How many booking requests are booked at once.
_MOST: Mapping[Interface, int] = {"v3": _PAIR, "v2": 3}
# With more of them, less would happen to each.
_MOST_REQUESTS = 2
_PAGES = strategies.integers(1, 2)
_DAYS = mostly(3, 0, 1, 10, None)
"""How many days after the first a search asks for, or None; a service may reject more than three days."""


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
        # The same person books everything: what two bookings of one flight share is not the booker only.
        self._booker = bodies.surname()

    def moves(self) -> Sequence[Move]:
        """Return what may happen."""
        return [*[self.book] * 4, *[self.retrieve] * 3, *[self.request, self.cancel] * 2, self.verify, self.search]

    def is_possible(self, move: Move) -> bool:
        """Return whether a move is possible now."""
        is_v3, has_some = self.interface == "v3", bool(self.requests)
        needs: dict[Move, bool] = {
            self.request: sum(map(self._is_live, self.requests)) < _MOST_REQUESTS,
            self.book: has_some,
            self.search: has_some,
            self.retrieve: bool(self.references),
            self.cancel: is_v3 and has_some,
            self.verify: is_v3 and has_some and self.service.profile.has_capability("verify"),
        }
        return needs.get(move, super().is_possible(move))

    def search(self, draw: Draw) -> None:
        """Search flights or round-trip fares with drawn parameters, perhaps so many that there is a second page."""
        second, how, days, pages = draw(SECOND), draw(HOW), draw(_DAYS), draw(_PAGES)
        many = ["many"] if self.service.profile.route("flights_many") else []
        seats, situation = draw(strategies.sampled_from(SEATS)), draw(mostly(self.situation, *many))
        are_fares = situation == FARES and draw(mostly(True, False))
        self.search_flights(SearchPlan(situation, are_fares, days, seats=seats, pages=pages, second=second, how=how))

    def search_flights(self, plan: SearchPlan) -> None:
        """Search flights or round-trip fares."""
        actor, seats = self.actor(plan.second, plan.how), plan.seats
        what = f"{'round-trip fares' if plan.are_fares else 'flights'}"
        what += " without dates" if plan.days is None else f" of {plan.days + 1} days"
        what += f" with the {plan.later} a day later" if plan.later else ""
        what = f"{what} with {seats} seats" if seats else what
        with self.step(f"{actor.name} searches {what}{actor.key}"):
            client, situation = self.clients[0], plan.situation
            criteria = FlightCriteria(self.interface, situation)
            draft = client.round_trip_draft(situation) if plan.are_fares else client.search_draft(criteria)
            code = client.customer_code(self.interface) if plan.has_code else None
            draft = draft.with_query(seats=seats, customerCode=code)
            draft = draft.with_query(**_dates(date.fromisoformat(draft.query["start"]), plan))
            for _ in range(plan.pages):
                cursor = self.sent(actor, draft, 1).member("next_page_id")
                if not isinstance(cursor, str) or not cursor:
                    break
                draft, actor = draft.with_query(next_page_id=cursor), self.actor(plan.second, plan.how_next)

    def request(self, draw: Draw) -> None:
        """Create booking requests of one or two flights."""
        second, bags, count, changes = draw(SECOND), self.draw_choice(draw, "bags"), draw(_COUNT), draw(CHANGES)
        again = draw(mostly(None, *self.requests[-1:])) if self.situation != FARES else None
        self.create_requests(RequestPlan(count, bags, second, again, changes))

    def create_requests(self, plan: RequestPlan) -> None:
        """Create booking requests."""
        party, situation, again = self.party, self.situation, plan.again
        # A bag is for a passenger.
        has_room = max(map(sum, BAGS[plan.bags].values()), default=0) <= party.adults + party.children
        bags = plan.bags if has_room else ONE_BAG
        actor = self.actor(plan.second)
        client, second = self._client(plan.second), plan.second and self.service.second is not None
        criteria = FlightCriteria(self.interface, situation)
        count = 2 if situation == FARES else plan.count
        last = f"{bags} on the last one" if bags and count > 1 else bags
        flights = f"{_NUMBERS[count]}{last} ({situation.replace('_', ' ')})"
        flights = f"the flights of {self._named([again])} again{bags}" if again else flights
        # How many passengers a booking request may have, no document says; nor who may have a fare.
        is_needed = len(party.types) <= (1 if situation == FARES else _FAMILY) and situation in _NEEDED_SITUATIONS
        # That three are requested together is open (OPEN-19).
        is_needed = is_needed and count <= _PAIR and not plan.changes and not again
        tried = list[Sequence[Flight]]()
        with self.step(f"{actor.name} requests {flights} for {described(party)}", needed=is_needed) as words:
            make = partial(self._request_draft, client, criteria, count, BAGS[bags], tried)
            make = partial(self._bare, make, tried) if plan.is_bare else make
            if again:
                tried.append(again.created.flights)
                draft = client.request_draft(self.interface, tried[-1], party, BAGS[bags])
                response = self.sent(actor, draft, 1)
            elif plan.changes:
                draft, response = self.deliver(actor, make(), words, plan.changes)
            else:
                draft, response = client.send_available(make)
            # What a search shows may be gone (OPEN-37).
            if response.status in GONE and not again:
                client.search_anew()
                is_needed = False
            is_needed = is_needed and (count == 1 or self.interface == "v2" or _offers(tried[-1][-1], BAGS[bags]))
            owner = f"{self.interface.upper()}-REQUESTS-ANSWER"
            reason = "the service does not accept a documented booking request"
            actor.needed(response, is_needed, reason, owner, "requests")
            created = CreatedBookingRequests(criteria, draft, response, tried[-1], party)
            is_usual = bool(again) or not plan.changes
            held = partial(HeldRequest, created=created, second=second, usual=is_usual)
            found = [each for each in created.requests if each.get("id")]
            self.requests += [held(each, bags=BAGS[bags] if each is found[-1] else {}) for each in found]

    def _request_draft(
        self, client: BookingClient, criteria: FlightCriteria, count: int, bags: Bags, tried: list[Sequence[Flight]]
    ) -> RequestDraft:
        """Build a booking request of the next flights, and add them to those that were tried."""
        party = self.party
        if criteria.situation == FARES:
            found, seated = client.round_trips(FARES), party.adults + party.children
            fares = [each for each in found.fares if (as_number(each.get("available_seats")) or seated) >= seated]
            if not fares:
                raise Untested("the search finds no round-trip fares for so many")
            fare = fares[next(self.service.fares) % len(fares)]
            tried.append(client.flights_of(found, fare))
            draft = _with_bags_on_the_last(client.request_draft("v3", tried[-1], party), tried[-1], bags)
            return draft.with_value("fare_type", "round_trip")
        kind = next(iter(bags), None)
        ways = (criteria, replace(criteria, back=True), criteria)[:count]
        flights = [client.flight(each, party, kind) for each in ways] if kind else []
        tried.append(flights or client.together(criteria, count, party))
        draft = client.request_draft(self.interface, tried[-1], party)
        return _with_bags_on_the_last(draft, tried[-1], bags) if self.interface == "v3" else draft

    @staticmethod
    def _bare(make: Callable[[], RequestDraft], tried: Sequence[Sequence[Flight]]) -> RequestDraft:
        """Return a booking request without optional fields, but with the travel documents that a flight needs.

        Of the counts of v2, those of nobody are left out.
        """
        draft = make()
        if draft.operation == "createRequestsV2":
            return draft.with_value(
                "passengers", {name: each for name, each in draft.body["passengers"].items() if each}
            )
        needs_documents = any(each.get("need_apis") is not False for each in tried[-1])
        return bodies.without_optional_fields(draft, passports=needs_documents)

    def cancel(self, draw: Draw) -> None:
        """Cancel a booking request, perhaps while it is booked."""
        held, how, times = draw(one_of(self.requests, self._state)), draw(HOW), draw(TIMES)
        if draw(mostly(False, True)):
            self._book_while_cancelling(held, self.draw_choice(draw, "way"))
        else:
            self.cancel_request(held, how, times)

    def cancel_request(self, held: HeldRequest, how: str = "", times: int = 1) -> None:
        """Cancel a booking request."""
        actor = self.actor(held.second, how)
        is_needed = not how and times == 1 and self._is_pending(held)
        with self.step(f"{actor.name} cancels {self._named([held])}{at_once(times)}{actor.key}", needed=is_needed):
            response = self.sent(actor, bodies.cancel_request(held.id), times)
            actor.needed(
                response, is_needed, "the service does not cancel a pending booking request", "V3-CANCEL", "success"
            )

    def verify(self, draw: Draw) -> None:
        """Verify the price of a requested flight by the deprecated operation."""
        held, how = draw(one_of(self.requests, self._state)), draw(HOW)
        code = self._client(held.second != (how == FOREIGN)).customer_code("v3")
        draft = bodies.verify_flight(held.created.flights[0]["id"], code)
        self.send(f"verifies a flight of {self._named([held])}", self.actor(held.second, how), draft)

    def book(self, draw: Draw) -> None:
        """Book one or two booking requests, in v2 also three, of the same creation or not."""
        how, (times, changes) = draw(HOW), draw(TIMES_AND_CHANGES)
        held, payment = self._together(draw), self.draw_way(draw, self.choices["way"][0])
        external_id = draw(mostly("", self._external_id))
        is_foreign_code, fields = draw(mostly(False, True, times=7)), draw(mostly(*FIELDS[self.interface]))
        self.create_bookings(BookingPlan(held, payment, how, times, changes, external_id, is_foreign_code, fields))

    def create_bookings(self, plan: BookingPlan) -> None:
        """Book booking requests."""
        held, payment, external_id = plan.held, plan.payment, plan.external_id
        is_foreign_code = plan.is_foreign_code and self.service.second is not None
        second = held[0].second != (plan.how == FOREIGN)
        actor = self.actor(held[0].second, plan.how)
        are_together = len({each.created.response.exchange.id for each in held}) == 1
        may_pay = payment.words != "self_psp" or self._client(second).credentials(self.interface).self_psp
        is_documented = not (plan.how or plan.changes or payment.also) and all(each.usual for each in held)
        # Whether a client may use an external id again is not documented, nor what the code of another one does.
        is_needed = payment.succeeds and may_pay and is_documented and not external_id and not is_foreign_code
        # That three are booked together is open (OPEN-19).
        is_needed = is_needed and are_together and len(held) <= _PAIR and all(map(self._is_pending, held))
        again = " with the external id of the booking before" if external_id else ""
        again += " with the customer code of the other organisation" if is_foreign_code else ""
        again += plan.fields
        text = f"{actor.name} books {self._named(held)}{again}, paid by {payment!r}{at_once(plan.times)}{actor.key}"
        must_fail = payment.failure(self.interface)[0] if may_pay else "V23-BOOKINGS-SELF-PSP-UNAUTHORIZED"
        must_fail = must_fail if is_documented else ""
        with self.step(text, needed=is_needed) as words:
            draft = self._booking(self._client(second), held, payment)
            draft = draft.with_value("external_id", external_id) if external_id else draft
            if is_foreign_code:
                code = self._client(not second).customer_code(self.interface)
                draft = draft.with_value("customer_code", code)
            self._external_id = draft.body["external_id"]
            draft = bodies.without_optional_fields(draft) if plan.fields == BARE else draft
            draft = bodies.with_complete_customer_data(draft, is_company=True) if plan.fields == WITH_DATA else draft
            _, response = self.deliver(actor, draft, words, plan.changes, plan.times)
            actor.rejected(response, must_fail, is_done=response.succeeded and bool(response.array("bookings")))
            # Prices and seats are final only now (OPEN-37).
            is_needed = is_needed and response.status not in GONE
            reason = "the service rejects a documented booking"
            actor.needed(response, is_needed, reason, "V23-BOOKINGS-BOOK", "bookings")
            found = [each.get("cp_reference") for each in response.array("bookings") if isinstance(each, dict)]
            references = [each for each in found[:1] if isinstance(each, str)]
            self.references += references
            self._of_second |= set(references if second else ())

    def _together(self, draw: Draw) -> Sequence[HeldRequest]:
        """Draw what is booked: a booking request of some state, those of a creation, two of some state, or the last."""
        each_state, most = newest(self.requests, self._state), _MOST[self.interface]
        created: dict[str, list[HeldRequest]] = {}
        for each in self.requests:
            created.setdefault(each.created.response.exchange.id, []).append(each)
        kinds: list[Sequence[Sequence[HeldRequest]]] = [
            [[each] for each in each_state],
            [each[:most] for each in created.values()][:-4:-1],
            [*permutations(each_state, _PAIR)] or [self.requests[-most:]],
            [self.requests[-most:]],
        ]
        return draw(strategies.sampled_from(draw(strategies.sampled_from(kinds))))

    def _booking(self, client: BookingClient, held: Sequence[HeldRequest], payment: WayToPay) -> RequestDraft:
        interface, requests = self.interface, [each.request for each in held]
        code, notation = client.customer_code(interface), client.notation(interface)
        fields_of = partial(client.payment, interface)
        fields = fields_of(payment.words)
        if interface == "v3":
            draft = bodies.create_bookings(requests, code, notation, fields).with_value("last_name", self._booker)
            return payment.applied(draft, fields_of)
        party = held[0].created.party
        travellers = bodies.passengers(party, client.today, notation)
        draft = bodies.create_bookings_v2(requests, travellers, code, notation, fields, infants=party.infants)
        draft = draft.with_value("last_name", self._booker)
        luggage = [bodies.luggage([each.request], each.bags.get("checked", ())) for each in held]
        return payment.applied(draft.with_value("luggage", dict(ChainMap(*luggage))), fields_of)

    def _book_while_cancelling(self, held: HeldRequest, payment: WayToPay) -> None:
        client, actor = self._client(held.second), self.actor(held.second)
        text = f"books {self._named([held])}, paid by {payment!r}, and cancels it at the same time"
        with self.step(f"{actor.name} {text}"):
            drafts = [self._booking(client, [held], payment), bodies.cancel_request(held.id)]
            client.service.client.send_at_once([partial(actor.send, each) for each in drafts])

    def retrieve(self, draw: Draw) -> None:
        """Retrieve bookings by their reference."""
        self.retrieve_bookings(draw(strategies.sampled_from(self.references[::-1])), draw(HOW))

    def retrieve_bookings(self, reference: str, how: str = "") -> None:
        """Retrieve bookings by their reference."""
        draft = bodies.get_bookings(self.interface, reference)
        self.send("retrieves the booking", self.actor(reference in self._of_second, how), draft)

    def time_passes(self, draw: Draw) -> None:
        """Let booking requests become almost too old, or too old, or let a record locator arrive."""
        lives = self.service.profile.lifetimes
        ages = [lives.request_seconds_min * LATE, lives.request_seconds_max + 30, self.until_before_midnight()]
        if self.references:
            change = (lives.schedule_change_seconds or 0) if self.situation == "schedule_change" else 0
            ages += [*[max(lives.locator_seconds, change) + 60] * 2, DAY]
        self.wait(draw(strategies.sampled_from(ages)))

    def _is_live(self, held: HeldRequest) -> bool:
        """Whether a booking request may still be booked."""
        return self._state(held)[:2] == (True, None)

    def _state(self, held: HeldRequest) -> tuple[bool, object, bool]:
        """Return whether a booking request is young, how it has ended, and whether its payment may have failed."""
        seen = self.service.conversation.v3.request(self.interface, str(held.id))
        age = self.service.client.clock.now() - held.created.response.exchange.started
        is_young = age < self.service.profile.lifetimes.request_min * CERTAIN
        return is_young, seen and seen.ended, bool(seen and seen.declined)

    def _is_pending(self, held: HeldRequest) -> bool:
        """Whether a booking request, and what was created with it, is certainly pending, and no booking was tried."""
        conversation, now = self.service.conversation, self.service.client.clock.now()
        together = [conversation.v3.request(self.interface, str(each["id"])) for each in held.created.requests]
        lifetime = self.service.profile.lifetimes.request_min * CERTAIN
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


def _dates(first: date, plan: SearchPlan) -> Mapping[str, str | None]:
    """Return the dates of a search from a first day, or what leaves them out."""
    if plan.days is None:
        return {"start": None, "end": None}
    start, end = first + timedelta(plan.later == "start" and plan.days > 0), first + timedelta(plan.days)
    # Each flight there can be combined with each one back.
    back = end + timedelta(2 if plan.later == "return" else 1)
    way_back = {"returnStart": f"{back}", "returnEnd": f"{back + timedelta(plan.days)}"} if plan.are_fares else {}
    return {"start": f"{start}", "end": f"{end}", **way_back}


def _offers(flight: Flight, bags: Bags) -> bool:
    """Return whether a flight certainly offers bags: not every flight has them, and not as many (OPEN-81)."""
    offered = ((sum(pieces), bodies.options(flight, "v3", kind)) for kind, pieces in bags.items())
    return all(
        shown and all((as_number(option.get("quantity")) or number) >= number for option in shown)
        for number, shown in offered
    )


def _with_bags_on_the_last(draft: RequestDraft, flights: Sequence[Flight], bags: Bags) -> RequestDraft:
    """Return a booking request with bags on one flight only, so that a service has to tell the flights apart."""
    last = flights[-1]
    listed = {**draft.body["bags"], str(last["id"]): bodies.bag_options(last, bags)}
    return draft.with_value("bags", listed)
