"""The travel agent's desk: it searches, stores offers, orders and books at the service, as a distributor would.

What is only read is shared between scenarios, so that a full run makes few orders and bookings; what a scenario
changes is made for it alone. Whatever cannot be had because the service breaks a rule is a broken prerequisite,
held against that rule.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, TypeVar, cast
from uuid import UUID

from airworthy.contract import Contract
from airworthy.contract.exchange import Exchange
from airworthy.contract.judge import GATEWAY
from airworthy.suite.outcomes import NotApplicable, Outcome, Untested, expect, prerequisite
from airworthy.target.client import UNSET, Client, Inconclusive
from airworthy.target.clock import Clock
from airworthy.target.profile import KeyForm, Organisation, Profile, TokenCredentials, V4Credentials
from conformance import bodies
from conformance.answer import Answer, read
from conformance.bodies import OrderOptions, Party, PaymentMethod, Place, Trip
from conformance.capabilities import needs
from conformance.draft import Draft
from conformance.payments import WAYS, Payments

Made = TypeVar("Made")

# The part of its life after which a shared offer is replaced.
_SHARED_LIFE = 2 / 3
_DAYS_SEARCHED = 10
_ATTEMPTS_TO_STORE = 4
# Routes that are about something which a service may not have at all.
_CAPABILITIES = {"city": "cities", "connecting": "connecting"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What kind of offer a scenario asks for."""

    route: str = "regular"
    party: Party = field(default_factory=Party)
    round_trip: bool = False


@dataclass(frozen=True, slots=True)
class Itinerary:
    """An offer of a search, and the exchange that it came in."""

    offer: Mapping[str, Any]
    exchange: Exchange

    def sections(self, way: str) -> list[Any]:
        """The sections of its outbound or inbound segment, as far as there are any."""
        segment = self.offer.get(way) if isinstance(self.offer, Mapping) else None
        sections = segment.get("sections") if isinstance(segment, Mapping) else None
        return sections if isinstance(sections, list) else []


@dataclass(frozen=True, slots=True)
class Found:
    """A search that was answered with offers."""

    draft: Draft
    answer: Answer

    @property
    def itineraries(self) -> list[Itinerary]:
        """The offers of the answer."""
        offers = self.answer.member("offers")
        return [Itinerary(offer, self.answer.exchange) for offer in offers] if isinstance(offers, list) else []


@dataclass(frozen=True, slots=True)
class Stored:
    """An offer that Get Offer stored: its request, its answer, and the offer of the search that it came from."""

    draft: Draft
    answer: Answer
    wanted: Wanted
    found: Mapping[str, Any]
    generation: int

    @property
    def id(self) -> str:
        """The id of the stored offer."""
        return str(self.answer.body["id"])

    @property
    def fare_id(self) -> str:
        """The id of its cheapest fare."""
        return str(self.answer.body["cheapestFare"]["id"])


@dataclass(frozen=True, slots=True)
class Ordered:
    """An order that the service accepted, with the offer that it was created from."""

    draft: Draft
    answer: Answer
    stored: Stored
    options: OrderOptions
    confirmation: Draft | None = None
    confirmed: Answer | None = None

    @property
    def id(self) -> str:
        """The id of the order."""
        return str(self.answer.body["id"])

    @property
    def total(self) -> float:
        """The amount of its total price, in EUR."""
        return float(self.answer.body["totalPrice"]["amount"])

    @property
    def reservation_id(self) -> str:
        """The id of its reservation, as the confirmation answered it."""
        assert self.confirmed is not None
        return str(self.confirmed.body["reservationId"])


