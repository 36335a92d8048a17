"""A whole run is judged from its evidence as it was judged live: the same findings, in the same words."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from airworthy.sandbox.faults import Fault, faults
from collected_suite import CollectedSuite
from integration.evidence.fidelity import compared, of_fault

# What is documented, what is least so, and what says most besides.
DIALECTS: Final = ("documented", "odd", "talkative")
# Some of every version and area that show on the wire: files have no exchanges. `make faults-evidence` takes all.
SELECTED: Final = [fault for fault in faults().values() if not fault.rule.startswith("EXPORT")][::60]


@pytest.fixture(scope="module")
def suite() -> Iterator[CollectedSuite]:
    with CollectedSuite() as collected:
        yield collected


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dialect(suite: CollectedSuite, tmp_path: Path, dialect: str) -> None:
    suite.run(tmp_path / "run", dialect=dialect, judged=True)

    found = compared(tmp_path / "run")
    assert found.differences == {}
    # The scenarios of the client's rules send something wrong for each.
    assert found.findings > found.exchanges / 4


@pytest.mark.parametrize("fault", SELECTED, ids=lambda fault: fault.name)
def test_faults(suite: CollectedSuite, fault: Fault) -> None:
    name, found = of_fault(suite, fault)

    assert found.differences == {}, name
    assert found.exchanges
