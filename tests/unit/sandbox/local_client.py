"""A client of one service that needs no network."""

import copy
import json
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from airworthy.sandbox import SandboxSettings, create_app
from airworthy.sandbox.app import HANDLERS
from airworthy.sandbox.http import schemas
from airworthy.sandbox.http.exchange import SandboxResponse
from airworthy.sandbox.model.dates import FORMS
from airworthy.sandbox.model.organisations import ORGANISATIONS
from airworthy.sandbox.service.routing import sandbox_request
from airworthy.sandbox.service.service import SandboxService
from conformance.v3 import request_bodies as of_v3
from conformance.v4 import request_bodies as of_v4
from conformance.v4.request_bodies import PassengerCounts
from unit.contract.examples import THREE_D

Json = dict[str, Any]
PARTY, CODE = PassengerCounts(), ORGANISATIONS[0].customer_code
PAID = {"payment_method": "pm_card_visa", "three_d_secure": THREE_D}
PAYMENT = PAID | {"self_psp": False}


def service_of(dialect: str = "documented") -> SandboxService:
    """Return a new service in a dialect."""
    service: SandboxService = create_app(SandboxSettings(dialect=dialect)).state.service
    return service


class LocalClient:
    """The first organisation's client of v4, v3 and v2 of a service in this process."""

    def __init__(self, service: SandboxService) -> None:
        self.service = service
        self.choices = service.choices
        genders = self.choices.v3.gender_taken.replace("any", "male/female").split("/")
        dates = FORMS.get(self.choices.v3.date_form_taken, FORMS["YYYY-MM-DD"])
        self.notation = of_v3.PersonNotation(dates, (genders[0], genders[1]))
        day = self.service.clock.now().date() + timedelta(days=30)
        self.window = {"origin": "MAD", "destination": "PMI", "start": str(day), "end": str(day + timedelta(days=2))}
        page = self.call("searchFlights", query=self.window).body
        if not page["results"]:
            page = self.call("searchFlights", query=self.window | {"next_page_id": page["next_page_id"]}).body
        self.flight = next(each for each in page["results"] if self._is_sold(each))
        self.search = schemas.example("searchOffers")
        self.search["outboundSegment"]["departureDate"] = str(day)
        found = self.call("searchOffers", self.search).body["offers"]
        sections = (each["outboundSegment"]["sections"] for each in found)
        offers = (of_v4.get_offer(each, None, PARTY, CODE).body for each in sections)
        tried = ((offer, self.call("getOffer", offer)) for offer in offers)
        self.offer, stored = next((offer, each.body) for offer, each in tried if each.status == HTTPStatus.OK)
        self.required = stored["providerAdditionalPassengerInformationByPassengerType"]["adult"]

    def _is_sold(self, flight: Json) -> bool:
        """Return whether a flight of a search is still sold (OPEN-37)."""
        body = schemas.example("createRequestsV2") | {"flights": [flight["id"]]}
        return self.call("createRequestsV2", body).status in {HTTPStatus.OK, HTTPStatus.CREATED}

    def call(
        self,
        operation: str,
        body: object = None,
        query: dict[str, str] | None = None,
        key: str | None = None,
        **path: str,
    ) -> SandboxResponse:
        """Send a request to an operation, with another header ``Authorization`` if given; again if it was throttled."""
        documented, first = schemas.operations()[operation], ORGANISATIONS[0]
        is_bare = self.choices.v3.authorization_form == "bare on POST" and operation.startswith(("create", "verify"))
        own = first.key if documented.version == "v4" else first.token if is_bare else f"Bearer {first.token}"
        headers = {"authorization": own if key is None else key, "content-type": "application/json"}
        raw = json.dumps(body).encode()
        for _ in range(2):
            sent = sandbox_request(self.service, documented, headers, path, query or {}, raw=raw)
            response = self.service.respond(HANDLERS[operation], sent)
            if response.status not in {429, 503}:
                break
        return response

    def send(self, operation: str, body: object) -> SandboxResponse:
        """Send a body to an operation, with the parameters that it needs."""
        # The fares of an offer change if another test has requested it again.
        stored = self.call("getOffer", self.offer).body
        query = {"offerId": stored["id"], "fareId": stored["cheapestFare"]["id"]}
        if operation != "confirmOrder":
            return self.call(operation, body, query)
        opened = self.call("createOrder", self.body("createOrder"), query).body
        return self.call(operation, body, orderId=opened["id"])

    def body(self, operation: str) -> Json:
        """Return a valid body of an operation, with ids and values that the dialect accepts."""
        body: Json = schemas.example(operation)
        match operation:
            case "searchOffers" | "getOffer":
                body = copy.deepcopy(self.search if operation == "searchOffers" else self.offer)
            case "createOrder":
                today, documents = self.service.clock.now().date(), self.required["providerIdentificationTypeOptions"]
                first = 0 if self.choices.v4.first_passenger_number == "zero" else 1
                more: Json = {"first_number": first, "documents": documents[:1], "locality": bool(documents)}
                bags = body["selectedBaggage"][0]["outboundSegmentBaggageSelection"]
                body = of_v4.create_order("", "", PARTY, of_v4.OrderOptions(), today, **more).body
                body["selectedBaggage"][0]["outboundSegmentBaggageSelection"] = bags
                body["customerContact"]["carrierPortalCredentials"] = {"username": "santos", "password": "-"}
            case "confirmOrder":
                body |= PAID
            case "verifyFlight":
                body |= {"flight_id": self.flight["id"], "passengers": {"adults": 1, "children": 1, "infants": 1}}
            case "createRequests":
                body = self.request_body(self.flight)
            case "createRequestsV2":
                body = of_v3.create_requests_v2([self.flight], PARTY, CODE).body
            case "createBookings":
                body = of_v3.create_bookings(self.requested(), CODE, self.notation, PAYMENT).body
            case "createBookingsV2":
                pending = self.call("createRequestsV2", self.body("createRequestsV2")).body["requests"]
                body = of_v3.create_bookings_v2(pending, self.travellers(), CODE, self.notation, PAYMENT).body
        return body

    def travellers(self) -> list[Json]:
        """Return one adult passenger of v3 and v2."""
        return of_v3.passengers(PARTY, self.service.clock.now().date(), self.notation)

    def found(self, origin: str, destination: str, operation: str = "searchFlights", **query: str) -> list[Json]:
        """Return the flights that a search in v3 or v2 finds on a route."""
        ends = {"origin": origin, "destination": destination}
        flights: list[Json] = self.call(operation, query=self.window | ends | query).body["results"]
        return flights

    def request_body(self, *flights: Json, passengers: list[Json] | None = None) -> Json:
        """Return the body of a v3 booking request for flights, without bags."""
        body: Json = of_v3.create_requests(flights, passengers or self.travellers(), CODE).body
        return body

    def requested(self, *flights: Json, **changes: object) -> list[Json]:
        """Return new booking requests of v3 for flights; ``changes`` replaces members of the body."""
        body = self.request_body(*flights or (self.flight,)) | changes
        pending: list[Json] = self.call("createRequests", body).body["requests"]
        return pending

    def book(self, *pending: Json, **changes: object) -> SandboxResponse:
        """Book v3 booking requests; ``changes`` replaces members of the body."""
        body = of_v3.create_bookings(pending, CODE, self.notation, PAYMENT).body
        return self.call("createBookings", body | changes)

    def booked(self, operation: str = "createBookings") -> Json:
        """Return a new booking of v3 or v2."""
        booking: Json = self.call(operation, self.body(operation)).body["bookings"][0]
        return booking
