"""What two messages show of the same thing agrees, in the second of everything as in the first.

Every place of every response in conversations with two of everything is changed to another value, left out, set to
null, shortened and lengthened. What no rule notices is listed in `UNNOTICED` with its reason.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import orjson
import pytest

from airworthy.contract import Contract, Conversation, Exchange, InMemoryStore
from airworthy.contract.bodies.body import Json, Pointer
from unit.contract.allowed_mutations import AllowedMutation
from unit.contract.mutation_findings import Branch
from unit.contract.mutations import GONE, with_change
from unit.contract.pairs import CONVERSATIONS

Unnoticed = dict[tuple[str, str, str], None]

_NEXT = str.maketrans("ABCDEFGHabcdefgh0123456789", "BCDEFGHIbcdefghi1234567890")
_DAY = re.compile(r"(?<=\d{4}-\d\d-)\d\d")

_OFFERED = ("getOffer",)
_ORDERS = ("createOrder", "confirmOrder", "getOrder")
_RESERVED = ("findReservation",)
_REQUESTED = ("createRequests", "createRequestsV2")
_BOOKED = ("createBookings", "createBookingsV2")
_RETRIEVED = ("getBookings", "getBookingsV2")
_LOST = ("missing", "null")
_FEWER = ("emptied", "last missing", "last twice")
_ANY = ("other", *_LOST)


def _rows() -> Iterator[AllowedMutation]:
    def row(operations: Iterable[str], places: str, kinds: tuple[str, ...], reason: str) -> AllowedMutation:
        return AllowedMutation("response", operations, places, kinds, reason)

    shown = (*_OFFERED, *_ORDERS, *_RESERVED)
    yield row(shown, "*/technicalStops", _LOST, "may be left out (OPEN-01)")
    yield row(shown, "*Terminal", _ANY, "a terminal may be absent and may change (OPEN-48)")
    yield row(_OFFERED, "inboundSegment/sections*", _LOST, "the structure is open (OPEN-02)")
    yield row(
        (*_ORDERS, *_RESERVED), "*inboundSegment *inboundSegment/sections", _LOST, "may have another form (OPEN-02)"
    )
    yield row((*_OFFERED, *_ORDERS), "*/descriptor*", _LOST, "open where a bag has no limit (OPEN-62)")
    lists = "*providerIdentificationTypeOptions *providerRequiredAdditionalFields paymentOptions"
    yield row(_OFFERED, lists, _FEWER, "shown once; the number of items is open (OPEN-77)")
    yield row(_OFFERED, "*providerRequiredAdditionalFields/*", ("other",), "shown once; the names are open (OPEN-68)")
    yield row(_OFFERED, "paymentOptions/*/fee", _LOST, "may be left out (OPEN-36)")
    yield row(_OFFERED, "paymentOptions/*/fee/amount", ("other",), "how totals follow from fees is open (OPEN-61)")
    names = "secondLastName birthDate nationalityCountryCode middleName countryCodeOfResidence phone phone/*"
    optional = " ".join(f"passengers/*/{name}" for name in names.split())
    yield row((*_ORDERS, *_RESERVED), optional, _LOST, "optional, and its presence is open (OPEN-48)")
    yield row(("createOrder",), "*/pricePerPiece", _LOST, "on the item or on a selection (OPEN-44)")
    yield row(_RESERVED, "selectedBaggage/*", _LOST, "the items of a reservation's array are not shown")
    yield row(_RESERVED, "fare*", _LOST, "contents and presence are open (OPEN-04)")
    # v3 and v2
    yield row(_REQUESTED, "requests/*/cc_fee", ("other",), "a fraction or an amount (OPEN-82)")
    yield row(_REQUESTED, "requests/*/customer/*", _LOST, "details of a customer may be absent (OPEN-48)")
    yield row(_REQUESTED, "requests/*/id", ("other",), "any integer; the bookings name the other one")
    every = (*_REQUESTED, *_BOOKED, *_RETRIEVED)
    yield row(every, "*segments/*/duration", _LOST, "required in search results only")
    yield row(_REQUESTED, "*/via_airport *flight/infant_price", ("null",), "null if there is none")
    yield row(every, "*/available_seats", ("other",), "seats are sold meanwhile")
    options = "*flight/bags *flight/bags/checked *flight/bags/cabin *flight/luggage_options *flight/bags/cabin/*/weight"
    yield row(every, options, _LOST, "options of a flight may be left out (OPEN-81)")
    yield row(_BOOKED, "bookings", ("last missing",), "one of two may be booked (OPEN-97)")
    yield row((*_BOOKED, *_RETRIEVED), "*/gender", ("other",), "the values are open (OPEN-83)")
    yield row(_BOOKED, "*/address *country_code *postal_code", _LOST, "open (OPEN-93)")
    typeless = "*passengers/*/id *passengers/*/booking_id *passengers/*/created_at"
    yield row((*_BOOKED, *_RETRIEVED), typeless, ("null",), "the types are not documented")
    marks = "*/confirmed */confirmed_at */canceled */updated_at"
    yield row((*_BOOKED, *_RETRIEVED), marks, ("other", "null"), "changes with time")
    yield row(_BOOKED, "bookings/*/bags/* *bags_fee/* bookings/*/luggage/*", _LOST, "the form is not documented")
    yield row(_RETRIEVED, "bookings/*/type bookings/*/bags/*", _LOST, "shown by the second look only")
    yield row(_RETRIEVED, "*final_flight/id", ("other",), "may be another (OPEN-93)")
    costs = "price infant_price included_airport_tax cc_fee bags/*/price luggage_options/*/price"
    costs = " ".join(f"*final_flight/{each}" for each in costs.split())
    yield row(_RETRIEVED, costs, ("other", "null"), "what a flight costs by now is not documented")


UNNOTICED = tuple(_rows())


def other(value: Json) -> Json:
    """Return another value of the same form."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str) and _DAY.search(value):
        return _DAY.sub(lambda day: f"{int(day[0]) % 28 + 1:02}", value, count=1)
    return value.translate(_NEXT) if isinstance(value, str) else None


