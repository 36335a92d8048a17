"""From mitmproxy's flows to what the judge gets."""

import time
from pickle import PickleBuffer
from typing import Final

from mitmproxy.http import HTTPFlow, Message
from mitmproxy.proxy import mode_specs

from airworthy.contract.body import LARGEST
from airworthy.proxy.wire import LARGE, RawBody, Wire

STREAMED: Final = "the body was streamed past"
TOO_LARGE: Final = f"the body has more than {LARGEST // 1024 // 1024} MiB"
_ABORTED: Final = "the body did not come whole"
# There the address is a number, and only the Host header says whose traffic it is.
_BY_ADDRESS: Final = (mode_specs.TransparentMode, mode_specs.LocalMode, mode_specs.WireGuardMode)


def wire_of(flow: HTTPFlow, *, answered: bool = True) -> Wire:
    """Return a flow as it was on the wire; with ``answered`` false only its request."""
    request = flow.request
    response = flow.response if answered else None
    body, unread = _body(request)
    answer, unread_answer = _body(response) if response else (b"", "")
    by_address = isinstance(flow.client_conn.proxy_mode, _BY_ADDRESS)
    ended = (response.timestamp_end if response else None) or time.time()
    return Wire(
        flow.id,
        request.timestamp_start,
        max(0.0, ended - request.timestamp_start),
        request.method,
        request.pretty_url if by_address else request.url,
        request.headers.fields,
        body,
        response.status_code if response else None,
        response.headers.fields if response else (),
        answer,
        unread,
        unread_answer,
    )


def _body(message: Message) -> tuple[RawBody, str]:
    content = message.raw_content
    if content is None:
        return None, STREAMED if message.stream else _ABORTED
    if len(content) > LARGEST:
        return None, TOO_LARGE
    return (content if len(content) <= LARGE else PickleBuffer(content)), ""
