"""The suite's sample exchanges, as transferred and as mitmproxy's flows."""

import json
from dataclasses import replace

from mitmproxy import http
from mitmproxy.test import tflow

from airworthy.contract import Exchange, Headers, Response
from airworthy.proxy.messages import JudgeSettings, RawExchange, RawHeaders
from conformance.v4 import samples

SETTINGS = JudgeSettings(key=b"k" * 32)


def search() -> Exchange:
    return samples.sample("searchOffers")


def search_without_adults() -> Exchange:
    """Return a search without adults, which the service rejects."""
    body = json.loads(search().request.body or b"") | {"adults": 0}
    refusal = json.dumps({"statusCode": 400, "error": "Bad Request", "message": "adults"}).encode()
    response = Response(400, (("Content-Type", "application/json"),), refusal)
    return replace(samples.with_request(search(), body), response=response)


def raw(exchange: Exchange, *, with_response: bool = True) -> RawExchange:
    request, response = exchange.request, exchange.response if with_response else None
    built = RawExchange(
        exchange.id,
        exchange.started.timestamp(),
        exchange.elapsed,
        request.method,
        request.url,
        raw_headers(request.headers),
        request.body,
    )
    if response is None:
        return built
    return built._replace(
        status=response.status, response_headers=raw_headers(response.headers), response_body=response.body
    )


def flow(exchange: Exchange, *, with_response: bool = True) -> http.HTTPFlow:
    request, response = exchange.request, exchange.response
    built = tflow.tflow(req=http.Request.make(request.method, request.url))
    # As transferred: `make` would change headers and body to fit each other.
    built.request.headers = http.Headers(raw_headers(request.headers))
    built.request.raw_content = request.body or b""
    built.request.timestamp_start = exchange.started.timestamp()
    if response and with_response:
        built.response = http.Response.make(
            response.status, response.body or b"", http.Headers(raw_headers(response.headers))
        )
        built.response.timestamp_end = built.request.timestamp_start + exchange.elapsed
    return built


def raw_headers(headers: Headers) -> RawHeaders:
    return tuple((name.encode(), value.encode()) for name, value in headers)
