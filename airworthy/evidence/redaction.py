"""Redact personal data, secrets and card data in exchanges before anything is written.

Sensitive data is recognised in three ways, each of which covers what the others cannot:

1. by location: the ``x-sensitive`` marks of the schemas;
2. by name: headers, parameters and members with a sensitive name, in places that no schema describes;
3. in any text: the secrets of the run, card numbers, e-mail addresses, keys and tokens, and every sensitive value that
   a request of this run has sent, because services repeat such values in their messages.

Redaction takes bounded time. A body that is too long is reduced to an excerpt, one with too many private values is
omitted. The largest responses, flights and prices, are impersonal by their schemas; they are only searched for secrets,
card numbers, e-mail addresses, keys and tokens.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import orjson

from airworthy.contract.body import read_json
from airworthy.contract.card_numbers import holds_card_number
from airworthy.contract.exchange import Exchange, Headers, header
from airworthy.evidence import pointers
from airworthy.evidence.credentials import Credentials, is_secret_header
from airworthy.evidence.detectors import BEGINNINGS, card_marker, without_cards, without_emails, without_tokens
from airworthy.evidence.learned_values import LearnedValues
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.sensitive_names import WELL_KNOWN_NAMES, SchemaTerms, SensitiveNames, any_of
from airworthy.evidence.urls import omit_path, redact_pairs, redact_url

BODY_LIMIT: Final = 1024 * 1024
_TEXT_LIMIT: Final = 256 * 1024
_EXCERPT: Final = 4096
_MOST_REPLACEMENTS: Final = 10_000
_USUAL_LENGTH: Final = 16
_MOST_STRINGS: Final = 50_000
_LONGEST_URL: Final = 64 * 1024
_OMITTED: Final = "…"
_FIRST_ERROR_STATUS: Final = 400
_FORM: Final = "application/x-www-form-urlencoded"
_NOT_ASCII: Final = re.compile(rb"[\x80-\xff]")
# An escape that hides a character that the detectors look for: an ASCII character, or, in any script, a digit or a
# separator between digits.
_HIDING_ESCAPE: Final = re.compile(
    rb"""(?x) \\ (?: / | u00[2-7] | (?: (?<=[0-9]\\) | (?<=[0-9][ -]\\) ) (?<!\\u[0-9A-Fa-f]{4}\\) u
    | u[0-9A-Fa-f]{4} [^0-9A-Za-z"\\]{0,2} (?: [0-9] | (?: \\u[0-9A-Fa-f]{4} [^0-9A-Za-z"\\]{0,2} ){3} ) )"""
)
_ESCAPE: Final = re.compile(r"(\\u[0-9A-Fa-f]{4}|\\.)")


class RedactionContract(Protocol):
    """The part of the contract that redaction uses."""

    @property
    def documents(self) -> Mapping[str, Any]:
        """The schema documents, which define sensitive names and the words of enumerations."""

    def operation(self, method: str, url: str) -> object | None:
        """Return the documented operation of a request, or None."""

    def is_impersonal(self, exchange: Exchange) -> bool:
        """Whether the schemas describe the response of an exchange without any private value."""

    def private_names(self) -> Mapping[str, str]:
        """Return the names, in lower case, whose values are private in every schema, with their kinds."""

    def sensitive(self, exchange: Exchange) -> Iterable[tuple[str, str, str]]:
        """Return (side, pointer, kind) of each value with an ``x-sensitive`` mark."""


@dataclass(frozen=True, slots=True)
class _SideRules:
    """How to redact one side of an exchange: the kinds of values by pointer and by name, and their pseudonyms."""

    marks: Mapping[str, str]
    names: SensitiveNames
    pseudonymize: Callable[[str, Any], Any]
    is_impersonal: bool = False


@dataclass(frozen=True, slots=True)
class RedactedExchange:
    """A redacted exchange. If a body is too long, it is None, and ``excerpts`` contains its beginning, by side."""

    exchange: Exchange
    excerpts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _RedactedBody:
    """A redacted body, or its excerpt; ``is_searched`` says whether all of it was searched for private values."""

    content: bytes | None
    excerpt: str | None = None
    is_searched: bool = True


class _TooManyValuesError(Exception):
    """A body or a text has more private values than can be replaced in bounded time."""


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
        self._body_limit = body_limit
        self._budget = _MOST_REPLACEMENTS
        self._contract = contract
        terms = SchemaTerms.of(contract.documents)
        private = contract.private_names()
        self._all_names = SensitiveNames({**terms.names.kinds, **private})
        self._unambiguous_names = SensitiveNames({**private, **WELL_KNOWN_NAMES})
        suspicious = (*(f'{name}"' for name in WELL_KNOWN_NAMES), *(start.lower() for start in BEGINNINGS))
        self._suspicious = re.compile(f'"(?:{any_of(suspicious)})'.encode())
        self._learned = LearnedValues(self._pseudonym, terms.words)
        self._credentials = Credentials(self.pseudonyms, secrets or {})

    def exchange(self, exchange: Exchange) -> Exchange:
        """Return the exchange with pseudonyms for all sensitive values; the contract judges both alike."""
        return self.redacted(exchange).exchange

    def redacted(self, exchange: Exchange) -> RedactedExchange:
        """Return the redacted exchange, with excerpts of the bodies that are too long."""
        marks: dict[str, dict[str, str]] = {"request": {}, "response": {}}
        for side, pointer, kind in self._contract.sensitive(exchange):
            marks[side].setdefault(pointer, kind)
        request, response = exchange.request, exchange.response
        is_documented = self._contract.operation(request.method, request.url) is not None
        rules = _SideRules(
            marks["request"], self._names(is_described=is_documented), self._pseudonymizer(exchange.started, learn=True)
        )
        for secret in self._credentials.unknown_in(request.headers):
            self._learned.learn("secret", secret)
        sent = self._body(request.body, request.headers, rules)
        headers = self._headers(request.headers, request.body, sent.content)
        url = self._url(request.url, rules)
        redacted = replace(exchange, request=replace(request, url=url, headers=headers, body=sent.content))
        excerpts = {} if sent.excerpt is None else {"request": sent.excerpt}
        if response is None:
            return RedactedExchange(redacted, excerpts)
        rules = _SideRules(
            marks["response"],
            self._names(is_described=is_documented and response.status < _FIRST_ERROR_STATUS),
            self._pseudonymizer(exchange.started),
            is_impersonal=self._contract.is_impersonal(exchange),
        )
        # The response may repeat private values of a request that was not searched completely.
        is_kept = sent.is_searched or not response.body
        received = self._body(response.body, response.headers, rules) if is_kept else _RedactedBody(None, "")
        if received.excerpt is not None:
            excerpts["response"] = received.excerpt
        headers = self._headers(response.headers, response.body, received.content)
        redacted = replace(redacted, response=replace(response, headers=headers, body=received.content))
        return RedactedExchange(redacted, excerpts)

    def text(self, text: str) -> str:
        """Return a text with secrets, card numbers, e-mail addresses, tokens and learned values replaced."""
        self._budget = _MOST_REPLACEMENTS
        try:
            return self._text(text)
        except _TooManyValuesError:
            return _OMITTED

    def _names(self, *, is_described: bool) -> SensitiveNames:
        # Where a schema describes the body, ambiguous names such as "name" are private only if it marks them.
        return self._unambiguous_names if is_described else self._all_names

    def _text(self, text: str) -> str:
        if not text:
            return text
        text = self._learned.redact(self._credentials.redact(text))
        return without_tokens(without_emails(without_cards(text), self._pseudonym), self._pseudonym)

    def _pseudonym(self, kind: str, value: str) -> str:
        self._spend(value)
        return self.pseudonyms.text(kind, value)

    def _spend(self, value: Any) -> None:  # noqa: ANN401 - any JSON value
        """Reduce the budget of replacements; a long value or a container counts as several."""
        length = len(value) if isinstance(value, str) else len(orjson.dumps(value))
        self._budget -= 1 + length // _USUAL_LENGTH
        if self._budget < 0:
            raise _TooManyValuesError

    def _pseudonymizer(self, started: datetime, *, learn: bool = False) -> Callable[[str, Any], Any]:
        day = started.date().isoformat()

        def pseudonymize(kind: str, value: Any) -> Any:  # noqa: ANN401 - any JSON value
            self._spend(value)
            if replacement := self._credentials.replacement(value):
                return replacement
            # Another day could change whether the document has expired.
            if kind == "document-date" and str(value).startswith(day[:7]):
                return value
            # A birth date in the future may also be the date of a departure, which must stay.
            if learn and not (kind == "birth-date" and str(value) >= day):
                self._learned.learn(kind, value)
            return self.pseudonyms.of(kind, value)

        return pseudonymize

    def _headers(self, headers: Headers, body: bytes | None, redacted: bytes | None) -> Headers:
        growth = len(redacted) - len(body) if body is not None and redacted is not None else 0
        # Headers rarely contain private data, so all of them are searched at once.
        joined = "\n".join(value for name, value in headers if not is_secret_header(name))
        is_clean = self.text(joined) == joined
        return tuple((name, self._header(name.lower(), value, growth, is_clean=is_clean)) for name, value in headers)

    def _header(self, name: str, value: str, growth: int, *, is_clean: bool) -> str:
        if is_secret_header(name):
            return self._credentials.header(value)
        # The length must stay as right or wrong as it was, or a complete body would seem truncated.
        if name == "content-length" and growth and value.isascii() and value.isdigit():
            return str(max(0, int(value[:18]) + growth))
        return value if is_clean else self.text(value)

    def _url(self, url: str, rules: _SideRules) -> str:
        try:
            parts = urlsplit(url)
        except ValueError:
            return self.text(url)
        self._budget = _MOST_REPLACEMENTS if len(url) <= _LONGEST_URL else 0
        try:
            self._spend("")
            return redact_url(
                parts,
                self._text,
                lambda account: self.pseudonyms.text("secret", account),
                lambda query: self._pairs(query, rules, "query:"),
            )
        except _TooManyValuesError:
            return omit_path(parts)

    def _pairs(self, encoded: str, rules: _SideRules, prefix: str) -> str:
        def kind_of(name: str) -> str | None:
            return rules.marks.get(prefix + name) or rules.names.kind_of(name)

        return redact_pairs(encoded, kind_of, rules.pseudonymize, self._text)

    def _body(self, raw: bytes | None, headers: Headers, rules: _SideRules) -> _RedactedBody:
        is_long = raw is not None and len(raw) > self._body_limit
        if not raw or (rules.is_impersonal and not is_long and self._is_clean(raw)):
            return _RedactedBody(raw)
        self._budget = _MOST_REPLACEMENTS
        try:
            body = read_json(raw)
            if body.readable:
                return self._json_body(raw, body.value, rules)
            return self._other_body(raw, headers, rules)
        except _TooManyValuesError:
            return _RedactedBody(None, "", is_searched=False)

    def _is_clean(self, raw: bytes) -> bool:
        """Whether a fast search of an impersonal body finds nothing suspicious."""
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            return False
        return (
            raw[:1] in (b"{", b"[")
            and b"@" not in raw
            and not (b"\\" in raw and _HIDING_ESCAPE.search(raw))
            and without_cards(text) == text
            and not self._suspicious.search(raw.lower())
            and not self._credentials.occur_in(raw)
        )

    def _json_body(self, raw: bytes, document: Any, rules: _SideRules) -> _RedactedBody:  # noqa: ANN401 - any JSON value
        try:
            # Without escapes, a search in the text finds every name.
            text = (orjson.dumps(document) if b"\\" in raw else raw).decode()
            marks = rules.marks
            if len(marks) > _MOST_REPLACEMENTS:
                raise _TooManyValuesError
            known = pointers.with_ancestors(marks)
            marked = sum(pointers.name_of(pointer).lower() in rules.names.kinds for pointer in known)
            if rules.names.count_in(text) > marked:
                found = islice(pointers.pointers_by_name(document, rules.names, known), _MOST_REPLACEMENTS + 1)
                marks = {**marks, **dict(found)}
            document = pointers.replace_values(document, marks, rules.pseudonymize)
            if len(raw) > self._body_limit:
                excerpt = self._redact_strings(pointers.excerpt(document, _EXCERPT), {})
                return _RedactedBody(None, orjson.dumps(excerpt)[:_EXCERPT].decode("utf-8", "ignore"))
            text = orjson.dumps(document).decode() if marks else text
            # With an escape such as \n before a word, a search in the text would miss the word.
            if "\\" in text or self._text(text) != text:
                return _RedactedBody(orjson.dumps(self._redact_strings(document, {})))
        except (orjson.JSONEncodeError, RecursionError, UnicodeDecodeError):
            return self._other_body(raw, (), rules)
        return _RedactedBody(text.encode())

    def _redact_strings(self, value: Any, known: dict[str, str]) -> Any:  # noqa: ANN401 - any JSON value
        """Return a JSON value with all strings redacted as text; ``known`` are the strings redacted so far."""
        match value:
            case str():
                if value not in known:
                    if len(known) >= _MOST_STRINGS:
                        raise _TooManyValuesError
                    known[value] = self._text(value)
                return known[value]
            case dict():
                return {
                    self._redact_strings(name, known): self._redact_strings(item, known) for name, item in value.items()
                }
            case list():
                return [self._redact_strings(item, known) for item in value]
            case int() if holds_card_number(value):
                return int(card_marker(str(value)))
            case _:
                return value

    def _other_body(self, raw: bytes, headers: Headers, rules: _SideRules) -> _RedactedBody:
        if len(raw) <= min(self._body_limit, _TEXT_LIMIT):
            return _RedactedBody(self._other_text(raw, headers, rules))
        # A value that is cut in two cannot be recognised, so twice the length is redacted and the end is dropped.
        beginning = raw[: 2 * _EXCERPT].decode("utf-8", "replace").encode()
        # A NUL byte suggests an encoding with two bytes per letter, in which nothing can be found.
        text = "" if b"\0" in beginning else self._other_text(beginning, headers, rules).decode("utf-8", "replace")
        return _RedactedBody(None, text[: max(0, len(text) - _EXCERPT)][:_EXCERPT], is_searched=False)

    def _other_text(self, raw: bytes, headers: Headers, rules: _SideRules) -> bytes:
        try:
            text, encoding = raw.decode(), "utf-8"
        except UnicodeDecodeError:
            # Nothing can be found in an unknown encoding, so only ASCII is kept, and the body stays invalid UTF-8.
            text, encoding = _NOT_ASCII.sub(b"\xff", raw if b"\0" not in raw else b"\xff").decode("latin-1"), "latin-1"
        if (header(headers, "Content-Type") or "").lower().startswith(_FORM):
            return self._pairs(text, rules, "/").encode(encoding, "replace")
        # In broken JSON and other text, what looks like a member is redacted by its name.
        for pattern in (self._all_names.part, self._all_names.member):
            text = pattern.sub(lambda found: self._member(found, rules), text)
        return self._text(text).encode(encoding, "replace")

    def _member(self, found: re.Match[str], rules: _SideRules) -> str:
        kind = self._all_names.kind_of(found["name"]) or "secret"
        # Escapes stay, because an invalid one must stay invalid.
        parts = _ESCAPE.split(found["value"])
        redacted = (part if index % 2 else str(rules.pseudonymize(kind, part)) for index, part in enumerate(parts))
        return f"{found['before']}{''.join(redacted)}"


def redact(exchange: Exchange, contract: RedactionContract, pseudonyms: Pseudonyms) -> Exchange:
    """Return one exchange redacted, without the memory of a run."""
    return Redactor(contract, pseudonyms).exchange(exchange)
