"""A small signed run with every kind of file."""

import json
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from airworthy.attestation.keys import SigningKey, load_signing_key, new_key_pair
from airworthy.attestation.signing import sign_document, sign_run
from airworthy.report.results import Results
from airworthy.report.write import write_reports
from unit.report.sample import MORNING, with_evidence

NOON: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
LATER: Final = NOON + timedelta(days=30)
UNRELEASED: Final = "unreleased, based on 0.1.0 (rules: 1 added)"


def write_run(
    folder: Path, *, run: str = "20261121-083000", requirement_set: str = UNRELEASED, text: str = "", target: str = ""
) -> Results:
    """Write a run with results, reports, evidence and ledger."""
    folder.mkdir()
    results = with_evidence(folder, text)
    scope = replace(results.scope, requirement_set=requirement_set)
    results = replace(
        results, run=run, target=target or results.target, scope=scope, finished=MORNING + timedelta(minutes=9)
    )
    entries = ({**asdict(entry), "made": entry.made.isoformat()} for entry in results.ledger)
    (folder / "ledger.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    write_reports(results, folder)
    return results


def write_signed_run(folder: Path, key: SigningKey, **options: str) -> None:
    """Write a run, sign it at noon, and add a signed document."""
    write_run(folder, **options)
    sign_run(folder, key, now=NOON)
    (folder / "report.pdf").write_bytes(b"%PDF-1.7\nthe digest of the statement\n%%EOF\n")
    sign_document(folder, key)


def new_key(folder: Path, name: str = "operator") -> SigningKey:
    private, _, _ = new_key_pair(folder / name)
    return load_signing_key(private)
