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
from datetime import datetime
from itertools import takewhile
from typing import Any, Final, Protocol, TypeVar
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

import orjson

from airworthy.contract import wording
from airworthy.contract.body import read_form, read_json
from airworthy.contract.card_numbers import holds_card_number
from airworthy.contract.compiled_schema import CompiledSchema
from airworthy.contract.exchange import Exchange, Headers, Response, header
from airworthy.contract.known_members import LARGEST_NUMBER, SHORT_NUMBER, KnownMembers
from airworthy.contract.operations import Operation, ResolvedUrl, ServiceAddress
from airworthy.contract.reading import FORM, described_schema
from airworthy.evidence.credentials import Credentials, is_secret_header
from airworthy.evidence.headers import redact_name, redact_value
from airworthy.evidence.learned_values import LearnedValues
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.vocabulary import LONGEST_NUMBER, Vocabulary

BODY_LIMIT: Final = 1024 * 1024
FAILED: Final = "[redaction failed]"
"""Replaces a value that could not be redacted."""
_FIRST_ERROR_STATUS: Final = 400
_TEXT_LIMIT: Final = 256 * 1024
_EXCERPT: Final = 4096
_LONGEST_URL: Final = 64 * 1024
_LONGEST_HOST: Final = 4096
_OMITTED: Final = "…"
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_VERSION: Final = re.compile(r"v?[0-9]{1,2}(?:\.[0-9]{1,2})?|\.{0,2}", re.IGNORECASE)
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_KEY_OF_MEMBER: Final = re.compile(r"[0-9]{1,6}")
_ID: Final = re.compile(r"[0-9]{1,12}")
# What may be private in texts that the suite and the judge write; UUIDs and times stay.
_SUSPICIOUS: Final = re.compile(
    r"""(?x)
      (?P<kept> (?<!\w) (?: [0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12} (?!\w)
      | [0-9]{4}-[0-9]{2}-[0-9]{2} (?: [T ] [0-9]{2}:[0-9]{2} (?: :[0-9]{2} (?:\.[0-9]+)? )? )? (?![0-9]) ) )
    | (?P<private> [^\s@"'<>(),;:=]{1,64} @ [\w-]{1,63} (?: \.[\w-]{1,63} )+
      | (?<= \b [Bb]earer[ ]) \S{8,} | (?<= \b [Bb]asic[ ]) \S{8,}
      | (?<!\w) \+? [0-9] (?: [^\w\n]{0,3} [0-9] ){8,} (?!\w)
      | (?<![\w-]) (?: (?: [srp]k | pm | pi | seti | whsec )_ | eyJ | AKIA ) [\w.-]{6,}
      | (?<![\w-]) (?= (?: [A-Za-z_-]* [0-9] ){3} [\w-]* ) (?= [\w-]* [A-Za-z] ) [\w-]{20,} )
    """
)

T = TypeVar("T")


