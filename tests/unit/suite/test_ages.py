"""The ages at which items are used."""

import re

import pytest

from airworthy.contract.conversation.limits import Lifetimes
from airworthy.suite.ages import BY_STEP, item

DOCUMENTED = Lifetimes()
SHORT = Lifetimes(
    offer_seconds=40, request_seconds_min=4, request_seconds_max=6, locator_seconds=90, schedule_change_seconds=60
)


def test_only_items_that_must_not_expire_have_a_latest_time() -> None:
    for step, age in BY_STEP.items():
        aged = item(step, lambda: None, DOCUMENTED)
        if "almost" in step:
            assert aged.latest is not None
            assert aged.due < aged.latest < age.lifetime(DOCUMENTED)
        else:
            assert aged.latest is None
            assert aged.due > age.lifetime(DOCUMENTED)


def test_schedule_change_is_due_as_in_the_profile_or_with_the_record_locator() -> None:
    step = "a booking in v3 whose schedule changed a while ago"
    known, unknown = (item(step, lambda: None, each) for each in (SHORT, DOCUMENTED))

    assert known.due == pytest.approx(61.2)
    assert unknown.due == pytest.approx(7344)
    assert (known.required, unknown.required) == (True, False)


def test_description_has_the_lifetime_of_the_profile() -> None:
    shown = {"30 minutes": "40 s", "3 minutes": "4 s", "5 minutes": "6 s", "two hours": "1 min 30 s"}
    for step in BY_STEP:
        expected = re.sub("|".join(shown), lambda found: shown[found[0]], step)
        assert (expected == step) is ("a while ago" in step)
        assert item(step, lambda: None, SHORT).description == expected
        assert item(step, lambda: None, DOCUMENTED).description == step
