"""A client that books with v4 of a sandbox over TLS."""

from dataclasses import dataclass
from datetime import date, timedelta

import requests

from airworthy.sandbox import SandboxServer

from .sandbox_client import Json, SandboxClient

_ASKED = (
    "origin",
    "destination",
    "departureDate",
    "arrivalDate",
    "flightNumber",
    "operatingCarrierCode",
    "marketingCarrierCode",
)


@dataclass
class Agency(SandboxClient):
    """One organisation's client of v4."""

    key: str
    customer_code: str

    def send(self, method: str, path: str, body: object = None, **query: object) -> requests.Response:
        """Send a request to a path of v4; repeat it if it is throttled."""
        return self.send_with(method, f"/v4{path}", self.key, body, query)

    def search_response(
        self,
        origin: str = "MAD",
        destination: str = "BCN",
        *,
        kind: str = "AIRPORT",
        back: bool = False,
        **changes: object,
    ) -> requests.Response:
        """Search a route a month from now."""
        day = self.server.service.clock.now().date() + timedelta(days=30)
        body = {
            "adults": 1,
            "children": 0,
            "infants": 0,
            "tripType": "ROUND_TRIP" if back else "ONE_WAY",
            "customerCode": self.customer_code,
            "outboundSegment": _way(origin, destination, kind, day),
            "inboundSegment": _way(destination, origin, kind, day + timedelta(days=7)) if back else None,
        }
        return self.send("POST", "/search", body | changes)

    def search(
        self,
        origin: str = "MAD",
        destination: str = "BCN",
        *,
        kind: str = "AIRPORT",
        back: bool = False,
        **changes: object,
    ) -> Json:
        """Return the body of the response to a search."""
        response = self.search_response(origin, destination, kind=kind, back=back, **changes)
        assert response.status_code == 200, response.text
        found: Json = response.json()
        return found

    def offer(self, origin: str = "MAD", destination: str = "BCN", *, back: bool = False) -> requests.Response:
        """Ask for the first offer that a search finds and that is still sold."""
        for found in self.search(origin, destination, back=back)["offers"]:
            body = {
                "adults": 1,
                "children": 0,
                "infants": 0,
                "tripType": "ROUND_TRIP" if back else "ONE_WAY",
                "customerCode": self.customer_code,
                "outboundSegment": _requested(found["outboundSegment"]),
                "inboundSegment": _requested(found["inboundSegment"]) if back else None,
            }
            response = self.send("POST", "/offer", body)
            if response.ok:
                break
        return response

    def order(self, offer: Json, method: str = "card", *, bag: bool = False, **changes: object) -> requests.Response:
        """Order an offer's cheapest fare for one adult."""
        number = 0 if self.server.service.choices.v4.first_passenger_number == "zero" else 1
        chosen = [{"type": "CHECK_IN", "numberOfPieces": 1, "kilosPerPiece": 15}] if bag else []
        body = {
            "passengers": [passenger(number, offer)],
            "selectedBaggage": [{"passengerNumber": number, "outboundSegmentBaggageSelection": chosen}],
            "customerContact": {
                "name": "Amelia",
                "lastNames": "Earhart",
                "gender": "FEMALE",
                "email": "amelia@example.com",
                "countryCode": "ES",
                "phone": {"number": "600123456", "countryCode": "ES"},
                "address": "Calle 1",
                "cityName": "Madrid",
                "zipCode": "28001",
            },
            "paymentMethod": {method: True},
        }
        return self.send("POST", "/order", body | changes, offerId=offer["id"], fareId=offer["cheapestFare"]["id"])

    def opened(self, method: str = "card", *, bag: bool = False) -> Json:
        """Return a fresh open order."""
        response = self.order(self.offer().json(), method, bag=bag)
        assert response.status_code == 200, response.text
        order: Json = response.json()
        return order

    def confirm(self, order: Json, **fields: object) -> requests.Response:
        """Confirm an order: by a valid card, unless other fields are given."""
        fields = fields or {"payment_method": "pm_card_visa"}
        return self.send("POST", f"/order/{order['id']}/confirm", {"paymentMethod": {"card": True}} | fields)


def passenger(number: int, offer: Json | None = None) -> Json:
    """Return an adult passenger, with a document of the first type that the offer lists."""
    information = ((offer or {}).get("providerAdditionalPassengerInformationByPassengerType") or {}).get("adult") or {}
    document = {
        "type": next(iter(information.get("providerIdentificationTypeOptions") or ()), None),
        "identificationNumber": "AIRW100001",
        "expirationDate": "2035-01-31",
        "issueCountryCode": "ES",
    }
    return {
        "number": number,
        "type": "adult",
        "title": "MS",
        "name": "Amelia",
        "firstLastName": "Earhart",
        "gender": "FEMALE",
        "birthDate": "1990-07-24",
    } | ({"identification": document, "localityCodeOfResidency": "28079"} if document["type"] else {})


def _way(origin: str, destination: str, kind: str, day: date) -> Json:
    return {
        "origin": {"code": origin, "type": kind},
        "destination": {"code": destination, "type": kind},
        "departureDate": day.isoformat(),
    }


def _requested(segment: Json) -> Json:
    sections = segment.get("sections") or segment["legs"]
    return {"sections": [{name: section[name] for name in _ASKED} for section in sections]}


def agencies(server: SandboxServer) -> tuple[Agency, Agency]:
    """Return the clients of both organisations of a sandbox."""
    values = server.profile()
    first, second = values["v4"], values["second_organisation"]["v4"]
    return tuple(Agency(server, each["key"], each["customer_code"]) for each in (first, second))  # type: ignore[return-value]
