"""Redact values and free text by what is private in a run: secrets, private values, and the words that may stay.

In a text, these parts stay: words of the vocabulary, unless a private value of the run contains them; public terms;
numbers of at most two digits; and punctuation. Every other word and number becomes its pseudonym. Of what looks like an
address or an assignment (``a@b``, ``name=value``), only the names before ``=`` and ``:`` stay. The words of the
vocabulary are those that the documents of the contract use.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import orjson

from airworthy.contract.bodies.card_numbers import card_numbers
from airworthy.contract.bodies.terms import WORD, DocumentedTerms
from airworthy.contract.http.exchange import Headers
from airworthy.evidence.credentials import Credentials, Secrets
from airworthy.evidence.marks import BEGIN, END, marked, without_marks
from airworthy.evidence.pseudonyms import HARMLESS_SIGNS, LONGEST, REMEMBERED, Pseudonyms, card_marker, is_test_payment

LONGEST_NUMBER: Final = 2
"""The most digits of a number that stays where no schema describes it."""
_WHOLE_WORD: Final = re.compile(rf"(?<!\w){WORD.pattern}(?!\w)")
# Words of error messages that the documents do not contain.
_USUAL: Final = Path(__file__).with_name("usual_words.txt").read_text(encoding="ascii")
_CURRENCIES: Final = "aud cad chf cop dkk eur gbp jpy mxn nok pln sek usd"
_STATUS_TEXTS: Final = " ".join(f"{status.phrase} {status.description}" for status in HTTPStatus)
_USUAL_WORDS: Final = frozenset(word.lower() for word in WORD.findall(f"{_USUAL} {_CURRENCIES} {_STATUS_TEXTS}"))
_REASON_PHRASES: Final = frozenset(status.phrase.casefold() for status in HTTPStatus)
# What is already decided: a pseudonym, and a public term between two other noncharacters.
_OPENED, _CLOSED = "\ufdd2", "\ufdd3"
_DECIDED: Final = f"{BEGIN}[^{END}]*{END}|{_OPENED}[^{_CLOSED}]*{_CLOSED}"
_EDGES: Final = str.maketrans("", "", _OPENED + _CLOSED)
_NUMBERS: Final = re.compile(rf"{_DECIDED}|(?<!\w)[0-9]+(?:[^\w\n{BEGIN}{_OPENED}]{{1,3}}[0-9]+)*(?!\w)")
_CHUNK: Final = re.compile(rf"(?:{_DECIDED}|\S)+")
_ATOM: Final = re.compile(rf"{_DECIDED}|\\u[0-9A-Fa-f]{{4}}|\\.|(?:\w|[^\x00-\x7f\s{HARMLESS_SIGNS}{BEGIN}{_OPENED}])+")
_ASSIGNMENT: Final = re.compile(r"""["']?\s*[=:]""")
_LITERALS: Final = frozenset(("true", "false", "null", "NaN", "Infinity"))
_EXPONENTIAL: Final = re.compile(r"([0-9]+)([eE][0-9]+)")
_SURROGATES: Final = range(0xD800, 0xE000)
_FIRST_LOW: Final = 0xDC00


