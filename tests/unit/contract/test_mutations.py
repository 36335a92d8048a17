"""The contract finds each mutation of a conforming conversation, unless the documents allow it."""

from collections.abc import Iterator
from types import ModuleType

import orjson
import pytest

from airworthy.contract import Contract, Conversation, Exchange
from unit.contract import examples
from unit.contract.allowed_mutations import ALLOWED
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
        yield each.place, each.kind, module.exchange(operation, sent=both[0], returned=both[1], name="changed")


def is_found(contract: Contract, side: str, operation: str, made: Exchange) -> bool:
    """Whether a changed exchange has a finding that does not only warn, alone or after earlier exchanges."""

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
    """Map every mutation (side, operation, place, kind) to whether it is found."""
    found: dict[Change, bool] = {}
    for side, operation in MESSAGES:
        for place, kind, made in changed_messages(side, operation):
            change = (side, operation, place, kind)
            # A mutation counts as found only if it is found at each position of an array.
            found[change] = is_found(whole_contract, side, operation, made) and found.get(change, True)
    return found


def test_mutation_is_found_or_allowed(changes: dict[Change, bool]) -> None:
    not_found = [change for change, found in changes.items() if not found]
    assert [change for change in not_found if not any(each.fits(*change) for each in ALLOWED)] == []


def test_allowed_mutations_have_no_findings(changes: dict[Change, bool]) -> None:
    found = [change for change, is_found in changes.items() if is_found]
    assert [change for change in found if any(each.fits(*change) for each in ALLOWED)] == []


def test_every_allowed_mutation_exists(changes: dict[Change, bool]) -> None:
    assert [each.reason for each in ALLOWED if not any(each.fits(*change) for change in changes)] == []
