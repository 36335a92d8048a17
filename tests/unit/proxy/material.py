"""What the proxy's tests judge: the samples of the suite as they are on the wire, and as mitmproxy's flows."""

import json
from dataclasses import replace

from mitmproxy import http
from mitmproxy.test import tflow

from airworthy.contract import Exchange, Headers, Response
from airworthy.proxy.wire import RawHeaders, Settings, Wire
from conformance.v4 import samples

SETTINGS = Settings(key=b"k" * 32)


def search() -> Exchange:
    """A search as it is documented."""
    return samples.sample("searchOffers")


def mistaken() -> Exchange:
    """A search for no adult, which the service refuses."""
    body = json.loads(search().request.body or b"") | {"adults": 0}
    refusal = json.dumps({"statusCode": 400, "error": "Bad Request", "message": "adults"}).encode()
    response = Response(400, (("Content-Type", "application/json"),), refusal)
    return replace(samples.with_request(search(), body), response=response)


def wire(exchange: Exchange, *, answered: bool = True) -> Wire:
    """An exchange as it goes to the judge."""
    asked, answer = exchange.request, exchange.response if answered else None
    made = Wire(
        exchange.id,
        exchange.started.timestamp(),
        exchange.elapsed,
        asked.method,
        asked.url,
        raw(asked.headers),
        asked.body,
    )
    if answer is None:
        return made
    return made._replace(status=answer.status, response_headers=raw(answer.headers), response_body=answer.body)


def flow(exchange: Exchange, *, answered: bool = True) -> http.HTTPFlow:
    """An exchange as mitmproxy has it."""
    asked, answer = exchange.request, exchange.response
    made = tflow.tflow(
        req=http.Request.make(asked.method, asked.url, asked.body or b"", http.Headers(raw(asked.headers)))
    )
    made.request.timestamp_start = exchange.started.timestamp()
    if answer and answered:
        made.response = http.Response.make(answer.status, answer.body or b"", http.Headers(raw(answer.headers)))
        made.response.timestamp_end = made.request.timestamp_start + exchange.elapsed
    return made


def raw(headers: Headers) -> RawHeaders:
    """Headers as bytes."""
    return tuple((name.encode(), value.encode()) for name, value in headers)