class RedactionContract(Protocol):
    """The part of the contract that redaction uses."""

    service: ServiceAddress

    @property
    def documents(self) -> Mapping[str, Any]:
        """The schema documents, which define the vocabulary."""

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
        self._vocabulary = Vocabulary(contract.documents, self.pseudonyms)
        self._learned = LearnedValues(self.pseudonyms.text, {code.lower() for code in self._vocabulary.codes})
        self._credentials = Credentials(self.pseudonyms, secrets or {})
        self._path_words = path_words(contract)

    def exchange(self, exchange: Exchange) -> Exchange:
        """Return the exchange with pseudonyms for everything that may be private; the contract judges both alike."""
        return self.redacted(exchange).exchange

    def redacted(self, exchange: Exchange) -> RedactedExchange:
        """Return the redacted exchange, with excerpts of the bodies that are too long."""
        request, response = exchange.request, exchange.response
        url = self._guarded(None, self._contract.resolve, request.method, request.url)
        operation = url.operation if url else None
        self._guarded(None, self._learn_credentials, request.headers)
        body = _BodyRedaction(self, exchange.started)
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
            body = _BodyRedaction(self, exchange.started, is_error=response.status >= _FIRST_ERROR_STATUS)
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
        return self._guarded(FAILED, self._text, text)

    def value(self, value: str, kind: str = "") -> str:
        """Return the replacement of a value: the name of a secret's variable, or a pseudonym."""
        return self._credentials.replacement(value) or self.pseudonyms.text(value, kind)

    def unknown(self, value: str) -> str:
        """Return the replacement of a text that no schema describes; it is learned unless its words are usual."""
        if not self._vocabulary.knows(value):
            self._learned.learn(value)
        return self.value(value)

    def is_code(self, value: str) -> bool:
        """Return whether a text may stay wherever it is not private: a code of the contract, or a short number."""
        return self._vocabulary.is_code(value) or (value.isdigit() and len(value) <= LONGEST_NUMBER)

    def words(self, text: str) -> str:
        """Return free text from traffic with only the words of the vocabulary."""
        return self._credentials.replacement(text) or self._vocabulary.redact(self._credentials.redact(text))

    def learn(self, value: str) -> None:
        """Remember a private value, so that later texts do not repeat it."""
        self._learned.learn(value)
        self._vocabulary.forget(value)

    def _learn_credentials(self, headers: Headers) -> None:
        for secret in self._credentials.unknown_in(headers):
            self._learned.learn(secret)

    def _guarded(self, marker: T, function: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 - passed on
        """Call a function, and return the marker if it fails: nothing is written that was not redacted."""
        try:
            return function(*arguments)
        except Exception:  # noqa: BLE001 - hostile traffic must not end a run; the failure is counted
            self.failures += 1
            return marker

    def _pseudonym(self, value: str) -> str:
        return self.pseudonyms.text(value)

    def _text(self, text: str) -> str:
        text = self._learned.redact(self._credentials.redact(text))
        return _SUSPICIOUS.sub(lambda found: found["kept"] or self.pseudonyms.text(found[0]), text)

    def _headers(self, headers: Headers, body: bytes | None, redacted: bytes | None) -> Headers:
        growth = len(redacted) - len(body) if body is not None and redacted is not None else 0
        return tuple(
            (redact_name(name, self._pseudonym), self._guarded(FAILED, self._header, name.lower(), value, growth))
            for name, value in headers
        )

    def _header(self, name: str, value: str, growth: int) -> str:
        if is_secret_header(name):
            return self._credentials.header(value)
        # A correct length must stay correct and a wrong one wrong, or a complete body would seem truncated.
        if name == "content-length" and growth and value.isascii() and value.isdigit():
            return str(max(0, int(value[:18]) + growth))
        return redact_value(name, value, self.value)

    def _url(self, url: str, resolved: ResolvedUrl | None) -> str:
        parts = urlsplit(url)
        if len(url) > _LONGEST_URL:
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2][:_LONGEST_HOST]}/{quote(_OMITTED)}"
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
        return segment if is_known else quote(self.value(text), safe="$@")

    def _prefixes(self) -> list[str]:
        service = self._contract.service
        paths = {urlsplit(base).path.rstrip("/") for base in (*service.base_urls, *service.payment_providers)}
        return sorted(paths, key=len, reverse=True)

    def pairs(self, encoded: str, place_of: Callable[[str], KnownMembers | None]) -> str:
        """Return ``name=value&…`` redacted; if nothing is, it is unchanged."""
        body = _BodyRedaction(self)
        pairs = parse_qsl(encoded, keep_blank_values=True)
        redacted = [
            (redact_name(name, self._pseudonym), str(body.value(value, place_of(name), ""))) for name, value in pairs
        ]
        return encoded if redacted == pairs else urlencode(redacted, safe="$@[]")

    def _body(
        self, body: "_BodyRedaction", raw: bytes | None, headers: Headers, schema: CompiledSchema | None
    ) -> _RedactedBody:
        if not raw:
            return _RedactedBody(raw)
        return self._guarded(_RedactedBody(None, FAILED), self._redacted_body, body, raw, headers, schema)

    def _redacted_body(
        self, body: "_BodyRedaction", raw: bytes, headers: Headers, schema: CompiledSchema | None
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
            excerpt = body.value(_excerpt(read.value, [_EXCERPT]), members, "")
            return _RedactedBody(None, orjson.dumps(excerpt)[:_EXCERPT].decode("utf-8", "ignore"))
        if members and members.is_harmless(read.value):
            return _RedactedBody(raw)
        try:
            return _RedactedBody(orjson.dumps(body.value(read.value, members, "")))
        except RecursionError:
            return self._text_body(raw)

    def _text_body(self, raw: bytes) -> _RedactedBody:
        is_long = len(raw) > min(self._body_limit, _TEXT_LIMIT)
        part = raw[:_EXCERPT] if is_long else raw
        try:
            content = self.words(part.decode()).encode()
        except UnicodeDecodeError:
            # Nothing can be recognised in an unknown encoding, so only ASCII is kept, and the body stays invalid UTF-8.
            text = self.words(part.decode("ascii", "replace")) if b"\0" not in part else "\ufffd"
            content = _NOT_ASCII.sub("\xff", text).encode("latin-1")
        return _RedactedBody(None, content.decode("utf-8", "replace")) if is_long else _RedactedBody(content)


class _BodyRedaction:
    """Redacts the values of a body; ``started`` is when the request was sent.

    Texts of an error are redacted word by word even if no schema describes them, so that the reader can understand it.
    """

    def __init__(self, redactor: Redactor, started: datetime | None = None, *, is_error: bool = False) -> None:
        self._redactor = redactor
        self._is_error = is_error
        self._month = started.isoformat()[: len("YYYY-MM")] if started else _OMITTED
        self._day = started.date().isoformat() if started else _OMITTED

    def value(self, value: Any, place: KnownMembers | None, kind: str) -> Any:  # noqa: ANN401 - any JSON value
        """Return a JSON value redacted; ``place`` describes it, and ``kind`` is the mark of what contains it."""
        if place is not None:
            place = place.like or place
            kind = kind or place.sensitive
        if isinstance(value, dict):
            return self._object(value, place if place and place.is_object else None, kind)
        if isinstance(value, list):
            items = place.items if place else None
            return [item if self._is_harmless(item, items, kind) else self.value(item, items, kind) for item in value]
        if value is None or isinstance(value, bool):
            return value
        # If the schema expects an object with private members, any other value may be one of them.
        kind = kind or (place.private if place else "")
        return self._string(value, place, kind) if isinstance(value, str) else self._number(value, place, kind)

    @staticmethod
    def _is_harmless(item: Any, place: KnownMembers | None, kind: str) -> bool:  # noqa: ANN401 - any JSON value
        """Return whether an item of an array can stay as a whole; one wrong item must not make a page of them slow."""
        return isinstance(item, dict) and place is not None and not kind and place.is_harmless(item)

    def _object(self, value: dict[str, Any], place: KnownMembers | None, kind: str) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, item in value.items():
            below = place.known(name) if place else None
            # A described object may be keyed by ids.
            is_described = below is not None and (_ID.fullmatch(name) or (place and name in place.members))
            shown = name if is_described else self._name(name)
            while shown in made:
                shown += "_"
            made[shown] = self.value(item, below, kind)
        return made

    def _name(self, name: str) -> str:
        return name if wording.is_name(name) or _KEY_OF_MEMBER.fullmatch(name) else self._redactor.value(name)

    def _string(self, value: str, place: KnownMembers | None, kind: str) -> str:
        if kind:
            return self._private(value, kind)
        if self._redactor.is_code(value):
            return value
        if place is None or place.text == "unknown":
            return self._redactor.words(value) if self._is_error else self._redactor.unknown(value)
        return value if place.may_show(value) else self._redactor.words(value)

    def _private(self, value: str, kind: str) -> str:
        # Another day could change whether the document has expired.
        if kind == "document-date" and value.startswith(self._month) and _DATE.fullmatch(value):
            return value
        # A birth date in the future may also be the date of a departure, which must stay.
        if kind != "reference" and not (kind == "birth-date" and value >= self._day):
            self._redactor.learn(value)
        return self._redactor.value(value, kind)

    def _number(self, value: float, place: KnownMembers | None, kind: str) -> int | float:
        is_described = place is not None and place.text != "unknown"
        most = LARGEST_NUMBER if is_described else SHORT_NUMBER
        if not kind and abs(value) <= most and (is_described or value == int(value)) and not holds_card_number(value):
            return value
        if kind:
            self._redactor.learn(str(value))
        return self._redactor.pseudonyms.number(value, kind)


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


def _excerpt(value: Any, left: list[int]) -> Any:  # noqa: ANN401 - any JSON value
    """Return the beginning of a document with about ``left`` characters; strings are kept whole or omitted."""
    left[0] -= len(value) if isinstance(value, str) else 1
    if isinstance(value, str):
        return value if left[0] >= 0 else _OMITTED
    if isinstance(value, dict):
        names = takewhile(lambda _: left[0] > 0, value)
        return {_excerpt(name, left): _excerpt(value[name], left) for name in names}
    if isinstance(value, list):
        return [_excerpt(item, left) for item in takewhile(lambda _: left[0] > 0, value)]
    return value


def redact(exchange: Exchange, contract: RedactionContract, pseudonyms: Pseudonyms) -> Exchange:
    """Return one exchange redacted, without the memory of a run."""
    return Redactor(contract, pseudonyms).exchange(exchange)
