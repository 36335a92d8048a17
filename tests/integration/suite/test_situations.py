"""No rule that needs a situation passes where the profile does not name it."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from airworthy.sandbox.situations import SITUATIONS
from collected_suite import CollectedSuite

pytestmark = pytest.mark.exhaustive

PROFILE_PAGE: Final = Path(__file__).parents[3] / "docs" / "reference" / "profile.md"
PAYMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "payment.declined": ("V4-CONFIRM-REJECTED", "V4-CONFIRM-FAILED-STATUS", "V23-BOOKINGS-PAYMENT-FAILS"),
    "payment.needs_verification": ("V4-CONFIRM-NOT-READY",),
    "payment.amount_mismatch": ("V4-CONFIRM-AMOUNT",),
}
# Another route serves where the profile does not name these, or the rule is not applicable.
REPLACEABLE: Final = {"regular", "round_trip", "flights_regular", "birth_date_required", "flights_last_seats"}


def documented() -> Mapping[str, tuple[str, ...]]:
    """Return the rules that are untested without a route, according to the documentation of the profile."""
    rows = re.findall(
        r"^\| `(routes\.\w+)` \|[^|]*\| (`.*`)[^|]*\|$", PROFILE_PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {route: tuple(re.findall(r"`([A-Z0-9-]+)`", named)) for route, named in rows}


SITUATIONS_AND_RULES: Final = {
    name: rules for name, rules in documented().items() if name.removeprefix("routes.") not in REPLACEABLE
} | dict(PAYMENTS)


def test_every_situation_of_the_sandbox_can_be_disabled() -> None:
    routes = {f"routes.{name}" for name, each in SITUATIONS.items() if each.in_profile and name not in REPLACEABLE}
    assert routes == {name for name in SITUATIONS_AND_RULES if name.startswith("routes.")}


@pytest.mark.parametrize("situation", SITUATIONS_AND_RULES)
def test_rule_does_not_pass_without_its_situation(suite: CollectedSuite, tmp_path: Path, situation: str) -> None:
    needing = SITUATIONS_AND_RULES[situation]

    ran = suite.run(tmp_path / "run", rules=needing, without=[situation])

    verdicts = {rule: ran.rule(rule).verdict for rule in needing}
    assert verdicts == dict.fromkeys(needing, "untested")
    # A rule is untested for this reason, not for the lack of other scenarios.
    assert all(f"[{situation}]" in ran.rule(rule).reason for rule in needing)
