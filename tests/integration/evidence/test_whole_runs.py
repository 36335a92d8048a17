"""Judging the evidence of a run again gives the findings of the live run, with the same texts."""

from typing import Final

import pytest

from airworthy.sandbox.faults import Fault, derived, faults
from collected_suite import CollectedSuite
from integration.conftest import FullRun
from integration.evidence.fidelity import compare_fault, compare_with_evidence

pytestmark = pytest.mark.exhaustive

# The least usual behaviour, and the one with the most undocumented fields. `test_rejudgement` judges documented runs.
DIALECTS: Final = ("odd", "talkative")
# Some faults of every interface; the content export has no exchanges. `test_fidelity` tries every wrong value, so most
# are of behaviour. `make faults-evidence` takes all faults.
# Two days of a month may have the same pseudonym, which hides another day of birth by chance.
LEFT_OUT: Final = {"record-born-later", *(fault.name for fault in derived.faults())}
SELECTED: Final = [
    *[each for each in faults().values() if each.name not in LEFT_OUT and not each.rule.startswith("EXPORT")][::15],
    *list(derived.faults())[::300],
]


@pytest.mark.parametrize("dialect", [DIALECTS[0], pytest.param(DIALECTS[1], marks=pytest.mark.further)])
def test_evidence_of_a_dialect_has_the_same_findings(full_run: FullRun, dialect: str) -> None:
    found = compare_with_evidence(full_run(dialect).folder)
    assert found.differences == {}
    # The scenarios of the rules that bind the client send invalid requests.
    assert found.findings > found.exchanges / 4


@pytest.mark.parametrize("fault", SELECTED, ids=lambda fault: fault.name)
def test_evidence_of_a_fault_has_the_same_findings(suite: CollectedSuite, fault: Fault) -> None:
    name, found = compare_fault(suite, fault)

    assert found.differences == {}, name
    assert found.exchanges
