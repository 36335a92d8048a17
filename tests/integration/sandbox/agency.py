"""A client that books with v4 of a sandbox over TLS."""

from dataclasses import dataclass
from datetime import date, timedelta

import requests

from airworthy.sandbox import SandboxServer
from conformance.v4 import request_bodies as bodies
from conformance.v4.request_bodies import OrderOptions, PassengerCounts, PaymentMethod, SearchedTrip, SearchPlace

from .sandbox_client import Json, SandboxClient


@dataclass
class Agency(SandboxClient):
    """One organisation's client of v4."""

    key: str
    customer_code: str

    def send(self, method: str, path: str, body: object = None, **query: object) -> requests.Response:
        """Send a request to a path of v4."""
        return self.send_with(method, f"/v4{path}", self.key, body, query)

    def search_response(self, *route: str, **changes: object) -> requests.Response:
        """Search a route a month from now."""
        origin, destination = (SearchPlace(code, "AIRPORT") for code in route or ("MAD", "BCN"))
        trip = SearchedTrip(origin, destination, self.today + timedelta(days=30))
        body = bodies.search_offers(trip, PassengerCounts(), self.customer_code).body
        return self.send("POST", "/search", body | changes)

    def search(self, *route: str) -> Json:
        """Return the body of the response to a search."""
        response = self.search_response(*route)
        assert response.status_code == 200, response.text
        found: Json = response.json()
        return found

    def offer(self, *route: str) -> requests.Response:
        """Ask for the first offer that a search finds."""
        sections = self.search(*route)["offers"][0]["outboundSegment"]["sections"]
        draft = bodies.get_offer(sections, None, PassengerCounts(), self.customer_code)
        return self.send("POST", "/offer", draft.body)

    def order(self, offer: Json, method: PaymentMethod = "card", **changes: object) -> requests.Response:
        """Order an offer's cheapest fare for one adult without a document."""
        ids = offer["id"], offer["cheapestFare"]["id"]
        draft = bodies.create_order(*ids, PassengerCounts(), OrderOptions(payment=method), self.today)
        return self.send("POST", "/order", draft.body | changes, **draft.query)

    def opened(self, method: PaymentMethod = "card") -> Json:
        """Return a fresh open order."""
        response = self.order(self.offer().json(), method)
        assert response.status_code == 200, response.text
        order: Json = response.json()
        return order

    def confirm(self, order: Json, **fields: object) -> requests.Response:
        """Confirm an order: by a valid card, unless other fields are given."""
        fields = fields or {"payment_method": "pm_card_visa"}
        return self.send("POST", f"/order/{order['id']}/confirm", {"paymentMethod": {"card": True}} | fields)


def passenger(number: int) -> Json:
    """Return an adult passenger without a document."""
    order = bodies.create_order("", "", PassengerCounts(), OrderOptions(), date(2026, 11, 2), first_number=number)
    adult: Json = order.body["passengers"][0]
    return adult


def agency_of(server: SandboxServer) -> Agency:
    """Return the client of the first organisation of a sandbox."""
    values = server.profile()["v4"]
    return Agency(server, values["key"], values["customer_code"])
