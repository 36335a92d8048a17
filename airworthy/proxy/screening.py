"""Decide which requests are forwarded with airworthy_on_error=block: those that are exactly as documented.

What is not documented, a lenient server may still read as a request that is: another path, method or parameter. So
nothing is forwarded because it looks harmless, only because it was judged as a documented operation and conforms.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import unquote, urlsplit

from airworthy.contract import Exchange, Finding, Headers, ServiceAddress
from airworthy.contract.http.operations import LONGEST_QUERY, PAYMENT, Operation, ResolvedUrl

_URL: Final = re.compile(r"[!-~]+")
_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9_-]+")
_VALUE: Final = re.compile(r"[A-Za-z0-9 _.~:,/+=@|-]*")
_CHARSET: Final = re.compile(r"charset[\s*0-9]*=[\s\"']*([^\s\"';,]*)", re.IGNORECASE)
_UTF8: Final = frozenset(("utf-8", "utf8", "us-ascii", "ascii"))
# Many servers read other signs in the name of a header as a hyphen.
_SEPARATORS: Final = re.compile(r"[^a-z0-9]+")
_DECISIVE: Final = frozenset(
    ("authorization", "connection", "content-encoding", "content-length", "content-type", "host", "transfer-encoding")
)
_UNREPEATED: Final = _DECISIVE - {"connection", "content-encoding"}
# Headers by which servers replace the method or the path, such as X-HTTP-Method-Override and X-Original-URL.
_OVERRIDING: Final = re.compile(r"method|override|rewrite|(^|-)(path|ur[il])($|-)|^upgrade$")
_CONNECTION: Final = frozenset(("", "close", "keep-alive", "te"))
# A body of the cancellation is open (OPEN-89).
_NO_BODY: Final = (b"", b"{}")


def why_refused(
    exchange: Exchange,
    url: ResolvedUrl | None,
    findings: Iterable[Finding],
    unread: Mapping[str, str],
    service: ServiceAddress,
) -> str:
    """Return why a request is not exactly as documented; empty if it is.

    ``findings`` are those of the request, ``unread`` has the reason if its body could not be decoded. The result
    contains nothing from the request.
    """
    if reason := unread.get("request_unread"):
        return reason
    for finding in findings:
        if _is_undocumented(finding):
            return f"{finding.message} [{finding.rule}]"
    request = exchange.request
    if url is None or url.operation is None or (url.version == PAYMENT and not service.payment_providers):
        return "the method and the path are not those of a documented operation"
    return (
        _undocumented_target(request.method, request.url, url, url.operation)
        or _undocumented_headers(request.headers)
        or _undocumented_body(request.headers, request.body or b"", url.operation)
    )


def _is_undocumented(finding: Finding) -> bool:
    """Return whether the documents do not show what a finding is about; violations that only warn are left open."""
    if finding.side != "request" or finding.kind == "deprecated":
        return False
    # The use of another version's ids only warns: v2 and v3 may number separately.
    return not finding.soft or finding.drift in ("unknown-field", "unknown-value")


def _undocumented_target(method: str, text: str, url: ResolvedUrl, operation: Operation) -> str:
    parts = urlsplit(text)
    template = operation.template if url.version == PAYMENT else (url.version, *operation.template)
    written = parts.path.removesuffix("/").split("/")[-len(template) :]
    is_respelled = url.respelled or method != operation.method or "/." in parts.path
    if is_respelled or len(written) != len(template) or not all(map(_is_spelled, template, written)):
        return "the method or the path is not spelled as documented"
    known = {each.name for each in operation.parameters if each.place == "query"}
    names = [name for name, _ in url.query]
    if not known.issuperset(names) or len(names) > len(set(names)):
        return "the query has a parameter that is not documented, or one twice"
    values = all(_VALUE.fullmatch(value) for _, value in url.query)
    if not values or not _URL.fullmatch(text) or ";" in text or "#" in text:
        return "the URL has a character that servers read in different ways"
    return "the query is too long" if len(parts.query) > LONGEST_QUERY else ""


def _is_spelled(documented: str, written: str) -> bool:
    return bool(_IDENTIFIER.fullmatch(unquote(written))) if documented.startswith("{") else documented == written


def _undocumented_headers(headers: Headers) -> str:
    names = [_SEPARATORS.sub("-", name.lower()).strip("-") for name, _ in headers]
    if any(_OVERRIDING.search(name) for name in names):
        return "a header replaces the method, the path or the protocol"
    if any(name in _DECISIVE and name != each.lower() for name, (each, _) in zip(names, headers, strict=True)):
        return "the name of a header is spelled in a way that servers read differently"
    if any(names.count(name) > 1 for name in _UNREPEATED):
        return "the request repeats a header that must occur once"
    options = {part.strip().lower() for part in _values(headers, "connection").split(",")}
    return "" if options <= _CONNECTION else "the Connection header removes another header"


def _undocumented_body(headers: Headers, body: bytes, operation: Operation) -> str:
    if operation.request is None:
        return "" if body.strip() in _NO_BODY else "the operation has no request body"
    declared = _values(headers, "content-type")
    if declared.partition(";")[0].strip().lower() != operation.media:
        return f"the Content-Type of the request is not {operation.media}"
    if any(charset.lower() not in _UTF8 for charset in _CHARSET.findall(declared)):
        return "the body has a charset other than UTF-8"
    return ""


def _values(headers: Headers, name: str) -> str:
    return ",".join(value for each, value in headers if each.lower() == name)
