"""What the Authorization header of a request says: how a secret is sent, and which one, known by its digest."""

import base64
import binascii
import hashlib

BASIC = "basic"
BEARER = "bearer"


def credential(authorization: str) -> tuple[str, str]:
    """Return the scheme of an Authorization header in lower case (none for a bare key), and the secret.

    The secret of basic authentication is its user name, or its whole text where that cannot be read.
    """
    sent = authorization.strip()
    scheme, _, secret = sent.partition(" ")
    if scheme.lower() not in (BASIC, BEARER):
        return "", sent
    if scheme.lower() == BEARER:
        return BEARER, secret.strip()
    pair = user_and_password(secret)
    return BASIC, pair[0] if pair else secret.strip()


def digest(secret: str) -> str:
    """Return what a secret is known by, nothing for none."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest() if secret else ""


def user_and_password(encoded: str) -> tuple[str, str] | None:
    """Return what basic authentication encodes, or None where it cannot be read (it may have been redacted)."""
    try:
        user, _, password = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    return user, password
