"""The ages at which items are used."""

import re

import pytest

from airworthy.contract.conversation.limits import Lifetimes
from airworthy.resources import resource
from airworthy.suite.ages import BY_STEP, due, item, longest_wait, steps_of

DOCUMENTED = Lifetimes()


def _steps_of_features() -> set[str]:
    texts = (path.read_text() for path in resource("features").rglob("*.feature"))
    outlined = {step for text in texts for step in re.findall(r"(?m)^ +Given (.* ago)$", text)}
    return {step.replace("<interface>", interface) for step in outlined for interface in ("v2", "v3")}


def test_every_step_with_an_age_is_listed() -> None:
    assert set(BY_STEP) == _steps_of_features()


@pytest.mark.parametrize(
    ("step", "after", "before"),
    [
        ("an offer stored almost 30 minutes ago", 1500, 1800),
        ("an offer stored more than 30 minutes ago", 1800, 2000),
        ("a booking request in v3 made almost 3 minutes ago", 150, 180),
        ("a booking request in v2 made more than 5 minutes ago", 300, 360),
        ("a booking in v3 made more than two hours ago", 7200, 7500),
        ("an offer that was stored just now", -1, 1),
    ],
)
def test_item_is_used_on_the_right_side_of_its_lifetime(step: str, after: float, before: float) -> None:
    assert after < due(step, DOCUMENTED) < before


def test_only_items_that_must_not_expire_have_a_latest_time() -> None:
    for step, age in BY_STEP.items():
        aged = item(step, lambda: None, DOCUMENTED)
        if "almost" in step:
            assert aged.latest is not None
            assert aged.due < aged.latest < age.lifetime(DOCUMENTED)
        else:
            assert aged.latest is None
            assert aged.due > age.lifetime(DOCUMENTED)


def test_shortened_lifetimes_shorten_the_ages() -> None:
    short = Lifetimes(request_seconds_min=4, request_seconds_max=6)
    assert due("a booking request in v3 made almost 3 minutes ago", short) == pytest.approx(3.6)
    assert due("a booking request in v3 made more than 5 minutes ago", short) == pytest.approx(6.3)


def test_schedule_change_is_due_as_in_the_profile_or_with_the_record_locator() -> None:
    step = "a booking in v3 whose schedule changed a while ago"
    known, unknown = (item(step, lambda: None, each) for each in (Lifetimes(schedule_change_seconds=60), DOCUMENTED))

    assert known.due == pytest.approx(61.2)
    assert unknown.due == pytest.approx(7344)
    assert (known.required, unknown.required) == (True, False)


def test_description_has_the_lifetime_of_the_profile() -> None:
    short = Lifetimes(
        offer_seconds=40, request_seconds_min=20, request_seconds_max=30, locator_seconds=90, schedule_change_seconds=60
    )
    described = {step: item(step, lambda: None, short).description for step in steps_of(("v3", "v4"))}

    assert described == {
        "an offer stored almost 30 minutes ago": "an offer stored almost 40 s ago",
        "a round-trip offer stored almost 30 minutes ago": "a round-trip offer stored almost 40 s ago",
        "an offer stored more than 30 minutes ago": "an offer stored more than 40 s ago",
        "a round-trip offer stored more than 30 minutes ago": "a round-trip offer stored more than 40 s ago",
        "an order created in time from an offer stored more than 30 minutes ago": (
            "an order created in time from an offer stored more than 40 s ago"
        ),
        "an order booked in time from an offer stored more than 30 minutes ago": (
            "an order booked in time from an offer stored more than 40 s ago"
        ),
        "a booking request in v3 made almost 3 minutes ago": "a booking request in v3 made almost 20 s ago",
        "another booking request in v3 made almost 3 minutes ago": (
            "another booking request in v3 made almost 20 s ago"
        ),
        "two booking requests in v3 made almost 3 minutes ago": "two booking requests in v3 made almost 20 s ago",
        "a booking request in v3 made more than 5 minutes ago": "a booking request in v3 made more than 30 s ago",
        "another booking request in v3 made more than 5 minutes ago": (
            "another booking request in v3 made more than 30 s ago"
        ),
        "two booking requests in v3 made more than 5 minutes ago": (
            "two booking requests in v3 made more than 30 s ago"
        ),
        "booking requests in v3 that held all seats of a flight more than 5 minutes ago": (
            "booking requests in v3 that held all seats of a flight more than 30 s ago"
        ),
        "a booking in v3 made more than two hours ago": "a booking in v3 made more than 1 min 30 s ago",
        "a booking in v3 whose schedule changed a while ago": "a booking in v3 whose schedule changed a while ago",
    }


def test_description_keeps_the_documented_lifetime() -> None:
    assert {item(step, lambda: None, DOCUMENTED).description for step in BY_STEP} == set(BY_STEP)


def test_longest_wait_is_that_of_the_examined_interfaces_within_the_limit() -> None:
    assert longest_wait(steps_of(("v4",)), DOCUMENTED, None) == pytest.approx(1854)
    assert longest_wait(steps_of(("v2", "v4")), DOCUMENTED, None) == pytest.approx(7344)
    assert longest_wait(steps_of(("v2", "v4")), DOCUMENTED, 600) == pytest.approx(315)
    assert longest_wait(steps_of(("v2", "v4")), DOCUMENTED, 0) == 0
