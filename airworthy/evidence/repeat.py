"""The command that repeats an exchange."""

import re
import shlex
from pathlib import Path
from typing import Final

from airworthy.contract.exchange import Exchange
from airworthy.evidence.credentials import is_secret_header

# Anybody's name in a credential, which only redaction writes; elsewhere traffic could name the reader's own secrets.
_ANY_VARIABLE: Final = re.compile(r"(\$[A-Za-z_][A-Za-z0-9_]*)")
_OUR_VARIABLE: Final = re.compile(r"(\$AIRWORTHY_[A-Z0-9_]+)")
_BASIC: Final = re.compile(rf"(?i:basic) {_ANY_VARIABLE.pattern}")
# What curl sets by itself, or what would make the answer unreadable.
_LEFT_OUT: Final = frozenset(("host", "content-length", "connection", "accept-encoding", "user-agent"))


def curl(exchange: Exchange, ca_bundle: Path | None = None) -> str:
    """Return one line for a POSIX shell that repeats a redacted exchange (as `Recorder.append` returns it).

    Secrets of the run are variables of the environment (``$AIRWORTHY_V4_KEY``); pseudonyms stand as they are.
    ``ca_bundle`` is the PEM file with the authorities to trust, where they are not the system's.
    """
    request = exchange.request
    trust = ["--cacert", shlex.quote(str(ca_bundle))] if ca_bundle else []
    words = ["curl", *trust, "--include", "--request", shlex.quote(request.method), _quoted(request.url)]
    for name, value in request.headers:
        if name.lower() not in _LEFT_OUT:
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
    """Quote for the shell, so that it fills in variables and nothing else."""
    pieces = enumerate(variable.split(text))
    return "".join(f'"{piece}"' if place % 2 else shlex.quote(piece) for place, piece in pieces if piece)
