"""One documented conversation through v4, as traffic, from which the checks of client requests start."""

import base64
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from airworthy.contract.http.exchange import Exchange, Headers, Request, Response
from airworthy.documents.references import packaged_documents
from conformance.request_draft import RequestDraft
from conformance.v4 import request_bodies as bodies
from conformance.v4.request_bodies import OrderOptions, PassengerCounts

BASE = "https://service.example"
PROVIDER = "https://payments.example"
_START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
# Operations that return what another one returned before.
_AS_BEFORE: Final = {"getOrder": "confirmOrder", "findReservation": "getReservation"}
# What the example of an order lacks.
_PASSPORT: Final = {
    "type": "PASSPORT",
    "identificationNumber": "AIRW000001",
    "expirationDate": "2040-01-15",
    "issueCountryCode": "PT",
}


def _example(name: str) -> Any:
    """Return a copy of a body in the documents, None if there is none; every passenger of an order has a passport."""
    listed = packaged_documents()["v4/examples.json"]["examples"]
    body = json.loads(json.dumps(listed.get(name, {}).get("value")))
    if name == "getOfferResponse":
        body["providerAdditionalPassengerInformationByPassengerType"]["adult"]["providerIdentificationTypeOptions"] = [
            "PASSPORT"
        ]
    elif "Order" in name and "passengers" in body:
        body["passengers"][0]["identification"] = _PASSPORT
    return body


def _drafts() -> dict[str, RequestDraft]:
    """Return the request of each operation, in the order of a conversation."""
    order, reservation = _example("createOrderResponse"), _example("getReservationResponse")["id"]
    offer, fare = order["offer"]["id"], order["offer"]["fare"]["id"]
    posts: dict[str, tuple[str, dict[str, str]]] = {
        "searchOffers": ("search", {}),
        "getOffer": ("offer", {}),
        "createOrder": ("order", {"offerId": offer, "fareId": fare}),
        "confirmOrder": (f"order/{order['id']}/confirm", {}),
    }
    sent = [
        RequestDraft(name, "POST", f"/v4/{path}", query=query, body=_example(f"{name}Request"))
        for name, (path, query) in posts.items()
    ]
    read = [bodies.get_order(order["id"]), bodies.get_reservation(reservation), bodies.find_reservation(order["id"])]
    drafts = [*sent[:2], bodies.get_fares(offer), bodies.get_baggage(offer), *sent[2:], *read]
    return {each.operation: each for each in drafts}


def conversation() -> list[Exchange]:
    """Return a conforming conversation from search to reservation, with half a minute between its exchanges."""
    return [_exchange(draft, place) for place, draft in enumerate(_drafts().values())]


def _exchange(draft: RequestDraft, place: int) -> Exchange:
    shown = _AS_BEFORE.get(draft.operation, draft.operation)
    response, started = _example(f"{shown}Response"), _START + timedelta(seconds=30 * place)
    return exchange_of(draft, response, started, f"sample-{place}", "sample-key")


def sample(operation: str, party: PassengerCounts | None = None) -> Exchange:
    """Return one documented exchange of an operation; of Create Order for a party."""
    if operation == "createPaymentMethod":
        return _payment_method()
    drafts = _drafts()
    exchange = _exchange(drafts[operation], list(drafts).index(operation))
    if party is None:
        return exchange
    query = drafts[operation].query
    sent = bodies.create_order(query["offerId"], query["fareId"], party, OrderOptions(), _START.date()).body
    return with_response_body(with_request(exchange, sent), _example("createOrderResponse") | sent)


def exchange_of(draft: RequestDraft, response: Any, started: datetime, identifier: str, authorization: str) -> Exchange:
    """Return an exchange of a request and a response with status 200."""
    headers: Headers = (("Authorization", authorization), ("Accept", "application/json"))
    body = b""
    if draft.body is not None:
        headers += (("Content-Type", "application/json"),)
        body = json.dumps(draft.body).encode()
    query = f"?{urlencode(draft.query)}" if draft.query else ""
    request = Request(draft.method, f"{BASE}{draft.path}{query}", headers, body)
    response = Response(200, (("Content-Type", "application/json"),), json.dumps(response).encode())
    return Exchange(identifier, started, 0.2, request, response)


def _payment_method() -> Exchange:
    form = {
        "type": "card",
        "card[number]": "4242424242424242",
        "card[exp_month]": "12",
        "card[exp_year]": "2034",
        "card[cvc]": "123",
    }
    token = base64.b64encode(b"rk_test_sample:").decode()
    headers = (("Authorization", f"Basic {token}"), ("Content-Type", "application/x-www-form-urlencoded"))
    request = Request("POST", f"{PROVIDER}/v1/payment_methods", headers, urlencode(form).encode())
    response = Response(
        200, (("Content-Type", "application/json"),), b'{"id": "pm_1airworthy", "object": "payment_method"}'
    )
    return Exchange("sample-payment", _START, 0.2, request, response)


def with_request(exchange: Exchange, body: Any) -> Exchange:
    """Return the exchange with another JSON body sent."""
    return replace(exchange, request=replace(exchange.request, body=json.dumps(body).encode()))


def with_response_body(exchange: Exchange, body: Any) -> Exchange:
    """Return the exchange with another JSON body in its response."""
    assert exchange.response is not None
    return replace(exchange, response=replace(exchange.response, body=json.dumps(body).encode()))


def with_header(exchange: Exchange, name: str, value: str | None) -> Exchange:
    """Return the exchange with another request header, or without it."""
    others = tuple((key, held) for key, held in exchange.request.headers if key.lower() != name.lower())
    headers = others if value is None else (*others, (name, value))
    return replace(exchange, request=replace(exchange.request, headers=headers))


def with_form(exchange: Exchange, fields: Mapping[str, str]) -> Exchange:
    """Return the exchange with another form sent."""
    return replace(exchange, request=replace(exchange.request, body=urlencode(fields).encode()))
