"""Read the Authorization header: the scheme, and the secret, which is remembered only as a digest."""

import base64
import binascii
import hashlib

BASIC = "basic"
BEARER = "bearer"


def credential(authorization: str) -> tuple[str, str]:
    """Return the scheme of an Authorization header in lower case (empty for a bare key), and the secret.

    The secret of basic authentication is the user name, or the whole text if it cannot be decoded.
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
    """Return the digest of a secret, or an empty string if there is none."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest() if secret else ""


def user_and_password(encoded: str) -> tuple[str, str] | None:
    """Return what basic authentication encodes, or None if it cannot be decoded (it may be redacted)."""
    try:
        user, _, password = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    return user, password
