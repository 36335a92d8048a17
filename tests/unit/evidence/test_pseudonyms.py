"""Pseudonyms for each kind of sensitive value."""

import re
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airworthy.contract.bodies.card_numbers import holds_card_number
from airworthy.evidence.pseudonyms import Pseudonyms

PSEUDONYMS = Pseudonyms(b"k" * 32)


@pytest.mark.parametrize(
    ("kind", "value", "shape"),
    [
        ("name", "Anna-María O'Neil", r"[A-Z][a-z]{3}-[A-Z][a-z]{2}[à-ý][a-z] [A-Z]'[A-Z][a-z]{3}"),
        ("name", "Пётр", r"[À-Ý][à-ý]{3}"),
        ("name", "Zoë 42\u0663", r"[A-Z][a-z][à-ý] [0-9]{2}[^0-9a-z]"),
        ("name", "X", r"[A-WYZ]"),
        ("email", "anna@agency.example", r"[a-z]{4}@[a-z]{6}\.[a-z]{7}"),
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
        ("birth-date", "1987-06-05T10:00:00", r"1987-06-(0[1-46-9]|1\d|2[0-8])[A-Z]\d\d:\d\d:\d\d"),
        ("birth-date", "1987-02-30", r"1987-02-31"),
        ("birth-date", "1987-13-07", r"1987-02-30"),
        ("birth-date", "5th of June", r"\d[a-z]{2} [a-z]{2} [A-Z][a-z]{3}"),
        ("card", "4242 4242 4242 4242", r"9999 9999 9999 9999"),
        ("card", "378282246310005", r"9{15}"),
        ("card", "04", r"12"),
        ("card", "4", r"9"),
        ("card", "13", r"99"),
        ("card", "2031", r"9999"),
        ("customer-code", "ACME", r"[A-Z]{4}"),
        ("payment-reference", "pm_1Nxyz", r"pm_\d[A-Z][a-z]{3}"),
        ("payment-reference", "pi_1Nxyz_secret_42ab", r"pi_\d[A-Z][a-z]{3}_[a-z]{6}_\d\d[a-z]{2}"),
        ("transaction-id", "c0ffee00-1234-4123-8123-123456789012", r"[0-9a-f]{4}[a-f0-9]{4}-\d{4}-\d{4}-\d{4}-\d{12}"),
        ("transaction-id", "9d1c-AA", r"\d[a-z]\d[a-z]-[A-Z]{2}"),
        ("a kind of tomorrow", "Ab-12", r"[A-Z][a-z]-\d\d"),
    ],
)
def test_pseudonym_keeps_the_form_of_its_kind(kind: str, value: str, shape: str) -> None:
    made = PSEUDONYMS.text(value, kind)
    assert re.fullmatch(shape, made)
    assert made == PSEUDONYMS.text(value, kind)
    assert made == Pseudonyms(b"k" * 32).text(value, kind)
    if kind != "card":
        assert made != value
        others = {Pseudonyms(bytes([number]) * 32).text(value, kind) for number in range(8)}
        assert len(others) > 1 or kind == "birth-date"


def test_secret_does_not_show_its_length() -> None:
    assert re.fullmatch(r"redacted-[0-9a-f]{8}", PSEUDONYMS.secret("sk-canary-4d1f9a77"))
    assert PSEUDONYMS.secret("") == ""


@pytest.mark.parametrize("value", [7, 1234567, -12.5, 0.001, 1e22, 1.7e308, -(10**30)])
def test_number_keeps_its_type_and_sign(value: float) -> None:
    made = PSEUDONYMS.number(value)
    assert type(made) is type(value)
    assert (made < 0) == (value < 0)
    assert made != value
    assert abs(made) < float("inf")


@pytest.mark.parametrize("time", ["T00:00:00", "T23:59:59.123Z", " 08:30", "T08:30:00+02:00"])
def test_time_after_a_date_stays_valid(time: str) -> None:
    made = PSEUDONYMS.text(f"1987-06-05{time}", "birth-date")
    assert datetime.fromisoformat(made)
    assert len(made) == len(f"1987-06-05{time}")
    assert not made.startswith("1987-06-05")


def test_value_has_one_pseudonym_in_every_form() -> None:
    year, month, day = PSEUDONYMS.text("1987-06-05", "birth-date").split("-")
    assert PSEUDONYMS.text("05/06/1987", "birth-date") == f"{day}/{month}/{year}"
    assert PSEUDONYMS.text("14000004397775") == str(PSEUDONYMS.number(14000004397775))
    assert PSEUDONYMS.text("ANNA", "name") == PSEUDONYMS.text("Anna", "name").upper()
    assert PSEUDONYMS.text("A@b.example", "email").lower() == PSEUDONYMS.text("a@b.example", "email")
    for card in (4242424242424242, 4242424242424242.0):
        assert PSEUDONYMS.number(card) == 9999999999999999
        assert holds_card_number(PSEUDONYMS.number(card))
    # A lone surrogate can be written.
    assert PSEUDONYMS.text("a\ud800b").encode()


@given(st.dates(min_value=date(1900, 1, 1)))
def test_date_stays_a_date_of_its_month(day: date) -> None:
    made = date.fromisoformat(PSEUDONYMS.text(day.isoformat(), "birth-date"))
    assert (made.year, made.month) == (day.year, day.month)
    assert made != day


@given(st.sampled_from(("name", "email", "birth-date")), st.text(min_size=1))
def test_pseudonym_is_neither_the_value_nor_a_card_number(kind: str, value: str) -> None:
    made = PSEUDONYMS.text(value, kind)
    assert holds_card_number(made) == holds_card_number(value)
    assert len(made) == len(value)
    if any(character.isalpha() or character.isdecimal() for character in value):
        assert made != value
