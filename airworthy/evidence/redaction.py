"""Redact personal data, secrets and card data in exchanges before anything is written: denied unless allowed.

A value of a body stays if a schema describes its location, does not mark it as sensitive, and the value has the form
that is expected there. Elsewhere only ``true``, ``false``, ``null``, numbers of at most two digits and the codes of the
contract's enumerations stay. Of the URL, documented parts stay, and of the headers the values that
`airworthy.evidence.headers` allows. Every other text becomes a pseudonym of the same shape, which the contract judges
alike.

Redaction never fails: a value that it cannot handle is omitted and counted.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

import orjson

from airworthy.contract import CompiledSchema, Contract, Exchange, Headers, Request, Response, header
from airworthy.contract.bodies.body import read_form, read_json
from airworthy.contract.http.operations import PAYMENT, Operation, ResolvedUrl
from airworthy.contract.http.reading import FORM, described_schema
from airworthy.contract.schema.known_members import KnownMembers
from airworthy.evidence.body_redaction import OMITTED, BodyRedaction, beginning
from airworthy.evidence.credentials import Secrets, is_secret_header
from airworthy.evidence.headers import ADDRESSES, HOST, is_method, redact_name, redact_value
from airworthy.evidence.marks import Marks, has_marks, marked, shown, split
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.vocabulary import PrivateValues

BODY_LIMIT: Final = 1024 * 1024
FAILED: Final = "[redaction failed]"
"""Replaces a value that could not be redacted."""
_FIRST_ERROR_STATUS: Final = 400
_TEXT_LIMIT: Final = 256 * 1024
_EXCERPT: Final = 4096
_LONGEST_URL: Final = 64 * 1024
_LONGEST_HOST: Final = 4096
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
# Of its operations, the documents describe one.
_OF_PROVIDER: Final = frozenset(("payment_intents", "setup_intents", "capture"))
_HOST: Final = re.compile(r"(?:[\w.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
_VERSION: Final = re.compile(r"v?[0-9]{1,2}(?:\.[0-9]{1,2})?|\.{0,2}", re.IGNORECASE)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RedactedExchange:
    """A redacted exchange. If a body is too long, it is None, and ``excerpts`` contains its beginning, by side.

    ``marks`` says what in the exchange and the excerpts is a pseudonym.
    """

    exchange: Exchange
    excerpts: Mapping[str, str] = field(default_factory=dict)
    marks: Marks = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _RedactedBody:
    """A redacted body, or an excerpt of it. Only ``marked`` has marks."""

    content: bytes | None = None
    marked: str | None = None
    excerpt: str | None = None


class _Side:
    """One side of a redacted exchange, and where its pseudonyms are."""

    def __init__(self, name: str, redacted: _RedactedBody) -> None:
        self.name = name
        self.marks: dict[str, list[int]] = {}
        self.excerpt = None if redacted.excerpt is None else self.plain("body", redacted.excerpt)
        self.body = redacted.content if redacted.marked is None else self.plain("body", redacted.marked).encode()

    def plain(self, place: str, text: str) -> str:
        """Return a text without its marks, which are remembered for the place."""
        plain, spans = split(text)
        if spans:
            self.marks[f"{self.name}.{place}"] = spans
        return plain

    def header(self, number: int, name: str, value: str) -> tuple[str, str]:
        """Return a header without its marks, which are remembered for the line ``NAME: VALUE``."""
        if has_marks(name) or has_marks(value):
            line, length = self.plain(str(number), f"{name}: {value}"), len(split(name)[0])
            return line[:length], line[length + len(": ") :]
        return name, value


class Redactor:
    """Redacts the exchanges and the texts of one run. Not thread-safe.

    Bodies of more than ``body_limit`` bytes are reduced to an excerpt, as are bodies of more than 256 KiB that are not
    JSON. ``secrets`` are the secrets of the run with their replacements. ``public`` are terms of the profile,
    such as addresses and airports, which stay like the addresses of the contract's service.
    """

    def __init__(
        self,
        contract: Contract,
        pseudonyms: Pseudonyms | None = None,
        secrets: Secrets | None = None,
        body_limit: int = BODY_LIMIT,
        public: Collection[str] = (),
    ) -> None:
        self.pseudonyms = pseudonyms or Pseudonyms()
        self.failures = 0
        self._body_limit = body_limit
        self._contract = contract
        self._public = contract.service.names.union(public)
        self._private = PrivateValues(contract.terms, self.pseudonyms, secrets or {}, self._public)
        self._path_words = path_words(contract)
        self._providers = tuple(f"{each.rstrip('/')}/" for each in contract.service.payment_providers)
        # What a payment method may contain is also what the provider's other objects and its parameters may contain.
        responses = [each.response(HTTPStatus.OK) for each in contract.operations() if each.version == PAYMENT]
        self._provider = next((each.members.like for each in responses if each), None)

    def exchange(self, exchange: Exchange) -> Exchange:
        """Return the exchange with pseudonyms for everything that may be private; the contract judges both alike."""
        return self.redacted(exchange).exchange

    def redacted(self, exchange: Exchange) -> RedactedExchange:
        """Return the redacted exchange, with excerpts of the bodies that are too long."""
        request, response = exchange.request, exchange.response
        url = self._guarded(None, self._contract.resolve, request.method, request.url)
        operation = url.operation if url else None
        self._private.credentials.choose(operation.version if operation else "")
        self._guarded(None, self._private.learn_credentials, request.headers)
        host = self._guarded("", _host_of, request.url)
        body = BodyRedaction(self._private, exchange.started)
        others = self._provider if request.url.startswith(self._providers) else None
        side = self._side("request", request, body, operation.request if operation else None, others)
        method = request.method if is_method(request.method) else self._pseudonym(request.method)
        redacted = replace(
            request,
            method=side.plain("method", method),
            url=side.plain("url", self._guarded(FAILED, self._url, request.url, url)),
            headers=self._headers(side, request, host),
            body=side.body,
        )
        sides = [side]
        answer = None
        if response is not None:
            schema = described_schema(operation, response.status) if operation else None
            body = BodyRedaction(self._private, exchange.started, is_error=response.status >= _FIRST_ERROR_STATUS)
            side = self._side("response", response, body, schema, others)
            answer = Response(response.status, self._headers(side, response, host), side.body)
            sides.append(side)
        excerpts = {side.name: side.excerpt for side in sides if side.excerpt is not None}
        marks = {place: spans for side in sides for place, spans in side.marks.items()}
        self._private.credentials.choose("")
        return RedactedExchange(replace(exchange, request=redacted, response=answer), excerpts, marks)

    def text(self, text: str) -> str:
        """Return a text of ours without the secrets of the run.

        Its words are ours, and whoever puts a value into it redacts the value:
        `airworthy.contract.bodies.wording`, `words`.
        """
        return shown(*split(self._guarded(FAILED, self._private.credentials.redact, text)))

    def words(self, text: str) -> str:
        """Return a text that is not ours, such as the message of a library, with only harmless words."""
        return shown(*split(self._guarded(FAILED, self._private.words, text)))

    def _guarded(self, marker: T, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 - passed on
        """Call a function, and return the marker if it fails: nothing is written that was not redacted."""
        try:
            return function(*arguments)
        except Exception:  # noqa: BLE001 - hostile traffic must not end a run; the failure is counted
            self.failures += 1
            return marker

    def _pseudonym(self, value: str) -> str:
        return marked(self.pseudonyms.text(value))

    def _headers(self, side: _Side, message: Request | Response, host: str) -> Headers:
        growth = len(side.body) - len(message.body) if message.body is not None and side.body is not None else 0
        return tuple(
            side.header(
                number,
                redact_name(name, self._pseudonym),
                self._guarded(FAILED, self._header, name.lower(), value, growth, host),
            )
            for number, (name, value) in enumerate(message.headers)
        )

    def _header(self, name: str, value: str, growth: int, host: str) -> str:
        if is_secret_header(name):
            return self._private.credentials.header(value)
        # A correct length must stay correct and a wrong one wrong, or a complete body would seem truncated.
        if name == "content-length" and growth and value.isascii() and value.isdigit():
            return str(max(0, int(value[:18]) + growth))
        if name == HOST and (value.lower() == host or value in self._public):
            return value
        if name in ADDRESSES and _host_of(value) in (host, *self._public):
            return self._url(value, self._contract.resolve("GET", value))
        return redact_value(name, value, self._private.value)

    def _url(self, url: str, resolved: ResolvedUrl | None) -> str:
        parts = urlsplit(url)
        if len(url) > _LONGEST_URL:
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2][:_LONGEST_HOST]}/{quote(OMITTED)}"
        account, at, host = parts.netloc.rpartition("@")
        operation = resolved.operation if resolved else None
        host = host if _HOST.fullmatch(host) else self._pseudonym(host)
        prefix = self._contract.service.prefix_of(parts.path)
        path = redact_path(parts.path[len(prefix) :], operation, self._path_words, self._segment)
        return urlunsplit(
            parts._replace(
                netloc=f"{marked(self.pseudonyms.secret(account))}{at}{host}",
                path=prefix + path,
                query=self.pairs(parts.query, _parameters(operation, "query").get),
                fragment=self._pseudonym(parts.fragment),
            )
        )

    def _segment(self, segment: str) -> str:
        return quote(self._private.value(unquote(segment)), safe="$@")

    def pairs(self, encoded: str, place_of: Callable[[str], KnownMembers | None]) -> str:
        """Return ``name=value&…`` redacted; if nothing is, it is unchanged."""
        body = BodyRedaction(self._private)
        pairs = parse_qsl(encoded, keep_blank_values=True)
        redacted = [
            (redact_name(name, self._pseudonym), str(body.value(value, place_of(name), ""))) for name, value in pairs
        ]
        return encoded if redacted == pairs else urlencode(redacted, safe="$@[]")

    def _side(self, name: str, message: Request | Response, *described: Any) -> _Side:  # noqa: ANN401 - passed on
        """Return a side with its redacted body, which is ``described`` as for `_body`."""
        if not message.body:
            return _Side(name, _RedactedBody(message.body))
        failed = _RedactedBody(excerpt=FAILED)
        return _Side(name, self._guarded(failed, self._body, message.body, message.headers, *described))

    def _body(
        self,
        raw: bytes,
        headers: Headers,
        body: BodyRedaction,
        schema: CompiledSchema | None,
        others: KnownMembers | None,
    ) -> _RedactedBody:
        """Return a body redacted; ``others`` are the members that it may have if no schema describes it."""
        members = schema.members if schema else others
        media = (header(headers, "Content-Type") or "").partition(";")[0].strip().lower()
        read = read_json(raw)
        if not read.readable:
            if media == FORM and len(raw) <= _TEXT_LIMIT and read_form(raw).readable:
                place_of = members.known if members else lambda _: None
                return _RedactedBody(marked=self.pairs(raw.decode(), place_of))
            return self._text_body(raw)
        if len(raw) > self._body_limit:
            excerpt = body.value(beginning(read.value, [_EXCERPT]), members, "")
            return _RedactedBody(excerpt=orjson.dumps(excerpt)[:_EXCERPT].decode("utf-8", "ignore"))
        # Where a schema describes private values, hardly any body is without them.
        is_clean = schema is not None and not schema.members.private and schema.is_clean(read)
        if is_clean or (members and members.is_harmless(read.value)):
            return _RedactedBody(raw)
        try:
            return _RedactedBody(marked=orjson.dumps(body.value(read.value, members, "")).decode())
        except RecursionError:
            return self._text_body(raw)

    def _text_body(self, raw: bytes) -> _RedactedBody:
        is_long = len(raw) > min(self._body_limit, _TEXT_LIMIT)
        part = raw[:_EXCERPT] if is_long else raw
        try:
            text = self._private.words(part.decode())
        except UnicodeDecodeError:
            # Nothing can be recognised in an unknown encoding, so only ASCII is kept, and the body stays invalid UTF-8.
            text = self._private.words(part.decode("ascii", "replace")) if b"\0" not in part else "\ufffd"
            text = _NOT_ASCII.sub("\xff", split(text)[0])
            return _RedactedBody(excerpt=text) if is_long else _RedactedBody(text.encode("latin-1"))
        return _RedactedBody(excerpt=text) if is_long else _RedactedBody(marked=text)


def path_words(contract: Contract) -> frozenset[str]:
    """Return the constant segments of documented, former and the payment provider's paths, with and without an s."""
    paths = [operation.path for operation in contract.operations()]
    for document in contract.documents.values():
        paths += document.get("paths", ())
    words = {part.lower().removesuffix("s") for path in paths for part in path.split("/") if part.isidentifier()}
    return _OF_PROVIDER.union(words, (f"{word}s" for word in words))


def redact_path(path: str, operation: Operation | None, words: frozenset[str], replace: Callable[[str], str]) -> str:
    """Return a path with each segment replaced that is neither documented nor a harmless value of a parameter.

    ``words`` are the `path_words` of the contract.
    """
    segments, places = path.split("/"), _parameters(operation, "path")
    template = operation.template if operation else ()
    # Empty segments do not count, as for the contract.
    filled = [index for index, segment in enumerate(segments) if segment]
    known = dict(zip(reversed(filled), reversed(template), strict=False))

    def is_harmless(index: int, text: str) -> bool:
        place = places.get(known.get(index, "").strip("{}"))
        return text.lower() in words or bool(_VERSION.fullmatch(text) or (place and place.may_show(text)))

    return "/".join(
        segment if is_harmless(index, unquote(segment)) else replace(segment) for index, segment in enumerate(segments)
    )


def _parameters(operation: Operation | None, place: str) -> dict[str, KnownMembers]:
    return {each.name: each.schema.members for each in operation.parameters if each.place == place} if operation else {}


def _host_of(url: str) -> str:
    return urlsplit(url).netloc.lower()
