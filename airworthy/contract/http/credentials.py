"""Read the Authorization header: the scheme, and the secret, which is remembered only as a digest.

Whoever shares a recording may have replaced secrets and bodies by a placeholder. It says nothing about what was sent.
"""

import base64
import binascii
import hashlib
import re
from typing import Final

BASIC = "basic"
BEARER = "bearer"
_PLACEHOLDER: Final = re.compile(
    r"""["'\s]*(?:[\[<({*]*redacted[\])>}*]*|[\[<({](?:filtered|masked|removed|hidden|omitted)[\])>}]|[*•]{3,})["'\s]*""",
    re.IGNORECASE,
)


def credential(authorization: str) -> tuple[str, str]:
    """Return the scheme of an Authorization header in lower case (empty for a bare key), and the secret.

    The secret of basic authentication is the user name, or the whole text if it cannot be decoded. A placeholder
    counts as no secret.
    """
    scheme, secret = _scheme_and_secret(authorization)
    return scheme, "" if is_placeholder(secret) else secret


def hides_secret(authorization: str) -> bool:
    """Return whether an Authorization header has a placeholder instead of its secret."""
    return is_placeholder(_scheme_and_secret(authorization)[1])


def is_placeholder(text: str) -> bool:
    """Return whether a text stands for one that somebody removed, such as ``[REDACTED]`` or ``****``."""
    return bool(_PLACEHOLDER.fullmatch(text))


def digest(secret: str) -> str:
    """Return the digest of a secret, or an empty string if there is none."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest() if secret else ""


def user_and_password(encoded: str) -> tuple[str, str] | None:
    """Return what basic authentication encodes, or None if it cannot be decoded (it may be redacted)."""
    try:
        user, _, password = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    return user, password


def _scheme_and_secret(authorization: str) -> tuple[str, str]:
    sent = authorization.strip()
    scheme, _, secret = sent.partition(" ")
    if scheme.lower() not in (BASIC, BEARER):
        return "", sent
    pair = user_and_password(secret) if scheme.lower() == BASIC else None
    return scheme.lower(), pair[0] if pair else secret.strip()
