"""The same integration with defects that have names. Do not copy from here.

`airworthy certify partner` refuses each defect at one item of the go-live list.
"""

import contextlib
from collections.abc import Iterable, Mapping
from typing import TypeVar

from partner.flights import FlightClient, Request
from partner.offers import Offer, OfferClient
from partner.payments import Card, PayingClient
from partner.service import Json, PaymentFailed, Rejected, Unclear
from partner.travellers import Bags, Traveller, Trip

Held = TypeVar("Held")
Integrated = TypeVar("Integrated", bound=PayingClient)
_CARD = {"card_number": "4242424242424242", "cvc": "123"}


class OrderConfirmedTwice(OfferClient):
    """Confirm an order that is booked already."""

    def pay(self, order: Json, card: Card) -> Json:
        confirmed = super().pay(order, card)
        with contextlib.suppress(Rejected):
            super().pay(order, card)
        return confirmed


class RequestBookedTwice(FlightClient):
    """Book a booking request that is booked already."""

    def send(self, body: Json) -> str:
        reference = super().send(body)
        with contextlib.suppress(Rejected):
            super().send(body)
        return reference


class NeverRead(PayingClient):
    """Never look up what was booked."""

    def retrieve(self, _: str) -> str:
        return ""


class CardSent(PayingClient):
    """Send the card to the service."""

    def payment(self, card: Card) -> Json:
        return super().payment(card) | _CARD


class ExpiredHoldUsed(PayingClient):
    """Use an expired offer or booking request again instead of getting a new one."""

    def renew(self, held: Held) -> Held:
        return held


class InfantsNotInOffer(OfferClient):
    """Get an offer without the infants of the order."""

    def counts(self, travellers: list[Traveller]) -> Json:
        return super().counts(travellers) | {"infants": 0}


class InfantsNotInRequest(FlightClient):
    """Request seats without the infants."""

    def request_body(self, flight: Json, travellers: list[Traveller], bags: Bags) -> Json:
        return super().request_body(flight, [each for each in travellers if each.kind != "infant"], bags)


class PriceVerified(FlightClient):
    """Verify the price with the deprecated operation of v3."""

    def request(self, flight: Json, travellers: list[Traveller], bags: Bags) -> Request:
        body = {"flight_id": flight["id"], "passengers": {"adults": 1}, "customer_code": self.customer_code}
        self.service.post("/flights/verify", body)
        return super().request(flight, travellers, bags)


class FieldOfEarlierRevision(OfferClient):
    """Send a field that the current revision of v4 no longer has."""

    def counts(self, travellers: list[Traveller]) -> Json:
        return super().counts(travellers) | {"isResidentDiscountEligible": False}


class RemovedVersion(FlightClient):
    """Look up bookings with the removed version 1.1."""

    def retrieve(self, reference: str) -> str:
        with contextlib.suppress(Rejected):
            self.service.get("/../v1.1/bookings", cp_reference=reference)
        return super().retrieve(reference)


class SearchWithoutCustomerCode(OfferClient):
    """Forget the customer code at first."""

    def search(self, trip: Trip, travellers: list[Traveller]) -> Json:
        body = self.search_body(trip, travellers)
        del body["customerCode"]
        with contextlib.suppress(Rejected):
            return self.service.post("/search", body)
        return super().search(trip, travellers)


class BookingWithoutCustomerCode(FlightClient):
    """Forget the customer code at first."""

    def send(self, body: Json) -> str:
        with contextlib.suppress(Rejected):
            return super().send({name: value for name, value in body.items() if name != "customer_code"})
        return super().send(body)


class WithoutAuthentication(PayingClient):
    """Ignore that the bank asks for 3-D Secure."""

    def payment(self, card: Card) -> Json:
        return {"payment_method": super().payment(card)["payment_method"]}


class OrderedAgain(OfferClient):
    """After an unclear response, order and pay once more."""

    def buy(self, offer: Offer, card: Card) -> str:
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
        try:
            return self.send(self.booking_body(request, card))
        except Unclear:
            return self.send(self.booking_body(self.renew(request), card))


DEFECTS: Mapping[str, tuple[type[PayingClient] | None, type[PayingClient]]] = {
    "double-confirmation": (OrderConfirmedTwice, RequestBookedTwice),
    "no-polling": (NeverRead, NeverRead),
    "card-data": (CardSent, CardSent),
    "expired-offer": (ExpiredHoldUsed, ExpiredHoldUsed),
    "wrong-infant-count": (InfantsNotInOffer, InfantsNotInRequest),
    "deprecated-verify": (None, PriceVerified),
    "stale-version": (FieldOfEarlierRevision, RemovedVersion),
    "no-customer-code": (SearchWithoutCustomerCode, BookingWithoutCustomerCode),
    "no-3d-secure": (WithoutAuthentication, WithoutAuthentication),
    "retry-books-twice": (OrderedAgain, BookedAgain),
}
"""The defects by name, for v4 and for v3 (v2 shares them, but has no verification)."""


def careless(client: type[Integrated], defects: Iterable[str]) -> type[Integrated]:
    """Return a client with some defects."""
    found = [DEFECTS[name][issubclass(client, FlightClient)] for name in defects]
    return type(f"Careless{client.__name__}", (*filter(None, found), client), {})
