"""A client of a running sandbox that books with v4 over TLS, and a sandbox that runs as a program."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import requests

from airworthy.sandbox import SandboxServer
from command_line import AIRWORTHY, start
from conformance.v4 import request_bodies as bodies
from conformance.v4.request_bodies import OrderOptions, PassengerCounts, PaymentMethod, SearchedTrip, SearchPlace

Json = dict[str, Any]


@dataclass
class Agency:
    """One organisation's client of v4."""

    server: SandboxServer
    key: str
    customer_code: str
    session: requests.Session = field(default_factory=requests.Session)

    def __post_init__(self) -> None:
        self.session.trust_env = False
        self.session.verify = str(self.server.ca_bundle)

    def ask(self, method: str, path: str, **parts: Any) -> requests.Response:  # noqa: ANN401 - of a request
        """Send a request to a path, or to the address of another server."""
        url = path if "://" in path else self.server.base_url + path
        return self.session.request(method, url, timeout=60, **parts)

    def state(self, **query: object) -> Json:
        """Return what the dashboard shows of the sandbox."""
        found: Json = self.ask("GET", "/sandbox/state", params=query).json()
        return found

    def send(self, method: str, path: str, body: object = None, **query: object) -> requests.Response:
        """Send a request to a path of v4."""
        headers = {"Authorization": self.key, "Accept": "application/json"}
        return self.ask(method, f"/v4{path}", params=query, json=body, headers=headers)

    @property
    def today(self) -> date:
        """The day by the clock of the sandbox."""
        return self.server.service.clock.now().date()

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


@contextmanager
def started_sandbox(
    *options: object, environment: Mapping[str, str] | None = None
) -> Iterator[tuple["subprocess.Popen[str]", Json]]:
    """Run ``airworthy sandbox`` on a free port, and yield its process and the profile that it prints."""
    command = (*AIRWORTHY, "sandbox", "--json", "--port", "0", *options)
    with start(*command, environment=environment) as running:
        assert running.stdout
        shown = running.stdout.readline()
        while not shown.endswith("\n}\n"):
            shown += running.stdout.readline()
        yield running, json.loads(shown)
