"""The contract finds each mutation of a conforming conversation, unless the documents allow it.

Each mutation is either found or listed in `allowed_mutations.txt`, where each line matches some mutation.
"""

import sys
from difflib import unified_diff
from itertools import chain
from pathlib import Path

import pytest

from airworthy.contract import Contract
from unit.contract.all_examples import BEFORE, EXAMPLES
from unit.contract.examples import exchange
from unit.contract.judging import last_findings
from unit.contract.mutation_findings import Judged, judged_mutations, rows, table
from unit.contract.mutations import allowed_mutations

REVIEWED = Path(__file__).with_name("mutation_findings.txt")
ALLOWED = allowed_mutations(Path(__file__).with_name("allowed_mutations.txt"))

Change = tuple[str, str, str, str]


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


def test_conforming_conversations_have_no_findings() -> None:
    # Verification is deprecated, and the order before was to be paid by card.
    known = {"V3-VERIFY-DEPRECATED", "V4-CONFIRM-SAME-METHOD"}
    for example in EXAMPLES:
        before = [exchange(each, name=each) for each in BEFORE.get(example.operation, ())]
        side = "sent" if example.side == "request" else "returned"
        found = last_findings(*before, exchange(example.operation, **{side: example.body}))
        assert [each for each in found if each.side == example.side and each.rule not in known] == [], example.name


def test_mutations_have_the_reviewed_findings_or_are_allowed(
    whole_contract: Contract, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = list(judged_mutations(whole_contract))
    before, now = REVIEWED.read_text(encoding="utf-8"), table(judged)
    difference = "".join(unified_diff([*rows(before)], [*rows(now)], "reviewed", "found", n=0))
    if request.config.getoption("--update-findings"):
        REVIEWED.write_text(now, encoding="utf-8")
        with capsys.disabled():
            sys.stdout.write(difference)
        difference = ""

    is_found = changes(judged)
    allowing = {change: [each for each in ALLOWED if each.fits(*change)] for change in is_found}
    missed = [change for change, entries in allowing.items() if not entries and not is_found[change]]
    narrower = [change for change, entries in allowing.items() if entries and is_found[change]]
    unused = {*ALLOWED} - {*chain(*allowing.values())}
    problems = {
        "check it in the contract, or add it with its reason to allowed_mutations.txt": missed,
        "a rule finds it: narrow its entry in allowed_mutations.txt, or correct the rule": narrower,
        "remove it from allowed_mutations.txt": unused,
        "review the difference, then accept it with make findings": difference.splitlines(),
    }
    if any(problems.values()):
        told = (f"{advice}:\n" + "\n".join(map(str, found)) for advice, found in problems.items() if found)
        pytest.fail("\n\n".join(told), pytrace=False)
