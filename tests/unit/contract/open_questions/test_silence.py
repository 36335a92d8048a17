"""A service that chooses freely where the documents are silent violates nothing."""

from types import ModuleType

import pytest

from unit.contract.open_questions import (
    booking_requests,
    bookings,
    confirmations,
    flights,
    http_of_v3,
    http_of_v4,
    offers,
    orders,
)
from unit.contract.open_questions.stories import blamed

MODULES = (booking_requests, bookings, confirmations, flights, http_of_v3, http_of_v4, offers, orders)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_undocumented_behaviour_is_not_a_violation(module: ModuleType) -> None:
    assert module.CONFORMING
    assert blamed(module.CONFORMING) == {}
