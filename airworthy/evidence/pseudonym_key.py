"""The key that several recorders share, so that their evidence has the same pseudonyms."""

import base64
import binascii
from collections.abc import Mapping
from typing import Final

from airworthy.errors import UsageError

SHORTEST_KEY: Final = 32
_HINT: Final = "create one with: openssl rand -base64 32"


def pseudonym_key(variable: str, environment: Mapping[str, str]) -> bytes:
    """Return the key in an environment variable: Base64 of at least `SHORTEST_KEY` bytes.

    Raises:
        UsageError: the variable is not set, or its value is not a key. The message names neither the option nor the
            variable, which could be a key that was given in place of its name.
    """
    text = environment.get(variable, "").strip()
    if not text:
        raise UsageError(
            f"expected the name of an environment variable that contains a key, but it is not set or empty; {_HINT}"
        )
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise UsageError(f"the value of the environment variable is not Base64; {_HINT}") from None
    if len(key) < SHORTEST_KEY:
        raise UsageError(f"the key has {len(key)} bytes, at least {SHORTEST_KEY} are required; {_HINT}")
    return key
