"""Regular expressions over bytes, by RE2: its time grows with the text alone, whatever stands in a file."""

from collections.abc import Iterable
from typing import Protocol, cast

import re2

# A byte is a character: an encoding is not known before a file is read, and the documents' characters are all ASCII.
_MEMORY = 64 << 20


class Match(Protocol):
    """A match of a pattern."""

    def end(self) -> int:
        """Return where it ends."""


class Pattern(Protocol):
    """A compiled pattern."""

    def match(self, text: bytes, pos: int = 0) -> Match | None:
        """Match from a position on, as much as possible."""


def compiled(pattern: bytes) -> Pattern:
    """Compile a pattern. Raises re2.error where it is none."""
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.longest_match = True
    options.never_capture = True
    options.max_mem = _MEMORY
    return cast("Pattern", re2.compile(pattern, options))


def either(patterns: Iterable[bytes]) -> bytes:
    """Return the pattern of what fits one of them."""
    return b"(?:" + b"|".join(patterns) + b")"
