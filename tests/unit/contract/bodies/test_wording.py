"""How messages show values: verbatim if they are public, otherwise by kind and size."""

import pytest

from airworthy.contract.bodies import wording
from airworthy.contract.schema.compiled_schema import CompiledSchema
from airworthy.documents.wording import one_of, types


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (0, "0"),
        (1.5, "1.5"),
        (4242424242424242, "a number"),
        ("MADR", '"MADR"'),
        ("IB12", '"IB12"'),
        ("", '""'),
        ("2027-03-14T10:00:00+02:00", '"2027-03-14T10:00:00+02:00"'),
        ("14/03/2027 10:00", '"14/03/2027 10:00"'),
        ("20270314", '"20270314"'),
        ("12345", '"12345"'),
        ("2.3.1", '"2.3.1"'),
        ("not-a-uuid", '"not-a-uuid"'),
        ("card_airworthy", '"card_airworthy"'),
        ("MULTI_CITY", '"MULTI_CITY"'),
        ("text/html", '"text/html"'),
        ("f25084f0-5b16-4c0a-ae5d-b24808a95e4b", '"f25084f0-5b16-4c0a-ae5d-b24808a95e4b"'),
        ("Ada Lovelace", "a string of 12 characters"),
        ("Ada", "a string of 3 characters"),
        ("€", "a string of 1 character"),
        ("ada@example.com", "a string of 15 characters"),
        ("600123456", "a string of 9 characters"),
        ("XDA123456", "a string of 9 characters"),
        ("pm_1AbC", "a string of 7 characters"),
        ("sk_live_1", "a string of 9 characters"),
        ("4242424242424242", "a string of 16 characters"),
        ("x\ny", "a string of 3 characters"),
        ("<b>", "a string of 3 characters"),
        ("a" * 50, "a string of 50 characters"),
        ([1, 2], "an array of 2 items"),
        ({"a": 1}, "an object"),
    ],
)
def test_shown_value(value: object, text: str) -> None:
    assert wording.shown(value) == text


@pytest.mark.parametrize("value", ["MAD", 7, "1990-12-10"])
def test_private_value_is_not_shown(value: object) -> None:
    assert str(value) not in wording.shown(value, private="name")


def test_unsafe_names_are_replaced_in_pointers() -> None:
    assert (
        wording.pointer(["bags", "812345", "segment_1_airline_iata_code"]) == "/bags/812345/segment_1_airline_iata_code"
    )
    assert wording.pointer(["bags", "600123456", "segment_1_"]) == "/bags/?/segment_1_"
    assert wording.pointer(["a", 0, "card[number]"]) == "/a/0/card[number]"
    assert wording.pointer(["ada@example.com", "4242424242424242", "a/b", "x" * 61]) == "/?/?/?/?"


@pytest.mark.parametrize(("noun", "text"), [("order", "an order"), ("search", "a search")])
def test_indefinite_article(noun: str, text: str) -> None:
    assert wording.with_article(noun) == text


def test_enumeration_of_values_and_types() -> None:
    assert one_of(["EUR"]) == "EUR"
    assert one_of(["A", "B"]) == "one of A, B"
    assert types(["string", "null"]) == "a string or null"


def test_a_text_that_is_too_long_is_expected_to_be_shorter() -> None:
    [defect] = CompiledSchema({"type": "string", "maxLength": 3, "title": "name"}).defects("Ada Lovelace")

    assert defect.message == "a name is a string of 12 characters, not at most 3 characters"