def places(value: Json, path: Pointer = ()) -> Iterator[tuple[Pointer, Json]]:
    yield path, value
    for key, below in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(below, (*path, key))


def mutants(body: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield the place, the kind and the body of each change."""
    for path, value in places(body):
        if not path:
            continue
        changes: dict[str, Json] = {}
        if isinstance(value, list) and value:
            changes = {"emptied": [], "last missing": value[:-1], "last twice": [*value, value[-1]]}
        elif not isinstance(value, dict | list) and other(value) not in (None, value):
            changes = {"other": other(value)}
        if isinstance(path[-1], str):
            changes["missing"] = GONE
            if value is not None:
                changes["null"] = None
        place = "/".join("*" if isinstance(part, int) else part for part in path)
        yield from ((place, kind, with_change(body, path, changed)) for kind, changed in changes.items())


def is_noticed(contract: Contract, store: InMemoryStore, exchanges: Iterable[Exchange]) -> bool:
    """Return whether a rule finds something in the responses of exchanges that continue a conversation."""
    conversation = Conversation(store)
    return any(each.side == "response" for made in exchanges for each in contract.judge(made, conversation))


@pytest.fixture(scope="module")
def unnoticed(whole_contract: Contract) -> Unnoticed:
    """Return the changes of the responses that no rule notices: the operation, the place, the kind."""
    found: Unnoticed = {}
    for conversation in CONVERSATIONS.values():
        trunk = InMemoryStore()
        for index, (operation, made) in enumerate(conversation):
            assert made.response is not None
            assert made.response.body is not None
            later = [each for _, each in conversation[index + 1 :]]
            for place, kind, body in mutants(orjson.loads(made.response.body)):
                changed = replace(made, response=replace(made.response, body=orjson.dumps(body)))
                if not is_noticed(whole_contract, Branch(trunk), [changed, *later]):
                    found[operation, place, kind] = None
            whole_contract.judge(made, Conversation(trunk))
    return found


@pytest.mark.parametrize("version", CONVERSATIONS)
def test_conforming_conversation_has_no_findings(whole_contract: Contract, version: str) -> None:
    assert not is_noticed(whole_contract, InMemoryStore(), [made for _, made in CONVERSATIONS[version]])


def test_change_is_noticed_or_its_reason_is_known(unnoticed: Unnoticed) -> None:
    unknown = [each for each in unnoticed if not any(row.fits("response", *each) for row in UNNOTICED)]
    assert unknown == [], "compare it in a line of AGREEMENTS, or add the reason to UNNOTICED"


def test_each_reason_is_needed(unnoticed: Unnoticed) -> None:
    unused = [row for row in UNNOTICED if not any(row.fits("response", *each) for each in unnoticed)]
    assert unused == [], "a rule notices what these allow"
