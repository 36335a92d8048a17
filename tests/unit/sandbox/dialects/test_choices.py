"""Together, the dialects make every choice that conforms, and every open question has a choice."""

import pytest

from airworthy.errors import UsageError
from airworthy.sandbox.dialects.choices import questions
from airworthy.sandbox.dialects.named import Dialect, dialect, dialects

# Those in the second set leave a service no choice that a client could see.
OPEN = {*range(1, 103)}
WITHOUT_A_CHOICE = {
    8: "push notifications are neither described nor observable",
    42: "the operator decides what partners have to show before they go live",
}


def test_every_choice_is_made_by_a_dialect() -> None:
    names = [question.name for question in questions()]
    used = {name: {each.choices.behaviour(name) for each in dialects().values()} for name in names}

    assert used == {question.name: set(question.behaviours) for question in questions()}


def test_every_open_question_has_a_choice() -> None:
    with_a_choice = {int(question.open_id.removeprefix("OPEN-")) for question in questions()}

    assert with_a_choice == OPEN - WITHOUT_A_CHOICE.keys()


@pytest.mark.parametrize("each", list(dialects().values()), ids=list(dialects()))
def test_dialects_differ(each: Dialect) -> None:
    assert [other.name for other in dialects().values() if other.choices == each.choices] == [each.name]


def test_unknown_dialect_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="unknown dialect 'klingon'; expected one of: documented, strict"):
        dialect("klingon")
