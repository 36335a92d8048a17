"""The contract counts how often it applies each rule."""

import json
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from airworthy.contract import Contract, Conversation
from airworthy.contract.bodies.applications import Applications, SchemaRules, has_content
from airworthy.contract.http.exchange import Exchange, Request, Response
from airworthy.contract.rules.coded_rules import CODED_RULES
from unit.contract.work import count_calls

SCHEMA = {
    "type": "object",
    "required": ["flights"],
    "x-rule": "ALL",
    "properties": {
        "flights": {
            "type": "array",
            "items": {
                "properties": {
                    "price": {"type": ["number", "null"], "x-rule": "PRICE"},
                    "changes": {"type": ["array", "null"], "x-rule": "CHANGES"},
                    "status": {"enum": ["OPEN", "BOOKED"], "x-rule": "STATUS"},
                },
                "if": {"required": ["status"], "properties": {"status": {"const": "BOOKED"}}},
                "then": {"required": ["reservation"], "x-rule": "RESERVATION"},
                "else": {"not": {"required": ["reservation"]}, "x-rule": "NO-RESERVATION"},
            },
        }
    },
}


@pytest.mark.parametrize(
    ("flights", "expected"),
    [
        ([], {}),
        ([{"price": None, "changes": None}], {"ALL": 2}),
        ([{"price": 0, "changes": []}], {"ALL": 2, "PRICE": 1, "NO-RESERVATION": 1}),
        ([{"changes": [{}]}], {"ALL": 2, "CHANGES": 1, "NO-RESERVATION": 1}),
        ([{"status": "BOOKED"}, {"status": "OPEN"}], {"ALL": 2, "STATUS": 2, "RESERVATION": 1, "NO-RESERVATION": 1}),
    ],
)
def test_schema_rule_is_applied_to_each_value(flights: list[Any], expected: dict[str, int]) -> None:
    applied = Applications()

    SchemaRules.of(SCHEMA).count({"flights": flights}, applied)

    assert applied == Counter(expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, False), ({}, False), ([], False), ({"a": {"b": None}}, False), ({"a": None, "b": [None]}, True), (0, True)],
)
def test_value_without_content(value: object, *, expected: bool) -> None:
    assert has_content(value) is expected


def test_counting_does_not_walk_through_undocumented_members() -> None:
    rules = SchemaRules.of(SCHEMA)
    value = {"flights": [], "undocumented": [{"price": number} for number in range(1000)]}

    assert count_calls(lambda: rules.count(value, Applications())) < 100


def test_coded_rule_is_applied_to_its_subjects() -> None:
    searched = json.dumps({"results": [{"id": 1}, {"id": 2}], "next_page_id": None}).encode()

    assert _applied("GET", "/v3/flights?origin=MAD&destination=FCO", searched)["V23-FLIGHTS-ROUTE"] == 2


@pytest.mark.parametrize("changes", [None, [], [{"status": "SEEN", "data": {}}]])
def test_schedule_change_rule_is_not_applied_without_a_schedule_change(changes: list[Any] | None) -> None:
    retrieved = json.dumps({"bookings": [{"id": 1, "flight_changes": changes}]}).encode()

    applied = _applied("GET", "/v3/bookings?cp_reference=ABC123", retrieved)

    assert bool(applied["V23-FLIGHT-CHANGES"]) is bool(changes)
    assert applied["V23-LOOK-UP"]


def test_offer_rule_is_not_applied_to_an_empty_search() -> None:
    assert not _applied("POST", "/v4/search", b'{"offers": []}')["V4-SEARCH-OFFERS"]


def test_counting_does_not_change_the_findings() -> None:
    contract, exchange = Contract.load(("v2", "v3", "v4")), _exchange("POST", "/v4/search", b'{"offers": [{}]}')

    counted = contract.judge(exchange, Conversation(), Applications())

    assert counted == contract.judge(exchange, Conversation())


def test_only_response_rules_have_subjects() -> None:
    assert ("request", False) not in {(rule.side, rule.about is None) for rule in CODED_RULES}


def _applied(method: str, path: str, body: bytes) -> Applications:
    applied = Applications()
    Contract.load(("v2", "v3", "v4")).judge(_exchange(method, path, body), Conversation(), applied)
    return applied


def _exchange(method: str, path: str, body: bytes) -> Exchange:
    request = Request(method, f"https://api.example{path}", (("Authorization", "Bearer key"),))
    response = Response(200, (("Content-Type", "application/json"),), body)
    return Exchange("x1", datetime(2026, 3, 1, tzinfo=UTC), 0.1, request, response)
