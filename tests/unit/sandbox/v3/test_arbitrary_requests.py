"""Whatever a client sends to v3 or v2, the response is a success or a rejection, never a server error."""

import copy
import json
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airworthy.sandbox import SandboxSettings, create_app
from airworthy.sandbox.dialects.named import dialects
from airworthy.sandbox.http.exchange import SandboxResponse
from airworthy.sandbox.http.wire import http_response
from airworthy.sandbox.model.organisations import ORGANISATIONS
from airworthy.sandbox.operations import HANDLERS
from airworthy.sandbox.service.routing import sandbox_request
from airworthy.sandbox.service.service import SandboxService
from unit.sandbox.v3.bag_options import documented
from unit.sandbox.v4.test_arbitrary_requests import JSON, with_a_change

POSTS = ["verifyFlight", "createRequests", "createRequestsV2", "createBookings", "createBookingsV2"]
QUERIES = ["searchFlights", "searchFlightsV2", "searchRoundTrips", "getBookings", "getBookingsV2"]
ODD = st.sampled_from([0, -1, 10**30, 1e300, 0.5, "1", "x", True, "9999-12-31", "pm_", "07", {"1": []}, [[]]])
DATES = {"DD.MM.YYYY": "24.07.1990", "DD/MM/YYYY": "24/07/1990", "date-time": "1990-07-24T00:00:00"}
GENDERS = {"M/F": "F", "MALE/FEMALE": "FEMALE"}


class Client:
    """A client of one dialect that needs no network."""

    def __init__(self, dialect: str) -> None:
        self.service: SandboxService = create_app(SandboxSettings(dialect=dialect)).state.service
        self.choices = self.service.choices
        day = self.service.clock.now().date() + timedelta(days=30)
        self.window = {"origin": "MAD", "destination": "PMI", "start": str(day), "end": str(day + timedelta(days=2))}
        found = self.call("searchFlights", query=self.window).body["results"]
        self.flight = next(each for each in found if self._is_sold(each))

    def _is_sold(self, flight: dict[str, Any]) -> bool:
        """Return whether a flight of a search is still sold (OPEN-37)."""
        code = {"customer_code": ORGANISATIONS[0].customer_code}
        body = {"flights": [flight["id"]], "passengers": {"adults": 1}, **code}
        return self.call("createRequestsV2", body).status in {HTTPStatus.OK, HTTPStatus.CREATED}

    def call(
        self, operation: str, body: object = None, query: dict[str, str] | None = None, **path: str
    ) -> SandboxResponse:
        """Send a request to an operation, again if it was throttled."""
        is_bare = self.choices.v3.authorization_form == "bare on POST" and operation.startswith(("create", "verify"))
        token = ORGANISATIONS[0].token
        headers = {"authorization": token if is_bare else f"Bearer {token}", "content-type": "application/json"}
        version = "v2" if operation.endswith("V2") else "v3"
        for _ in range(2):
            raw = json.dumps(body).encode()
            request = sandbox_request(
                self.service, version, operation, headers=headers, path=path, query=query, raw=raw
            )
            response = self.service.respond(HANDLERS[operation], request)
            if response.status not in {429, 503}:
                break
        return response

    def body(self, operation: str) -> dict[str, Any]:
        """Return a valid body of an operation; for a booking, with a new booking request."""
        code = {"customer_code": ORGANISATIONS[0].customer_code}
        if operation == "verifyFlight":
            counts = {"adults": 1, "children": 1, "infants": 1}
            return {"flight_id": self.flight["id"], "passengers": counts, **code}
        if operation == "createRequests":
            listed = {kind: self.flight["bags"].get(kind) or [] for kind in ("checked", "cabin")}
            bags = {
                kind: [documented(option) | {"quantity": 0} for option in options] for kind, options in listed.items()
            }
            return copy.deepcopy(
                {
                    "flight_ids": [self.flight["id"]],
                    "passengers": [self.traveller()],
                    "bags": {str(self.flight["id"]): bags},
                    "fare_type": "one_way",
                    **code,
                }
            )
        if operation == "createRequestsV2":
            return {"flights": [self.flight["id"]], "passengers": {"adults": 1}, **code}
        booker = {name: self.traveller()[name] for name in ("first_name", "last_name", "gender")}
        booking = {**booker, **code, "email": "a@example.com", "phonenumber": "1", "self_psp": False}
        booking |= {"payment_method": "pm_card_visa", "three_d_secure": self.secure(), "external_id": "1"}
        if operation == "createBookings":
            pending = self.call("createRequests", self.body("createRequests")).body["requests"][0]
            return {"request_ids": [pending["id"]], **booking}
        pending = self.call("createRequestsV2", self.body("createRequestsV2")).body["requests"][0]
        luggage = [documented(option) | {"quantity": 0} for option in pending["flight"]["luggage_options"]]
        passengers = [self.traveller() | {"is_infant": False}]
        return {
            "requests": [pending["id"]],
            "luggage": {str(pending["id"]): luggage},
            "passengers": passengers,
            **booking,
        }

    def traveller(self) -> dict[str, Any]:
        """Return a passenger with values that the dialect accepts."""
        return {
            "first_name": "Amelia",
            "last_name": "Earhart",
            "gender": GENDERS.get(self.choices.v3.gender_taken, "female"),
            "date_of_birth": DATES.get(self.choices.v3.date_form_taken, "1990-07-24"),
            "passport_number": "X1",
        }

    def secure(self) -> dict[str, Any]:
        """Return the results of an authentication."""
        return {
            "version": "2.2.0",
            "electronic_commerce_indicator": "05",
            "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
            "transaction_id": "1",
        }


