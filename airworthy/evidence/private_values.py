"""What is private in a run, and how it is replaced: secrets, private values, and the words that may stay."""

from collections.abc import Collection
from functools import lru_cache
from typing import Any

import orjson

from airworthy.contract.bodies.terms import DocumentedTerms
from airworthy.contract.http.exchange import Headers
from airworthy.evidence.credentials import Credentials, Secrets
from airworthy.evidence.marks import marked, without_marks
from airworthy.evidence.pseudonyms import LONGEST, REMEMBERED, Pseudonyms, is_test_payment
from airworthy.evidence.vocabulary import Vocabulary


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
