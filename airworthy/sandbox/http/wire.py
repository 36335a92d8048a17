"""How responses are sent, as one dialect does it: the form of their JSON, their headers and their transfer.

None of it changes the meaning of a response, and the documents name none of it.
"""

import gzip
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.http.exchange import SandboxResponse

Endpoint = Callable[[Request], Awaitable[Response]]
_EXTRA_HEADERS = {"X-Request-Id": "3f2a", "Server-Timing": "db;dur=1", "Cache-Control": "no-store", "Vary": "Accept"}
_PART_BYTES = 1000


def any_method(path: str, endpoint: Endpoint) -> Route:
    """Return a route that takes every method."""
    route = Route(path, endpoint)
    route.methods = None
    return route


def http_response(response: SandboxResponse, choices: Choices, now: datetime) -> Response:
    """Return a response as Starlette sends it; ``now`` is the time of the sandbox's clock."""
    date = datetime.now(UTC) if choices.http.date_header == "of the machine" else now
    headers = {"date": format_datetime(date, usegmt=True)} | dict(response.headers)
    if isinstance(response.body, bytes):
        body = response.body
        headers = {"content-type": "text/plain"} | headers
    else:
        body = _written(response.body, choices)
        headers = {"content-type": choices.http.media_type} | headers
    if choices.http.extra_headers == "some":
        headers |= _EXTRA_HEADERS
    if choices.http.transfer == "chunked":
        return StreamingResponse(_parts(body), response.status, headers)
    if choices.http.transfer == "gzip":
        body, headers = gzip.compress(body, 1), headers | {"Content-Encoding": "gzip"}
    return Response(body, response.status, headers)


def _written(document: Any, choices: Choices) -> bytes:  # noqa: ANN401 - any JSON
    if choices.http.number_form == "with a fraction" or choices.http.key_order == "reversed":
        document = _rewritten(document, choices)
    if choices.http.json_form == "escaped":
        return json.dumps(document).replace("/", "\\/").encode()
    is_indented = choices.http.json_form == "indented"
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE if is_indented else None)


def _rewritten(document: Any, choices: Choices) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(document, Mapping):
        members = reversed(list(document.items())) if choices.http.key_order == "reversed" else document.items()
        return {name: _rewritten(value, choices) for name, value in members}
    if isinstance(document, list | tuple):
        return [_rewritten(each, choices) for each in document]
    has_fraction = choices.http.number_form == "with a fraction" and isinstance(document, int)
    return float(document) if has_fraction and not isinstance(document, bool) else document


async def _parts(body: bytes) -> AsyncIterator[bytes]:
    for begin in range(0, len(body), _PART_BYTES):
        yield body[begin : begin + _PART_BYTES]
