"""DSSE envelopes with in-toto Statements, one per line of a bundle.

A line is accepted only in the form in which this module writes it. So every byte counts: no other spelling of the same
JSON or Base64 passes for the same envelope.
"""

from typing import Any, Final

import orjson
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import FormatError, VerificationError

from airworthy.attestation.keys import SigningKey, VerificationKey

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"


class InvalidEnvelopeError(Exception):
    """A line is not an envelope, or its signature is not that of the key."""


def sealed(statement: dict[str, Any], key: SigningKey) -> bytes:
    """Return a line with a signed statement."""
    envelope = Envelope(orjson.dumps(statement), PAYLOAD_TYPE, {})
    envelope.sign(key.signer)
    return _line(envelope)


def read_envelope(line: bytes) -> Envelope:
    """Return the envelope in a line, with its newline. Raises `InvalidEnvelopeError`."""
    try:
        envelope = Envelope.from_dict(orjson.loads(line))
        is_as_written = _line(envelope) == line
    except (KeyError, TypeError, ValueError, AttributeError, FormatError):
        raise InvalidEnvelopeError("not a DSSE envelope") from None
    if not is_as_written or envelope.payload_type != PAYLOAD_TYPE or len(envelope.signatures) != 1:
        raise InvalidEnvelopeError("the envelope does not have the form in which Airworthy writes it")
    return envelope


def signer_of(envelope: Envelope) -> str:
    """Return the id of the key that an envelope claims to be signed with."""
    return next(iter(envelope.signatures))


def check_signature(envelope: Envelope, key: VerificationKey) -> None:
    """Raise `InvalidEnvelopeError` if an envelope is not signed with a key."""
    if signer_of(envelope) != key.id:
        raise InvalidEnvelopeError(f"signed with another key: {signer_of(envelope)}, expected {key.id}")
    try:
        envelope.verify([key.verifier], 1)
    except VerificationError:
        raise InvalidEnvelopeError("the signature does not match the statement") from None


def _line(envelope: Envelope) -> bytes:
    return orjson.dumps(envelope.to_dict(), option=orjson.OPT_APPEND_NEWLINE)
