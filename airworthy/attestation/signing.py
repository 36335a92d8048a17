"""Sign a run: write its certificate, and read it again."""

from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Final

from airworthy.attestation.bundle import Bundle, read_bundle, sealed
from airworthy.attestation.consistency import compare_pages, consistent_results, verdict_problems
from airworthy.attestation.files import digest_of, files_of, irregular_entries
from airworthy.attestation.keys import SigningKey
from airworthy.attestation.statement import CLOCK_TOLERANCE, Certificate, document_statement, run_statement
from airworthy.errors import UsageError, unwritable
from airworthy.private_files import write_completely
from airworthy.report.results import Results
from airworthy.report.write import CERTIFICATE, PDF, RESULTS

VALIDITY: Final = timedelta(days=365)


def sign_run(
    folder: Path,
    key: SigningKey,
    *,
    validity: timedelta = VALIDITY,
    supersedes: str = "",
    issuer: str = "",
    now: datetime | None = None,
) -> Certificate:
    """Write the certificate of a run, which covers every file in its folder except `PDF`.

    ``supersedes`` is the digest of the statement that this one replaces, ``issuer`` names who
    issues it.

    Raises:
        UsageError: the folder is not a run, has a certificate, or its files do not agree; or the clock is wrong.
        StorageError: the certificate could not be written.
    """
    path = folder / CERTIFICATE
    if path.exists():
        raise UsageError(f"{path}: the run is signed already; remove this file to sign the run again")
    results = _checked_results(folder)
    issued = (now or datetime.now(UTC)).replace(microsecond=0)
    if issued < results.finished - CLOCK_TOLERANCE:
        raise UsageError(
            f"the run finished at {results.finished:%Y-%m-%d %H:%M:%S} UTC, but the clock of this machine says"
            f" {issued:%Y-%m-%d %H:%M:%S} UTC; set the clock"
        )
    if irregular := irregular_entries(folder):
        raise UsageError(f"{folder}/{irregular[0]}: this is not a regular file; remove it")
    try:
        names = [name for name in files_of(folder) if name != PDF]
        files = [digest_of(folder, name, marked=name != results.integrity.evidence) for name in names]
        line = sealed(run_statement(results, files, issued, issued + validity, supersedes, issuer=issuer), key)
        write_completely(path, line)
    except OSError as error:
        raise unwritable(str(error.filename or path), error) from None
    certificate = read_certificate(folder)
    if certificate is None:
        raise UsageError(f"{path}: was removed while it was written")
    return certificate


def sign_document(folder: Path, key: SigningKey) -> None:
    """Add a statement about `PDF`, which shows the digest of the run's statement, to the certificate.

    Raises:
        UsageError: the run is not signed, or has no report.pdf.
        StorageError: the certificate could not be written.
    """
    path = folder / CERTIFICATE
    bundle = _bundle(folder)
    if bundle is None or bundle.certificate is None:
        raise UsageError(f"{folder}: the run is not signed; sign it before its {PDF}")
    try:
        document = digest_of(folder, PDF, marked=False)
        added = sealed(document_statement(document, bundle.certificate, bundle.result), key)
        write_completely(path, bundle.first_line + added)
    except OSError as error:
        raise unwritable(str(error.filename or path), error) from None


def read_certificate(folder: Path) -> Certificate | None:
    """Return what the certificate of a run says, without verifying it, or None if the run is not signed.

    Raises `UsageError` if the file cannot be read or is not a certificate.
    """
    bundle = _bundle(folder)
    return bundle.certificate if bundle else None


def _bundle(folder: Path) -> Bundle | None:
    try:
        bundle = read_bundle(folder)
    except OSError as error:
        raise UsageError(f"{folder / CERTIFICATE}: {error.strerror}") from None
    if bundle and bundle.problem:
        raise UsageError(f"{folder}: {bundle.problem}")
    return bundle


def _checked_results(folder: Path) -> Results:
    results = consistent_results(folder)
    if problem := next(chain(verdict_problems(results), compare_pages(folder, results)[0]), None):
        raise UsageError(f"{folder}/{problem}")
    if not results.scope.requirement_set_digest:
        raise UsageError(f"{folder / RESULTS}: names no requirement set; make the run again")
    return results
