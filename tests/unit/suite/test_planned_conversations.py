"""Planned conversations: what comes together in them, and how they are judged and told."""

from collections.abc import Mapping
from itertools import combinations, product
from typing import Any

import pytest

from airworthy.contract.findings.finding import Finding
from airworthy.suite.capture import Capture
from airworthy.suite.outcomes import Untested
from conformance.explore.planned import CoveringPlan, PlannedConversations, follow, parties
from conformance.v4.request_bodies import PassengerCounts
from unit.evidence import stub

CIRCUMSTANCES = {"payment": ("card", "deposit"), "age": (0, 150, 330), "bags": ("", "one", "two", "many")}


class Said:
    """A conversation that only notes what happens to it."""

    def __init__(self) -> None:
        self.notes: list[object] = []

    def converse(self, circumstances: Mapping[str, Any]) -> None:
        self.notes.append(dict(circumstances))

    def wait(self, seconds: float) -> None:
        self.notes.append(seconds)

    def look(self) -> None:
        self.notes.append("looked at")


@pytest.mark.parametrize("strength", [2, 3])
def test_so_many_circumstances_come_together_in_every_combination(strength: int) -> None:
    plan = CoveringPlan(CIRCUMSTANCES, Said, strength)
    had = [dict(each) for each in plan.combinations]
    for names in combinations(CIRCUMSTANCES, strength):
        together = {tuple(each[name] for name in names) for each in had}
        assert together == set(product(*(range(plan.sizes[name]) for name in names)))
    assert len(had) < 24 or strength == 3


def test_conversations_are_looked_at_again_after_the_last_one() -> None:
    began = list[Said]()

    def begin() -> Said:
        began.append(Said())
        return began[-1]

    follow([CoveringPlan({"payment": ("card", "deposit")}, begin, 1)], 7200.0)
    assert [each.notes for each in began] == [
        [{"payment": "card"}, "looked at"],
        [{"payment": "deposit"}, 7200.0, "looked at"],
    ]


def test_first_conversation_with_a_violation_is_told() -> None:
    capture = Capture("every two circumstances", explores=True)
    conversations = PlannedConversations(capture)
    for number in (1, 2, 3):
        conversations.begin_conversation()
        conversations.tell("5 minutes pass")
        with conversations.step(f"books request {number}") as words:
            words.append(" twice")
            capture.exchanges += [stub.exchange(None, b"")] * (number > 1)
            if number > 1:
                capture.findings.append(Finding("V4-ALPHA", "violation", "response", "status", "", "", "", "x1"))
            raise Untested("no flight is left")
    assert capture.steps == ["5 minutes pass", "books request 2 twice"]
    assert conversations.count == 2


@pytest.mark.parametrize(
    ("offered", "expected"),
    [
        ([(1, 0, 0), (1, 0, 0), (2, 0, 0), (1, 1, 0), (2, 1, 1), (9, 0, 0)], [(1, 0, 0), (1, 1, 0), (2, 1, 1)]),
        ([(1, 0, 0), (2, 0, 0), (9, 0, 0)], [(1, 0, 0), (2, 0, 0)]),
    ],
)
def test_small_parties_of_several_types_are_preferred(offered: list[Any], expected: list[Any]) -> None:
    assert parties([PassengerCounts(*each) for each in offered]) == [PassengerCounts(*each) for each in expected]
