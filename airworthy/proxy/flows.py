"""Convert mitmproxy's flows."""

import time
from typing import Final

from mitmproxy.http import HTTPFlow, Message
from mitmproxy.proxy import mode_specs

from airworthy.contract.bodies.body import LARGEST
from airworthy.proxy.messages import RawExchange

STREAMED: Final = "the body was streamed"
TOO_LARGE: Final = f"the body is larger than {LARGEST // 1024 // 1024} MiB"
_INCOMPLETE: Final = "the body is incomplete"
# In these modes the address is an IP address, and only the Host header names the service.
_BY_ADDRESS: Final = (mode_specs.TransparentMode, mode_specs.LocalMode, mode_specs.WireGuardMode)


def raw_exchange(flow: HTTPFlow, *, with_response: bool = True) -> RawExchange:
    """Return the exchange of a flow as transferred; ``with_response=False`` returns the request alone."""
    request = flow.request
    response = flow.response if with_response else None
    is_too_large = bool(flow.error and "body_size_limit" in flow.error.msg)
    request_body, request_unread = _body(request, is_too_large=is_too_large)
    response_body, response_unread = _body(response) if response else (b"", "")
    by_address = isinstance(flow.client_conn.proxy_mode, _BY_ADDRESS)
    ended = (response.timestamp_end if response else None) or time.time()
    return RawExchange(
        flow.id,
        request.timestamp_start,
        max(0.0, ended - request.timestamp_start),
        request.method,
        request.pretty_url if by_address else request.url,
        request.headers.fields,
        request_body,
        response.status_code if response else None,
        response.headers.fields if response else (),
        response_body,
        request_unread,
        response_unread,
    )


def _body(message: Message, *, is_too_large: bool = False) -> tuple[bytes | None, str]:
    content = message.raw_content
    if len(content or b"") > LARGEST or (content is None and (is_too_large or _declared_size(message) > LARGEST)):
        return None, TOO_LARGE
    if content is None:
        return None, STREAMED if message.stream else _INCOMPLETE
    return content, ""


def _declared_size(message: Message) -> int:
    declared = message.headers.get("Content-Length", "")
    return int(declared[:18]) if declared.isascii() and declared.isdigit() else 0
