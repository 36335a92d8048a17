"""Redact personal data, secrets and card data in exchanges before anything is written: denied unless allowed.

A value of a body stays if a schema describes its location, does not mark it as sensitive, and the value has the form
that is expected there. Elsewhere only ``true``, ``false``, ``null``, numbers of at most two digits and the codes of the
contract's enumerations stay. Of the URL, documented parts stay, and of the headers the values that
`airworthy.evidence.headers` allows. Every other text becomes a pseudonym of the same shape, which the contract judges
alike.

Redaction never fails: a value that it cannot handle is omitted and counted.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeVar
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

import orjson

from airworthy.contract.body import read_form, read_json
from airworthy.contract.compiled_schema import CompiledSchema
from airworthy.contract.exchange import Exchange, Headers, Response, header
from airworthy.contract.known_members import KnownMembers
from airworthy.contract.operations import Operation, ResolvedUrl, ServiceAddress
from airworthy.contract.reading import FORM, described_schema
from airworthy.contract.terms import DocumentedTerms
from airworthy.evidence.body_redaction import OMITTED, BodyRedaction, beginning
from airworthy.evidence.credentials import is_secret_header
from airworthy.evidence.headers import redact_name, redact_value
from airworthy.evidence.private_values import PrivateValues
from airworthy.evidence.pseudonyms import Pseudonyms

BODY_LIMIT: Final = 1024 * 1024
FAILED: Final = "[redaction failed]"
"""Replaces a value that could not be redacted."""
_FIRST_ERROR_STATUS: Final = 400
_TEXT_LIMIT: Final = 256 * 1024
_EXCERPT: Final = 4096
_LONGEST_URL: Final = 64 * 1024
_LONGEST_HOST: Final = 4096
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_VERSION: Final = re.compile(r"v?[0-9]{1,2}(?:\.[0-9]{1,2})?|\.{0,2}", re.IGNORECASE)

T = TypeVar("T")


class RedactionContract(Protocol):
    """The part of the contract that redaction uses."""

    service: ServiceAddress

    @property
    def documents(self) -> Mapping[str, Any]:
        """The schema documents."""

    @property
    def terms(self) -> DocumentedTerms:
        """The words and codes of the documents."""

    def operations(self) -> tuple[Operation, ...]:
        """Return every documented operation."""

    def resolve(self, method: str, url: str) -> ResolvedUrl | None:
        """Return the operation and the values in a URL, or None if it is not one of the service."""


@dataclass(frozen=True, slots=True)
class RedactedExchange:
    """A redacted exchange. If a body is too long, it is None, and ``excerpts`` contains its beginning, by side."""

    exchange: Exchange
    excerpts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _RedactedBody:
    content: bytes | None
    excerpt: str | None = None


class Redactor:
    """Redacts the exchanges and the texts of one run. Not thread-safe.

    Bodies of more than ``body_limit`` bytes are reduced to an excerpt, as are bodies of more than 256 KiB that are not
    JSON. ``secrets`` are the secrets of the run, each with its replacement: ``$NAME`` of the environment variable that
    contains it. A replacement that does not begin with ``$`` means a pseudonym.
    """

    def __init__(
        self,
        contract: RedactionContract,
        pseudonyms: Pseudonyms | None = None,
        secrets: Mapping[str, str] | None = None,
        body_limit: int = BODY_LIMIT,
    ) -> None:
        self.pseudonyms = pseudonyms or Pseudonyms()
        self.failures = 0
        self._body_limit = body_limit
        self._contract = contract
        self._private = PrivateValues(contract.terms, self.pseudonyms, secrets or {})
        self._path_words = path_words(contract)

    def exchange(self, exchange: Exchange) -> Exchange:
        """Return the exchange with pseudonyms for everything that may be private; the contract judges both alike."""
        return self.redacted(exchange).exchange

    def redacted(self, exchange: Exchange) -> RedactedExchange:
        """Return the redacted exchange, with excerpts of the bodies that are too long."""
        request, response = exchange.request, exchange.response
        url = self._guarded(None, self._contract.resolve, request.method, request.url)
        operation = url.operation if url else None
        self._guarded(None, self._private.learn_credentials, request.headers)
        body = BodyRedaction(self._private, exchange.started)
        sent = self._body(body, request.body, request.headers, operation.request if operation else None)
        redacted = replace(
            request,
            method=redact_name(request.method, self._pseudonym),
            url=self._guarded(FAILED, self._url, request.url, url),
            headers=self._headers(request.headers, request.body, sent.content),
            body=sent.content,
        )
        excerpts = {} if sent.excerpt is None else {"request": sent.excerpt}
        shown = None
        if response is not None:
            schema = described_schema(operation, response.status) if operation else None
            body = BodyRedaction(self._private, exchange.started, is_error=response.status >= _FIRST_ERROR_STATUS)
            received = self._body(body, response.body, response.headers, schema)
            headers = self._headers(response.headers, response.body, received.content)
            shown = Response(response.status, headers, received.content)
            if received.excerpt is not None:
                excerpts["response"] = received.excerpt
        return RedactedExchange(replace(exchange, request=redacted, response=shown), excerpts)

    def text(self, text: str) -> str:
        """Return a text of the suite or the judge without the secrets and private values of the run.

        Addresses, long numbers, keys and tokens are replaced, too. For texts from traffic, see `Vocabulary`.
        """
        return self._guarded(FAILED, self._private.text, text)

    def _guarded(self, marker: T, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 - passed on
        """Call a function, and return the marker if it fails: nothing is written that was not redacted."""
        try:
            return function(*arguments)
        except Exception:  # noqa: BLE001 - hostile traffic must not end a run; the failure is counted
            self.failures += 1
            return marker

    def _pseudonym(self, value: str) -> str:
        return self.pseudonyms.text(value)

    def _headers(self, headers: Headers, body: bytes | None, redacted: bytes | None) -> Headers:
        growth = len(redacted) - len(body) if body is not None and redacted is not None else 0
        return tuple(
            (redact_name(name, self._pseudonym), self._guarded(FAILED, self._header, name.lower(), value, growth))
            for name, value in headers
        )

    def _header(self, name: str, value: str, growth: int) -> str:
        if is_secret_header(name):
            return self._private.credentials.header(value)
        # A correct length must stay correct and a wrong one wrong, or a complete body would seem truncated.
        if name == "content-length" and growth and value.isascii() and value.isdigit():
            return str(max(0, int(value[:18]) + growth))
        return redact_value(name, value, self._private.value)

    def _url(self, url: str, resolved: ResolvedUrl | None) -> str:
        parts = urlsplit(url)
        if len(url) > _LONGEST_URL:
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2][:_LONGEST_HOST]}/{quote(OMITTED)}"
        account, at, host = parts.netloc.rpartition("@")
        operation = resolved.operation if resolved else None
        places = {(each.place, each.name): each.schema.members for each in operation.parameters} if operation else {}
        query = self.pairs(parts.query, lambda name: places.get(("query", name)))
        return urlunsplit(
            SplitResult(
                parts.scheme,
                f"{self.pseudonyms.secret(account)}{at}{_host(host, self._pseudonym)}",
                self._path(parts.path, operation, places),
                query,
                self._pseudonym(parts.fragment),
            )
        )

    def _path(self, path: str, operation: Operation | None, places: Mapping[tuple[str, str], KnownMembers]) -> str:
        prefix = next((base for base in self._prefixes() if f"{path}/".startswith(f"{base}/")), "")
        segments = path[len(prefix) :].split("/")
        template = operation.template if operation else ()
        # Empty segments do not count, as for the contract.
        filled = [index for index, segment in enumerate(segments) if segment]
        known = dict(zip(reversed(filled), reversed(template), strict=False))
        shown = (
            self._segment(segment, places.get(("path", known.get(index, "").strip("{}"))))
            for index, segment in enumerate(segments)
        )
        return prefix + "/".join(shown)

    def _segment(self, segment: str, place: KnownMembers | None) -> str:
        text = unquote(segment)
        is_known = text.lower() in self._path_words or _VERSION.fullmatch(text) or (place and place.may_show(text))
        return segment if is_known else quote(self._private.value(text), safe="$@")

    def _prefixes(self) -> list[str]:
        service = self._contract.service
        paths = {urlsplit(base).path.rstrip("/") for base in (*service.base_urls, *service.payment_providers)}
        return sorted(paths, key=len, reverse=True)

    def pairs(self, encoded: str, place_of: Callable[[str], KnownMembers | None]) -> str:
        """Return ``name=value&…`` redacted; if nothing is, it is unchanged."""
        body = BodyRedaction(self._private)
        pairs = parse_qsl(encoded, keep_blank_values=True)
        redacted = [
            (redact_name(name, self._pseudonym), str(body.value(value, place_of(name), ""))) for name, value in pairs
        ]
        return encoded if redacted == pairs else urlencode(redacted, safe="$@[]")

    def _body(
        self, body: BodyRedaction, raw: bytes | None, headers: Headers, schema: CompiledSchema | None
    ) -> _RedactedBody:
        if not raw:
            return _RedactedBody(raw)
        return self._guarded(_RedactedBody(None, FAILED), self._redacted_body, body, raw, headers, schema)

    def _redacted_body(
        self, body: BodyRedaction, raw: bytes, headers: Headers, schema: CompiledSchema | None
    ) -> _RedactedBody:
        media = (header(headers, "Content-Type") or "").partition(";")[0].strip().lower()
        members = schema.members if schema else None
        read = read_json(raw)
        if not read.readable:
            if media == FORM and len(raw) <= _TEXT_LIMIT and read_form(raw).readable:
                place_of = members.known if members else lambda _: None
                return _RedactedBody(self.pairs(raw.decode(), place_of).encode())
            return self._text_body(raw)
        if len(raw) > self._body_limit:
            excerpt = body.value(beginning(read.value, [_EXCERPT]), members, "")
            return _RedactedBody(None, orjson.dumps(excerpt)[:_EXCERPT].decode("utf-8", "ignore"))
        # Where a schema describes private values, hardly any body is without them.
        is_clean = schema is not None and not schema.members.private and schema.is_clean(read)
        if is_clean or (members and members.is_harmless(read.value)):
            return _RedactedBody(raw)
        try:
            return _RedactedBody(orjson.dumps(body.value(read.value, members, "")))
        except RecursionError:
            return self._text_body(raw)

    def _text_body(self, raw: bytes) -> _RedactedBody:
        is_long = len(raw) > min(self._body_limit, _TEXT_LIMIT)
        part = raw[:_EXCERPT] if is_long else raw
        try:
            content = self._private.words(part.decode()).encode()
        except UnicodeDecodeError:
            # Nothing can be recognised in an unknown encoding, so only ASCII is kept, and the body stays invalid UTF-8.
            text = self._private.words(part.decode("ascii", "replace")) if b"\0" not in part else "\ufffd"
            content = _NOT_ASCII.sub("\xff", text).encode("latin-1")
        return _RedactedBody(None, content.decode("utf-8", "replace")) if is_long else _RedactedBody(content)


def path_words(contract: RedactionContract) -> frozenset[str]:
    """Return the constant segments of all documented paths, those of earlier revisions and the payment provider's."""
    paths = [operation.path for operation in contract.operations()]
    for document in contract.documents.values():
        paths += (path for other in document.get("otherVersions", ()) for path in other["paths"])
        paths += document.get("paths", ())
    return frozenset(part.lower() for path in paths for part in path.split("/") if part.isidentifier())


def _host(host: str, pseudonym: Callable[[str], str]) -> str:
    return (
        host
        if re.fullmatch(r"[\w.-]{1,253}(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{1,5})?", host)
        else pseudonym(host)
    )


def redact(exchange: Exchange, contract: RedactionContract, pseudonyms: Pseudonyms) -> Exchange:
    """Return one exchange redacted, without the memory of a run."""
    return Redactor(contract, pseudonyms).exchange(exchange)
