"""Both engines find the same in the evidence of runs against faults of every version."""

from pathlib import Path
from shutil import copyfile

from pyspark.sql import SparkSession

from airworthy.sandbox.faults import faults
from collected_suite import CollectedSuite

from .identity import locally, on_spark
from .test_findings import rules

SHOWN = (
    *("order-as-text", "loyalty-points", "any-fare", "expired-offer-ordered", "confirmed-twice", "fares-after-expiry"),
    *("luggage-in-v3", "bags-unlisted", "cancelled-booked", "references-apart-in-v2", "booked-twice"),
)


def test_evidence_of_fault_runs_has_the_same_findings(
    session: SparkSession, suite: CollectedSuite, tmp_path: Path
) -> None:
    chosen = [faults()[name] for name in SHOWN]
    files = []
    for fault in chosen:
        ran = suite.run(tmp_path / fault.name, faults=[fault.name], rules=[fault.rule])
        files.append(Path(copyfile(ran.folder / "evidence.jsonl", tmp_path / f"{fault.name}.jsonl")))

    found = on_spark(session, files)

    assert found == locally(files)
    assert {fault.rule for fault in chosen} & set(rules(found))
