"""Findings of rules on several exchanges name the exchange that showed what the later one contradicts."""

import pickle
from functools import partial

import pytest

from airworthy.contract import Contract, Conversation, InMemoryStore
from unit.contract.examples import RETURNED, Change, exchange, put
from unit.contract.judging import shown

SECTION = "outboundSegment.sections[0]"
TRIP = ("searchFlights", "createRequests", "createBookings")
STAY = ("getOffer", "createOrder", "confirmOrder", "findReservation")

earlier = partial(shown, "rule earlier")


@pytest.mark.parametrize(
    ("before", "operation", "change", "rule", "source"),
    [
        (STAY[:1], "createOrder", put(f"offer.{SECTION}.destination", "JFK"), "V4-ORDER-OFFER", "getOffer"),
        (STAY, "getOrder", put("totalPrice.amount", 200.0), "V4-ORDER-READ", "confirmOrder"),
        (STAY, "getOrder", put("passengers[0].name", "Charles"), "V4-ORDER-PASSENGERS-ECHO", "createOrder"),
        (STAY, "getReservation", put(f"{SECTION}.origin", "JFK"), "V4-RESERVATION-MATCHES-ORDER", "getOffer"),
        (STAY, "getReservation", put("pnr", "ZZZ999"), "V4-RESERVATION-MATCHES-ORDER", "findReservation"),
        (STAY[:3], "confirmOrder", None, "V4-CONFIRM-ONCE", "confirmOrder"),
        (
            TRIP[:1],
            "createRequests",
            put("requests[0].flight.departure_date", "2026-12-02 09:00:00"),
            "V23-REQUESTS-FLIGHT",
            "searchFlights",
        ),
        (
            TRIP[:2],
            "createBookings",
            put("bookings[0].flight.segments[0].duration", "09:00"),
            "V23-BOOKINGS-BOOK",
            "createRequests",
        ),
        (TRIP, "getBookings", put("bookings[0].total_price", 999), "V23-LOOK-UP", "createBookings"),
        (("createRequests", "cancelRequest"), "cancelRequest", None, "V3-CANCEL-PENDING", "cancelRequest"),
        (("createRequests", "cancelRequest"), "createBookings", None, "V3-BOOKINGS-CANCELLED", "cancelRequest"),
        # One exchange is wrong alone.
        (STAY[:2], "confirmOrder", put("totalPrice.currency", "EURO"), "V4-CURRENCY", ""),
    ],
)
def test_finding_names_the_earlier_exchange(
    before: tuple[str, ...], operation: str, change: Change | None, rule: str, source: str
) -> None:
    made = [exchange(each, name=each, after=number / 10) for number, each in enumerate(before)]
    assert (rule, source) in earlier(*made, exchange(operation, name="later", returned=change, after=1))


def test_memory_grows_by_the_id_of_an_exchange_only(contract: Contract) -> None:
    sizes = []
    for name in ("x", "x" * 1001):
        memory = InMemoryStore()
        made = exchange("createOrder", name=name, returned=put("id", RETURNED["createOrder"]["id"]))
        contract.judge(made, Conversation(memory))
        order = Conversation(memory).v4.order(RETURNED["createOrder"]["id"])
        assert order is not None
        assert order.shown_by == name
        sizes.append(len(pickle.dumps(order)))
    assert sizes[1] - sizes[0] in range(1000, 1010)