class Vocabulary:
    """The words and codes of the contract's documents, and the redaction of free text by them.

    ``public`` are terms that stay wherever they stand alone, such as the address of the service.
    """

    def __init__(self, terms: DocumentedTerms, pseudonyms: Pseudonyms, public: Collection[str] = ()) -> None:
        self._pseudonyms = pseudonyms
        self._words = {*terms.words, *_USUAL_WORDS}
        self._codes = terms.codes | frozenset(public)
        longest_first = sorted(filter(None, public), key=len, reverse=True)
        self._public = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)")

    def is_code(self, text: str) -> bool:
        """Return whether a text may stay wherever it is not private.

        It is a value of an enumeration, a public term, the reason phrase of an HTTP status, or a short number.
        """
        if text in self._codes or text.strip().casefold() in _REASON_PHRASES:
            return True
        return len(text) <= LONGEST_NUMBER and text.isascii() and text.isdigit()

    def forget(self, value: str) -> None:
        """Exclude the words of a private value. Letters within a number or an id are not a word."""
        self._words.difference_update(word.lower() for word in _WHOLE_WORD.findall(value))

    def redact(self, text: str) -> str:
        """Return a text with marked pseudonyms for all words and numbers that may be private; marked parts stay."""
        pieces, done = [], 0
        for start, end, _ in sorted(card_numbers(text)):
            if end > done:
                pieces += [text[done:start], marked(card_marker(text[max(start, done) : end]))]
                done = end
        text = "".join((*pieces, text[done:]))
        text = self._public.sub(lambda found: f"{_OPENED}{found[0]}{_CLOSED}", text)
        return _CHUNK.sub(self._chunk, _NUMBERS.sub(self._number, text)).translate(_EDGES)

    def _number(self, found: re.Match[str]) -> str:
        text = found[0]
        if text[0] in (BEGIN, _OPENED) or sum(map(str.isdigit, text)) <= LONGEST_NUMBER:
            return text
        return marked(self._pseudonyms.digits(text))

    def _chunk(self, found: re.Match[str]) -> str:
        chunk = found[0]
        is_plain = not any(sign in chunk for sign in "@=%&\\$~") and ":" not in chunk[:-1]

        def atom(part: re.Match[str]) -> str:
            word = part[0]
            if word[0] in (BEGIN, _OPENED) or word in _LITERALS or (word.isascii() and word.isdigit()):
                return word
            if word[0] == "\\":
                return self._escape(word)
            if number := _EXPONENTIAL.fullmatch(word):
                return f"{marked(self._pseudonyms.digits(number[1]))}{number[2]}"
            is_name = is_plain or _ASSIGNMENT.match(chunk, part.end())
            return word if is_name and word.lower() in self._words else marked(self._pseudonyms.text(word))

        return _ATOM.sub(atom, chunk)

    def _escape(self, escape: str) -> str:
        """Redact an escape sequence of JSON; an invalid one stays invalid."""
        if len(escape) == len(r"\n"):
            return escape
        number = int(escape[2:], 16)
        if number in _SURROGATES:
            return r"\ud800" if number < _FIRST_LOW else r"\udc00"
        return f"\\u{ord(self._pseudonyms.text(chr(number))):04x}"


class PrivateValues:
    """The private values of one run, and their replacements. Not thread-safe.

    ``terms`` are the words and codes of the documents, and ``public`` those of the profile, which may stay. ``secrets``
    are the secrets of the run with their replacements.
    """

    def __init__(
        self, terms: DocumentedTerms, pseudonyms: Pseudonyms, secrets: Secrets, public: Collection[str]
    ) -> None:
        self._pseudonyms = pseudonyms
        self.credentials = Credentials(pseudonyms, secrets)
        self._vocabulary = Vocabulary(terms, pseudonyms, {*public, *self.credentials.variables})
        self._remembered = lru_cache(REMEMBERED)(self._replacement)
        self._forget_once = lru_cache(REMEMBERED)(self._vocabulary.forget)
        self.is_code = self._vocabulary.is_code

    def value(self, value: str, kind: str = "") -> str:
        """Return the replacement of a value: the name of a secret's variable, or a marked pseudonym."""
        make = self._remembered if len(value) <= LONGEST else self._replacement
        return make(value, kind, self.credentials.interface)

    def _replacement(self, value: str, kind: str, _interface: str) -> str:
        pseudonym = value if is_test_payment(value) else self._pseudonyms.text(value, kind)
        return self.credentials.replacement(value) or (value if pseudonym == value else marked(pseudonym))

    def number(self, value: float, kind: str) -> Any:  # noqa: ANN401  a fragment of JSON
        """Return the marked pseudonym of a number, for orjson."""
        return orjson.Fragment(marked(orjson.dumps(self._pseudonyms.number(value, kind)).decode()))

    def words(self, text: str) -> str:
        """Return free text from traffic with only the words of the vocabulary."""
        return self._vocabulary.redact(self.credentials.redact(without_marks(text)))

    def learn(self, value: str) -> None:
        """Remember a private value, so that free text does not repeat its words."""
        (self._forget_once if len(value) <= LONGEST else self._vocabulary.forget)(value)

    def learn_credentials(self, headers: Headers) -> None:
        """Remember the credentials in the headers of a request."""
        for secret in self.credentials.unknown_in(headers):
            self.learn(secret)
