"""Record exchanges as evidence that others can check: redacted at capture, hash-chained, append-only."""

from airworthy.evidence.chain import ChainCheck, verify_chain
from airworthy.evidence.curl_command import curl
from airworthy.evidence.har import write_har
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import EvidenceRecord, Recorder, read
from airworthy.evidence.redaction import RedactionContract, Redactor, redact

__all__ = [
    "ChainCheck",
    "EvidenceRecord",
    "Pseudonyms",
    "Recorder",
    "RedactionContract",
    "Redactor",
    "curl",
    "read",
    "redact",
    "verify_chain",
    "write_har",
]
