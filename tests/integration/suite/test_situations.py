"""No rule fails where the profile lacks a situation or names another one: the rules that need it are untested."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from airworthy.register import rules
from airworthy.sandbox.model.situations import SITUATIONS
from collected_suite import CollectedSuite, FinishedRun
from unit.suite.profile_keys import wrong_keys

pytestmark = pytest.mark.exhaustive

PROFILE_PAGE: Final = Path(__file__).parents[3] / "docs" / "reference" / "profile.md"
PAYMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "payment.declined": ("V4-CONFIRM-REJECTED", "V4-CONFIRM-FAILED-STATUS", "V23-BOOKINGS-PAYMENT-FAILS"),
    "payment.needs_verification": ("V4-CONFIRM-NOT-READY",),
    "payment.amount_mismatch": ("V4-CONFIRM-AMOUNT",),
}
# Another route serves where the profile does not name these, or the rule is not applicable.
REPLACEABLE: Final = {"regular", "round_trip", "flights_regular", "birth_date_required", "flights_last_seats"}
# What does not have the situation of a key. The suite creates payment intents of other amounts itself.
OTHERS: Final = {
    "routes.flights_no_fares": "routes.flights_no_fares",
    "routes.flights_last_seats": "routes.flights_regular",
    "payment.amount_mismatch": "payment.amount_mismatch",
} | {f"second_organisation.{version}": version for version in ("v2", "v3", "v4")}
# A search on any route shows its default window.
ANY_ROUTE: Final = {"V23-FLIGHTS-DEFAULT-WINDOW"}
# What everything in an interface depends on, and what takes its place. No rule needs the routes of both interfaces.
COMMON: Final[tuple[Mapping[str, str], ...]] = (
    {"routes.regular": "routes.sold_out", "routes.flights_regular": "routes.flights_sold_out_at_request"},
    {"routes.flights_regular": "routes.flights_sold_out_at_booking"},
    {"payment.accepted": "payment.declined"},
    {"payment.accepted": "payment.needs_verification"},
    {"payment.token": "payment.accepted.cvc"},
)


def documented() -> Mapping[str, tuple[str, ...]]:
    """Return the rules that are untested without a route, according to the documentation of the profile."""
    rows = re.findall(
        r"^\| `(routes\.\w+)` \|[^|]*\| (`.*`)[^|]*\|$", PROFILE_PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {route: tuple(re.findall(r"`([A-Z0-9-]+)`", named)) for route, named in rows}


SITUATIONS_AND_RULES: Final = {
    name: rules for name, rules in documented().items() if name.removeprefix("routes.") not in REPLACEABLE
} | dict(PAYMENTS)


def usual(key: str) -> str:
    """Return the key of the usual value of the same kind."""
    if key.startswith("payment."):
        return "payment.accepted"
    return "routes.flights_regular" if key.startswith("routes.flights_") else "routes.regular"


MISTAKES: Final = {key: usual(key) for key in SITUATIONS_AND_RULES} | OTHERS


def test_every_situation_of_the_sandbox_can_be_disabled() -> None:
    routes = {f"routes.{name}" for name, each in SITUATIONS.items() if each.in_profile and name not in REPLACEABLE}
    assert routes == {name for name in SITUATIONS_AND_RULES if name.startswith("routes.")}


@pytest.mark.parametrize(
    "situations",
    [
        pytest.param(dict.fromkeys(SITUATIONS_AND_RULES, ""), id="missing"),
        pytest.param(MISTAKES, id="something else", marks=pytest.mark.further),
    ],
)
def test_rules_are_untested_without_their_situation(
    suite: CollectedSuite, tmp_path: Path, situations: Mapping[str, str]
) -> None:
    ran = suite.run(tmp_path / "run", situations=situations, together=1)

    expect_no_failure(ran)
    # A situation that any key names is still there.
    named = set(situations.values())
    untested = [rule for rule in ran.results.rules if rule.verdict == "untested"]
    for key in SITUATIONS_AND_RULES.keys() - named:
        # A rule is untested for this reason, not for the lack of other scenarios.
        needing = {rule.id for rule in untested if any(f"[{key}]" in each.reason for each in rule.scenarios)}
        known = set(SITUATIONS_AND_RULES[key])
        assert needing >= (known - ANY_ROUTE if situations[key] else known), key
        # The page lists all that a route is needed for.
        assert situations[key] or not key.startswith("routes.") or needing == known, key


@pytest.mark.further
@pytest.mark.parametrize("others", COMMON, ids=[", ".join(others.values()) for others in COMMON])
def test_profile_is_blamed_for_what_everything_depends_on(
    suite: CollectedSuite, tmp_path: Path, others: Mapping[str, str]
) -> None:
    # Another route of v3 and v2 changes nothing for the rules of v4.
    of_flights = others.keys() == {"routes.flights_regular"}
    depending = [rule.id for rule in rules() if not (of_flights and rule.id.startswith("V4-"))]
    ran = suite.run(tmp_path / "run", situations=others, rules=depending, together=1)

    expect_no_failure(ran)
    for key in others:
        assert len({rule.id for rule in ran.results.rules if f"[{key}]" in rule.reason}) > 10, key


def expect_no_failure(ran: FinishedRun) -> None:
    """Fail if a rule fails, or if a reason names a key that no profile has, or a route of another interface."""
    verdicts = {rule.id: rule.verdict for rule in ran.results.rules}
    assert {rule for rule, verdict in verdicts.items() if verdict in ("failed", "warning", "error")} == set()
    for rule in ran.results.rules:
        interface = {"V4": False, "V3": True, "V23": True, "V2": True}.get(rule.id.partition("-")[0])
        # This rule books in both kinds of interfaces.
        of_flights = None if rule.id == "V23-BESIDE-V4" else interface
        assert [key for each in rule.scenarios for key in wrong_keys(each.reason, of_flights=of_flights)] == [], rule.id
