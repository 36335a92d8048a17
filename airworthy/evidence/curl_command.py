"""Build the curl command that repeats an exchange."""

import re
import shlex
from pathlib import Path
from typing import Final

from airworthy.contract.exchange import Exchange
from airworthy.evidence.credentials import is_secret_header

# Only redaction writes variables into credentials, so any name is safe there. Elsewhere, traffic could contain the name
# of a variable of the reader, so only Airworthy's own are expanded.
_ANY_VARIABLE: Final = re.compile(r"(\$[A-Za-z_][A-Za-z0-9_]*)")
_OUR_VARIABLE: Final = re.compile(r"(\$AIRWORTHY_[A-Z0-9_]+)")
_BASIC: Final = re.compile(rf"(?i:basic) {_ANY_VARIABLE.pattern}")
# Headers that curl sets itself, or that would make the response unreadable.
_OMITTED: Final = frozenset(("host", "content-length", "connection", "accept-encoding", "user-agent"))


def curl(exchange: Exchange, ca_bundle: Path | None = None) -> str:
    """Return a command for a POSIX shell that repeats a redacted exchange (as `Recorder.append` returns it).

    The command is one line. Secrets of the run are environment variables (``$AIRWORTHY_V4_KEY``); pseudonyms stay.
    ``ca_bundle`` is a PEM file of certificate authorities to trust instead of the system's.
    """
    request = exchange.request
    trust = ["--cacert", shlex.quote(str(ca_bundle))] if ca_bundle else []
    words = ["curl", *trust, "--include", "--request", shlex.quote(request.method), _quoted(request.url)]
    for name, value in request.headers:
        if name.lower() not in _OMITTED:
            words += _header(name, value)
    if request.body:
        words += ["--data-binary", _quoted(request.body.decode("utf-8", "replace"))]
    return " ".join(words)


def _header(name: str, value: str) -> list[str]:
    if basic := _BASIC.fullmatch(value):
        return ["--user", f'"{basic[1]}:"']
    variable = _ANY_VARIABLE if is_secret_header(name) else _OUR_VARIABLE
    # A header with an empty value is sent only if it ends in a semicolon.
    return ["--header", _quoted(f"{name}: {value}" if value else f"{name};", variable)]


def _quoted(text: str, variable: re.Pattern[str] = _OUR_VARIABLE) -> str:
    """Quote a text for the shell so that it expands only variables."""
    pieces = enumerate(variable.split(text))
    return "".join(f'"{piece}"' if place % 2 else shlex.quote(piece) for place, piece in pieces if piece)
