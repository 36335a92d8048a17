"""The line with the number of bookings that are about to be made."""

from dataclasses import replace

import pytest

from airworthy.suite.announcement import announcement
from airworthy.suite.selection import Selected
from airworthy.target.profile import Organisation, Profile

PROFILE = Profile(source="", base_url="https://x.example", organisation=Organisation(), versions=("v3", "v4"))


@pytest.mark.parametrize(
    "base_url",
    [
        "https://127.0.0.1:8443",
        "https://[::1]/api",
        "https://localhost",
        "https://flights.staging.acme.com",
        "https://api-test2.acme.com",
        "https://acme.com/sandbox",
        "https://flights.acme.test",
        "https://QA.acme.com",
    ],
)
def test_announcement_for_a_test_system_has_no_warning(base_url: str) -> None:
    line = announcement(replace(PROFILE, base_url=base_url), (), allow_live_bookings=False)
    assert line == f"up to 55 bookings are about to be made at {base_url} (test environment)"


@pytest.mark.parametrize(
    "base_url",
    [
        "https://api.acme.com",
        "https://latest.acme.com",
        "https://10.0.0.7",
        "https://contest.com",
        "https://acme.com/v",
    ],
)
def test_announcement_warns_of_a_host_that_does_not_look_like_a_test_system(base_url: str) -> None:
    line = announcement(replace(PROFILE, base_url=base_url), (), allow_live_bookings=False)
    assert f"bookings are about to be made at {base_url} (test environment); " in line
    assert line.endswith(" does not look like a test system")


def test_no_bookings_in_production_unless_allowed() -> None:
    profile = replace(PROFILE, environment="production")
    assert announcement(profile, (), allow_live_bookings=False).startswith(
        "no bookings are about to be made at https://x"
    )
    assert "up to 55 bookings" in announcement(profile, (), allow_live_bookings=True)


def test_number_of_bookings_is_proportional_to_the_selected_scenarios() -> None:
    selected = [Selected(str(number), (), "", "selected" if number < 10 else "deselected") for number in range(100)]
    assert announcement(PROFILE, selected, allow_live_bookings=False).startswith("up to 6 bookings")
