"""The capabilities that scenarios need."""

from typing import Any, cast

import pytest

from airworthy.sandbox.dashboard.profile import profile
from airworthy.suite.outcomes import NotApplicable, Untested
from airworthy.target.profile_file import profile_from
from conformance.capabilities import CapabilityRequirements
from conformance.payments import PaymentFields
from conformance.service_client import ServiceClient

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


def test_needed_capability_is_recorded_for_the_running_scenario() -> None:
    scenarios = _Scenarios(infants=True)
    scenarios.needs("infants", "card")
    scenarios.next()
    scenarios.needs("children")
    assert scenarios.noted == [["infants", "card"], ["children"]]


def test_absent_capability_is_not_recorded() -> None:
    scenarios = _Scenarios(infants=False)
    with pytest.raises(NotApplicable, match=r"sells nothing to infants: \[capabilities\] infants"):
        scenarios.needs("infants")
    assert scenarios.noted == [[]]


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
