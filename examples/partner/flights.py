"""Book with v3 or v2: search flights, create a booking request, book it, poll for the record locator."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from partner.payments import Card, PayingClient, PaymentProvider
from partner.service import Json, PaymentFailed, Rejected, Service, Unclear
from partner.travellers import Bags, Traveller, Trip, count

# The documents name 3 and 5 minutes. Booking takes time, too, so create a new booking request earlier.
_KEEP_REQUEST_SECONDS = 150
_PAYMENT_STATUSES = (402, 422)
_MOST_POLLS = 5


@dataclass(frozen=True)
class Request:
    """A booking request, and what renews it."""

    body: Json
    flight: Json
    travellers: list[Traveller]
    bags: Bags
    received: float = field(default_factory=time.monotonic)

    @property
    def id(self) -> int:
        """The id of the booking request."""
        return int(self.body["id"])


class FlightClient(PayingClient):
    """An integration of v3, or of v2 with other names. ``wait`` is called between two polls."""

    def __init__(
        self,
        service: Service,
        payments: PaymentProvider,
        customer_code: str,
        version: Literal["v2", "v3"] = "v3",
        wait: Callable[[], None] = lambda: time.sleep(60),
    ) -> None:
        super().__init__(service, payments, customer_code)
        self.version = version
        self.wait = wait

    # Hold a price

    def hold(self, trip: Trip, travellers: list[Traveller], bags: Bags | None = None) -> Request:
        """Return a booking request for the first flight of a search."""
        return self.request(self.search(trip)[0], travellers, bags or Bags())

    def search(self, trip: Trip) -> list[Json]:
        """Return the flights of one day, from all pages."""
        query = {"origin": trip.origin, "destination": trip.destination}
        # Whether the end of the window belongs to it is not documented, so search one day more.
        query |= {"start": trip.day.isoformat(), "end": (trip.day + timedelta(days=1)).isoformat()}
        page = self.service.get("/flights", **query)
        flights = list(page["results"])
        while page["next_page_id"]:
            page = self.service.get("/flights", **query, next_page_id=page["next_page_id"])
            flights += page["results"]
        return [each for each in flights if each["departure_date"].startswith(trip.day.isoformat())]

    def request(self, flight: Json, travellers: list[Traveller], bags: Bags) -> Request:
        """Create a booking request, which holds seats and prices for some minutes."""
        body = self.request_body(flight, travellers, bags)
        return Request(self.service.post("/requests", body)["requests"][0], flight, travellers, bags)

    def renew(self, request: Request) -> Request:
        """Return a new booking request for the same flight; show its price to the customer."""
        return self.request(request.flight, request.travellers, request.bags)

    # Buy

    def buy(self, request: Request, card: Card) -> str:
        """Book a booking request, pay, and return the reference. Raises `PaymentFailed`."""
        if time.monotonic() - request.received > _KEEP_REQUEST_SECONDS:
            request = self.renew(request)
        try:
            return self.book(request, card)
        except Rejected as error:
            if error.status in _PAYMENT_STATUSES:
                # The booking request is aborted now: a customer with another card needs a new one.
                raise PaymentFailed(str(error)) from None
        return self.book(self.renew(request), card)

    def book(self, request: Request, card: Card) -> str:
        """Book a booking request and return the reference."""
        body = self.booking_body(request, card)
        try:
            return self.send(body)
        except Unclear:
            return self._repeat(body)

    def send(self, body: Json) -> str:
        """Send one booking and return its reference."""
        return str(self.service.post("/bookings", body)["bookings"][0]["cp_reference"])

    def _repeat(self, body: Json) -> str:
        """Send the same booking again: a booking request is booked only once, so this cannot book twice."""
        try:
            return self.send(body)
        except Rejected:
            message = f"booking {body['external_id']} may exist: look for its confirmation e-mail, do not book again"
            raise Unclear(message) from None

    # Retrieve

    def retrieve(self, reference: str) -> str:
        """Return the record locator of the airline, as soon as there is one; generally within two hours."""
        for _ in range(_MOST_POLLS):
            booking = self.service.get("/bookings", cp_reference=reference)["bookings"][0]
            if booking["pnr_airline"]:
                return str(booking["pnr_airline"])
            self.wait()
        return ""

    # Bodies

    def request_body(self, flight: Json, travellers: list[Traveller], bags: Bags) -> Json:
        """Return the body of a booking request."""
        if self.version == "v2":
            counts = {"adults": "adult", "children": "child", "infants": "infant"}
            passengers = {name: count(travellers, kind) for name, kind in counts.items()}  # type: ignore[arg-type]
            return {"flights": [flight["id"]], "customer_code": self.customer_code, "passengers": passengers}
        return {
            "flight_ids": [flight["id"]],
            "customer_code": self.customer_code,
            "passengers": [self._passenger(each) for each in travellers],
            "bags": {str(int(flight["id"])): self._bags(flight, bags)},
            "fare_type": "one_way",
        }

    def booking_body(self, request: Request, card: Card) -> Json:
        """Return the body of a booking."""
        customer = self.customer
        body: Json = {
            "request_ids": [request.id],
            "external_id": f"acme-{request.id}",
            "customer_code": self.customer_code,
            "first_name": customer.first_name,
            "last_name": customer.last_name,
            "gender": "female",
            "email": customer.email,
            "phonenumber": customer.phone,
            "self_psp": False,
        } | self.payment(card)
        if self.version == "v2":
            del body["request_ids"]
            passengers = [self._passenger(each) | {"is_infant": each.kind == "infant"} for each in request.travellers]
            luggage = {str(request.id): self._luggage(request)}
            body |= {"requests": [request.id], "passengers": passengers, "luggage": luggage}
        return body

    def _passenger(self, traveller: Traveller) -> Json:
        return {
            "first_name": traveller.first_name,
            "last_name": traveller.last_name,
            "gender": "female" if traveller.female else "male",
            "date_of_birth": traveller.born.isoformat(),
        }

    def _bags(self, flight: Json, bags: Bags) -> Json:
        """List every bag option of the flight; one that nobody wants has quantity 0."""
        wanted = {"checked": bags.checked, "cabin": bags.cabin}
        return {
            kind: _chosen(flight["bags"][kind], ("weight", "dimensions"), pieces) for kind, pieces in wanted.items()
        }

    def _luggage(self, request: Request) -> list[Json]:
        """List every luggage option of the flight, as v2 does."""
        return _chosen(request.body["flight"]["luggage_options"], ("weight", "price"), request.bags.checked)


def _chosen(options: list[Json], names: tuple[str, ...], pieces: int) -> list[Json]:
    """Return every option with its quantity: so many pieces of the first, and none of the others."""
    return [
        {name: option[name] for name in names if option.get(name) is not None} | {"quantity": 0 if index else pieces}
        for index, option in enumerate(options)
    ]
