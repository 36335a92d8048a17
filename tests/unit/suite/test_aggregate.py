"""The capabilities in the results of a run, the reason why it ended, and the reasons of scenarios."""

import ast
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from airworthy.report.results import Capability, ScenarioResult, Verdict
from airworthy.resources import resource
from airworthy.sandbox.dashboard.profile import profile
from airworthy.suite.aggregate import CollectedResults, Run, results_of
from airworthy.suite.capture import Record
from airworthy.suite.outcomes import NotApplicable, Untested
from airworthy.target.profile_file import profile_from
from conformance.capabilities import CapabilityRequirements
from conformance.payments import PaymentFields
from conformance.service_client import ServiceClient
from unit.suite.profile_keys import wrong_keys


def _capabilities(
    declared: dict[str, bool], *scenarios: tuple[Verdict, str, str], stopped: str = ""
) -> tuple[Capability, ...]:
    """Return the capabilities after scenarios, each with its verdict, its reason and the capabilities that it needs."""
    values = profile("https://127.0.0.1:1") | {"capabilities": declared}
    run = Run("run", datetime.now(UTC), profile_from(values, "here"), "there", Path("none.jsonl"), stopped=stopped)
    records = {
        str(place): Record(str(place), (), ScenarioResult("It is so", verdict, reason), needs=tuple(needs.split()))
        for place, (verdict, reason, needs) in enumerate(scenarios)
    }
    return results_of(run, CollectedResults(records=records), ()).capabilities


@pytest.mark.parametrize(
    ("scenarios", "probed", "note"),
    [
        ([("failed", "no", "card"), ("passed", "", "card"), ("untested", "no route", "card")], True, ""),
        ([("warning", "odd", "card")], True, ""),
        (
            [("untested", "no route", "card"), ("failed", "one", "card"), ("failed", "two", "card")],
            False,
            "no scenario that needs it passed: one",
        ),
        ([("untested", "no route", "card"), ("untested", "no clock", "card")], None, "no route"),
        ([("error", "KeyError: 'id'", "card")], None, "KeyError: 'id'"),
        ([("passed", "", "")], None, "no scenario of this run needs it"),
    ],
    ids=["one passed", "one warned", "failed only", "untested only", "errors", "not needed"],
)
def test_declared_capability_is_probed_by_scenarios_that_need_it(
    scenarios: list[tuple[Verdict, str, str]], probed: bool | None, note: str
) -> None:
    assert _capabilities({"card": True}, *scenarios) == (Capability("card", True, probed, note),)


def test_undeclared_or_absent_capability_is_reported_if_a_scenario_needs_it() -> None:
    of_infants: tuple[Verdict, str, str] = ("passed", "", "card infants")
    assert _capabilities({"verify": True, "infants": False}, of_infants, ("failed", "no", "infants")) == (
        Capability("card", None, probed=True),
        # An interface's own credentials win over the capability.
        Capability("infants", False, True, "declared absent, but scenarios that need it passed"),
        Capability("verify", True, None, "no scenario of this run needs it"),
    )
    assert _capabilities({"balance": False, "card": True}, stopped="the target is gone") == (
        Capability("balance", False),
        Capability("card", True, None, "the target is gone"),
    )


CONFORMANCE = resource("conformance")
MODULES = sorted(path.relative_to(CONFORMANCE) for path in CONFORMANCE.rglob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_keys_in_the_texts_of_a_module_exist(module: Path) -> None:
    tree = ast.parse((CONFORMANCE / module).read_text(encoding="utf-8"))
    texts = [each.value for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    # A key that is an argument stands without brackets; what ends with a period is a part of one.
    tables = ("routes.", "payment.", "second_organisation.")
    keys = [f"[{text}]" for text in texts if text.startswith(tables) and not text.endswith(".")]
    interface = {"v4": False, "v3": True, "v2": True}.get(module.parts[0])
    patterns = {text for text in texts if "(?" in text or "\\" in text}

    assert [key for text in {*texts, *keys} - patterns for key in wrong_keys(text, of_flights=interface)] == []


def test_wrong_key_is_found() -> None:
    text = "[routes.sold_out] and [routes.flights_many] and [routes.nowhere] of the profile, [capabilities] card"
    assert list(wrong_keys(text, of_flights=False)) == ["routes.flights_many", "routes.nowhere"]
    assert list(wrong_keys(text, of_flights=True)) == ["routes.sold_out", "routes.nowhere"]


NOTHING = cast("Any", None)


class _Scenarios:
    """Several scenarios with the capabilities that each needs; the last is the running one."""

    def __init__(self, **capabilities: bool) -> None:
        values = profile("https://127.0.0.1:1") | {"capabilities": capabilities}
        self.noted: list[list[str]] = [[]]
        self.needs = CapabilityRequirements(profile_from(values, "here"), lambda: self.noted[-1])
        self.service = ServiceClient(NOTHING, NOTHING, NOTHING, PaymentFields(self.needs, None), NOTHING, NOTHING)

    def next(self) -> None:
        self.noted.append([])


def test_needed_capability_is_recorded_for_the_running_scenario_unless_it_is_absent() -> None:
    scenarios = _Scenarios(infants=False, card=True)
    scenarios.needs("card", "verify")
    scenarios.next()
    with pytest.raises(NotApplicable, match=r"sells nothing to infants: \[capabilities\] infants"):
        scenarios.needs("infants")
    assert scenarios.noted == [["card", "verify"], []]


def test_scenario_needs_the_capabilities_of_its_shared_resources() -> None:
    scenarios = _Scenarios()
    service_client = scenarios.service

    def baggage() -> str:
        service_client.needs("baggage")
        raise Untested("no bags are sold")

    def booked() -> str:
        service_client.needs("card")
        with pytest.raises(Untested):
            service_client.once("baggage", baggage)
        return "booked"

    service_client.needs("children")
    assert service_client.once("booked", booked) == "booked"
    scenarios.next()
    assert service_client.once("booked", booked) == "booked"
    scenarios.next()
    with pytest.raises(Untested, match="no bags are sold"):
        service_client.once("baggage", baggage)
    assert scenarios.noted == [["children", "card", "baggage"], ["card", "baggage"], ["baggage"]]


def test_payment_method_is_not_applicable_without_cards() -> None:
    scenarios = _Scenarios(card=False)
    with pytest.raises(NotApplicable, match=r"takes no cards: \[capabilities\] card"):
        scenarios.service.payments.payment_method("accepted")
