"""Text from outside, made safe for a terminal and a page."""

import unicodedata
from typing import Final

# Control, format and private characters, surrogates, and separators of lines.
_INVISIBLE: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def printable(text: str, keep: str = "") -> str:
    """Escape invisible characters, except for those in ``keep``: control characters and those that change direction."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"\\u{ord(each):04x}" if each not in keep and unicodedata.category(each) in _INVISIBLE else each
        for each in text
    )
