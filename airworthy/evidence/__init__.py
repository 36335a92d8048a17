"""Record exchanges as evidence that others can check: redacted at capture, hash-chained, append-only."""

from airworthy.evidence.chain import ChainCheck, verify_chain
from airworthy.evidence.curl_command import curl
from airworthy.evidence.har import write_har
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import EvidenceRecord, Recorder, read
from airworthy.evidence.redaction import RedactedExchange, Redactor
from airworthy.evidence.verification import VerifiedChain, verify_chains

__all__ = [
    "ChainCheck",
    "EvidenceRecord",
    "Pseudonyms",
    "Recorder",
    "RedactedExchange",
    "Redactor",
    "VerifiedChain",
    "curl",
    "read",
    "verify_chain",
    "verify_chains",
    "write_har",
]
