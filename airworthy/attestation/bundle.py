"""Write and read the certificate of a run: a bundle of DSSE envelopes with in-toto Statements, one per line.

A line is accepted only in the form in which this module writes it. So every byte counts: no other spelling of the same
JSON or Base64 passes for the same envelope.
"""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import orjson
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import FormatError, VerificationError

from airworthy.attestation.files import FileDigest
from airworthy.attestation.keys import SigningKey, VerificationKey
from airworthy.attestation.statement import Certificate, certificate_of, files_in, named_certificate
from airworthy.errors import UsageError
from airworthy.evidence.verification import Problem
from airworthy.report.document import read_document
from airworthy.report.write import CERTIFICATE, PDF

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"


class InvalidEnvelopeError(Exception):
    """A line is not an envelope that belongs there, or its signature is not that of the key."""


def sealed(statement: dict[str, Any], key: SigningKey) -> bytes:
    """Return a line with a signed statement."""
    envelope = Envelope(orjson.dumps(statement), PAYLOAD_TYPE, {})
    envelope.sign(key.signer)
    return _line(envelope)


@dataclass(frozen=True, slots=True)
class Bundle:
    """What the statements of a run say, up to the first problem.

    ``certificate`` is the content of the first statement, ``result`` its result; ``files`` are those that the
    statements cover; ``first_line`` is its envelope.
    """

    certificate: Certificate | None = None
    result: str = ""
    files: tuple[FileDigest, ...] = ()
    first_line: bytes = b""
    problem: Problem | None = None


def read_bundle(folder: Path, key: VerificationKey | None = None) -> Bundle | None:
    """Return the certificate of a run, or None if it has none. With a ``key``, each signature must be the key's.

    Raises `OSError` if the file cannot be read.
    """
    path = folder / CERTIFICATE
    if not path.exists():
        return None
    if not path.is_file():
        return Bundle(problem=Problem(CERTIFICATE, 0, "this is not a regular file"))
    with path.open("rb") as file:
        lines = file.readlines() or [b""]
    bundle = Bundle(first_line=lines[0])
    for number, line in enumerate(lines, start=1):
        try:
            bundle = _with_line(bundle, line, key)
        except (InvalidEnvelopeError, UsageError) as error:
            reason = str(error).removeprefix(f"{CERTIFICATE}: ")
            return replace(bundle, problem=Problem(CERTIFICATE, number, reason))
    return bundle


def _with_line(bundle: Bundle, line: bytes, key: VerificationKey | None) -> Bundle:
    envelope = _read_envelope(line)
    (signer,) = envelope.signatures
    if key:
        if signer != key.id:
            raise InvalidEnvelopeError(f"signed with another key: {signer}, expected {key.id}")
        try:
            envelope.verify([key.verifier], 1)
        except VerificationError:
            raise InvalidEnvelopeError("the signature does not match the statement") from None
    statement = read_document(envelope.payload, CERTIFICATE, "certificate.json")
    certificate, files = bundle.certificate, files_in(statement)
    if certificate is None:
        certificate = certificate_of(statement, hashlib.sha256(envelope.payload).hexdigest(), signer)
        if certificate is None:
            raise InvalidEnvelopeError("expected the statement about the run")
    elif [each.name for each in files] != [PDF] or PDF in {each.name for each in bundle.files}:
        raise InvalidEnvelopeError(f"expected one statement about {PDF}")
    elif named_certificate(statement) != certificate.digest:
        raise InvalidEnvelopeError("the statement belongs to another certificate")
    result = bundle.result or statement["predicate"]["result"]
    return Bundle(certificate, result, bundle.files + files, bundle.first_line)


def _read_envelope(line: bytes) -> Envelope:
    try:
        envelope = Envelope.from_dict(orjson.loads(line))
        is_as_written = _line(envelope) == line
    except (KeyError, TypeError, ValueError, AttributeError, FormatError):
        raise InvalidEnvelopeError("not a DSSE envelope") from None
    if not is_as_written or envelope.payload_type != PAYLOAD_TYPE or len(envelope.signatures) != 1:
        raise InvalidEnvelopeError("the envelope does not have the form in which Airworthy writes it")
    return envelope


def _line(envelope: Envelope) -> bytes:
    return orjson.dumps(envelope.to_dict(), option=orjson.OPT_APPEND_NEWLINE)
