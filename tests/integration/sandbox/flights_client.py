"""A client that books with v3 and v2 of a sandbox over TLS."""

from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
import requests

from airworthy.sandbox import SandboxServer
from airworthy.sandbox.dialects.choices import Choices, questions
from unit.sandbox.v3.bag_options import documented

from .sandbox_client import Json, SandboxClient

_DATES = {"DD.MM.YYYY": "24.07.1990", "DD/MM/YYYY": "24/07/1990", "YYYY-MM-DDTHH:mm:ss": "1990-07-24T00:00:00"}
_GENDERS = {"M/F": "F", "MALE/FEMALE": "FEMALE"}
SECURE = {
    "version": "2.2.0",
    "electronic_commerce_indicator": "05",
    "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
    "transaction_id": "f25084f0-5b16-4c0a-ae5d-b24808a95e4b",
}


@dataclass
class FlightsClient(SandboxClient):
    """One organisation's client of v3 and v2."""

    credentials: Json

    @property
    def code(self) -> str:
        """The organisation's customer code."""
        return str(self.credentials["customer_code"])

    def send(self, method: str, path: str, body: object = None, **query: object) -> requests.Response:
        """Send a request to a path such as ``/v3/flights``; repeat it if it is throttled."""
        is_bare = method == "POST" and self.credentials.get("post_key_form") == "bare"
        token = self.credentials["token"]
        return self.send_with(method, path, token if is_bare else f"Bearer {token}", body, query)

    def wait(self, seconds: float) -> None:
        """Move the clock of the sandbox."""
        self.session.post(f"{self.server.base_url}/sandbox/clock", json={"seconds": seconds}, timeout=60)

    # Flights

    def search(self, origin: str = "MAD", destination: str = "PMI", version: str = "v3", **query: object) -> Json:
        """Search a route over four days a month from now."""
        start = self.server.service.clock.now().date() + timedelta(days=30)
        window = {"start": start, "end": start + timedelta(days=3)}
        response = self.send("GET", f"/{version}/flights", origin=origin, destination=destination, **window | query)
        assert response.status_code == 200, response.text
        found: Json = response.json()
        return found

    def flight(self, origin: str = "MAD", destination: str = "PMI", version: str = "v3") -> Json:
        """Return the first flight that such a search finds."""
        first: Json = self.search(origin, destination, version)["results"][0]
        return first

    # Requests

    def passenger(self, born: str | None = None) -> Json:
        """Return a passenger, by default an adult."""
        choices = self.server.service.choices
        return {
            "first_name": "Amélia",
            "last_name": "Earhart",
            "gender": _GENDERS.get(choices.v3.gender_taken, "female"),
            "date_of_birth": born or _DATES.get(self.credentials.get("date_format", ""), "1990-07-24"),
        }

    def bags(self, flight: Json, **requested: int) -> Json:
        """List every bag option of a v3 flight; ``checked=1`` chooses one piece of the first checked option."""
        return {
            kind: [
                documented(option) | {"quantity": requested.get(kind, 0) if at == 0 else 0}
                for at, option in enumerate(flight["bags"].get(kind) or [])
            ]
            for kind in ("checked", "cabin")
        }

    def request_body(self, *flights: Json, passengers: list[Json] | None = None, **requested: int) -> Json:
        """Return the body of a v3 booking request for flights."""
        return {
            "flight_ids": [flight["id"] for flight in flights],
            "customer_code": self.code,
            "passengers": passengers or [self.passenger()],
            "bags": {str(int(flight["id"])): self.bags(flight, **requested) for flight in flights},
            "fare_type": "one_way",
        }

    def request(self, *route: str, **requested: int) -> Json:
        """Return a new pending booking request of v3 for the first flight of a route that is still sold."""
        for flight in self.search(*route)["results"]:
            response = self.send("POST", "/v3/requests", self.request_body(flight, passengers=None, **requested))
            if response.status_code != HTTPStatus.CONFLICT:
                break
        assert response.status_code == 200, response.text
        request: Json = response.json()["requests"][0]
        return request

    def request_v2(self, *route: str, **counts: int) -> Json:
        """Return a new pending booking request of v2 for the first flight of a route that is still sold."""
        origin, destination = route or ("MAD", "PMI")
        for flight in self.search(origin, destination, "v2")["results"]:
            body = {"flights": [flight["id"]], "passengers": counts or {"adults": 1}, "customer_code": self.code}
            response = self.send("POST", "/v2/requests", body)
            if response.status_code != HTTPStatus.CONFLICT:
                break
        assert response.ok, response.text
        request: Json = response.json()["requests"][0]
        return request

    # Bookings

    def order(self, *pending: Json, **changes: object) -> Json:
        """Return the body of a v3 booking by a valid card."""
        return {
            "request_ids": [each["id"] for each in pending],
            "customer_code": self.code,
            **self._booker(),
            "payment_method": "pm_card_visa",
            "self_psp": False,
        } | changes

    def order_v2(self, *pending: Json, pieces: int = 0, **changes: object) -> Json:
        """Return the body of a v2 booking by a valid card."""
        luggage = {
            str(int(each["id"])): [
                documented(option) | {"quantity": pieces if at == 0 else 0}
                for at, option in enumerate(each["flight"]["luggage_options"])
            ]
            for each in pending
        }
        passengers = [self.passenger() | {"is_infant": False}]
        body = self.order(**changes)
        del body["request_ids"]
        return {"requests": [each["id"] for each in pending], "passengers": passengers, "luggage": luggage} | body

    def _booker(self) -> Json:
        names = {"first_name": " Amélia ", "last_name": "Earhart", "gender": self.passenger()["gender"]}
        return names | {"email": "amelia@example.com", "phonenumber": "+34 600 123 456"}

    def book(self, *pending: Json, **changes: object) -> requests.Response:
        """Book v3 booking requests."""
        return self.send("POST", "/v3/bookings", self.order(*pending, **changes))

    def book_v2(self, *pending: Json, pieces: int = 0, **changes: object) -> requests.Response:
        """Book v2 booking requests."""
        return self.send("POST", "/v2/bookings", self.order_v2(*pending, pieces=pieces, **changes))

    def booked(self, *route: str, version: str = "v3") -> Json:
        """Return a new booking."""
        response = self.book(self.request(*route)) if version == "v3" else self.book_v2(self.request_v2(*route))
        assert response.ok, response.text
        booking: Json = response.json()["bookings"][0]
        return booking

    def retrieve(self, reference: str, version: str = "v3") -> requests.Response:
        """Retrieve the bookings of a reference."""
        return self.send("GET", f"/{version}/bookings", cp_reference=reference)


def flights_clients(server: SandboxServer) -> tuple[FlightsClient, FlightsClient]:
    """Return the clients of both organisations of a sandbox."""
    values = server.profile()
    return FlightsClient(server, values["v3"]), FlightsClient(server, values["second_organisation"]["v3"])


def change_choices(monkeypatch: pytest.MonkeyPatch, sandbox: SandboxServer, **choices: Any) -> None:  # noqa: ANN401
    """Change choices of a running sandbox; the structure of responses stays the same."""
    service = sandbox.service
    values = {each.name: service.choices.behaviour(each.name) for each in questions()}
    monkeypatch.setattr(service, "choices", Choices.of(values | choices))
