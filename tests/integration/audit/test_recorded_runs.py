"""Whole runs against the sandbox, recorded as HAR: its faults are found in the recording, and nothing else is."""

from pathlib import Path

import pytest

from airworthy.audit import AuditResult, AuditSettings, audit
from airworthy.evidence.recorder import read
from airworthy.sandbox.faults import faults
from collected_suite import CollectedSuite
from integration.conftest import FullRun
from unit.audit.recordings import entry, har

pytestmark = pytest.mark.exhaustive

# The scenarios of this rule use every operation of v4, so that their traffic shows any fault.
EVERYTHING = "V4-JSON-ANSWERS"
# Of each version, of one message and of several, on status, body, header and scheme.
SHOWN = (
    *("plain-http-served", "order-as-text", "status-confirming", "loyalty-points", "search-more-infants", "any-fare"),
    *("expired-offer-ordered", "confirmed-twice", "total-without-fee", "reservation-of-other-order"),
    *("fares-after-expiry", "no-token-books", "luggage-in-v3", "bags-unlisted", "cancelled-booked"),
    *("references-apart-in-v2", "booked-twice", "luggage-without-limit", "v4-search-offers-response-offers-missing"),
)


def audited(run: Path, folder: Path) -> AuditResult:
    """Audit a HAR that was made of a run's evidence."""
    path = folder / "traffic.har"
    path.write_bytes(har(entry(record.exchange) for record in read(run / "evidence.jsonl")))
    return audit(AuditSettings((path,)), jobs=1)


def test_recorded_run_has_only_the_deliberate_violations_of_the_suite(full_run: FullRun, tmp_path: Path) -> None:
    found = audited(full_run("documented").folder, tmp_path)

    summary = found.summary
    assert [row for row in summary.rows() if row.finding.side == "response"] == []
    assert summary.not_judged == {}
    assert summary.seen == summary.judged + summary.foreign > 1000
    assert summary.foreign < 50
    assert {"v2", "v3", "v4"} == set(summary.golive.versions)


@pytest.mark.parametrize("name", SHOWN)
def test_fault_is_found_in_the_recording(suite: CollectedSuite, tmp_path: Path, name: str) -> None:
    fault = faults()[name]
    suite.run(tmp_path, faults=[name], rules=[fault.rule, EVERYTHING])

    found = audited(tmp_path, tmp_path)

    blamed = [row for row in found.summary.rows() if row.finding.side == "response"]
    assert fault.rule in {row.finding.rule for row in blamed}
