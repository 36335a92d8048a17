"""Build the curl command that repeats an exchange."""

import re
import shlex
from pathlib import Path
from typing import Final

from airworthy.evidence.credentials import is_secret_header
from airworthy.evidence.marks import Spans, pieces_of
from airworthy.evidence.redaction import RedactedExchange

# Only redaction writes variables into credentials, so any name is safe there. Elsewhere, traffic could contain the name
# of a variable of the reader, so only Airworthy's own are expanded.
_ANY_VARIABLE: Final = re.compile(r"(\$[A-Za-z_][A-Za-z0-9_]*)")
_OUR_VARIABLE: Final = re.compile(r"(\$AIRWORTHY_[A-Z0-9_]+)")
_WITHOUT_MEANING: Final = re.compile(r"([\w .,:;@+=/%&?#*()\[\]-]+)")
_BASIC: Final = re.compile(rf"(?i:basic) {_ANY_VARIABLE.pattern}")
# Headers that curl sets itself, or that would make the response unreadable.
_OMITTED: Final = frozenset(("host", "content-length", "connection", "accept-encoding", "user-agent"))


def curl(redacted: RedactedExchange, ca_bundle: Path | None = None) -> str:
    """Return a command for a POSIX shell that repeats a redacted exchange.

    The command is one line. Secrets of the run are environment variables (``$AIRWORTHY_V4_KEY``). A pseudonym is
    ``${redacted:-PSEUDONYM}``, which the shell replaces by the pseudonym. ``ca_bundle`` is a PEM file of certificate
    authorities to trust instead of the system's.
    """
    request, marks = redacted.exchange.request, redacted.marks
    trust = ["--cacert", shlex.quote(str(ca_bundle))] if ca_bundle and request.url.startswith("https:") else []
    method = _quoted(request.method, marks.get("request.method", ()))
    words = ["curl", *trust, "--include", "--request", method, _quoted(request.url, marks.get("request.url", ()))]
    for number, (name, value) in enumerate(request.headers):
        if name.lower() not in _OMITTED:
            words += _header(name, value, marks.get(f"request.{number}", ()))
    if request.body:
        body = request.body.decode("utf-8", "replace")
        words += ["--data-binary", _quoted(body, marks.get("request.body", ()))]
    return " ".join(words)


def _header(name: str, value: str, spans: Spans) -> list[str]:
    if basic := _BASIC.fullmatch(value):
        return ["--user", f'"{basic[1]}:"']
    variable = _ANY_VARIABLE if is_secret_header(name) else _OUR_VARIABLE
    # A header with an empty value is sent only if it ends in a semicolon.
    return ["--header", _quoted(f"{name}: {value}" if value else f"{name};", spans, variable)]


def _quoted(text: str, spans: Spans = (), variable: re.Pattern[str] = _OUR_VARIABLE) -> str:
    """Quote a text for the shell so that it expands only variables and pseudonyms."""
    pieces = (
        _expanded(piece, _WITHOUT_MEANING, "${redacted:-%s}") if redacted else _expanded(piece, variable, "%s")
        for piece, redacted in pieces_of(text, spans)
    )
    return "".join(pieces)


def _expanded(text: str, expanded: re.Pattern[str], form: str) -> str:
    """Quote a text so that the shell expands what a pattern matches, in its form. Other signs may mean something."""
    pieces = enumerate(expanded.split(text))
    return "".join(f'"{form % piece}"' if place % 2 else shlex.quote(piece) for place, piece in pieces if piece)
