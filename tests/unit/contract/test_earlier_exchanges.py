"""Findings of rules on several exchanges name the exchange that showed what the later one contradicts."""

import pickle
from functools import partial

import pytest

from airworthy.contract import Contract, Conversation, Exchange, InMemoryStore
from unit.contract.all_examples import exchange
from unit.contract.examples import RETURNED, put
from unit.contract.judging import shown
from unit.contract.v3 import v3_examples as trips

SECTION = "outboundSegment.sections[0]"
OTHER_ID = "c7a1b2d3-1c2b-4d5e-8f90-000000000001"


earlier = partial(shown, "rule earlier")


def conversation_of(*operations: str) -> list[Exchange]:
    """Return conforming exchanges of v4, each with its operation as its id."""
    return [exchange(each, name=each, after=number / 10) for number, each in enumerate(operations)]


@pytest.mark.parametrize(
    ("operation", "place", "value", "rule", "source"),
    [
        ("createOrder", f"offer.{SECTION}.destination", "JFK", "V4-ORDER-OFFER", "getOffer"),
        ("getOrder", "totalPrice.amount", 200.0, "V4-ORDER-READ", "confirmOrder"),
        ("getOrder", "passengers[0].name", "Charles", "V4-ORDER-PASSENGERS-ECHO", "createOrder"),
        ("getReservation", f"{SECTION}.origin", "JFK", "V4-RESERVATION-MATCHES-ORDER", "getOffer"),
        ("getReservation", "pnr", "ZZZ999", "V4-RESERVATION-MATCHES-ORDER", "findReservation"),
    ],
)
def test_earlier_exchange_of_v4(operation: str, place: str, value: object, rule: str, source: str) -> None:
    before = ["getOffer", "createOrder", "confirmOrder", "findReservation"]
    made = conversation_of(*before[: 1 if operation == "createOrder" else 4])
    later = exchange(operation, name="later", returned=put(place, value), after=1)
    assert (rule, source) in earlier(*made, later)
    assert earlier(*made, exchange(operation, name="later", after=1)) == []


def test_earlier_exchange_of_a_request() -> None:
    made = conversation_of("getOffer", "createOrder", "confirmOrder")
    again = exchange("confirmOrder", name="again", after=1)
    assert ("V4-CONFIRM-ONCE", "confirmOrder") in earlier(*made, again)


@pytest.mark.parametrize(
    ("operation", "place", "value", "rule", "source"),
    [
        ("createBookings", "bookings[0].flight.segments[0].duration", "09:00", "V23-BOOKINGS-BOOK", "createRequests"),
        ("getBookings", "bookings[0].total_price", 999, "V23-LOOK-UP", "createBookings"),
        ("createRequests", "requests[0].flight.departure_date", "2026-12-02 09:00:00", "V23-REQUESTS-FLIGHT", "search"),
    ],
)
def test_earlier_exchange_of_v3(operation: str, place: str, value: object, rule: str, source: str) -> None:
    before = [("searchFlights", "search"), ("createRequests", "createRequests"), ("createBookings", "createBookings")]
    names = [name for name, _ in before]
    count = names.index(operation) if operation in names else len(before)
    made = [trips.exchange(each, name=name) for each, name in before[:count]]
    later = trips.exchange(operation, name="later", returned=put(place, value), after=1)
    assert (rule, source) in earlier(*made, later)


def test_earlier_exchange_is_the_one_that_ended_a_booking_request() -> None:
    made = [trips.exchange(each, name=each) for each in ("createRequests", "cancelRequest")]
    for operation in ("cancelRequest", "createBookings"):
        assert "cancelRequest" in dict(earlier(*made, trips.exchange(operation, name="later", after=1))).values()


def test_finding_on_one_exchange_has_no_earlier_one() -> None:
    made = conversation_of("getOffer", "createOrder")
    wrong = exchange("confirmOrder", name="later", returned=put("totalPrice.currency", "EURO"), after=1)
    assert {source for _, source in earlier(*made, wrong)} == {""}


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
