"""Detect requests that the judge and the service could interpret differently."""

import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from airworthy.contract import Exchange, Finding, Headers
from airworthy.contract.operations import LONGEST_QUERY, MOST_PARAMETERS, ResolvedUrl
from airworthy.contract.paths import is_plain

# Headers by which some servers replace the method or the path.
_OVERRIDING: Final = frozenset(
    ("x-http-method-override", "x-http-method", "x-method-override", "x-original-url", "x-rewrite-url")
)
_CHARSET: Final = re.compile(r"charset[\s*0-9]*=[\s\"']*([^\s\"';,]*)", re.IGNORECASE)
_UTF8: Final = frozenset(("utf-8", "utf8", "us-ascii", "ascii"))


def why_unclear(exchange: Exchange, url: ResolvedUrl, findings: Iterable[Finding], unread: Mapping[str, str]) -> str:
    """Return why the service may interpret a request differently from the judge; empty if it cannot.

    ``findings`` are those of the request, ``unread`` has the reason if its body could not be decoded. The result
    contains nothing from the request.
    """
    if reason := unread.get("request_unread"):
        return reason
    for finding in findings:
        if finding.kind == "unreadable":
            return finding.message
    request = exchange.request
    return _unclear_target(request.url, url) or _unclear_headers(request.headers, request.body)


def _unclear_target(text: str, url: ResolvedUrl) -> str:
    parts = urlsplit(text)
    if url.respelled or not is_plain(parts.path):
        return "the path can be read in different ways"
    known = {each.name for each in url.operation.parameters} if url.operation else set()
    names = [name for name, _ in url.query if name in known]
    if len(names) > len(set(names)):
        return "the query repeats a parameter"
    if len(parts.query) > LONGEST_QUERY or len(url.query) >= MOST_PARAMETERS:
        return "the query is too long"
    return ""


def _unclear_headers(headers: Headers, body: bytes | None) -> str:
    names = [name.lower() for name, _ in headers]
    if not _OVERRIDING.isdisjoint(names):
        return "a header replaces the method or the path"
    if ("upgrade", "websocket") in ((name.lower(), value.strip().lower()) for name, value in headers):
        return "the request opens a WebSocket connection"
    if body and names.count("content-type") > 1:
        return "the request has several Content-Type headers"
    declared = "".join(value for name, value in headers if name.lower() == "content-type")
    if body and any(charset.lower() not in _UTF8 for charset in _CHARSET.findall(declared)):
        return "the body has a charset other than UTF-8"
    return ""
