"""Whatever a client sends to any interface, the response is a success or a rejection, never a server error."""

import copy
import gzip
import json
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.responses import StreamingResponse

from airworthy.sandbox import SandboxSettings, create_app
from airworthy.sandbox.app import HANDLERS
from airworthy.sandbox.dialects.named import dialects
from airworthy.sandbox.http import schemas
from airworthy.sandbox.http.exchange import SandboxResponse
from airworthy.sandbox.http.wire import http_response
from airworthy.sandbox.model.dates import FORMS
from airworthy.sandbox.model.organisations import ORGANISATIONS
from airworthy.sandbox.service.request_bodies import OPERATIONS
from airworthy.sandbox.service.routing import sandbox_request
from airworthy.sandbox.service.service import SandboxService
from conformance.v3 import request_bodies as of_v3
from conformance.v4 import request_bodies as of_v4
from conformance.v4.request_bodies import PassengerCounts
from unit.contract.examples import THREE_D
from unit.contract.mutations import GONE, places, with_change

QUERIES = ["searchFlights", "searchFlightsV2", "searchRoundTrips", "getBookings", "getBookingsV2"]
ODD = st.sampled_from([0, -1, 10**30, 1e300, 0.5, "1", "x", True, "9999-12-31", "pm_", "07", {"1": []}, [[]]])
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(["0000-02-29", "9999-12-31", "0000-01-01T00:00:00", "9999", "pm_", "QQQ", "07", "ROUND_TRIP"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
PARTY, CODE = PassengerCounts(), ORGANISATIONS[0].customer_code
PAID = {"payment_method": "pm_card_visa", "three_d_secure": THREE_D}
PAYMENT = PAID | {"self_psp": False}


class Client:
    """A client of one dialect that needs no network."""

    def __init__(self, dialect: str) -> None:
        self.service: SandboxService = create_app(SandboxSettings(dialect=dialect)).state.service
        self.choices = self.service.choices
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

    def _is_sold(self, flight: dict[str, Any]) -> bool:
        """Return whether a flight of a search is still sold (OPEN-37)."""
        body = schemas.example("createRequestsV2") | {"flights": [flight["id"]]}
        return self.call("createRequestsV2", body).status in {HTTPStatus.OK, HTTPStatus.CREATED}

    def call(
        self, operation: str, body: object = None, query: dict[str, str] | None = None, **path: str
    ) -> SandboxResponse:
        """Send a request to an operation, again if it was throttled."""
        documented, first = schemas.operations()[operation], ORGANISATIONS[0]
        is_bare = self.choices.v3.authorization_form == "bare on POST" and operation.startswith(("create", "verify"))
        key = first.key if documented.version == "v4" else first.token if is_bare else f"Bearer {first.token}"
        headers, raw = {"authorization": key, "content-type": "application/json"}, json.dumps(body).encode()
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

    def body(self, operation: str) -> dict[str, Any]:
        """Return a valid body of an operation, with ids and values that the dialect accepts."""
        body: dict[str, Any] = schemas.example(operation)
        match operation:
            case "searchOffers" | "getOffer":
                body = copy.deepcopy(self.search if operation == "searchOffers" else self.offer)
            case "createOrder":
                today, documents = self.service.clock.now().date(), self.required["providerIdentificationTypeOptions"]
                first = 0 if self.choices.v4.first_passenger_number == "zero" else 1
                more: dict[str, Any] = {"first_number": first, "documents": documents[:1], "locality": bool(documents)}
                bags = body["selectedBaggage"][0]["outboundSegmentBaggageSelection"]
                body = of_v4.create_order("", "", PARTY, of_v4.OrderOptions(), today, **more).body
                body["selectedBaggage"][0]["outboundSegmentBaggageSelection"] = bags
                body["customerContact"]["carrierPortalCredentials"] = {"username": "santos", "password": "-"}
            case "confirmOrder":
                body |= PAID
            case "verifyFlight":
                body |= {"flight_id": self.flight["id"], "passengers": {"adults": 1, "children": 1, "infants": 1}}
            case "createRequests":
                body = of_v3.create_requests([self.flight], self._travellers(), CODE).body
            case "createRequestsV2":
                body = of_v3.create_requests_v2([self.flight], PARTY, CODE).body
            case "createBookings":
                pending = self.call("createRequests", self.body("createRequests")).body["requests"]
                body = of_v3.create_bookings(pending, CODE, self.notation, PAYMENT).body
            case "createBookingsV2":
                pending = self.call("createRequestsV2", self.body("createRequestsV2")).body["requests"]
                body = of_v3.create_bookings_v2(pending, self._travellers(), CODE, self.notation, PAYMENT).body
        return body

    def _travellers(self) -> list[dict[str, Any]]:
        return of_v3.passengers(PARTY, self.service.clock.now().date(), self.notation)


# An itinerary with one or two seats takes only one or two orders.
CLIENTS = {name: Client(name) for name in dialects() if name != "scarce"}


def with_a_change(data: st.DataObject, body: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return a body without one of its values, or with another one there."""
    way = data.draw(st.sampled_from([each for each, _ in places(body)][1:]))
    return with_change(body, way, GONE if data.draw(st.booleans()) else data.draw(JSON | ODD))


@pytest.mark.parametrize("dialect", list(CLIENTS))
@pytest.mark.parametrize("operation", OPERATIONS)
def test_valid_body_is_accepted(dialect: str, operation: str) -> None:
    client = CLIENTS[dialect]
    is_verified = operation != "verifyFlight" or client.choices.v3.verification in {"right", "wrong"}

    assert client.send(operation, client.body(operation)).status in ({200, 201} if is_verified else {404, 410})


@pytest.mark.parametrize("operation", OPERATIONS)
@settings(derandomize=True, max_examples=60)
@given(data=st.data())
def test_any_body_succeeds_or_is_rejected(operation: str, data: st.DataObject) -> None:
    client = CLIENTS[data.draw(st.sampled_from(list(CLIENTS)))]
    body = with_a_change(data, client.body(operation))

    response = client.send(operation, body)
    sent = http_response(response, client.service.choices, client.service.clock.now())

    assert response.status in {200, 201} or 400 <= response.status < 500, json.dumps(body)
    is_of_v4 = schemas.operations()[operation].version == "v4"
    if is_of_v4 and response.status != 200 and not isinstance(sent, StreamingResponse):
        content = bytes(sent.body)
        text = gzip.decompress(content) if sent.headers.get("content-encoding") == "gzip" else content
        assert json.loads(text)["statusCode"] == response.status


@pytest.mark.parametrize("operation", QUERIES)
@settings(derandomize=True, max_examples=40)
@given(data=st.data())
def test_any_query_succeeds_or_is_rejected(operation: str, data: st.DataObject) -> None:
    client = CLIENTS[data.draw(st.sampled_from(list(CLIENTS)))]
    names = [*client.window, "returnStart", "returnEnd", "seats", "next_page_id", "customerCode", "cp_reference"]
    odd = st.sampled_from(["MAD", "LHR", "LON", "0000-02-29", "9999-12-31", "2027-02-30", "-3"])
    values = st.text(max_size=30) | odd
    query = client.window | data.draw(st.dictionaries(st.sampled_from(names), values, max_size=4))

    response = client.call(operation, query=query)
    http_response(response, client.service.choices, client.service.clock.now())

    assert response.status == 200 or 400 <= response.status < 500, query


@pytest.mark.parametrize(
    "operation", ["getFares", "getBaggage", "getOrder", "getReservation", "confirmOrder", "cancelRequest"]
)
@settings(derandomize=True, max_examples=50)
@given(text=st.text(max_size=40))
def test_any_text_as_id_is_rejected(operation: str, text: str) -> None:
    confirmation = {"paymentMethod": {"card": True}, "payment_method": "pm_card_visa"}
    ids = dict.fromkeys(("offerId", "orderId", "reservationId", "request_id"), text)

    response = CLIENTS["documented"].call(operation, confirmation, None, **ids)

    assert response.status == 404 or (operation, response.body) == ("getFares", {"fares": []})
