"""Mark what redaction replaced, so that a person can tell a pseudonym from a value of the traffic.

Redaction encloses each pseudonym in two noncharacters, which survive quoting and JSON. Evidence contains the plain
texts, which the contract judges, and where their pseudonyms are.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

BEGIN: Final = "\ufdd0"
END: Final = "\ufdd1"
HIDDEN: Final = "redacted-"
"""The beginning of the pseudonyms of secrets."""

Spans = Sequence[int]
"""Where the pseudonyms of a text are: the start and the end of each, one after the other."""
Marks = Mapping[str, Spans]
"""The pseudonyms of an exchange by place, such as ``request.url``, ``response.body`` or, of a header, ``request.0``."""

_OWN: Final = re.compile("[\ufdd0-\ufdd3]")
_EDGES: Final = re.compile(f"{BEGIN}|{END}|%EF%B7%9[01]")
# A person reads what redaction replaced word by word as one value.
_JOINT: Final = re.compile(rf"{END}([^\w\n]{{0,3}}){BEGIN}")
_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_ESCAPED: Final = re.compile(r"\\.", re.DOTALL)


def marked(pseudonym: str) -> str:
    """Return a pseudonym with marks around it; an empty one has none."""
    return f"{BEGIN}{pseudonym}{END}" if pseudonym else ""


def without_marks(text: str) -> str:
    """Return a text from traffic without the noncharacters that redaction uses, which no text needs."""
    return text if text.isascii() else _OWN.sub("\ufffd", text)


def has_marks(text: str) -> bool:
    """Return whether a redacted text may have marks."""
    return BEGIN in text or "%EF%B7%9" in text


def split(text: str) -> tuple[str, list[int]]:
    """Return a redacted text without its marks, and where the pseudonyms are."""
    if not has_marks(text):
        return text, []
    spans: list[int] = []
    pieces = _EDGES.split(_JOINT.sub(r"\1", text))
    length = 0
    for piece in pieces[:-1]:
        length += len(piece)
        spans.append(length)
    return "".join(pieces), spans


def pieces_of(text: str, spans: Spans) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a text in order, each with whether it is a pseudonym."""
    edges = (0, *spans, len(text))
    for number, (start, end) in enumerate(pairwise(edges)):
        yield text[start:end], number % 2 == 1


def shown(text: str, spans: Spans) -> str:
    """Return a text for a person, with each pseudonym as ``[redacted:PSEUDONYM]``."""
    return "".join(_shown(piece) if redacted else piece for piece, redacted in pieces_of(text, spans))


def shown_json(text: str, spans: Spans) -> str:
    """Return a JSON document for a person; a number that is a pseudonym becomes a string."""
    made, quotes = [], 0
    for piece, redacted in pieces_of(text, spans):
        is_number = redacted and quotes % 2 == 0 and _NUMBER.fullmatch(piece)
        made.append(f'"{_shown(piece)}"' if is_number else _shown(piece) if redacted else piece)
        quotes += _ESCAPED.sub("", piece).count('"')
    return "".join(made)


def _shown(pseudonym: str) -> str:
    return f"[redacted:{pseudonym.removeprefix(HIDDEN)}]"