class Desk:
    """One organisation's desk at the service."""

    def __init__(
        self,
        profile: Profile,
        organisation: Organisation,
        client: Client,
        payments: Payments,
        clock: Clock,
        *,
        contract: Contract,
    ) -> None:
        self.profile = profile
        self.organisation = organisation
        self.client = client
        self.payments = payments
        self.clock = clock
        self._contract = contract
        self._itineraries: dict[Wanted, Iterator[Itinerary]] = {}
        self._shared: dict[Hashable, Any] = {}
        self._first_number = 1
        self._post_forms: dict[str, KeyForm] = {}

    @property
    def _customer_code(self) -> str:
        return self.v4.customer_code.reveal()

    @property
    def v4(self) -> V4Credentials:
        """The organisation's credentials for v4. Raises NotApplicable where the profile has none."""
        if self.organisation.v4 is None:
            raise NotApplicable("the profile has no credentials for v4: [v4] key")
        return self.organisation.v4

    # Sending

    def send(self, draft: Draft, **how: Any) -> Answer:
        """Send a draft with the organisation's key; ``how`` goes to `Client.send` (another key, headers, …)."""
        if "key" in how:
            return self._sent(draft, **how)
        answer = self._sent(draft, key=self.authorization(draft), **how)
        version = draft.path.split("/")[1]
        if answer.status != 401 or draft.method != "POST" or version == "v4" or version in self._post_forms:
            return answer
        # Which form of the token POST takes is left open (OPEN-18): the very first refused one is sent in the other.
        credentials = self.token(version)
        other: KeyForm = "bare" if credentials.post_key_form == "bearer" else "bearer"
        again = self._sent(draft, key=replace(credentials, post_key_form=other).authorization("POST"), **how)
        self._post_forms[version] = credentials.post_key_form if again.status == 401 else other
        return answer if again.status == 401 else again

    def _sent(self, draft: Draft, **how: Any) -> Answer:
        json = UNSET if draft.body is None else draft.body
        answer = read(self.client.send(draft.method, draft.path, query=draft.query, json=json, body=draft.raw, **how))
        if answer.status in GATEWAY:
            # Sent again, an order or a confirmation that went through would be a second one.
            raise Inconclusive(f"a gateway answered for the service with {answer.status}")
        return answer

    def authorization(self, draft: Draft) -> str:
        """Return the Authorization of a request: the bare key for v4, the token as the profile says for v2 and v3.

        Raises NotApplicable where the profile has no credentials for the interface.
        """
        version = draft.path.split("/")[1]
        if version == "v4":
            return self.v4.key.reveal()
        credentials = self.token(version)
        form = self._post_forms.get(version, credentials.post_key_form)
        return replace(credentials, post_key_form=form).authorization(draft.method)

    def token(self, version: str) -> TokenCredentials:
        """Return the organisation's credentials for v2 or v3. Raises NotApplicable where the profile has none."""
        found = self.organisation.tokens.get(version)
        if found is None:
            raise NotApplicable(f"the profile has no credentials for {version}: [{version}] token")
        return found

    def needed(self, draft: Draft, reason: str, rule: str, *members: str) -> Answer:
        """Send a draft whose answer the scenario stands on: it has to succeed and to have some members.

        What is wrong with it otherwise is left to the contract, so that one fault does not hide the others.
        """
        return self.usable(self.send(draft), reason, rule, *members)

    def usable(self, answer: Answer, reason: str, rule: str, *members: str) -> Answer:
        """Hold an answer that the scenario stands on to have succeeded, with some members."""
        with prerequisite(reason, rule=_owner(answer, rule), exchange=answer.exchange):
            expect(
                answer.succeeded and answer.body is not None,
                "a documented request has to be answered",
                expected="status 200 with JSON",
                actual=f"status {answer.status}",
                pointer="status",
                exchange=answer.exchange,
            )
            for name in members:
                expect(
                    answer.member(name),
                    f"the answer has to have {name}",
                    expected=f"a value of {name}",
                    actual="none",
                    pointer=f"/{name}",
                    exchange=answer.exchange,
                )
        return answer

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Make a shared thing once; what failed to be made fails again without another try."""
        if key not in self._shared:
            try:
                self._shared[key] = make()
            except Outcome as outcome:
                self._shared[key] = outcome
        made = self._shared[key]
        if isinstance(made, Outcome):
            raise made
        return cast("Made", made)

    # Search

    def trip(self, wanted: Wanted, later: int = 0) -> Trip:
        """Return the trip that the profile's route asks for, a number of days later.

        Raises Untested where the profile names no route for this situation, NotApplicable where it declares it absent.
        """
        if wanted.route in _CAPABILITIES:
            needs(self.profile, _CAPABILITIES[wanted.route])
        route = self.profile.route(wanted.route)
        if route is None:
            raise Untested(f"the profile names no route for this situation: [routes.{wanted.route}]")
        today = self.clock.now().date()
        days = timedelta(days=later)
        return Trip(
            Place(route.origin, route.origin_type),
            Place(route.destination, route.destination_type),
            route.departure(today) + days,
            route.way_back(today) + days if wanted.round_trip else None,
        )

    def search_request(self, wanted: Wanted, later: int = 0) -> Draft:
        """Build a Search request."""
        return bodies.search_offers(self.trip(wanted, later), wanted.party, self._customer_code)

    def search(self, wanted: Wanted, later: int = 0) -> Found:
        """Search once for each kind and day; the service has to answer.

        Where it answers plain searches but not this one, the rule of what is special about this one is broken.
        """

        def make() -> Found:
            draft = self.search_request(wanted, later)
            rule = "V4-SEARCH-OFFERS"
            if wanted != Wanted():
                self.search(Wanted())
                rule = _special(wanted, "SEARCH") or rule
            return Found(draft, self.needed(draft, "a documented search was not answered", rule))

        return self.once(("search", wanted, later), make)

    def search_with_offers(self, wanted: Wanted) -> Found:
        """Search day after day until something is found. Raises Untested where nothing is."""
        self.sells(wanted)
        for later in range(_DAYS_SEARCHED):
            found = self.search(wanted, later)
            if found.itineraries:
                return found
        raise _nothing_found(wanted)

    def sells(self, wanted: Wanted) -> None:
        """Go on where the target sells to such a party; NotApplicable where the profile says that it does not."""
        party = wanted.party
        asked = {"round_trips": wanted.round_trip, "children": party.children, "infants": party.infants}
        needs(self.profile, *(capability for capability, is_asked in asked.items() if is_asked))

    def itinerary(self, wanted: Wanted) -> Itinerary:
        """Return the next offer of the coming days, round and round, so that each use has another itinerary."""
        circle = self._itineraries.setdefault(wanted, self._circle(wanted))
        try:
            return next(circle)
        except Exception:
            # What has raised is at its end: the next to ask shall hear the same.
            del self._itineraries[wanted]
            raise

    def _circle(self, wanted: Wanted) -> Iterator[Itinerary]:
        while True:
            self.search_with_offers(wanted)
            for later in range(_DAYS_SEARCHED):
                yield from self.search(wanted, later).itineraries

    # Get Offer

    def offer_request(self, wanted: Wanted, itinerary: Itinerary) -> Draft:
        """Build the Get Offer request for an offer of a search."""
        outbound = itinerary.sections("outboundSegment")
        asked = self._asked(wanted, outbound, None)
        reason = "an offer of the search names no sections that could be asked for"
        with prerequisite(reason, rule="V4-SECTION-FIELDS", exchange=itinerary.exchange):
            expect(
                asked,
                "the sections of an offer have to be as documented",
                expected="documented sections",
                actual="other sections",
                pointer="/offers",
                exchange=itinerary.exchange,
            )
        if wanted.round_trip:
            # OPEN-02: the structure of an inbound segment is not described.
            inbound = itinerary.sections("inboundSegment")
            asked = self._asked(wanted, outbound, inbound) if inbound else None
            asked = asked or self._asked(wanted, outbound, self._way_back(wanted))
        if not asked:
            raise Untested("the way back of the round trip has no flights of its own")
        return asked

    def _asked(self, wanted: Wanted, outbound: list[Any], inbound: list[Any] | None) -> Draft | None:
        """Build a Get Offer request of what was answered, None where that gives no documented request."""
        try:
            draft = bodies.get_offer(outbound, inbound, wanted.party, self._customer_code)
        except (LookupError, TypeError):
            return None
        operation = self._contract.operation(draft.method, f"{self.profile.base_url}{draft.path}")
        return draft if operation and operation.request and operation.request.fits(draft.body) else None

    def _way_back(self, wanted: Wanted) -> list[Any]:
        """Search the way back of a round trip by itself, and return the sections of an offer."""
        trip = self.trip(wanted)
        assert trip.back is not None
        draft = bodies.search_offers(Trip(trip.destination, trip.origin, trip.back), wanted.party, self._customer_code)
        found = Found(draft, self.send(draft)).itineraries
        return found[0].sections("outboundSegment") if found else []

    def store(self, wanted: Wanted) -> Stored:
        """Store an offer of an itinerary that was not used before, as far as there are any.

        An itinerary may be sold out since the search: a few are tried.
        """
        for _ in range(_ATTEMPTS_TO_STORE - 1):
            found = self.itinerary(wanted)
            draft = self.offer_request(wanted, found)
            stored = self._stored(draft, wanted, found, self.send(draft))
            if stored.answer.succeeded:
                break
        else:
            found = self.itinerary(wanted)
            draft = self.offer_request(wanted, found)
            rule = "V4-OFFER-FIELDS"
            if wanted != Wanted():
                self.stored(Wanted())
                rule = _special(wanted, "OFFER") or rule
            reason = "no offer of the search could be stored"
            stored = self._stored(draft, wanted, found, self.needed(draft, reason, rule))
        with prerequisite("a stored offer has no id", rule="V4-OFFER-FIELDS", exchange=stored.answer.exchange):
            UUID(stored.id)
        with prerequisite("a stored offer has no fare", rule="V4-OFFER-CHEAPEST-FARE", exchange=stored.answer.exchange):
            UUID(stored.fare_id)
        return stored

    def _stored(self, draft: Draft, wanted: Wanted, found: Itinerary, answer: Answer) -> Stored:
        return Stored(draft, answer, wanted, found.offer, self.clock.generation)

    def stored(self, wanted: Wanted) -> Stored:
        """Return a live offer that scenarios share because they only read it."""
        key = ("offer", wanted)
        stored = self.once(key, lambda: self.store(wanted))
        if not self._live(stored):
            del self._shared[key]
            stored = self.once(key, lambda: self.store(wanted))
        return stored

    def forget_offer(self, stored: Stored) -> None:
        """Share an offer no longer: an order was created from it."""
        self._shared = {key: made for key, made in self._shared.items() if made is not stored}

    def _live(self, stored: Stored) -> bool:
        age = (self.clock.now() - stored.answer.exchange.started).total_seconds()
        return stored.generation == self.clock.generation and age < self.profile.lifetimes.offer_seconds * _SHARED_LIFE

    @property
    def usual_payment(self) -> PaymentMethod:
        """How an order is paid where its scenario does not care: by card, unless the service takes none."""
        return "card" if self.profile.offers("card") else "balance"

    # Create Order

    def requires_birth_date(self, stored: Stored) -> bool:
        """Whether an offer lists the birth date as a required field of adults; the spelling is left open (OPEN-68)."""
        information = _adult_information(stored).get("providerRequiredAdditionalFields")
        names = information if isinstance(information, list) else []
        return any(str(name).replace("_", "").lower() == "birthdate" for name in names)

    def baggage(self, stored: Stored) -> Mapping[str, Any]:
        """Return a checked bag that the offer sells. Raises Untested where it sells none."""
        needs(self.profile, "baggage")
        draft = bodies.get_baggage(stored.id)
        answer = self.needed(draft, "the baggage of an offer was not answered", "V4-BAGGAGE-OPTIONS")
        with prerequisite("the baggage of an offer is unusable", rule="V4-BAGGAGE-OPTIONS", exchange=answer.exchange):
            options = [
                option
                for item in sorted(answer.body["fareBaggageOptions"], key=lambda item: item["fareId"] != stored.fare_id)
                for option in item["outboundSegmentOptions"]
                if option["type"] == "CHECK_IN"
                and option["maxPiecesPerPassenger"] > 0
                and round(option["maxKilosPerPiece"])
            ]
        if not options:
            raise Untested("the offers of [routes.regular] sell no checked bags")
        return dict(options[0])

    def order_request(self, stored: Stored, options: OrderOptions) -> Draft:
        """Build an order of a stored offer's cheapest fare."""
        return bodies.create_order(
            stored.id,
            stored.fare_id,
            stored.wanted.party,
            options,
            self.clock.now().date(),
            first_number=self._first_number,
            bag=self.baggage(stored) if options.bag else None,
            identification=_identification(stored, wanted=options.passport),
        )

    def order(self, wanted: Wanted, options: OrderOptions, *, stored: Stored | None = None) -> Ordered:
        """Create an order, of an offer of its own unless one is given; the service has to accept it.

        Raises NotApplicable where the organisation cannot pay that way.
        """
        if options.payment == "balance" and not self.v4.balance:
            raise NotApplicable("the profile says that the organisation has no balance payment")
        if options.payment == "card":
            needs(self.profile, "card")
        stored = stored or self.store(wanted)
        draft = self.order_request(stored, options)
        if self._first_number == 1 and "numbering" not in self._shared:
            # OPEN-66: the first passenger may have to be number 0.
            answer = self.send(draft)
            self._shared["numbering"] = True
            if answer.status == 400:
                self._first_number = 0
                draft = self.order_request(stored, options)
            else:
                return Ordered(draft, self._accepted(answer), stored, options)
        return Ordered(draft, self._accepted(self.send(draft)), stored, options)

    def _accepted(self, answer: Answer) -> Answer:
        rule = "V4-AUTH-KEY" if answer.status == 401 else "V4-ORDER-OPENS"
        with prerequisite("a documented order was not accepted", rule=rule, exchange=answer.exchange):
            expect(
                answer.succeeded and UUID(answer.body["id"]),
                "a documented order has to be accepted",
                expected="status 200 with an order",
                actual=f"status {answer.status}",
                pointer="status",
                exchange=answer.exchange,
            )
        return answer

    def ordered(self, wanted: Wanted, options: OrderOptions) -> Ordered:
        """Return an order that the service accepted once and that scenarios share as the pattern of their own."""
        return self.once(("order", wanted, options), lambda: self.order(wanted, options))

    # Confirm Order

    def confirmation(self, ordered: Ordered, by: str) -> Draft:
        """Build the confirmation of an order by one of the ways that `Payments` knows.

        Raises Untested or NotApplicable where the profile does not say how to pay that way.
        """
        with prerequisite("an order has no total to be paid", rule="V4-ORDER-FIELDS", exchange=ordered.answer.exchange):
            total = ordered.total
        method, provider_fields = self.payments.fields(by, total)
        return bodies.confirm_order(ordered.id, method, **provider_fields)

    def booked(self, by: str) -> Ordered:
        """Return a booked order that scenarios share, paid in a way that `Payments` knows."""
        return self.once(("booked", by), lambda: self.book(by))

    def forget_booked(self, ordered: Ordered) -> None:
        """Share a booked order no longer: a scenario tries to change it."""
        self._shared = {key: made for key, made in self._shared.items() if made is not ordered}

    def book(self, by: str) -> Ordered:
        """Book an order, paid in a way that `Payments` knows; the service has to book it."""
        ordered = self.order(Wanted(), OrderOptions(payment="balance" if by == "balance" else "card"))
        confirmation = self.confirmation(ordered, by)
        reason = "a documented confirmation did not book"
        answer = self.needed(confirmation, reason, "V4-CONFIRM-BOOKS", "reservationId")
        return replace(ordered, confirmation=confirmation, confirmed=answer)

    def grand_tour(self) -> tuple[Answer, ...]:
        """Use every operation of v4 once, as documented, and return the answers; made once and shared."""
        return self.once("grand tour", self._tour)

    def _tour(self) -> tuple[Answer, ...]:
        booked = self.booked(WAYS[self.usual_payment])
        stored, reservation_id = booked.stored, booked.reservation_id
        assert booked.confirmed is not None
        # What is only read is left to the rules that own it, so that one unanswered read does not hide the others.
        return (
            self.search_with_offers(stored.wanted).answer,
            stored.answer,
            self.send(bodies.get_fares(stored.id)),
            self.send(bodies.get_baggage(stored.id)),
            booked.answer,
            booked.confirmed,
            self.send(bodies.get_order(booked.id)),
            self.send(bodies.get_reservation(reservation_id)),
            self.send(bodies.find_reservation(booked.id)),
        )


