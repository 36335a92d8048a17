"""Redact free text, such as error messages: only words that the documents of the contract use stay.

In a text, these parts stay: words of the vocabulary, unless a private value of the run contains them; numbers of at
most two digits; and everything that is neither a letter nor a digit. Every other word and number becomes its pseudonym.
Of what looks like an address or an assignment (``a@b``, ``name=value``), only the names before ``=`` and ``:`` stay.
"""

import re
from http import HTTPStatus
from typing import Final

from airworthy.contract.card_numbers import card_numbers
from airworthy.contract.terms import WORD, DocumentedTerms
from airworthy.evidence.pseudonyms import Pseudonyms, card_marker

LONGEST_NUMBER: Final = 2
"""The most digits of a number that stays where no schema describes it."""
_WHOLE_WORD: Final = re.compile(rf"(?<!\w){WORD.pattern}(?!\w)")
# Words of error messages that the documents do not contain.
_USUAL: Final = (
    "access already argument array authentication authorization authorized available bad boolean cannot character "
    "characters check client conflict contains content could denied did does duplicate either error exceeded "
    "exist exists expected expired failed failure false field fields forbidden format found gateway header "
    "integer internal invalid item key later length limit long malformed maximum message method minimum mismatch "
    "missing most must nan neither not null number object operation parameter parse password path payload "
    "permission permitted please property query range received rejected request required resource response retry "
    "schema server service session short should something still string support supported temporarily than token "
    "too true try type unable unauthorized unavailable unexpected unique unknown unprocessable unsupported url "
    "user valid validation value was went were wrong "
)
_CURRENCIES: Final = "aud cad chf cop dkk eur gbp jpy mxn nok pln sek usd"
_STATUS_TEXTS: Final = " ".join(f"{status.phrase} {status.description}" for status in HTTPStatus)
_USUAL_WORDS: Final = frozenset(word.lower() for word in WORD.findall(f"{_USUAL} {_CURRENCIES} {_STATUS_TEXTS}"))
_REASON_PHRASES: Final = frozenset(status.phrase.casefold() for status in HTTPStatus)
_NUMBERS: Final = re.compile(r"(?<!\w)[0-9]+(?:[^\w\n]{1,3}[0-9]+)*(?!\w)")
_CHUNK: Final = re.compile(r"\S+")
_ATOM: Final = re.compile(r"\\u[0-9A-Fa-f]{4}|\\.|\w+")
_ASSIGNMENT: Final = re.compile(r"""["']?\s*[=:]""")
_LITERALS: Final = frozenset(("true", "false", "null", "NaN", "Infinity"))
_EXPONENTIAL: Final = re.compile(r"([0-9]+)([eE][0-9]+)")
_SURROGATES: Final = range(0xD800, 0xE000)
_FIRST_LOW: Final = 0xDC00


class Vocabulary:
    """The words and codes of the contract's documents, and the redaction of free text by them."""

    def __init__(self, terms: DocumentedTerms, pseudonyms: Pseudonyms) -> None:
        self._pseudonyms = pseudonyms
        self._words = {*terms.words, *_USUAL_WORDS}
        self.codes: Final = terms.codes
        """The values of enumerations."""

    def is_code(self, text: str) -> bool:
        """Return whether a text is a value of an enumeration, or the reason phrase of an HTTP status."""
        return text in self.codes or text.strip().casefold() in _REASON_PHRASES

    def knows(self, text: str) -> bool:
        """Return whether all words of a text are in the vocabulary."""
        return all(word.lower() in self._words for word in WORD.findall(text))

    def forget(self, value: str) -> None:
        """Exclude the words of a private value. Letters within a number or an id are not a word."""
        self._words.difference_update(word.lower() for word in _WHOLE_WORD.findall(value))

    def redact(self, text: str) -> str:
        """Return a text with pseudonyms for all words and numbers that may be private."""
        pieces, done = [], 0
        for start, end, _ in sorted(card_numbers(text)):
            if end > done:
                pieces += [self._redact(text[done:start]), card_marker(text[max(start, done) : end])]
                done = end
        return "".join((*pieces, self._redact(text[done:])))

    def _redact(self, text: str) -> str:
        return _CHUNK.sub(self._chunk, _NUMBERS.sub(self._number, text))

    def _number(self, found: re.Match[str]) -> str:
        digits = sum(map(str.isdigit, found[0]))
        return found[0] if digits <= LONGEST_NUMBER else self._pseudonyms.digits(found[0])

    def _chunk(self, found: re.Match[str]) -> str:
        chunk = found[0]
        is_plain = not any(sign in chunk for sign in "@=%&\\$~") and ":" not in chunk[:-1]

        def atom(part: re.Match[str]) -> str:
            word = part[0]
            if word.isdigit() or word in _LITERALS:
                return word
            if word[0] == "\\":
                return self._escape(word)
            if number := _EXPONENTIAL.fullmatch(word):
                return f"{self._pseudonyms.digits(number[1])}{number[2]}"
            is_name = is_plain or _ASSIGNMENT.match(chunk, part.end())
            return word if is_name and word.lower() in self._words else self._pseudonyms.text(word)

        return _ATOM.sub(atom, chunk)

    def _escape(self, escape: str) -> str:
        """Redact an escape sequence of JSON; an invalid one stays invalid."""
        if len(escape) == len(r"\n"):
            return escape
        number = int(escape[2:], 16)
        if number in _SURROGATES:
            return r"\ud800" if number < _FIRST_LOW else r"\udc00"
        return f"\\u{ord(self._pseudonyms.text(chr(number))):04x}"
