"""Whatever a client sends to v4, the response is a success or a rejection, never a server error."""

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
from airworthy.sandbox.dialects.named import dialects
from airworthy.sandbox.http.exchange import SandboxResponse
from airworthy.sandbox.http.wire import http_response
from airworthy.sandbox.model.organisations import ORGANISATIONS
from airworthy.sandbox.operations import HANDLERS
from airworthy.sandbox.service.routing import sandbox_request
from airworthy.sandbox.service.service import SandboxService

KEY = ORGANISATIONS[0].key
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


class Client:
    """A client of one dialect that needs no network."""

    def __init__(self, dialect: str) -> None:
        self.service: SandboxService = create_app(SandboxSettings(dialect=dialect)).state.service
        self.first_number = 0 if self.service.choices.v4.first_passenger_number == "zero" else 1
        self.search = self._search()
        found = self.call("searchOffers", self.search).body["offers"]
        tried = ((offer, self.call("getOffer", offer)) for offer in map(self._offer_of, found))
        self.offer, stored = next(
            (offer, response.body) for offer, response in tried if response.status == HTTPStatus.OK
        )
        self.query = {"offerId": stored["id"], "fareId": stored["cheapestFare"]["id"]}
        self.required = stored["providerAdditionalPassengerInformationByPassengerType"]["adult"]

    def _offer_of(self, found: dict[str, Any]) -> dict[str, Any]:
        requested = ("origin", "destination", "departureDate", "arrivalDate", "flightNumber")
        carriers = ("operatingCarrierCode", "marketingCarrierCode")
        sections = [
            {name: section[name] for name in (*requested, *carriers)}
            for section in found["outboundSegment"]["sections"]
        ]
        return self.search | {"outboundSegment": {"sections": sections}}

    def call(self, operation: str, body: object, query: dict[str, str] | None = None, **path: str) -> SandboxResponse:
        """Send a request to an operation, again if it was throttled."""
        headers = {"authorization": KEY, "content-type": "application/json"}
        for _ in range(2):
            request = sandbox_request(
                self.service,
                "v4",
                operation,
                headers=headers,
                path=path,
                query=query,
                raw=json.dumps(body).encode(),
            )
            response = self.service.respond(HANDLERS[operation], request)
            if response.status not in {429, 503}:
                break
        return response

    def _search(self) -> dict[str, Any]:
        day = self.service.clock.now().date() + timedelta(days=30)
        return {
            "adults": 1,
            "children": 0,
            "infants": 0,
            "tripType": "ONE_WAY",
            "travelClass": "ECONOMY",
            "customerCode": ORGANISATIONS[0].customer_code,
            "outboundSegment": {
                "origin": {"code": "MAD", "type": "AIRPORT"},
                "destination": {"code": "BCN", "type": "AIRPORT"},
                "departureDate": day.isoformat(),
            },
            "inboundSegment": None,
        }

    def order(self) -> dict[str, Any]:
        """Return a body that Create Order accepts."""
        phone = {"number": "600123456", "countryCode": "ES"}
        bags = [{"type": "CHECK_IN", "numberOfPieces": 1, "kilosPerPiece": 15}]
        passport = {
            "type": "PASSPORT",
            "identificationNumber": "X1",
            "expirationDate": "2099-01-01",
            "issueCountryCode": "ES",
        }
        required: dict[str, Any] = {}
        if self.required["providerIdentificationTypeOptions"]:
            required["identification"] = passport
        if len(self.required["providerRequiredAdditionalFields"]) > 1:
            required |= {"localityCodeOfResidency": "350000", "nationalityCountryCode": "ES"}
        return {
            "passengers": [
                {
                    "number": self.first_number,
                    "type": "adult",
                    "title": "MR",
                    "name": "Santos",
                    "firstLastName": "Dumont",
                    "gender": "MALE",
                    "birthDate": "1990-07-20",
                    "phone": phone,
                }
                | required
            ],
            "selectedBaggage": [{"passengerNumber": self.first_number, "outboundSegmentBaggageSelection": bags}],
            "customerContact": {
                "name": "Santos",
                "lastNames": "Dumont",
                "gender": "MALE",
                "email": "santos@example.com",
                "countryCode": "ES",
                "phone": phone,
                "address": "Calle 1",
                "cityName": "Madrid",
                "zipCode": "28001",
                "carrierPortalCredentials": {"username": "santos", "password": "-"},
            },
            "paymentMethod": {"card": True},
        }

    def body(self, operation: str) -> dict[str, Any]:
        """Return a valid body of an operation."""
        secure = {
            "version": "2.2.0",
            "electronic_commerce_indicator": "05",
            "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
            "transaction_id": "1",
        }
        confirmation = {"paymentMethod": {"card": True}, "payment_method": "pm_card_visa", "three_d_secure": secure}
        bodies = {"searchOffers": self.search, "getOffer": self.offer, "createOrder": self.order()}
        return copy.deepcopy(bodies.get(operation, confirmation))

    def send(self, operation: str, body: object) -> SandboxResponse:
        """Send a body to an operation, with the parameters that it needs."""
        if operation != "confirmOrder":
            return self.call(operation, body, self.query)
        opened = self.call("createOrder", self.order(), self.query).body
        return self.call(operation, body, orderId=opened["id"])


