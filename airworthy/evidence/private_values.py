"""What is private in a run, and how it is replaced: secrets, private values, and the words that may stay."""

from collections.abc import Collection
from typing import Any, Final

import orjson

from airworthy.contract.bodies.terms import DocumentedTerms
from airworthy.contract.http.exchange import Headers
from airworthy.evidence.credentials import Credentials, Secrets
from airworthy.evidence.marks import marked, without_marks
from airworthy.evidence.pseudonyms import Pseudonyms, is_test_payment
from airworthy.evidence.vocabulary import Vocabulary

# Equal values occur again and again; a long one would take too much memory.
_REMEMBERED: Final = 20_000
_LONGEST: Final = 500


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
        self._made: dict[tuple[str, str, str], str] = {}
        self._learned: set[str] = set()
        self.is_code = self._vocabulary.is_code

    def value(self, value: str, kind: str = "") -> str:
        """Return the replacement of a value: the name of a secret's variable, or a marked pseudonym."""
        key = (self.credentials.interface, value, kind)
        made = self._made.get(key)
        if made is None:
            made = self._replacement(value, kind)
            if len(self._made) >= _REMEMBERED:
                self._made.clear()
            if len(value) <= _LONGEST:
                self._made[key] = made
        return made

    def _replacement(self, value: str, kind: str) -> str:
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
        if value not in self._learned:
            self._vocabulary.forget(value)
            if len(self._learned) >= _REMEMBERED:
                self._learned.clear()
            if len(value) <= _LONGEST:
                self._learned.add(value)

    def learn_credentials(self, headers: Headers) -> None:
        """Remember the credentials in the headers of a request."""
        for secret in self.credentials.unknown_in(headers):
            self.learn(secret)
