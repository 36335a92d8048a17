"""A client of v4 that creates orders from stored offers, and confirms them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from airworthy.contract.http.exchange import Exchange
from airworthy.contract.http.transaction import member, same_id
from airworthy.suite.outcomes import NotApplicable, Untested, prerequisite
from conformance.kinds import Kinds
from conformance.parsed_response import ParsedResponse
from conformance.payments import WAYS
from conformance.request_draft import RequestDraft
from conformance.v4 import request_bodies as bodies
from conformance.v4.offer_client import OfferClient, OfferCriteria, StoredOffer
from conformance.v4.request_bodies import BagKind, OrderOptions, PassengerCounts, PaymentMethod, Way
from conformance.v4.seats import SeatSearch

# Words in the names of required fields, by the optional field of a passenger that they are about.
_FIELD_WORDS = {
    "middleName": "middlename",
    "secondLastName": "secondlastname",
    "nationalityCountryCode": "nationality",
    "countryCodeOfResidence": "residen",
    "phone": "phone",
}
# The operations that change nothing, with the rule that each must meet at least.
READS = {
    "getFares": "V4-FARES-LIVE",
    "getBaggage": "V4-BAGGAGE-OPTIONS",
    "getOrder": "V4-ORDER-READ",
    "getReservation": "V4-RESERVATION-FIELDS",
    "findReservation": "V4-RESERVATION-BY-ORDER",
}
# How many offers are stored to find one that lists each payment method.
_OFFERS_TRIED = 12
_BOTH: tuple[Way, ...] = ("outbound", "inbound")
# Every party, with and without connections, a way back and bags.
_KINDS = (
    (OfferCriteria(party=PassengerCounts(2, 1, 1)), OrderOptions(bags=1, whose="second")),
    (OfferCriteria(), OrderOptions()),
    (OfferCriteria(round_trip=True), OrderOptions()),
    (OfferCriteria("connecting", PassengerCounts(1, 1)), OrderOptions()),
    (OfferCriteria(party=PassengerCounts(2), round_trip=True), OrderOptions(bags=1, ways=_BOTH, whose="every")),
    (OfferCriteria(party=PassengerCounts(1, 0, 1)), OrderOptions()),
    (OfferCriteria(party=PassengerCounts(3, 2, 2), round_trip=True), OrderOptions()),
    (OfferCriteria(party=PassengerCounts(1, 1)), OrderOptions(bags=3)),
    (OfferCriteria("connecting", PassengerCounts(2), round_trip=True), OrderOptions()),
    (OfferCriteria(party=PassengerCounts(1, 0, 1), round_trip=True), OrderOptions()),
    (OfferCriteria(party=PassengerCounts(3)), OrderOptions()),
)
_IDENTIFIED = "identification_required"
_OTHER_REQUIREMENTS = ("birth", "document", "identification", "passport", "expir", "issu")


@dataclass(frozen=True, slots=True)
class CreatedOrder:
    """An order that the service accepted, with the offer that it was created from."""

    draft: RequestDraft
    response: ParsedResponse
    stored: StoredOffer
    options: OrderOptions
    confirmation: RequestDraft | None = None
    confirmed: ParsedResponse | None = None

    @property
    def id(self) -> str:
        """The id of the order."""
        return str(self.response.body["id"])

    @property
    def total(self) -> float:
        """The amount of its total price, in EUR."""
        return float(self.response.body["totalPrice"]["amount"])

    @property
    def reservation_id(self) -> str:
        """The id of its reservation, from the response to the confirmation."""
        assert self.confirmed is not None
        return str(self.confirmed.body["reservationId"])


@dataclass(eq=False, repr=False)
class OrderClient(OfferClient):
    """A client that creates and confirms orders."""

    _first_number: int = field(default=1, init=False)
    _numbering_is_known: bool = field(default=False, init=False)
    # What is sold in offers that do not list each payment method.
    _unlisted: set[OfferCriteria] = field(default_factory=set, init=False)
    _kinds: Kinds[tuple[OfferCriteria, OrderOptions]] = field(default_factory=partial(Kinds, _KINDS), init=False)

    def __post_init__(self) -> None:
        """Know how to use the operations, and how seats may explain a response."""
        super().__post_init__()
        seats = SeatSearch(self)
        self.followers.append(seats.follow)
        self.causes += (seats.explain, self._explain_balance)
        self.documented_uses |= {
            "createOrder": lambda: self.ordered(OfferCriteria(), OrderOptions(payment=self.usual_payment)),
            "confirmOrder": lambda: self.booked(WAYS[self.usual_payment]),
        } | {operation: partial(self._read_once, operation) for operation in READS}

    @property
    def usual_payment(self) -> PaymentMethod:
        """How an order is paid where its scenario does not care: by card, unless the service takes none."""
        return "card" if self.profile.has_capability("card") else "balance"

    @property
    def lacks_balance(self) -> bool:
        """Whether the profile says that the organisation has no balance payment: the second one has none by default."""
        is_second = self.organisation is not self.profile.organisation
        return not self.v4.balance and (self.v4.declares_balance or is_second)

    # Create Order

    def store(self, criteria: OfferCriteria) -> StoredOffer:
        """Store an offer that lists each payment method of the organisation, as far as one of a few does (OPEN-36)."""
        methods = {"card": self.profile.has_capability("card"), "balance": self.v4.balance}
        for _ in range(_OFFERS_TRIED):
            stored = super().store(criteria)
            if criteria in self._unlisted or all(stored.lists(each) for each, is_own in methods.items() if is_own):
                return stored
        self._unlisted.add(criteria)
        return stored

    def requires_birth_date(self, stored: StoredOffer) -> bool:
        """Whether an offer lists the birth date as a required field of adults; the spelling is left open (OPEN-68)."""
        return "birthdate" in _required_fields(stored)

    def may_require(self, stored: StoredOffer, field: str) -> bool:
        """Whether an offer may require an optional field of adults: it lists the field, or a name of unknown meaning.

        The vocabulary of required fields is open (OPEN-68).
        """
        words = _FIELD_WORDS.get(field.rpartition(".")[2])
        if words is None:
            return False
        other = [each for name, each in _FIELD_WORDS.items() if each != words]
        meanings = (*_OTHER_REQUIREMENTS, *other)
        return any(words in name or not any(each in name for each in meanings) for name in _required_fields(stored))

    def without_optional_fields(self, order: RequestDraft, stored: StoredOffer) -> RequestDraft:
        """Return an order without the optional fields of its first passenger that the offer does not require."""
        for name in (f"passengers[0].{each}" for each in _FIELD_WORDS):
            order = order if self.may_require(stored, name) else order.without(name)
        return order

    def _baggage(self, stored: StoredOffer, options: OrderOptions) -> dict[Way, Sequence[Mapping[str, Any]]]:
        """Return the bags that an order with these options has, as the offer sells them, by way."""
        if not options.bags:
            return {}
        self.needs("baggage")
        draft = bodies.get_baggage(stored.id)
        response = self.send_required(draft, "the baggage options of an offer were not returned", "V4-BAGGAGE-OPTIONS")
        return {way: self._bags(stored, response, way, options.kinds) for way in options.ways}

    def _bags(
        self, stored: StoredOffer, response: ParsedResponse, way: Way, kinds: tuple[BagKind, ...]
    ) -> Sequence[Mapping[str, Any]]:
        """Return the dearest bag of each kind that the ordered fare sells for one way; without kinds, each option.

        Raises Untested if it sells no checked bags, NotApplicable if it sells no cabin bags or none on the way back.
        """
        with prerequisite("an incomplete baggage option", rule="V4-BAGGAGE-OPTIONS", exchange=response.exchange):
            fares = response.body["fareBaggageOptions"]
            # A fare may have another id since the offer was requested again (OPEN-73).
            fares = [fare for fare in fares if same_id(fare["fareId"], stored.fare_id)] or fares
            options = [
                option
                for fare in fares[: None if kinds and not stored.fare else 1]
                for option in fare[f"{way}SegmentOptions"] or ()
                if option["maxPiecesPerPassenger"] > 0 and round(option["maxKilosPerPiece"])
            ]
            options.sort(key=lambda option: -option["pricePerPiece"]["amount"])
        for kind in kinds or ("CHECK_IN",):
            if not any(option["type"] == kind for option in options):
                if kind == "CABIN":
                    raise NotApplicable("the offer that was tried has no cabin bags")
                if way == "inbound":
                    raise NotApplicable("the offer that was tried has no checked bags on the way back")
                raise Untested(f"an offer of [{self.route_key(stored.criteria.route)}] has no checked bags")
        return [next(each for each in options if each["type"] == kind) for kind in kinds] or options

    def criteria_for(self, options: OrderOptions, criteria: OfferCriteria) -> OfferCriteria:
        """Return criteria for offers that list identification types, if the order has one and there is a route.

        A service may reject an identification if the offer lists none (OPEN-68).
        """
        if not options.passport or _IDENTIFIED not in self.profile.routes:
            return criteria
        return replace(criteria, route=_IDENTIFIED)

    def order_request(self, stored: StoredOffer, options: OrderOptions) -> RequestDraft:
        """Build an order of a stored offer's chosen or cheapest fare.

        Raises Untested if the order is to have an identification, but the offer lists none; NotApplicable if the
        profile says that no offer does.
        """
        documents = _documents(stored)
        if options.passport:
            self.needs("identification")
        if options.passport and not documents:
            raise Untested(f"the offers of [{self.route_key(stored.criteria.route)}] list no identification document")
        return bodies.create_order(
            stored.id,
            stored.fare_id,
            stored.criteria.party,
            options,
            self.clock.now().date(),
            first_number=self._first_number,
            bags=self._baggage(stored, options),
            documents=documents,
            locality="localitycodeofresidency" in _required_fields(stored),
        )

    def any_order(self, payment: PaymentMethod) -> CreatedOrder:
        """Create an order, of another kind each time, for a scenario to which any order will do.

        A service may treat only the plainest orders well. What it does not sell is left to the scenarios about it.
        """
        self._expect_payable(payment)
        special = self._kinds.make(partial(self._order_if_sold, payment), self.needs)
        return special or self.order(OfferCriteria(), OrderOptions(payment=payment))

    def _order_if_sold(self, payment: PaymentMethod, kind: tuple[OfferCriteria, OrderOptions]) -> CreatedOrder | None:
        criteria, options = kind[0], replace(kind[1], payment=payment)
        stored = self.store(criteria)
        draft, response = self._send_order(stored, options)
        is_usable = response.succeeded and response.member("id") and member(response.body, "totalPrice", "amount")
        return CreatedOrder(draft, response, stored, options) if is_usable else None

    def _send_order(self, stored: StoredOffer, options: OrderOptions) -> tuple[RequestDraft, ParsedResponse]:
        draft = self.order_request(stored, options)
        response = self.send(draft)
        if response.rejected and not self._numbering_is_known:
            # OPEN-66: the first passenger may have to be number 0.
            self._first_number = 0
            draft = self.order_request(stored, options)
            response = self.send(draft)
            self._first_number = 1 if response.rejected else 0
        self._numbering_is_known |= response.succeeded
        return draft, response

    def _expect_payable(self, payment: PaymentMethod) -> None:
        if payment == "card":
            self.needs("card")
        elif self.v4.balance:
            self.needs.note("balance")
        else:
            raise NotApplicable("the profile says that the organisation has no balance payment")

    def order(
        self, criteria: OfferCriteria, options: OrderOptions, *, stored: StoredOffer | None = None
    ) -> CreatedOrder:
        """Create an order, of an offer of its own unless a used one is given; the service has to accept it.

        Raises NotApplicable if the organisation cannot pay that way, or if the service rejects a second order
        from an offer (OPEN-73), or a cabin bag or an infant's bag (OPEN-65).
        """
        self._expect_payable(options.payment)
        is_further = stored is not None
        stored = stored or self.store(criteria)
        draft, response = self._send_order(stored, options)
        self._numbering_is_known = True
        if response.rejected and options.bags and (options.kinds != ("CHECK_IN",) or options.whose == "infant"):
            raise NotApplicable("the service rejects a cabin bag, several kinds of bags or an infant's bag (OPEN-65)")
        if response.rejected and is_further:
            raise NotApplicable("the service creates no second order from an offer (OPEN-73)")
        return CreatedOrder(draft, self._accepted(response), stored, options)

    def _accepted(self, response: ParsedResponse) -> ParsedResponse:
        if not response.succeeded:
            self.explain(response.exchange)
        rule = "V4-AUTH-KEY" if response.status == 401 else "V4-ORDER-OPENS"
        with prerequisite("the service did not accept a documented order", rule=rule, exchange=response.exchange):
            response.expect(
                response.succeeded and UUID(response.body["id"]),
                "the service must accept a documented order",
                expected="status 200 with an order",
                actual=f"status {response.status}",
            )
        return response

    def ordered(self, criteria: OfferCriteria, options: OrderOptions) -> CreatedOrder:
        """Return an order that the service accepted once and that scenarios share as the pattern of their own."""
        return self.once(("order", criteria, options), lambda: self.order(criteria, options))

    # Confirm Order

    def confirmation(
        self, ordered: CreatedOrder, by: str | None = None, priced: CreatedOrder | None = None
    ) -> RequestDraft:
        """Build the confirmation of an order by its own payment method, unless another way of `Payments` is given.

        It is over the total of another order if ``priced``.

        Raises Untested or NotApplicable if the profile does not say how to pay that way.
        """
        with prerequisite(
            "the total price of an order is not a number", rule="V4-ORDER-FIELDS", exchange=ordered.response.exchange
        ):
            total = (priced or ordered).total
        method, provider_fields = self.payments.fields(by or WAYS[ordered.options.payment], total)
        return bodies.confirm_order(ordered.id, method, **provider_fields)

    def booked(self, by: str) -> CreatedOrder:
        """Return a booked order that scenarios share, paid in a way of `Payments`."""
        return self.once(("booked", by), lambda: self.book(by))

    def book(self, by: str) -> CreatedOrder:
        """Book an order, paid in a way of `Payments`; the service has to book it."""
        return self.confirm(self.any_order("balance" if by == "balance" else "card"), by)

    def confirm(self, ordered: CreatedOrder, by: str | None = None) -> CreatedOrder:
        """Confirm an order, by its own payment method unless another way is given; the service has to book it."""
        confirmation = self.confirmation(ordered, by)
        reason = "a documented confirmation did not book the order"
        response = self.send_required(confirmation, reason, "V4-CONFIRM-BOOKS", "reservationId")
        return replace(ordered, confirmation=confirmation, confirmed=response)

    def _explain_balance(self, _: str, exchange: Exchange) -> None:
        if self.organisation.v4 is not None and self.organisation.v4.balance:
            self.payments.explain_deposit("v4", exchange, self._pay_by_balance)

    def _pay_by_balance(self) -> ParsedResponse:
        return self.send(self.confirmation(self.order(OfferCriteria(), OrderOptions(payment="balance"))))

    def read(self, operation: str) -> tuple[RequestDraft, ParsedResponse]:
        """Send a documented request of one of `READS`, which the service must accept, and return the response too."""
        booked, stored = self.booked(WAYS[self.usual_payment]), self.stored(OfferCriteria())
        drafts = {
            "getFares": bodies.get_fares(stored.id),
            "getBaggage": bodies.get_baggage(stored.id),
            "getOrder": bodies.get_order(booked.id),
            "getReservation": bodies.get_reservation(booked.reservation_id),
            "findReservation": bodies.find_reservation(booked.id),
        }
        reason = f"the service did not accept a documented request of {operation}"
        return drafts[operation], self.send_required(drafts[operation], reason, READS[operation])

    def _read_once(self, operation: str) -> object:
        return self.once(("read", operation), partial(self.read, operation))

    def use_every_operation(self) -> tuple[ParsedResponse, ...]:
        """Use every operation of v4 once, as documented, and return the responses, which scenarios share."""
        return self.once("grand tour", self._tour)

    def provoke_errors(self) -> tuple[ParsedResponse, ...]:
        """Send one request each that is rejected with 400, 401 and 404, and return the responses."""
        return self.once("errors", self._rejections)

    def _rejections(self) -> tuple[ParsedResponse, ...]:
        search = self.search(OfferCriteria()).draft
        return (
            self.send(search.with_value("adults", 0)),
            self.send(search, key="airworthy-nobody-0123456789abcdef"),
            self.send(bodies.get_order(str(uuid4()))),
        )

    def _tour(self) -> tuple[ParsedResponse, ...]:
        booked = self.booked(WAYS[self.usual_payment])
        stored, reservation_id = booked.stored, booked.reservation_id
        assert booked.confirmed is not None
        # What is only read is left to the rules that own it, so that one unanswered read does not hide the others.
        return (
            self.search_with_offers(stored.criteria).response,
            stored.response,
            self.send(bodies.get_fares(stored.id)),
            self.send(bodies.get_baggage(stored.id)),
            booked.response,
            booked.confirmed,
            self.send(bodies.get_order(booked.id)),
            self.send(bodies.get_reservation(reservation_id)),
            self.send(bodies.find_reservation(booked.id)),
        )


def _required_fields(stored: StoredOffer) -> frozenset[str]:
    """Return the fields that an offer requires of adults, in lower case without separators."""
    names = _adult_information(stored).get("providerRequiredAdditionalFields")
    listed = names if isinstance(names, list) else []
    return frozenset("".join(filter(str.isalnum, str(name))).lower() for name in listed)


def _adult_information(stored: StoredOffer) -> Mapping[str, Any]:
    information = stored.response.member("providerAdditionalPassengerInformationByPassengerType")
    adult = information.get("adult") if isinstance(information, Mapping) else None
    return adult if isinstance(adult, Mapping) else {}


def _documents(stored: StoredOffer) -> list[str]:
    """Return the types of identification to send: those that the offer lists for adults, if it lists any (OPEN-68)."""
    listed = _adult_information(stored).get("providerIdentificationTypeOptions")
    documents = [kind for kind in listed or () if kind in ("PASSPORT", "NATIONAL_ID_CARD", "NIE", "NIF")]
    return sorted(documents, key=lambda kind: kind != "PASSPORT")
