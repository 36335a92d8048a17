"""The ages at which items are used."""

import re

import pytest

from airworthy.contract.conversation.limits import Lifetimes
from airworthy.resources import resource
from airworthy.suite.ages import BY_STEP, due, item, longest_wait, steps_of

DOCUMENTED = Lifetimes()
SHORT = Lifetimes(
    offer_seconds=40, request_seconds_min=4, request_seconds_max=6, locator_seconds=90, schedule_change_seconds=60
)


def _steps_of_features() -> set[str]:
    texts = (path.read_text() for path in resource("features").rglob("*.feature"))
    outlined = {step for text in texts for step in re.findall(r"(?m)^ +Given (.* ago)$", text)}
    return {step.replace("<interface>", interface) for step in outlined for interface in ("v2", "v3")}


def test_every_step_with_an_age_is_listed() -> None:
    assert set(BY_STEP) == _steps_of_features()


@pytest.mark.parametrize(
    ("step", "after", "before", "lifetimes"),
    [
        ("an offer stored almost 30 minutes ago", 1750, 1800, DOCUMENTED),
        ("an offer stored more than 30 minutes ago", 1800, 1850, DOCUMENTED),
        ("a booking request in v3 made almost 3 minutes ago", 150, 180, DOCUMENTED),
        ("a booking request in v2 made more than 5 minutes ago", 300, 360, DOCUMENTED),
        ("a booking in v3 made more than two hours ago", 7200, 7500, DOCUMENTED),
        ("an offer that was stored just now", -1, 1, DOCUMENTED),
        ("a booking request in v3 made almost 3 minutes ago", 3.5, 3.7, SHORT),
        ("a booking request in v3 made more than 5 minutes ago", 6.2, 6.4, SHORT),
    ],
)
def test_item_is_used_on_the_right_side_of_its_lifetime(
    step: str, after: float, before: float, lifetimes: Lifetimes
) -> None:
    assert after < due(step, lifetimes) < before


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


def test_longest_wait_is_that_of_the_examined_interfaces_within_the_limit() -> None:
    assert longest_wait(steps_of(("v4",)), DOCUMENTED, None) == pytest.approx(1854)
    assert longest_wait(steps_of(("v2", "v4")), DOCUMENTED, None) == pytest.approx(7344)
    assert longest_wait(steps_of(("v2", "v4")), DOCUMENTED, 600) == pytest.approx(315)
    assert longest_wait(steps_of(("v2", "v4")), DOCUMENTED, 0) == 0
