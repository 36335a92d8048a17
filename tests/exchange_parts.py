"""Recorded exchanges with another request or response."""

from dataclasses import replace
from typing import Any

from airworthy.contract import Exchange, Response


def response_of(exchange: Exchange) -> Response:
    """Return the response of an exchange that has one."""
    assert exchange.response is not None
    return exchange.response


def changed_request(exchange: Exchange, **changes: Any) -> Exchange:  # noqa: ANN401 - the members of a request
    """Return an exchange with changes of its request."""
    return replace(exchange, request=replace(exchange.request, **changes))


def changed_response(exchange: Exchange, **changes: Any) -> Exchange:  # noqa: ANN401 - the members of a response
    """Return an exchange with changes of its response."""
    return replace(exchange, response=replace(response_of(exchange), **changes))


def authorized(exchange: Exchange, *keys: str) -> Exchange:
    """Return an exchange whose request has these values of the ``Authorization`` header, or none."""
    others = [each for each in exchange.request.headers if each[0] != "Authorization"]
    return changed_request(exchange, headers=(*(("Authorization", key) for key in keys), *others))
