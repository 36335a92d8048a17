"""Keys, certificates and their verification.

::

    key = load_signing_key(Path("operator.key"))
    certificate = sign_run(Path("reports/run"), key)            # writes certificate.intoto.jsonl
    verify_run(Path("reports/run"), load_verification_key(Path("operator.pub"))).problems

A certificate is an in-toto bundle: the first line is the signed statement about the run and its files; a second line
covers report.pdf, which shows the digest of the first statement.
"""

from airworthy.attestation.consistency import consistent_results
from airworthy.attestation.files import CERTIFICATE, DOCUMENT, Problem
from airworthy.attestation.keys import (
    PASSPHRASE_VARIABLE,
    SigningKey,
    VerificationKey,
    load_signing_key,
    load_verification_key,
    new_key_pair,
)
from airworthy.attestation.signing import VALIDITY, read_certificate, sign_document, sign_run, statement_digest
from airworthy.attestation.statement import DOES_NOT_PROVE, PROVES, Certificate
from airworthy.attestation.verification import Verification, is_run, verify_evidence, verify_run

__all__ = [
    "CERTIFICATE",
    "DOCUMENT",
    "DOES_NOT_PROVE",
    "PASSPHRASE_VARIABLE",
    "PROVES",
    "VALIDITY",
    "Certificate",
    "Problem",
    "SigningKey",
    "Verification",
    "VerificationKey",
    "consistent_results",
    "is_run",
    "load_signing_key",
    "load_verification_key",
    "new_key_pair",
    "read_certificate",
    "sign_document",
    "sign_run",
    "statement_digest",
    "verify_evidence",
    "verify_run",
]
