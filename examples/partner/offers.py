"""Book with v4: search, get an offer, order, confirm, read the reservation."""

import time
from dataclasses import dataclass, field

from partner.payments import Card, PayingClient
from partner.service import Json, PaymentFailed, Rejected, Unclear
from partner.travellers import Bags, Traveller, Trip, count

# An offer is kept for 30 minutes. Ordering takes time, too, so get a new one earlier.
_KEEP_OFFER_SECONDS = 25 * 60
_SECTION = (
    *("origin", "destination", "departureDate", "arrivalDate", "flightNumber"),
    *("operatingCarrierCode", "marketingCarrierCode"),
)


@dataclass(frozen=True)
class Offer:
    """A stored offer, and the request that renews it."""

    body: Json
    requested: Json
    travellers: list[Traveller]
    bags: Bags
    received: float = field(default_factory=time.monotonic)

    @property
    def id(self) -> str:
        """The id of the offer; that of the search result may be another one."""
        return str(self.body["id"])

    @property
    def fare(self) -> str:
        """The id of the fare that is ordered."""
        return str(self.body["cheapestFare"]["id"])


class OfferClient(PayingClient):
    """An integration of v4."""

    version = "v4"

    # Hold a price

    def hold(self, trip: Trip, travellers: list[Traveller], bags: Bags | None = None) -> Offer:
        """Return a stored offer for the first itinerary of a search."""
        found = self.search(trip, travellers)["offers"]
        sections = [{name: each[name] for name in _SECTION} for each in found[0]["outboundSegment"]["sections"]]
        requested = self.counts(travellers) | {"outboundSegment": {"sections": sections}, "inboundSegment": None}
        return self.get_offer(requested, travellers, bags or Bags())

    def search(self, trip: Trip, travellers: list[Traveller]) -> Json:
        """Return the offers of a search; they are indicative until Get Offer."""
        return self.service.post("/search", self.search_body(trip, travellers))

    def search_body(self, trip: Trip, travellers: list[Traveller]) -> Json:
        """Return the body of a search."""
        segment = {
            "origin": {"code": trip.origin, "type": "AIRPORT"},
            "destination": {"code": trip.destination, "type": "AIRPORT"},
            "departureDate": trip.day.isoformat(),
        }
        return self.counts(travellers) | {"outboundSegment": segment, "inboundSegment": None}

    def get_offer(self, requested: Json, travellers: list[Traveller], bags: Bags) -> Offer:
        """Verify an itinerary with the supplier; the offer is kept for 30 minutes."""
        return Offer(self.service.post("/offer", requested), requested, travellers, bags)

    def renew(self, offer: Offer) -> Offer:
        """Return a new offer for the same flights; its price may be another one, so show it to the customer."""
        return self.get_offer(offer.requested, offer.travellers, offer.bags)

    # Buy

    def buy(self, offer: Offer, card: Card) -> str:
        """Order an offer, pay, and return the id of the booked order. Raises `PaymentFailed`."""
        order = self.order(offer)
        self.confirm(order, card)
        return str(order["id"])

    def order(self, offer: Offer) -> Json:
        """Create an order; an offer that has expired is renewed first."""
        if time.monotonic() - offer.received > _KEEP_OFFER_SECONDS:
            offer = self.renew(offer)
        try:
            return self.create_order(offer)
        except Rejected:
            # The documents name no status for an expired offer, but an expired offer has no fares.
            if self.service.get(f"/offer/{offer.id}/fares")["fares"]:
                raise
        return self.create_order(self.renew(offer))

    def create_order(self, offer: Offer) -> Json:
        """Create an order of the cheapest fare."""
        numbered = list(enumerate(offer.travellers, start=1))
        body = {
            "passengers": [self._passenger(number, each, offer) for number, each in numbered],
            "selectedBaggage": self._baggage(offer),
            "customerContact": self._contact(),
            "paymentMethod": {"card": True},
        }
        return self.service.post("/order", body, offerId=offer.id, fareId=offer.fare)

    def confirm(self, order: Json, card: Card) -> None:
        """Confirm an order once. Raises `PaymentFailed` if it is not booked afterwards."""
        try:
            confirmed = self.pay(order, card)
        except (Unclear, Rejected):
            # Whatever the response was, the order says what happened.
            confirmed = self.service.get(f"/order/{order['id']}")
        if confirmed["status"] != "BOOKED":
            raise PaymentFailed(f"order {order['id']} is {confirmed['status']}")

    def pay(self, order: Json, card: Card) -> Json:
        """Send one confirmation."""
        body = {"paymentMethod": {"card": True}} | self.payment(card)
        return self.service.post(f"/order/{order['id']}/confirm", body)

    # Retrieve

    def retrieve(self, order: str) -> str:
        """Return the record locator of a booked order."""
        return str(self.service.get("/reservation", orderId=order)["pnr"])

    # Bodies

    def counts(self, travellers: list[Traveller]) -> Json:
        """Return the members that searches and offer requests share."""
        return {
            "adults": count(travellers, "adult"),
            "children": count(travellers, "child"),
            "infants": count(travellers, "infant"),
            "tripType": "ONE_WAY",
            "customerCode": self.customer_code,
        }

    def _passenger(self, number: int, traveller: Traveller, offer: Offer) -> Json:
        passenger = {
            "number": number,
            "type": traveller.kind,
            "title": "MS" if traveller.female else "MR",
            "name": traveller.first_name,
            "firstLastName": traveller.last_name,
            "gender": "FEMALE" if traveller.female else "MALE",
            "birthDate": traveller.born.isoformat(),
        }
        return passenger | self._identification(traveller, offer)

    def _identification(self, traveller: Traveller, offer: Offer) -> Json:
        """Return a document if the supplier of the offer lists types of it."""
        wanted = offer.body["providerAdditionalPassengerInformationByPassengerType"].get(traveller.kind) or {}
        if "PASSPORT" not in (wanted.get("providerIdentificationTypeOptions") or ()):
            return {}
        document = {"type": "PASSPORT", "identificationNumber": "AW4711X", "issueCountryCode": "ES"}
        return {"identification": document | {"expirationDate": "2035-01-31"}}

    def _baggage(self, offer: Offer) -> list[Json]:
        """Return one item for each passenger; the first one has all the bags, as far as the offer sells them."""
        chosen = []
        for kind, pieces in (("CHECK_IN", offer.bags.checked), ("CABIN", offer.bags.cabin)):
            option = self._option(offer, kind) if pieces else None
            if option:
                chosen.append({"type": kind, "numberOfPieces": pieces, "kilosPerPiece": option["maxKilosPerPiece"]})
        return [
            {"passengerNumber": number, "outboundSegmentBaggageSelection": chosen if number == 1 else []}
            for number, _ in enumerate(offer.travellers, start=1)
        ]

    def _option(self, offer: Offer, kind: str) -> Json | None:
        listed = self.service.get(f"/offer/{offer.id}/baggage")["fareBaggageOptions"]
        of_fare = [each for each in listed if each["fareId"] == offer.fare]
        options = [option for each in of_fare for option in each["outboundSegmentOptions"]]
        return next((option for option in options if option["type"] == kind), None)

    def _contact(self) -> Json:
        customer = self.customer
        return {
            "name": customer.first_name,
            "lastNames": customer.last_name,
            "gender": "FEMALE",
            "email": customer.email,
            "countryCode": customer.country,
            "phone": {"number": customer.phone, "countryCode": customer.country},
            "address": customer.address,
            "cityName": customer.city,
            "zipCode": customer.postal_code,
        }
