"""The contract finds each mutation of a conforming conversation, unless the documents allow it.

Each mutation is either found or listed in `allowed_mutations.txt`, where each line matches some mutation.
"""

import sys
from difflib import unified_diff
from pathlib import Path

import pytest

from airworthy.contract import Contract
from unit.contract.all_examples import BEFORE, EXAMPLES, Example, exchange
from unit.contract.judging import last_findings
from unit.contract.mutation_findings import Judged, judged_mutations, rows, table
from unit.contract.mutations import allowed_mutations

REVIEWED = Path(__file__).with_name("mutation_findings.txt")
ALLOWED = allowed_mutations(Path(__file__).with_name("allowed_mutations.txt"))

Change = tuple[str, str, str, str]


@pytest.fixture(scope="module")
def judged(whole_contract: Contract) -> list[Judged]:
    return list(judged_mutations(whole_contract))


@pytest.fixture(scope="module")
def changes(judged: list[Judged]) -> dict[Change, bool]:
    """Map every general mutation (side, operation, place, kind) to whether it is found."""
    found: dict[Change, bool] = {}
    for example, mutation, findings in judged:
        if example.name == example.operation and mutation.general:
            change = (example.side, example.operation, mutation.place, mutation.kind)
            # A mutation counts as found only if it is found at each position of an array.
            is_found = any(not each.soft and each.side == example.side for each in findings)
            found[change] = is_found and found.get(change, True)
    return found


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.side}-{example.name}")
def test_conforming_conversation_has_no_findings(whole_contract: Contract, example: Example) -> None:
    before = [exchange(each, name=each) for each in BEFORE.get(example.operation, ())]
    side = "sent" if example.side == "request" else "returned"

    found = last_findings(whole_contract, *before, exchange(example.operation, **{side: example.body}))

    # Verification is deprecated, and the order before was to be paid by card.
    known = {"V3-VERIFY-DEPRECATED", "V4-CONFIRM-SAME-METHOD"}
    assert [each for each in found if each.side == example.side and each.rule not in known] == []


def test_findings_are_those_that_were_reviewed(
    judged: list[Judged], request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    before, now = REVIEWED.read_text(encoding="utf-8"), table(judged)

    difference = "".join(unified_diff([*rows(before)], [*rows(now)], "reviewed", "found", n=0))
    if request.config.getoption("--update-findings"):
        REVIEWED.write_text(now, encoding="utf-8")
        with capsys.disabled():
            sys.stdout.write(difference)
    elif now != before:
        pytest.fail(f"review the difference, then accept it with make findings:\n{difference}", pytrace=False)


def test_mutation_is_found_or_allowed(changes: dict[Change, bool]) -> None:
    not_found = [change for change, found in changes.items() if not found]
    missed = [change for change in not_found if not any(each.fits(*change) for each in ALLOWED)]
    assert missed == [], "check it in the contract, or add it with its reason to allowed_mutations.txt"


def test_allowed_mutations_have_no_findings(changes: dict[Change, bool]) -> None:
    found = [change for change, is_found in changes.items() if is_found]
    wrong = [change for change in found if any(each.fits(*change) for each in ALLOWED)]
    assert wrong == [], "a rule finds it: narrow its entry in allowed_mutations.txt, or correct the rule"


def test_every_allowed_mutation_exists(changes: dict[Change, bool]) -> None:
    unused = [each for each in ALLOWED if not any(each.fits(*change) for change in changes)]
    assert unused == [], "remove it from allowed_mutations.txt"
