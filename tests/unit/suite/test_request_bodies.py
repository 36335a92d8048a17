"""The requests of the suite show a service that confuses members, or that shows one value to everybody."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import combinations
from typing import Any

import pytest

from conformance.request_draft import RequestDraft
from conformance.v3 import request_bodies as of_v3
from conformance.v4 import request_bodies as of_v4
from conformance.v4.request_bodies import OrderOptions, PassengerCounts

TODAY, PARTY, NOTATION = date(2026, 11, 2), PassengerCounts(2, 1, 1), of_v3.PersonNotation()
# What a scenario chooses, not the data of the suite.
CHOSEN = {"fare_type", "customer_code", "registration_number", "vat_number"}


def _order(*, documents: Sequence[str] = ("PASSPORT", "NIF"), locality: bool = False) -> RequestDraft:
    return of_v4.create_order("", "", PARTY, OrderOptions(), TODAY, documents=documents, locality=locality)


def _resident_order() -> RequestDraft:
    return _order(documents=("NIE",), locality=True)


def _travellers() -> list[dict[str, Any]]:
    return of_v3.passengers(PARTY, TODAY, NOTATION)


def _requests() -> RequestDraft:
    return of_v3.create_requests([], _travellers(), "CODE")


def _bookings() -> RequestDraft:
    return of_v3.create_bookings([], "CODE", NOTATION, {})


def _bookings_v2() -> RequestDraft:
    draft = of_v3.create_bookings_v2([], _travellers(), "CODE", NOTATION, {})
    return of_v3.with_complete_customer_data(draft, is_company=True)


def _texts(value: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield each text of an object and of the objects in it, but not of its arrays."""
    for name, each in value.items():
        if isinstance(each, dict):
            yield from _texts(each, f"{path}{name}/")
        elif isinstance(each, str) and name not in CHOSEN:
            yield f"{path}{name}", each


def _objects(build: Callable[[], RequestDraft]) -> list[list[dict[str, str]]]:
    """Return the texts of four bodies, and of the passengers in them."""
    bodies = [build().body for _ in range(4)]
    found = (bodies, [each for body in bodies for each in body.get("passengers", ())])
    return [[dict(_texts(each)) for each in group] for group in found if group]


BUILT: list[Callable[[], RequestDraft]] = [_order, _requests, _bookings, _bookings_v2]


@pytest.mark.parametrize("build", BUILT)
def test_no_two_members_always_have_the_same_value(build: Callable[[], RequestDraft]) -> None:
    for group in _objects(build):
        names = sorted({name for each in group for name in each})
        assert [pair for pair in combinations(names, 2) if all(each[pair[0]] == each[pair[1]] for each in group)] == []


@pytest.mark.parametrize("build", [*BUILT, _resident_order])
def test_every_member_has_more_than_one_value(build: Callable[[], RequestDraft]) -> None:
    constant = {name for group in _objects(build) for name in group[0] if len({each[name] for each in group}) == 1}
    # All residents of Spain live there, and have documents of one type.
    allowed = {"countryCodeOfResidence", "identification/issueCountryCode", "identification/type"}
    assert constant == (allowed if build is _resident_order else set())