# An itinerary with one or two seats takes only one or two orders.
CLIENTS = {name: Client(name) for name in dialects() if name != "scarce"}


def paths_in(value: object, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values in a document."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place] + [each for name, member in members for each in paths_in(member, (*place, name))]


def with_a_change(data: st.DataObject, body: Any, values: st.SearchStrategy[Any]) -> Any:  # noqa: ANN401 - any JSON
    """Return the body without one of its values, or with another one there. It is changed in place."""
    *place, last = data.draw(st.sampled_from(paths_in(body)[1:]))
    holder = body
    for part in place:
        holder = holder[part]
    if data.draw(st.booleans()):
        del holder[last]
    else:
        holder[last] = data.draw(values)
    return body


@pytest.mark.parametrize("dialect", list(CLIENTS))
@pytest.mark.parametrize("operation", ["searchOffers", "getOffer", "createOrder", "confirmOrder"])
def test_valid_body_is_accepted(dialect: str, operation: str) -> None:
    client = CLIENTS[dialect]

    assert client.send(operation, client.body(operation)).status == 200


@pytest.mark.parametrize("operation", ["searchOffers", "getOffer", "createOrder", "confirmOrder"])
@settings(derandomize=True, max_examples=60)
@given(data=st.data())
def test_any_body_succeeds_or_is_rejected(operation: str, data: st.DataObject) -> None:
    client = CLIENTS[data.draw(st.sampled_from(list(CLIENTS)))]
    body = with_a_change(data, client.body(operation), JSON)

    response = client.send(operation, body)
    sent = http_response(response, client.service.choices, client.service.clock.now())

    assert response.status == 200 or 400 <= response.status < 500, json.dumps(body)
    if response.status != 200 and not isinstance(sent, StreamingResponse):
        content = bytes(sent.body)
        text = gzip.decompress(content) if sent.headers.get("content-encoding") == "gzip" else content
        assert json.loads(text)["statusCode"] == response.status


@pytest.mark.parametrize("operation", ["getFares", "getBaggage", "getOrder", "getReservation", "confirmOrder"])
@settings(derandomize=True, max_examples=50)
@given(text=st.text(max_size=40))
def test_any_id_succeeds_or_is_rejected(operation: str, text: str) -> None:
    client = CLIENTS["documented"]
    confirmation = {"paymentMethod": {"card": True}, "payment_method": "pm_card_visa"}

    response = client.call(operation, confirmation, offerId=text, orderId=text, reservationId=text)

    assert response.status in {200, 404}
    assert response.status == 404 or response.body == {"fares": []}
