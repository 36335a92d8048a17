"""Whatever a client sends to any interface, the response is a success or a rejection, never a server error."""

import gzip
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.responses import StreamingResponse

from airworthy.sandbox.dialects.named import dialects
from airworthy.sandbox.http import schemas
from airworthy.sandbox.http.wire import http_response
from airworthy.sandbox.service.request_bodies import OPERATIONS
from unit.contract.mutations import GONE, places, with_change

from .local_client import LocalClient, service_of

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
# An itinerary with one or two seats takes only one or two orders.
CLIENTS = {name: LocalClient(service_of(name)) for name in dialects() if name != "scarce"}


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
