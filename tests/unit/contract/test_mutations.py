"""Each change to a conforming conversation is found, or explained by the documents and the open questions."""

from collections.abc import Iterator
from types import ModuleType

import orjson
import pytest

from airworthy.contract import Contract, Conversation, Exchange
from unit.contract import examples
from unit.contract.explained import EXPLAINED
from unit.contract.mutations import mutations
from unit.contract.v3 import v3_examples

BEFORE: dict[str, tuple[str, ...]] = {
    "getFares": ("getOffer",),
    "getBaggage": ("getOffer",),
    "createOrder": ("getOffer", "getBaggage"),
    "confirmOrder": ("getOffer", "createOrder"),
    "getOrder": ("getOffer", "createOrder", "confirmOrder"),
    "getReservation": ("getOffer", "createOrder", "confirmOrder"),
    "findReservation": ("getOffer", "createOrder", "confirmOrder"),
    "createRequests": ("searchFlights",),
    "cancelRequest": ("searchFlights", "createRequests"),
    "createBookings": ("searchFlights", "createRequests"),
    "getBookings": ("createRequests", "createBookings"),
    "createBookingsV2": ("createRequestsV2",),
    "getBookingsV2": ("createRequestsV2", "createBookingsV2"),
}
MESSAGES = [
    *(("request", operation) for operation in (*examples.POSTS, *v3_examples.POSTS)),
    *(("response", operation) for operation in (*examples.OPERATIONS, *v3_examples.OPERATIONS)),
]

Change = tuple[str, str, str, str]


def of(operation: str) -> ModuleType:
    return examples if operation in examples.OPERATIONS else v3_examples


def changed_messages(side: str, operation: str) -> Iterator[tuple[str, str, Exchange]]:
    module = of(operation)
    sent, returned = orjson.dumps(module.SENT.get(operation)), orjson.dumps(module.RETURNED[operation])
    for each in mutations((module.SENT if side == "request" else module.RETURNED)[operation]):
        body = orjson.dumps(each.value)
        both = (body, returned) if side == "request" else (sent if operation in module.SENT else b"", body)
        yield each.place, each.done, module.exchange(operation, sent=both[0], returned=both[1], name="changed")


def is_found(contract: Contract, side: str, operation: str, made: Exchange) -> bool:
    """Whether a change is more than a warning: in itself, or after what came before."""

    def against(conversation: Conversation | None) -> bool:
        return any(not finding.soft and finding.side == side for finding in contract.judge(made, conversation))

    if against(None):
        return True
    conversation = Conversation()
    for each in BEFORE.get(operation, ()):
        contract.judge(of(each).exchange(each, name=each), conversation)
    return against(conversation)


@pytest.fixture(scope="module")
def changes(whole_contract: Contract) -> dict[Change, bool]:
    """Every change, and whether it is found: side, operation, place, and what was done there."""
    found: dict[Change, bool] = {}
    for side, operation in MESSAGES:
        for place, done, made in changed_messages(side, operation):
            change = (side, operation, place, done)
            # Of two places in an array the one that says less counts.
            found[change] = is_found(whole_contract, side, operation, made) and found.get(change, True)
    return found


def test_a_change_is_found_or_explained(changes: dict[Change, bool]) -> None:
    not_found = [change for change, found in changes.items() if not found]
    assert [change for change in not_found if not any(each.fits(*change) for each in EXPLAINED)] == []


def test_nothing_is_explained_that_is_found(changes: dict[Change, bool]) -> None:
    found = [change for change, is_found in changes.items() if is_found]
    assert [change for change in found if any(each.fits(*change) for each in EXPLAINED)] == []


def test_every_explanation_is_needed(changes: dict[Change, bool]) -> None:
    assert [each.why for each in EXPLAINED if not any(each.fits(*change) for change in changes)] == []
