"""A client that books with v3 and v2 of a sandbox in the documented dialect over TLS."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
import requests

from airworthy.sandbox import SandboxServer
from airworthy.sandbox.dialects.choices import Choices, questions
from conformance.v3 import request_bodies as bodies
from conformance.v3.request_bodies import TRAVEL_DOCUMENT, PersonNotation
from conformance.v4.request_bodies import PassengerCounts

from .sandbox_client import Json, SandboxClient

_NOTATION = PersonNotation()
_PAYMENT = {"payment_method": "pm_card_visa", "self_psp": False}


@dataclass
class FlightsClient(SandboxClient):
    """One organisation's client of v3 and v2."""

    credentials: Json

    @property
    def code(self) -> str:
        """The organisation's customer code."""
        return str(self.credentials["customer_code"])

    def send(self, method: str, path: str, body: object = None, **query: object) -> requests.Response:
        """Send a request to a path such as ``/v3/flights``."""
        return self.send_with(method, path, f"Bearer {self.credentials['token']}", body, query)

    def search(self, origin: str = "MAD", destination: str = "PMI", version: str = "v3", **query: object) -> Json:
        """Search a route over four days a month from now."""
        start = self.today + timedelta(days=30)
        window = {"start": start, "end": start + timedelta(days=3)}
        response = self.send("GET", f"/{version}/flights", origin=origin, destination=destination, **window | query)
        assert response.status_code == 200, response.text
        found: Json = response.json()
        return found

    def flight(self, origin: str = "MAD", destination: str = "PMI", version: str = "v3") -> Json:
        """Return the first flight that such a search finds."""
        first: Json = self.search(origin, destination, version)["results"][0]
        return first

    def passenger(self, born: str | None = None) -> Json:
        """Return a passenger without a passport, by default an adult."""
        adult = bodies.passengers(PassengerCounts(), self.today, _NOTATION)[0]
        person = {name: each for name, each in adult.items() if name not in TRAVEL_DOCUMENT}
        return person | ({"date_of_birth": born} if born else {})

    def request_body(self, *flights: Json, passengers: list[Json] | None = None) -> Json:
        """Return the body of a v3 booking request for flights, without bags."""
        body: Json = bodies.create_requests(flights, passengers or [self.passenger()], self.code, bags={}).body
        return body

    def requests_for(self, *flights: Json, **changes: object) -> list[Json]:
        """Return new booking requests of v3 for flights; ``changes`` replaces members of the body."""
        sent = self.send("POST", "/v3/requests", self.request_body(*flights) | changes)
        created: list[Json] = sent.json()["requests"]
        return created

    def request(self, *route: str, version: str = "v3") -> Json:
        """Return a new pending booking request for the first flight of a route."""
        flight = self.flight(*route, version=version)
        of_v2 = {"flights": [flight["id"]], "passengers": {"adults": 1}, "customer_code": self.code}
        response = self.send("POST", f"/{version}/requests", of_v2 if version == "v2" else self.request_body(flight))
        assert response.ok, response.text
        request: Json = response.json()["requests"][0]
        return request

    def book(self, *pending: Json, **changes: object) -> requests.Response:
        """Book v3 booking requests, by a valid card."""
        body = bodies.create_bookings(pending, self.code, _NOTATION, _PAYMENT).body
        return self.send("POST", "/v3/bookings", body | changes)

    def book_v2(self, *pending: Json) -> requests.Response:
        """Book v2 booking requests, by a valid card."""
        draft = bodies.create_bookings_v2(pending, [self.passenger()], self.code, _NOTATION, _PAYMENT)
        return self.send("POST", "/v2/bookings", draft.body)

    def booked(self, version: str = "v3") -> Json:
        """Return a new booking."""
        response = (self.book if version == "v3" else self.book_v2)(self.request(version=version))
        assert response.ok, response.text
        booking: Json = response.json()["bookings"][0]
        return booking

    def retrieve(self, reference: str, version: str = "v3") -> requests.Response:
        """Retrieve the bookings of a reference."""
        return self.send("GET", f"/{version}/bookings", cp_reference=reference)


def flights_client(server: SandboxServer) -> FlightsClient:
    """Return the client of the first organisation of a sandbox."""
    return FlightsClient(server, server.profile()["v3"])


def change_choices(monkeypatch: pytest.MonkeyPatch, sandbox: SandboxServer, **choices: Any) -> None:  # noqa: ANN401
    """Change choices of a running sandbox; the structure of responses stays the same."""
    service = sandbox.service
    values = {each.name: service.choices.behaviour(each.name) for each in questions()}
    monkeypatch.setattr(service, "choices", Choices.of(values | choices))
