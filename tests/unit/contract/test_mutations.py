"""The contract finds each mutation of a conforming conversation, unless the documents allow it."""

from collections.abc import Iterator

import orjson
import pytest

from airworthy.contract import Contract, Conversation, Exchange
from unit.contract.all_examples import RETURNED, SENT, exchange
from unit.contract.allowed_mutations import ALLOWED
from unit.contract.mutations import mutations

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
MESSAGES = [*(("request", operation) for operation in SENT), *(("response", operation) for operation in RETURNED)]

Change = tuple[str, str, str, str]


def changed_messages(side: str, operation: str) -> Iterator[tuple[str, str, Exchange]]:
    changed_body, bodies = ("sent", SENT) if side == "request" else ("returned", RETURNED)
    for each in mutations(bodies[operation]):
        made = exchange(operation, name="changed", **{changed_body: orjson.dumps(each.value)})
        yield each.place, each.kind, made


def is_found(contract: Contract, side: str, operation: str, made: Exchange) -> bool:
    """Whether a changed exchange has a finding that does not only warn, alone or after earlier exchanges."""

    def against(conversation: Conversation | None) -> bool:
        return any(not finding.soft and finding.side == side for finding in contract.judge(made, conversation))

    if against(None):
        return True
    conversation = Conversation()
    for each in BEFORE.get(operation, ()):
        contract.judge(exchange(each, name=each), conversation)
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
    missed = [change for change in not_found if not any(each.fits(*change) for each in ALLOWED)]
    assert missed == [], "check it in the contract, or add it with its reason to allowed_mutations.py"


def test_allowed_mutations_have_no_findings(changes: dict[Change, bool]) -> None:
    found = [change for change, is_found in changes.items() if is_found]
    wrong = [change for change in found if any(each.fits(*change) for each in ALLOWED)]
    assert wrong == [], "a rule finds it: narrow its entry in allowed_mutations.py, or correct the rule"


def test_every_allowed_mutation_exists(changes: dict[Change, bool]) -> None:
    unused = [each for each in ALLOWED if not any(each.fits(*change) for change in changes)]
    assert unused == [], "remove it from allowed_mutations.py"
