"""Read the certificate of a run: a bundle of signed statements, one per line."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from airworthy.attestation.envelope import InvalidEnvelopeError, check_signature, read_envelope, signer_of
from airworthy.attestation.files import CERTIFICATE, DOCUMENT, FileDigest, Problem
from airworthy.attestation.keys import VerificationKey
from airworthy.attestation.statement import (
    Certificate,
    certificate_of,
    files_in,
    named_certificate,
    payload_digest,
    read_statement,
)
from airworthy.errors import UsageError


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

    Raises:
        OSError: the file cannot be read.
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
            return Bundle(
                bundle.certificate, bundle.result, bundle.files, lines[0], Problem(CERTIFICATE, number, reason)
            )
    return bundle


def _with_line(bundle: Bundle, line: bytes, key: VerificationKey | None) -> Bundle:
    envelope = read_envelope(line)
    if key:
        check_signature(envelope, key)
    statement = read_statement(envelope.payload, CERTIFICATE)
    found = certificate_of(statement, payload_digest(envelope.payload), signer_of(envelope))
    if bundle.certificate:
        _check_document(bundle, bundle.certificate, statement)
    elif found is None:
        raise InvalidEnvelopeError("expected the statement about the run")
    return Bundle(
        bundle.certificate or found,
        bundle.result or statement["predicate"]["result"],
        bundle.files + files_in(statement),
        bundle.first_line,
    )


def _check_document(bundle: Bundle, certificate: Certificate, statement: dict[str, Any]) -> None:
    documents = [each.name for each in files_in(statement)]
    if documents != [DOCUMENT] or DOCUMENT in {each.name for each in bundle.files}:
        raise InvalidEnvelopeError(f"expected one statement about {DOCUMENT}")
    if named_certificate(statement) != certificate.digest:
        raise InvalidEnvelopeError("the statement belongs to another certificate")
