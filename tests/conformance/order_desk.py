"""The desk for v4 as far as it books: it creates orders of stored offers, and confirms them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from airworthy.suite.outcomes import NotApplicable, Untested, expect, prerequisite
from conformance import bodies
from conformance.answer import Answer
from conformance.bodies import OrderOptions, PaymentMethod, Way
from conformance.draft import Draft
from conformance.offer_desk import OfferDesk, Stored, Wanted
from conformance.payments import WAYS


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


@dataclass(eq=False, repr=False)
class OrderDesk(OfferDesk):
    """A desk that orders and books what it has found."""

    _first_number: int = field(default=1, init=False)
    _numbering_is_known: bool = field(default=False, init=False)

    @property
    def usual_payment(self) -> PaymentMethod:
        """How an order is paid where its scenario does not care: by card, unless the service takes none."""
        return "card" if self.profile.has_capability("card") else "balance"

    # Create Order

    def requires_birth_date(self, stored: Stored) -> bool:
        """Whether an offer lists the birth date as a required field of adults; the spelling is left open (OPEN-68)."""
        information = _adult_information(stored).get("providerRequiredAdditionalFields")
        names = information if isinstance(information, list) else []
        return any(str(name).replace("_", "").lower() == "birthdate" for name in names)

    def baggage(self, stored: Stored, way: Way) -> Mapping[str, Any]:
        """Return a checked bag that the offer sells for one way. Raises Untested where it sells none."""
        self.needs("baggage")
        draft = bodies.get_baggage(stored.id)
        answer = self.needed(draft, "the baggage of an offer was not answered", "V4-BAGGAGE-OPTIONS")
        with prerequisite("the baggage of an offer is unusable", rule="V4-BAGGAGE-OPTIONS", exchange=answer.exchange):
            options = [
                option
                for item in sorted(answer.body["fareBaggageOptions"], key=lambda item: item["fareId"] != stored.fare_id)
                for option in item[f"{way}SegmentOptions"] or ()
                if option["type"] == "CHECK_IN"
                and option["maxPiecesPerPassenger"] > 0
                and round(option["maxKilosPerPiece"])
            ]
        if not options:
            back = " on the way back" if way == "inbound" else ""
            raise Untested(f"the offers of [routes.{stored.wanted.route}] sell no checked bags{back}")
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
            bag=self.baggage(stored, options.way) if options.bags else None,
            identification=_identification(stored, wanted=options.passport),
        )

    def order(self, wanted: Wanted, options: OrderOptions, *, stored: Stored | None = None) -> Ordered:
        """Create an order, of an offer of its own unless one is given; the service has to accept it.

        Raises NotApplicable where the organisation cannot pay that way.
        """
        if options.payment == "card":
            self.needs("card")
        elif self.v4.balance:
            self.needs.note("balance")
        else:
            raise NotApplicable("the profile says that the organisation has no balance payment")
        stored = stored or self.store(wanted)
        draft = self.order_request(stored, options)
        answer = self.send(draft)
        if answer.status == 400 and not self._numbering_is_known:
            # OPEN-66: the first passenger may have to be number 0.
            self._first_number = 0
            draft = self.order_request(stored, options)
            answer = self.send(draft)
        self._numbering_is_known = True
        return Ordered(draft, self._accepted(answer), stored, options)

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
