"""Redact URLs, query strings and form-encoded bodies."""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlunsplit

_LONGEST_HOST: Final = 4096
_OMITTED: Final = "…"


def redact_url(
    url: SplitResult, text: Callable[[str], str], secret: Callable[[str], str], query: Callable[[str], str]
) -> str:
    """Return a URL with its account, path, query and fragment redacted by the functions."""
    account, at, host = url.netloc.rpartition("@")
    path = unquote(url.path)
    redacted = text(path)
    return urlunsplit(
        url._replace(
            netloc=f"{secret(account)}{at}{host}",
            path=url.path if redacted == path else quote(redacted, safe="/$@"),
            query=query(url.query),
            fragment=text(url.fragment),
        )
    )


def omit_path(url: SplitResult) -> str:
    """Return a URL with everything after the host omitted."""
    host = url.netloc.rpartition("@")[2]
    return f"{url.scheme}://{host[:_LONGEST_HOST]}/{quote(_OMITTED)}"


def redact_pairs(
    encoded: str,
    kind_of: Callable[[str], str | None],
    pseudonymize: Callable[[str, Any], Any],
    text: Callable[[str], str],
) -> str:
    """Return ``name=value&…`` with each value redacted by its kind or as text; clean text is unchanged."""
    pairs = parse_qsl(encoded, keep_blank_values=True)
    redacted = []
    for name, value in pairs:
        kind = kind_of(name)
        redacted.append((text(name), str(pseudonymize(kind, value)) if kind else text(value)))
    return encoded if redacted == pairs else urlencode(redacted, safe="$@[]")
