"""The messages of rejections name what is expected, and never the value that was sent."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from airworthy.sandbox.faults import broken_rule
from airworthy.sandbox.http import schemas
from airworthy.sandbox.service.request_bodies import OPERATIONS, body_violations

SECURE = {"cryptogram": "canary", "version": "9", "electronic_commerce_indicator": "99", "transaction_id": "1"}


def messages(operation: str, body: object) -> dict[str, str]:
    return {each.pointer: each.message for _, each in body_violations(operation, body)}


def test_messages_name_what_is_expected() -> None:
    found = messages("confirmOrder", {"paymentMethod": {"card": True}, "payment_method": 1, "three_d_secure": SECURE})

    assert found["/three_d_secure/cryptogram"] == "expected 28 characters of base64 (20 bytes)"
    assert found["/three_d_secure/version"] == "expected one of 1.0.2, 2.1.0, 2.2.0"
    assert found["/payment_method"] == "expected a payment method id that begins with pm_, got a number"
    order = {"passengers": [{"gender": "canary", "title": 5, "number": "1"}], "paymentMethod": None}
    found = messages("createOrder", order)
    assert found["/passengers/0/gender"] == "expected one of MALE, FEMALE"
    assert found["/passengers/0/number"] == "expected an integer, got a string"
    assert found["/passengers/0/firstLastName"] == "missing; expected a string"
    assert found["/passengers/0/type"] == "missing; expected one of adult, child, infant"
    assert found["/paymentMethod"].endswith(", got null")
    found = messages("searchOffers", {"adults": 10, "outboundSegment": {"origin": {"code": "canary"}}})
    assert found["/adults"] == "expected an integer from 1 to 9"
    assert found["/outboundSegment/origin/code"] == "expected a 3-letter IATA airport or city code"
    assert messages("createOrder", []) == {"": "expected an object, got an array"}


def values(schema: Mapping[str, Any], pointer: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield pointer, schema
    for part in (*schema.get("allOf", ()), *([schema["then"]] if "then" in schema else [])):
        yield from values(part, pointer)
    for name, each in schema.get("properties", {}).items():
        if isinstance(each, Mapping):
            yield from values(each, f"{pointer}/{name}")
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), Mapping):
            yield from values(schema[name], f"{pointer}/*")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_documented_form_has_words(operation: str) -> None:
    silent = [
        (pointer, keyword)
        for pointer, schema in values(schemas.schema(OPERATIONS[operation]))
        for keyword in ("type", "enum", "const", "pattern", "minimum", "maximum", "minItems", "maxItems")
        if keyword in schema and not schemas.mismatch(schema, keyword, "canary")
    ]

    assert silent == []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_message_contains_what_was_sent(operation: str) -> None:
    schema = schemas.schema(OPERATIONS[operation])
    fields = schema.get("properties", {})
    for value in ("canary-4242424242424242", ["canary"], {"canary": "canary"}, 42424242, None, True):
        for body in (dict.fromkeys(fields, value), value, [value]):
            shown = json.dumps([each.message for _, each in body_violations(operation, body)])
            assert "canary" not in shown
            assert "42424242" not in shown


@pytest.mark.parametrize(
    ("rejection", "rule"),
    [
        ("birth-date-missing", "V4-ORDER-BIRTH-DATE"),
        ("createOrder:/passengers/*/gender:enum", "V4-ORDER-GENDER"),
        ("infants-over-adults@searchOffers", "V4-SEARCH-INFANTS"),
        ("infants-over-adults@getOffer", "V4-OFFER-INFANTS"),
        ("payment-rejected", "V4-CONFIRM-REJECTED"),
        ("path-unknown", ""),
        ("createOrder:/x:type", ""),
        ("nothing", ""),
    ],
)
def test_rejection_names_the_broken_rule(rejection: str, rule: str) -> None:
    assert broken_rule(rejection) == rule
