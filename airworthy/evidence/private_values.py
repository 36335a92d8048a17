"""What is private in a run, and how it is replaced: secrets, learned values, and the words that may stay."""

import re
from collections.abc import Mapping
from typing import Final

from airworthy.contract.exchange import Headers
from airworthy.contract.terms import DocumentedTerms
from airworthy.evidence.credentials import Credentials
from airworthy.evidence.learned_values import LearnedValues
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.vocabulary import LONGEST_NUMBER, Vocabulary

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


class PrivateValues:
    """The private values of one run, and their replacements. Not thread-safe.

    ``terms`` are the words and codes of the documents, which may stay. ``secrets`` are the secrets of the run with
    their replacements.
    """

    def __init__(self, terms: DocumentedTerms, pseudonyms: Pseudonyms, secrets: Mapping[str, str]) -> None:
        self.pseudonyms = pseudonyms
        self.credentials = Credentials(pseudonyms, secrets)
        self._vocabulary = Vocabulary(terms, pseudonyms)
        self._learned = LearnedValues(pseudonyms.text, {code.lower() for code in self._vocabulary.codes})

    def value(self, value: str, kind: str = "") -> str:
        """Return the replacement of a value: the name of a secret's variable, or a pseudonym."""
        return self.credentials.replacement(value) or self.pseudonyms.text(value, kind)

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
        return self.credentials.replacement(text) or self._vocabulary.redact(self.credentials.redact(text))

    def learn(self, value: str) -> None:
        """Remember a private value, so that later texts do not repeat it."""
        self._learned.learn(value)
        self._vocabulary.forget(value)

    def learn_credentials(self, headers: Headers) -> None:
        """Remember the credentials in the headers of a request."""
        for secret in self.credentials.unknown_in(headers):
            self._learned.learn(secret)

    def text(self, text: str) -> str:
        """Return a text of the suite or the judge without private values."""
        text = self._learned.redact(self.credentials.redact(text))
        return _SUSPICIOUS.sub(lambda found: found["kept"] or self._suspicious(found[0]), text)

    def _suspicious(self, text: str) -> str:
        """Return the pseudonym of what looks private. Documented codes stay, such as the versions of 3-D Secure."""
        documented = all(map(self._vocabulary.is_code, text.split(", ")))
        return text if documented else self.pseudonyms.text(text)
