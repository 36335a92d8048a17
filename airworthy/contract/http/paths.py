"""Read the path of a request: as it is written, and in the normal form that servers may reduce it to.

Servers and the proxies before them decode, fold and shorten paths in different ways before they select an operation. So
a path that is not a documented one by itself is judged as the one that its normal form names.
"""

import re
import unicodedata
from typing import Final
from urllib.parse import unquote

LONGEST_PATH: Final = 16_384
_MOST_DECODINGS: Final = 4
# Parameters of a segment (RFC 3986, section 3.3), and what ends a path for a server that decodes it first.
_REST_OF_SEGMENT: Final = re.compile(r"[;?#\x00].*", re.DOTALL)
_IGNORED_AT_END: Final = ". \t\r\n\v\f"


def segments(path: str) -> list[str]:
    """Return the decoded segments of a path as it is written; empty ones do not count."""
    parts = [part for part in path[:LONGEST_PATH].split("/") if part]
    return [unquote(part) for part in parts] if "%" in path else parts


def normalised_path(path: str) -> str:
    """Return the normal form of a path; the case of letters is the caller's to ignore.

    Encoded characters are decoded, also those that are encoded several times or that only look like ASCII; a backslash
    becomes a slash; empty and dot segments, parameters of segments, and dots and blanks at the end of one are removed.
    """
    for _ in range(_MOST_DECODINGS):
        decoded = unquote(path)
        if decoded == path:
            break
        path = decoded
    path = unicodedata.normalize("NFKC", path).replace("\\", "/")
    kept: list[str] = []
    for part in path.split("/"):
        name = _REST_OF_SEGMENT.sub("", part).strip(_IGNORED_AT_END[1:])
        if name == "..":
            del kept[-1:]
        elif name := name.rstrip(_IGNORED_AT_END):
            kept.append(name)
    return "/" + "/".join(kept)
