"""The same integration with defects that have names. Do not copy from here.

`airworthy certify partner` refuses each defect at one item of the go-live list.
"""

import contextlib
from collections.abc import Mapping

from partner.flights import FlightClient, Request
from partner.offers import Offer, OfferClient
from partner.payments import Card
from partner.service import Json, PaymentFailed, Rejected, Unclear
from partner.travellers import Bags, Traveller, Trip

_CARD = {"card_number": "4242424242424242", "cvc": "123"}


class OrderConfirmedTwice(OfferClient):
    """Confirm an order that is booked already."""

    def pay(self, order: Json, card: Card) -> Json:
        """Send two confirmations."""
        confirmed = super().pay(order, card)
        with contextlib.suppress(Rejected):
            super().pay(order, card)
        return confirmed


class RequestBookedTwice(FlightClient):
    """Book a booking request that is booked already."""

    def send(self, body: Json) -> str:
        """Send two bookings."""
        reference = super().send(body)
        with contextlib.suppress(Rejected):
            super().send(body)
        return reference


class OrderNeverRead(OfferClient):
    """Never look up what was booked."""

    def retrieve(self, order: str) -> str:  # noqa: ARG002  the careful client needs it
        """Look up nothing."""
        return ""


class BookingNeverRead(FlightClient):
    """Never look up what was booked."""

    def retrieve(self, reference: str) -> str:  # noqa: ARG002  the careful client needs it
        """Look up nothing."""
        return ""


class CardInConfirmation(OfferClient):
    """Send the card to the service."""

    def confirmation_body(self, card: Card) -> Json:
        """Add the card to the body."""
        return super().confirmation_body(card) | _CARD


class CardInBooking(FlightClient):
    """Send the card to the service."""

    def booking_body(self, request: Request, card: Card) -> Json:
        """Add the card to the body."""
        return super().booking_body(request, card) | _CARD


class ExpiredOfferOrdered(OfferClient):
    """Order from an expired offer again instead of getting a new one."""

    def renew(self, offer: Offer) -> Offer:
        """Keep the old offer."""
        return offer


class ExpiredRequestBooked(FlightClient):
    """Book an expired booking request again instead of creating a new one."""

    def renew(self, request: Request) -> Request:
        """Keep the old booking request."""
        return request


class InfantsNotInOffer(OfferClient):
    """Get an offer without the infants of the order."""

    def counts(self, travellers: list[Traveller]) -> Json:
        """Count no infants."""
        return super().counts(travellers) | {"infants": 0}


class InfantsNotInRequest(FlightClient):
    """Request seats without the infants."""

    def request_body(self, flight: Json, travellers: list[Traveller], bags: Bags) -> Json:
        """Leave out the infants."""
        return super().request_body(flight, [each for each in travellers if each.kind != "infant"], bags)


class PriceVerified(FlightClient):
    """Verify the price with the deprecated operation of v3."""

    def request(self, flight: Json, travellers: list[Traveller], bags: Bags) -> Request:
        """Verify a flight first."""
        body = {"flight_id": flight["id"], "passengers": {"adults": 1}, "customer_code": self.customer_code}
        self.service.post("/flights/verify", body)
        return super().request(flight, travellers, bags)


class FieldOfEarlierRevision(OfferClient):
    """Send a field that the current revision of v4 no longer has."""

    def counts(self, travellers: list[Traveller]) -> Json:
        """Add the field."""
        return super().counts(travellers) | {"isResidentDiscountEligible": False}


class RemovedVersion(FlightClient):
    """Look up bookings with the removed version 1.1."""

    def retrieve(self, reference: str) -> str:
        """Try the removed version first."""
        with contextlib.suppress(Rejected):
            self.service.get("/../v1.1/bookings", cp_reference=reference)
        return super().retrieve(reference)


class SearchWithoutCustomerCode(OfferClient):
    """Forget the customer code at first."""

    def search(self, trip: Trip, travellers: list[Traveller]) -> Json:
        """Search without the code."""
        body = self.search_body(trip, travellers)
        del body["customerCode"]
        with contextlib.suppress(Rejected):
            return self.service.post("/search", body)
        return super().search(trip, travellers)


class BookingWithoutCustomerCode(FlightClient):
    """Forget the customer code at first."""

    def send(self, body: Json) -> str:
        """Book without the code."""
        with contextlib.suppress(Rejected):
            return super().send({name: value for name, value in body.items() if name != "customer_code"})
        return super().send(body)


class OrderWithoutAuthentication(OfferClient):
    """Ignore that the bank asks for 3-D Secure."""

    def confirmation_body(self, card: Card) -> Json:
        """Leave out the results."""
        body = super().confirmation_body(card)
        body.pop("three_d_secure", None)
        return body


class BookingWithoutAuthentication(FlightClient):
    """Ignore that the bank asks for 3-D Secure."""

    def booking_body(self, request: Request, card: Card) -> Json:
        """Leave out the results."""
        body = super().booking_body(request, card)
        body.pop("three_d_secure", None)
        return body


class OrderedAgain(OfferClient):
    """After an unclear response, order and pay once more."""

    def buy(self, offer: Offer, card: Card) -> str:
        """Start again as if nothing had happened."""
        order = self.order(offer)
        try:
            self.pay(order, card)
        except Rejected:
            status = self.service.get(f"/order/{order['id']}")["status"]
            raise PaymentFailed(f"order {order['id']} is {status}") from None
        except Unclear:
            order = self.order(self.renew(offer))
            self.pay(order, card)
        return str(order["id"])


class BookedAgain(FlightClient):
    """After an unclear response, request and pay once more."""

    def book(self, request: Request, card: Card) -> str:
        """Start again as if nothing had happened."""
        try:
            return self.send(self.booking_body(request, card))
        except Unclear:
            return self.send(self.booking_body(self.renew(request), card))


DEFECTS: Mapping[str, tuple[type[OfferClient] | None, type[FlightClient] | None]] = {
    "double-confirmation": (OrderConfirmedTwice, RequestBookedTwice),
    "no-polling": (OrderNeverRead, BookingNeverRead),
    "card-data": (CardInConfirmation, CardInBooking),
    "expired-offer": (ExpiredOfferOrdered, ExpiredRequestBooked),
    "wrong-infant-count": (InfantsNotInOffer, InfantsNotInRequest),
    "deprecated-verify": (None, PriceVerified),
    "stale-version": (FieldOfEarlierRevision, RemovedVersion),
    "no-customer-code": (SearchWithoutCustomerCode, BookingWithoutCustomerCode),
    "no-3d-secure": (OrderWithoutAuthentication, BookingWithoutAuthentication),
    "retry-books-twice": (OrderedAgain, BookedAgain),
}
"""The defects by name, for v4 and for v3 (v2 shares them, but has no verification)."""


def careless_offers(*defects: str) -> type[OfferClient]:
    """Return a client of v4 with some defects."""
    found = [DEFECTS[name][0] for name in defects]
    return type("CarelessOfferClient", (*(each for each in found if each), OfferClient), {})


def careless_flights(*defects: str) -> type[FlightClient]:
    """Return a client of v3 and v2 with some defects."""
    found = [DEFECTS[name][1] for name in defects]
    return type("CarelessFlightClient", (*(each for each in found if each), FlightClient), {})
