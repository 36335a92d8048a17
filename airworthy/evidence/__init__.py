"""What went over the wire, kept so that others can check it: redacted at capture, chained by hash, append-only."""

from airworthy.evidence.har import write_har
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import Chain, Record, Recorder, read, verify_chain
from airworthy.evidence.redaction import Marks, Redactor, redact
from airworthy.evidence.repeat import curl

__all__ = [
    "Chain",
    "Marks",
    "Pseudonyms",
    "Record",
    "Recorder",
    "Redactor",
    "curl",
    "read",
    "redact",
    "verify_chain",
    "write_har",
]
