"""Whether seats that are gone, or the payment options, explain why the service rejects a request of v4."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from airworthy.contract.bodies.body import skim
from airworthy.contract.http.exchange import Exchange
from airworthy.contract.http.transaction import member, method
from airworthy.suite.outcomes import SeatsGone, Untested
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.v4 import request_bodies as bodies
from conformance.v4.offer_client import GONE, OfferClient, SearchResult, flights_of, seats_of, sections_of
from conformance.v4.request_bodies import PassengerCounts, SearchedTrip, SearchPlace


@dataclass(slots=True)
class SeatSearch:
    """Searches the flights of a rejected request again: others may have taken their seats (OPEN-56)."""

    client: OfferClient
    # The bodies of successful Get Offer requests, by the id of the offer.
    _requested: dict[str, Any] = field(default_factory=dict)
    # The fares of offers, and those that an offer had until it was stored again (OPEN-73).
    _fares: dict[str, str] = field(default_factory=dict)
    _replaced: set[str] = field(default_factory=set)
    # The payment methods that each offer lists.
    _listed: dict[str, list[Any]] = field(default_factory=dict)

    def follow(self, response: ParsedResponse) -> None:
        """Remember which flights a stored offer is for."""
        request = response.exchange.request
        if response.succeeded and request.url.endswith("/v4/offer"):
            offer = str(response.member("id")).lower()
            self._requested[offer] = skim(request.body)
            self._listed[offer] = [member(each, "type") for each in response.array("paymentOptions")]
            fare = str(member(response.body, "cheapestFare", "id")).lower()
            if self._fares.setdefault(offer, fare) != fare:
                self._replaced.add(self._fares[offer])
                self._fares[offer] = fare

    def explain(self, operation: str, exchange: Exchange) -> None:
        """Raise SeatsGone if a new search no longer finds the flights of a rejected request.

        Raise Untested if its offer lists other payment methods only (OPEN-36).
        """
        if ParsedResponse(exchange).status not in GONE or operation not in ("getOffer", "createOrder"):
            return
        query = dict(parse_qsl(urlsplit(exchange.request.url).query))
        if query.get("fareId", "").lower() in self._replaced:
            raise SeatsGone("the service has stored an offer again, with other fares (OPEN-73)")
        offer = query.get("offerId", "").lower()
        payment, listed = method(member(skim(exchange.request.body), "paymentMethod")), self._listed.get(offer)
        if payment and listed and payment not in listed:
            raise Untested(f"the service rejects an order by {payment} if the offer does not list that (OPEN-36)")
        body = skim(exchange.request.body) if operation == "getOffer" else self._requested.get(offer)
        # A wrong request is rejected for what is wrong with it.
        is_documented = self.client.is_documented(RequestDraft("getOffer", "POST", "/v4/offer", body=body))
        if body and is_documented and self._lacks_seats(body):
            raise SeatsGone(self.client.sold_out(self._route(body)).reason, exchange)

    def _route(self, body: Mapping[str, Any]) -> str:
        """Return the name of the route of a Get Offer request: the regular one if it is between cities."""
        sections = sections_of(body, "outboundSegment")
        ends = sections[0]["origin"], sections[-1]["destination"]
        names = (name for name, each in self.client.profile.routes.items() if (each.origin, each.destination) == ends)
        return next((name for name in names if not name.startswith("flights_")), "regular")

    def _lacks_seats(self, body: Mapping[str, Any]) -> bool:
        """Return whether a new search does not find a way of a Get Offer request with seats for its passengers."""
        party = PassengerCounts(body["adults"], body["children"])
        return any(
            self._has_no_seats(sections, party)
            for sections in (sections_of(body, each) for each in ("outboundSegment", "inboundSegment"))
            if sections
        )

    def _has_no_seats(self, sections: list[Any], party: PassengerCounts) -> bool:
        origin, destination = SearchPlace(sections[0]["origin"]), SearchPlace(sections[-1]["destination"])
        day = date.fromisoformat(sections[0]["departureDate"][:10])
        trip, code = SearchedTrip(origin, destination, day), self.client.v4.customer_code.reveal()
        draft = bodies.search_offers(trip, party, code)
        found = SearchResult(draft, self.client.send(draft))
        flights = flights_of({"outboundSegment": {"sections": sections}})
        shown = [seats_of(each.offer) for each in found.itineraries if flights_of(each.offer) == flights]
        needed = party.adults + party.children
        return found.response.succeeded and all(each is not None and each < needed for each in shown)
