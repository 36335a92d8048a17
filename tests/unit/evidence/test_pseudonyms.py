"""Pseudonyms: a replacement for each kind of private value."""

import base64
import re
from datetime import date

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airworthy.contract.card_numbers import holds_card_number
from airworthy.evidence import Pseudonyms
from airworthy.evidence.pseudonyms import KINDS
from airworthy.evidence.sensitive_names import _objects
from airworthy.resources import resource

PSEUDONYMS = Pseudonyms(b"k" * 32)
CRYPTOGRAM = base64.b64encode(bytes(range(20))).decode()


@pytest.mark.parametrize(
    ("kind", "value", "shape"),
    [
        ("name", "Anna-María O'Neil", r"[A-Z][a-z]{3}-[A-Z][a-z]{2}[à-ý][a-z] [A-Z]'[A-Z][a-z]{3}"),
        ("name", "Пётр", r"[À-Ý][à-ý]{3}"),
        ("name", "Zoë 42\u0663", r"[A-Z][a-z][à-ý] [0-9]{2}[^0-9a-z]"),
        ("name", "X", r"[A-WYZ]"),
        ("email", "anna@agency.example", r"u[0-9a-f]{12}@example\.invalid"),
        ("email", "not an address", r"[a-z]{3} [a-z]{2} [a-z]{7}"),
        ("phone", "+34 600 123 456", r"\+\d\d \d{3} \d{3} \d{3}"),
        ("document-number", "X1234567L", r"[A-Z]\d{7}[A-Z]"),
        ("address", "Calle Mayor 12, 3º", r"[A-Z][a-z]{4} [A-Z][a-z]{4} \d\d, \d[à-ý]"),
        ("country", "ES", r"[A-Z]{2}"),
        ("country", "ESP", r"[A-Z]{3}"),
        ("booking-reference", "AB12CD", r"[A-Z]{2}\d\d[A-Z]{2}"),
        ("security-code", "123", r"\d{3}"),
        ("birth-date", "1987-06-05", r"1987-06-(0[1-46-9]|1\d|2[0-8])"),
        ("birth-date", "05.06.1987", r"(0[1-46-9]|1\d|2[0-8])\.06\.1987"),
        ("birth-date", "1987-06-05T10:00:00", r"1987-06-(0[1-46-9]|1\d|2[0-8])T10:00:00"),
        ("birth-date", "1987-02-30", r"1987-02-31"),
        ("birth-date", "1987-13-07", r"1987-02-30"),
        ("birth-date", "5th of June", r"\d[a-z]{2} [a-z]{2} [A-Z][a-z]{3}"),
        ("card", "4242 4242 4242 4242", r"9999 9999 9999 9999"),
        ("card", "378282246310005", r"9{15}"),
        ("card", "04", r"12"),
        ("card", "4", r"9"),
        ("card", "13", r"99"),
        ("card", "2031", r"9999"),
        ("secret", "sk-canary-4d1f9a77", r"redacted-[0-9a-f]{8}"),
        ("secret", "Bearer sk-canary-4d1f9a77", r"Bearer redacted-[0-9a-f]{8}"),
        ("secret", "two words", r"redacted-[0-9a-f]{8}"),
        ("customer-code", "ACME", r"[A-Z]{4}"),
        ("payment-reference", "pm_1Nxyz", r"pm_redacted[0-9a-f]{16}"),
        ("payment-reference", "pi_1Nxyz_secret_42ab", r"[a-z]{2}_\d[A-Z][a-z]{3}_[a-z]{6}_\d\d[a-z]{2}"),
        ("transaction-id", "9d1c-AA", r"\d[a-z]\d[a-z]-[A-Z]{2}"),
        ("a kind of tomorrow", "Ab-12", r"[A-Z][a-z]-\d\d"),
    ],
)
def test_pseudonym_keeps_the_form_of_its_kind(kind: str, value: str, shape: str) -> None:
    made = PSEUDONYMS.text(kind, value)
    assert re.fullmatch(shape, made)
    assert made == PSEUDONYMS.text(kind, value)
    assert made == Pseudonyms(b"k" * 32).text(kind, value)
    if kind != "card":
        assert made != value
        others = {Pseudonyms(bytes([number]) * 32).text(kind, value) for number in range(8)}
        assert len(others) > 1 or kind == "birth-date"


def test_pseudonym_of_a_cryptogram_is_base64_of_the_same_length() -> None:
    made = PSEUDONYMS.text("cryptogram", CRYPTOGRAM)
    assert len(base64.b64decode(made, validate=True)) == 20
    assert made != CRYPTOGRAM
    assert len(PSEUDONYMS.text("cryptogram", "short!")) == 6


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("value", [1234567, -12.5, True, None, "", [], {}, ["Anna", 7], {"first": "Anna"}])
def test_pseudonym_keeps_the_type_of_the_value(kind: str, value: object) -> None:
    def types(each: object) -> object:
        match each:
            case dict():
                return {name: types(item) for name, item in each.items()}
            case list():
                return [types(item) for item in each]
        return type(each)

    made = PSEUDONYMS.of(kind, value)
    assert types(made) == types(value)
    if value in (True, None, "", [], {}):
        assert made == value
    else:
        assert made != value


def test_pseudonym_keeps_letter_case() -> None:
    assert PSEUDONYMS.text("name", "ANNA") == PSEUDONYMS.text("name", "Anna").upper()
    assert PSEUDONYMS.text("email", "A@b.example").lower() == PSEUDONYMS.text("email", "a@b.example")


def test_pseudonym_of_a_date_is_the_same_in_each_format() -> None:
    year, month, day = PSEUDONYMS.text("birth-date", "1987-06-05").split("-")
    assert PSEUDONYMS.text("birth-date", "05/06/1987") == f"{day}/{month}/{year}"


@given(st.dates(min_value=date(1900, 1, 1)))
def test_pseudonym_of_a_date_is_in_the_same_month(day: date) -> None:
    made = date.fromisoformat(PSEUDONYMS.text("birth-date", day.isoformat()))
    assert (made.year, made.month) == (day.year, day.month)
    assert made != day


@given(st.sampled_from(sorted(KINDS - {"payment-reference", "card"})), st.text(min_size=1))
def test_pseudonym_differs_from_the_value_and_is_not_a_card_number(kind: str, value: str) -> None:
    made = PSEUDONYMS.text(kind, value)
    assert not holds_card_number(made)
    if any(character.isalpha() or character.isdecimal() for character in value):
        assert made != value


def test_every_kind_in_the_schemas_has_a_pseudonym() -> None:
    used = {
        schema["x-sensitive"]
        for file in resource("schemas").rglob("*.json")
        for schema in _objects(orjson.loads(file.read_bytes()))
        if "x-sensitive" in schema
    }
    assert used <= KINDS


def test_memory_of_pseudonyms_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("airworthy.evidence.pseudonyms._REMEMBERED", 3)
    pseudonyms = Pseudonyms()
    first = pseudonyms.text("name", "Anna")
    for number in range(10):
        pseudonyms.text("document-number", str(number))
    assert len(pseudonyms._known) <= 3
    assert pseudonyms.text("name", "Anna") == first
