"""Findings on two messages show both values, unless anything in them may be private."""

from functools import partial
from itertools import cycle

import orjson
import pytest

from airworthy.contract import Contract, Conversation, InMemoryStore
from airworthy.contract.schema.known_members import KnownMembers
from exchange_parts import changed_response, response_of
from unit.contract.examples import exchange, put, section
from unit.contract.judging import shown
from unit.contract.mutation_findings import Branch
from unit.contract.mutations import places, with_change
from unit.contract.pairs import CONVERSATIONS

HIDDEN = ("the value in the one shown before", "another value")
RECORD = "bookings[0].passengers[0]"
SECTIONS = "offer.outboundSegment.sections"
EARLY = "2035-03-14 09:00:00"
PRIVATE = ("Ada Lovelace", "ada@example.com", "XDA123456", "tok_4eC39HqLyjWDarjtT1zdp7dc", "600123456")


values = partial(shown, "expected actual")


@pytest.mark.parametrize(
    ("before", "operation", "place", "value", "expected"),
    [
        ("getOffer", "createOrder", f"{SECTIONS}[0].flightNumber", "77", ('"9397"', '"77"')),
        ("getOffer", "createOrder", SECTIONS, [section(), section()], ("1", "2")),
        ("searchFlights", "searchFlights", "results[0].origin.iata_code", "BCN", ('"MAD"', '"BCN"')),
        ("searchFlights", "searchFlights", "results[0].departure_date", EARLY, ('"2035-03-14 06:35:00"', f'"{EARLY}"')),
        ("createBookings", "getBookings", "bookings[0].total_price", 999, ("124.56", "999")),
        ("createBookings", "getBookings", f"{RECORD}.id", 7, ("900001", "7")),
        ("createBookings", "getBookings", f"{RECORD}.last_name", "BABBAGE", HIDDEN),
        ("createBookings", "getBookings", f"{RECORD}.first_name", "Charles", HIDDEN),
        ("createBookings", "getBookings", f"{RECORD}.date_of_birth", "1971-12-26", HIDDEN),
        ("createBookings", "getBookings", "bookings[0].email", "charles@example.com", HIDDEN),
        ("createBookings", "getBookings", "bookings[0].flight.origin.city_name", "Lovelace", HIDDEN),
    ],
)
def test_values_of_two_messages_are_shown_if_they_are_public(
    before: str, operation: str, place: str, value: object, expected: tuple[str, str]
) -> None:
    later = exchange(operation, returned=put(place, value), name="later", after=1)
    assert expected in values(exchange(before), later)


@pytest.mark.parametrize("version", CONVERSATIONS)
def test_private_value_is_not_in_a_finding_on_a_later_message(whole_contract: Contract, version: str) -> None:
    trunk, private = InMemoryStore(), cycle(PRIVATE)
    for index, (_, made) in enumerate(CONVERSATIONS[version]):
        body = orjson.loads(response_of(made).body or b"")
        for path in (path for path, value in places(body) if isinstance(value, str)):
            conversation, value = Conversation(Branch(trunk)), next(private)
            wrong = changed_response(made, body=orjson.dumps(with_change(body, path, value)))
            for each in (wrong, *(later for _, later in CONVERSATIONS[version][index + 1 :])):
                assert value not in repr(whole_contract.judge(each, conversation)), path
        whole_contract.judge(made, Conversation(trunk))


def test_value_is_shown_only_where_nothing_is_private() -> None:
    schema = {
        "properties": {
            "code": {"type": "string", "pattern": "^[A-Z]+$"},
            "status": {"type": "string", "enum": ["OPEN"]},
            "text": {"type": "string"},
            "public": {"type": "string", "x-public": "text"},
            "number": {"type": "number"},
            "secret": {"x-sensitive": "secret", "properties": {"code": {"type": "string", "enum": ["OPEN"]}}},
            "holder": {"properties": {"name": {"type": "string", "x-sensitive": "name"}}},
            "list": {"items": {"type": "boolean"}},
            "any": {},
        }
    }
    known = KnownMembers.of(schema)
    shown = {
        (("code",), "MAD"): '"MAD"',
        (("code",), "M" * 78): f'"{"M" * 78}"',
        (("code",), "M" * 79): "",
        (("status",), "OPEN"): '"OPEN"',
        (("text",), "OPEN"): "",
        (("public",), "2026-11-02T10:00:00Z"): '"2026-11-02T10:00:00Z"',
        (("public",), "Ada"): "",
        (("number",), 1.5): "1.5",
        (("number",), 4242424242424242): "",
        (("list", 0), True): "true",
        (("secret", "code"), "OPEN"): "",
        (("holder",), "OPEN"): "",
        (("any",), 7): "",
        (("unknown",), 7): "",
        (("unknown", "code"), "OPEN"): "",
    }
    assert {each: known.words(*each) for each in shown} == shown
    assert known.words(("list",), [True]) == known.words((), {}) == known.words(("code",), None) == ""