def _special(wanted: Wanted, request: str) -> str:
    """Return the rule of what makes a request other than a plain one, "" where there is none."""
    if wanted.round_trip:
        return f"V4-{request}-TRIP-TYPE"
    if wanted.route == "city":
        return f"V4-{request}-LOCATION"
    if wanted.party.infants:
        return f"V4-{request}-INFANTS"
    return f"V4-{request}-CHILDREN" if wanted.party.children else ""


def _owner(answer: Answer, rule: str) -> str:
    """The rule that a request which was not answered breaks: that of the valid key, where the key was refused."""
    if answer.status != 401:
        return rule
    return "V4-AUTH-KEY" if "/v4/" in answer.exchange.request.url else "V23-AUTH-KEY"


def _adult_information(stored: Stored) -> Mapping[str, Any]:
    information = stored.answer.member("providerAdditionalPassengerInformationByPassengerType")
    adult = information.get("adult") if isinstance(information, Mapping) else None
    return adult if isinstance(adult, Mapping) else {}


def _identification(stored: Stored, *, wanted: bool) -> str | None:
    """The type of identification to send: what the offer lists for adults, for it may be demanded (OPEN-68).

    A passport where it lists no document and one is ``wanted``, else None.
    """
    listed = _adult_information(stored).get("providerIdentificationTypeOptions")
    documents = [kind for kind in listed or () if kind in ("PASSPORT", "NATIONAL_ID_CARD", "NIE", "NIF")]
    if "PASSPORT" in documents or not documents:
        return "PASSPORT" if documents or wanted else None
    return str(documents[0])


def _nothing_found(wanted: Wanted) -> Untested:
    return Untested(f"a search on [routes.{wanted.route}] finds no offers for {wanted.party} in {_DAYS_SEARCHED} days")