# A flight with one or two seats takes only one or two requests.
CLIENTS = {name: Client(name) for name in dialects() if name != "scarce"}


@pytest.mark.parametrize("dialect", list(CLIENTS))
@pytest.mark.parametrize("operation", POSTS)
def test_valid_body_is_accepted(dialect: str, operation: str) -> None:
    client = CLIENTS[dialect]
    accepted = (
        {200, 201}
        if client.choices.v3.verification in {"right", "wrong"} or operation != "verifyFlight"
        else {404, 410}
    )

    assert client.call(operation, client.body(operation)).status in accepted


@pytest.mark.parametrize("operation", POSTS)
@settings(derandomize=True, max_examples=60)
@given(data=st.data())
def test_any_body_succeeds_or_is_rejected(operation: str, data: st.DataObject) -> None:
    client = CLIENTS[data.draw(st.sampled_from(list(CLIENTS)))]
    body = with_a_change(data, client.body(operation), JSON | ODD)

    response = client.call(operation, body)
    http_response(response, client.service.choices, client.service.clock.now())

    assert response.status in {200, 201} or 400 <= response.status < 500, json.dumps(body)


@pytest.mark.parametrize("operation", QUERIES)
@settings(derandomize=True, max_examples=40)
@given(data=st.data())
def test_any_query_succeeds_or_is_rejected(operation: str, data: st.DataObject) -> None:
    client = CLIENTS[data.draw(st.sampled_from(list(CLIENTS)))]
    names = st.sampled_from(
        [*client.window, "returnStart", "returnEnd", "seats", "next_page_id", "customerCode", "cp_reference"]
    )
    values = st.text(max_size=30) | st.sampled_from(
        ["MAD", "LHR", "LON", "0000-02-29", "9999-12-31", "2027-02-30", "-3"]
    )
    query = client.window | data.draw(st.dictionaries(names, values, max_size=4))

    response = client.call(operation, query=query)
    http_response(response, client.service.choices, client.service.clock.now())

    assert response.status == 200 or 400 <= response.status < 500, query


@settings(derandomize=True, max_examples=50)
@given(text=st.text(max_size=40))
def test_any_text_as_request_id_is_rejected(text: str) -> None:
    assert CLIENTS["documented"].call("cancelRequest", request_id=text).status == 404
