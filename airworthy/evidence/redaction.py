"""Takes personal data, secrets and card data out of exchanges before anything is written.

What is sensitive is known in three ways, each for what the one before it cannot know:

1. by place: the marks of the schemas (``x-sensitive``);
2. by name: headers, parameters and members that speak for themselves, where no schema describes the place;
3. in every text: the run's own secrets, card numbers, e-mail addresses, keys and tokens, and each sensitive value that
   a request of this run has sent (services repeat such values in their messages).

What would take too long to look through is not kept: of a body that is too long an excerpt stays, of one that has too
many private values nothing. The largest answers are those that the schemas describe as impersonal: flights and prices.
They are only looked through for what would be worst: secrets, card numbers, e-mail addresses, keys and tokens.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, Final, Protocol
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

import orjson

from airworthy.contract.body import read_json
from airworthy.contract.card_numbers import holds_card_number
from airworthy.contract.exchange import Exchange, Headers, header
from airworthy.evidence import places
from airworthy.evidence.credentials import Credentials, is_secret_header
from airworthy.evidence.detectors import (
    BEGINNINGS,
    card_marker,
    without_cards,
    without_emails,
    without_tokens,
)
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.vocabulary import TELLING, Names, Vocabulary, any_of
from airworthy.evidence.words import SensitiveWords

BODY_LIMIT: Final = 1024 * 1024
_TEXT_LIMIT: Final = 256 * 1024
_EXCERPT: Final = 4096
_MOST_REPLACED: Final = 10_000
_USUAL_LENGTH: Final = 16
_MOST_TEXTS: Final = 50_000
_LONGEST_URL: Final = 64 * 1024
_LEFT_OUT: Final = "…"
_REFUSED: Final = 400
_FORM: Final = "application/x-www-form-urlencoded"
_NOT_ASCII: Final = re.compile(rb"[\x80-\xff]")
# An escape that hides what is looked for: a sign of ASCII, or a digit or what stands between digits, of any script.
_HIDING: Final = re.compile(
    rb"""(?x) \\ (?: / | u00[2-7] | (?: (?<=[0-9]\\) | (?<=[0-9][ -]\\) ) (?<!\\u[0-9A-Fa-f]{4}\\) u
    | u[0-9A-Fa-f]{4} [^0-9A-Za-z"\\]{0,2} (?: [0-9] | (?: \\u[0-9A-Fa-f]{4} [^0-9A-Za-z"\\]{0,2} ){3} ) )"""
)
_ESCAPE: Final = re.compile(r"(\\u[0-9A-Fa-f]{4}|\\.)")


class Marks(Protocol):
    """What redaction needs of the contract."""

    @property
    def documents(self) -> Mapping[str, Any]:
        """The schema documents, from which names and words are learnt."""

    def operation(self, method: str, url: str) -> object | None:
        """Return the documented operation of a request, or None."""

    def is_impersonal(self, exchange: Exchange) -> bool:
        """Whether the schemas describe the answer of an exchange, and have nothing private in it."""

    def private_names(self) -> Mapping[str, str]:
        """Return the names, in lower case, that have private values only, in whatever schema, with their kinds."""

    def sensitive(self, exchange: Exchange) -> Iterable[tuple[str, str, str]]:
        """Return (side, pointer, kind) of each value with an ``x-sensitive`` mark."""


@dataclass(frozen=True, slots=True)
class _Side:
    """How one side of an exchange is redacted: by place, by name, and what then stands there.

    ``is_impersonal`` says that the schemas describe it and have nothing private in it.
    """

    marks: Mapping[str, str]
    names: Names
    stand_in: Callable[[str, Any], Any]
    is_impersonal: bool = False


@dataclass(frozen=True, slots=True)
class Redacted:
    """A redacted exchange. Of a body that is not kept, and None, ``excerpts`` holds the beginning, by side."""

    exchange: Exchange
    excerpts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Body:
    """A redacted body, or its excerpt; ``is_known`` says that all of it was looked through."""

    content: bytes | None
    excerpt: str | None = None
    is_known: bool = True


class _TooMuchError(Exception):
    """A body or a text has more private values than can be replaced in bounded time."""


class Redactor:
    """Redacts the exchanges and the texts of one run.

    Bodies of more than ``body_limit`` bytes are not kept, nor are those of more than 256 KiB that are no JSON.

    ``secrets`` are the run's own secrets, each with what is shown instead (``$NAME`` of the environment variable that
    holds it; anything that does not begin with ``$`` becomes a pseudonym). Not for several threads at once.
    """

    def __init__(
        self,
        contract: Marks,
        pseudonyms: Pseudonyms | None = None,
        secrets: Mapping[str, str] | None = None,
        body_limit: int = BODY_LIMIT,
    ) -> None:
        self.pseudonyms = pseudonyms or Pseudonyms()
        self._limit = body_limit
        self._left = _MOST_REPLACED
        self._contract = contract
        vocabulary = Vocabulary.of(contract.documents)
        private = contract.private_names()
        self._names = Names({**vocabulary.names.kinds, **private})
        self._own_names = Names({**private, **TELLING})
        quoted = (*(f'{name}"' for name in TELLING), *(start.lower() for start in BEGINNINGS))
        self._suspicious = re.compile(f'"(?:{any_of(quoted)})'.encode())
        self._words = SensitiveWords(self._stand, vocabulary.words)
        self._credentials = Credentials(self.pseudonyms, secrets or {})

    def exchange(self, exchange: Exchange) -> Exchange:
        """Return the exchange with pseudonyms in all sensitive places; the contract judges both alike."""
        return self.redacted(exchange).exchange

    def redacted(self, exchange: Exchange) -> Redacted:
        """Return the redacted exchange, and excerpts of the bodies that are too long to be kept."""
        marks: dict[str, dict[str, str]] = {"request": {}, "response": {}}
        for side, pointer, kind in self._contract.sensitive(exchange):
            marks[side].setdefault(pointer, kind)
        asked, answer = exchange.request, exchange.response
        known = self._contract.operation(asked.method, asked.url) is not None
        names = self._own_names if known else self._names
        sent = _Side(marks["request"], names, self._stand_in(exchange.started, learn=True))
        for secret in self._credentials.unknown(asked.headers):
            self._words.learn("secret", secret)
        asked_for = self._body(asked.body, asked.headers, sent)
        headers = self._headers(asked.headers, asked.body, asked_for.content)
        request = replace(asked, url=self._url(asked.url, sent), headers=headers, body=asked_for.content)
        excerpts = {} if asked_for.excerpt is None else {"request": asked_for.excerpt}
        if answer is None:
            return Redacted(replace(exchange, request=request), excerpts)
        described = known and answer.status < _REFUSED
        came = _Side(
            marks["response"],
            self._own_names if described else self._names,
            self._stand_in(exchange.started),
            is_impersonal=self._contract.is_impersonal(exchange),
        )
        # What nobody has looked through may be repeated.
        is_kept = asked_for.is_known or not answer.body
        answered = self._body(answer.body, answer.headers, came) if is_kept else _Body(None, "")
        if answered.excerpt is not None:
            excerpts["response"] = answered.excerpt
        headers = self._headers(answer.headers, answer.body, answered.content)
        response = replace(answer, headers=headers, body=answered.content)
        return Redacted(replace(exchange, request=request, response=response), excerpts)

    def text(self, text: str) -> str:
        """Return a text without secrets, card numbers, e-mail addresses, tokens and sensitive values that were sent."""
        self._left = _MOST_REPLACED
        try:
            return self._text(text)
        except _TooMuchError:
            return _LEFT_OUT

    def _text(self, text: str) -> str:
        if not text:
            return text
        text = self._words.replaced(self._credentials.hidden(text))
        return without_tokens(without_emails(without_cards(text), self._stand), self._stand)

    def _stand(self, kind: str, value: str) -> str:
        self._spend(value)
        return self.pseudonyms.text(kind, value)

    def _spend(self, value: Any) -> None:  # noqa: ANN401 - any JSON value
        """Count what is replaced, a long value or one that holds others as several."""
        length = len(value) if isinstance(value, str) else len(orjson.dumps(value))
        self._left -= 1 + length // _USUAL_LENGTH
        if self._left < 0:
            raise _TooMuchError

    def _stand_in(self, started: datetime, *, learn: bool = False) -> Callable[[str, Any], Any]:
        day = started.date().isoformat()

        def stand_in(kind: str, value: Any) -> Any:  # noqa: ANN401 - any JSON value
            self._spend(value)
            if shown := self._credentials.known(value):
                return shown
            # Whether a document has expired must not change with its day.
            if kind == "document-date" and str(value).startswith(day[:7]):
                return value
            # A day to come may also be a departure, which has to stay.
            if learn and not (kind == "birth-date" and str(value) >= day):
                self._words.learn(kind, value)
            return self.pseudonyms.of(kind, value)

        return stand_in

    def _headers(self, headers: Headers, body: bytes | None, redacted: bytes | None) -> Headers:
        grown = len(redacted) - len(body) if body is not None and redacted is not None else 0
        # All at once: hardly ever does a header hold anything.
        together = "\n".join(value for name, value in headers if not is_secret_header(name))
        plain = self.text(together) == together
        return tuple((name, self._header(name.lower(), value, grown, plain=plain)) for name, value in headers)

    def _header(self, name: str, value: str, grown: int, *, plain: bool) -> str:
        if is_secret_header(name):
            return self._credentials.header(value)
        # A body that was cut off must still be seen to be, and one that was whole must not seem cut off.
        if name == "content-length" and grown and value.isascii() and value.isdigit():
            return str(max(0, int(value[:18]) + grown))
        return value if plain else self.text(value)

    def _url(self, url: str, side: _Side) -> str:
        try:
            parts = urlsplit(url)
        except ValueError:
            return self.text(url)
        account, at, host = parts.netloc.rpartition("@")
        self._left = _MOST_REPLACED if len(url) <= _LONGEST_URL else 0
        try:
            self._spend("")
            path = unquote(parts.path)
            plain_path = self._text(path)
            return urlunsplit(
                parts._replace(
                    netloc=f"{self.pseudonyms.text('secret', account)}{at}{host}",
                    path=parts.path if plain_path == path else quote(plain_path, safe="/$@"),
                    query=self._pairs(parts.query, side, "query:"),
                    fragment=self._text(parts.fragment),
                )
            )
        except _TooMuchError:
            return f"{parts.scheme}://{host[:_EXCERPT]}/{quote(_LEFT_OUT)}"

    def _pairs(self, encoded: str, side: _Side, prefix: str) -> str:
        """Redact ``name=value&…``; what needs no redaction keeps its very bytes."""
        pairs = parse_qsl(encoded, keep_blank_values=True)
        redacted = []
        for name, value in pairs:
            kind = side.marks.get(prefix + name) or side.names.kind_of(name)
            redacted.append((self._text(name), str(side.stand_in(kind, value)) if kind else self._text(value)))
        return encoded if redacted == pairs else urlencode(redacted, safe="$@[]")

    def _body(self, raw: bytes | None, headers: Headers, side: _Side) -> _Body:
        is_long = raw is not None and len(raw) > self._limit
        if not raw or (side.is_impersonal and not is_long and self._passes(raw)):
            return _Body(raw)
        self._left = _MOST_REPLACED
        try:
            body = read_json(raw)
            if body.readable:
                return self._structured(raw, body.value, side)
            return self._unstructured(raw, headers, side)
        except _TooMuchError:
            return _Body(None, "", is_known=False)

    def _structured(self, raw: bytes, document: Any, side: _Side) -> _Body:  # noqa: ANN401 - any JSON value
        try:
            # Escapes can hide what a search in the text would find.
            text = (orjson.dumps(document) if b"\\" in raw else raw).decode()
            marks = side.marks
            if len(marks) > _MOST_REPLACED:
                raise _TooMuchError
            known = places.with_holders(marks)
            named = sum(places.name_of(pointer).lower() in side.names.kinds for pointer in known)
            if side.names.count_in(text) > named:
                found = islice(places.named(document, side.names, known), _MOST_REPLACED + 1)
                marks = {**marks, **dict(found)}
            document = places.replaced(document, marks, side.stand_in)
            if len(raw) > self._limit:
                beginning = self._scrubbed(places.beginning(document, _EXCERPT), {})
                return _Body(None, orjson.dumps(beginning)[:_EXCERPT].decode("utf-8", "ignore"))
            text = orjson.dumps(document).decode() if marks else text
            # An escaped line end runs into the word after it.
            if "\\" in text or self._text(text) != text:
                return _Body(orjson.dumps(self._scrubbed(document, {})))
        except (orjson.JSONEncodeError, RecursionError, UnicodeDecodeError):
            return self._unstructured(raw, (), side)
        return _Body(text.encode())

    def _passes(self, raw: bytes) -> bool:
        """Whether nothing in an impersonal body has to be looked at closely."""
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            return False
        return (
            raw[:1] in (b"{", b"[")
            and b"@" not in raw
            and not (b"\\" in raw and _HIDING.search(raw))
            and without_cards(text) == text
            and not self._suspicious.search(raw.lower())
            and not self._credentials.are_in(raw)
        )

    def _scrubbed(self, value: Any, seen: dict[str, str]) -> Any:  # noqa: ANN401 - any JSON value
        match value:
            case str():
                if value not in seen:
                    if len(seen) >= _MOST_TEXTS:
                        raise _TooMuchError
                    seen[value] = self._text(value)
                return seen[value]
            case dict():
                return {self._scrubbed(name, seen): self._scrubbed(item, seen) for name, item in value.items()}
            case list():
                return [self._scrubbed(item, seen) for item in value]
            case int() if holds_card_number(value):
                return int(card_marker(str(value)))
            case _:
                return value

    def _unstructured(self, raw: bytes, headers: Headers, side: _Side) -> _Body:
        if len(raw) <= min(self._limit, _TEXT_LIMIT):
            return _Body(self._without_structure(raw, headers, side))
        # What the cut has made unrecognisable stands at the end, which is not shown.
        begun = raw[: 2 * _EXCERPT].decode("utf-8", "replace").encode()
        # Of two bytes a letter, as a secret could be too.
        made = "" if b"\0" in begun else self._without_structure(begun, headers, side).decode("utf-8", "replace")
        return _Body(None, made[: max(0, len(made) - _EXCERPT)][:_EXCERPT], is_known=False)

    def _without_structure(self, raw: bytes, headers: Headers, side: _Side) -> bytes:
        try:
            text, encoding = raw.decode(), "utf-8"
        except UnicodeDecodeError:
            # Nothing can be looked for in an unknown encoding: of that, ASCII stays, and that it was none.
            text, encoding = _NOT_ASCII.sub(b"\xff", raw if b"\0" not in raw else b"\xff").decode("latin-1"), "latin-1"
        if (header(headers, "Content-Type") or "").lower().startswith(_FORM):
            return self._pairs(text, side, "/").encode(encoding, "replace")
        # What looks like a member of broken JSON is treated by its name.
        for form in (self._names.part, self._names.member):
            text = form.sub(lambda found: self._member(found, side), text)
        return self._text(text).encode(encoding, "replace")

    def _member(self, found: re.Match[str], side: _Side) -> str:
        kind = self._names.kind_of(found["name"]) or "secret"
        # An escape that was wrong has to stay so.
        pieces = _ESCAPE.split(found["value"])
        made = (piece if place % 2 else str(side.stand_in(kind, piece)) for place, piece in enumerate(pieces))
        return f"{found['before']}{''.join(made)}"


def redact(exchange: Exchange, contract: Marks, pseudonyms: Pseudonyms) -> Exchange:
    """Return one exchange redacted, where there is no run that remembers what it has sent."""
    return Redactor(contract, pseudonyms).exchange(exchange)
