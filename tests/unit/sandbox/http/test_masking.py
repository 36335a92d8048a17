"""What the terminal and the dashboard show of requests: without credentials, card data and invisible characters."""

import json

import pytest

from airworthy.sandbox.http.masking import LONGEST_BODY, MASK, masked, shown_body, shown_header, shown_query

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("card 4242424242424242.", f"card {MASK}."),
        ("4242 4242-4242 4242", MASK),
        ("\uff14\uff12" * 8, MASK),
        ("4242424242424241", "4242424242424241"),
        ("710f2ae2-87e5-420c-949c-873072746d15", "710f2ae2-87e5-420c-949c-873072746d15"),
        ("Bearer abc.def", f"Bearer {MASK}"),
        ("with sk_live_abc and rk_test_sandbox_first", f"with {MASK} and {MASK}"),
        ("test-key-first-6f1f0c52", MASK),
        ("pi_1_secret_2", MASK),
        ("a\r\nb\x1b[31m\u202e\u2028", "a\\u000d\\u000ab\\u001b[31m\\u202e\\u2028"),
        ("é España", "é España"),
        ("x" * 400, "x" * 300 + "…"),
    ],
)
def test_text_is_masked_and_made_visible(text: str, expected: str) -> None:
    assert masked(text) == expected


def test_card_number_is_masked_even_where_the_text_is_cut() -> None:
    assert "4242" not in masked("x" * 290 + " 4242424242424242")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("authorization", "test-key-first-6f1f0c52", MASK),
        ("authorization", "Bearer x", f"Bearer {MASK}"),
        ("authorization", "4242 x", MASK),
        ("content-type", "text/html\x00", "text/html\\u0000"),
    ],
)
def test_headers_are_masked(name: str, value: str, expected: str) -> None:
    assert shown_header(name, value) == expected


def test_query_is_masked() -> None:
    shown = shown_query("origin=MAD&api_key=canary&access_token=canary&card[number]=canary&n=4242424242424242&a=%0d")

    assert shown == f"origin=MAD&api_key={MASK}&access_token={MASK}&card[number]={MASK}&n={MASK}&a=\\u000d"


def test_json_is_masked_by_the_names_of_its_members() -> None:
    card = {"number": "canary", "exp_month": 12, "brand": "visa", "last4": "4242", "three_d": {"x": "canary"}}
    document = {
        "card": card,
        "paymentMethod": {"card": True},
        "three_d_secure": {"cryptogram": "canary", "version": "2.2.0"},
        "client_secret": "canary",
        "cvc": 123,
        "note": ["4242424242424242", 4242424242424242, 4242424242424242.0],
        "phone": {"number": "600000000"},
    }
    shown = shown_body(json.dumps(document).encode(), JSON)

    assert "canary" not in shown
    assert "4242424242424242" not in shown
    assert json.loads(shown) == {
        "card": {"number": MASK, "exp_month": MASK, "brand": "visa", "last4": "4242", "three_d": MASK},
        "paymentMethod": {"card": True},
        "three_d_secure": {"cryptogram": MASK, "version": "2.2.0"},
        "client_secret": MASK,
        "cvc": MASK,
        "note": [MASK, MASK, MASK],
        "phone": {"number": "600000000"},
    }


def test_form_is_masked() -> None:
    shown = shown_body(b"type=card&card[number]=4242&card%5Bcvc%5D=123&amount=100", FORM)

    assert shown == f"type = card\ncard[number] = {MASK}\ncard[cvc] = {MASK}\namount = 100"


@pytest.mark.parametrize("raw", [b"{", b"\xff", b"secret=1", b"[" * 5000])
def test_other_body_is_not_shown(raw: bytes) -> None:
    assert shown_body(raw, JSON) == f"({len(raw)} bytes that are not JSON, not shown)"


def test_shown_body_is_bounded() -> None:
    nested: object = "x"
    for _ in range(200):
        nested = [nested]
    document = {"list": list(range(1000)), "nested": nested, **{f"m{number}": "y" * 1000 for number in range(500)}}
    shown = shown_body(json.dumps(document).encode(), JSON)

    assert len(shown) < 21_000
    assert "… 988 more" in shown
    assert shown_body(b"1" * (LONGEST_BODY + 1), JSON) == f"(more than {LONGEST_BODY} bytes, not shown)"


@pytest.mark.parametrize("text", ["a", "1 ", "1", "a_secret_", "bearer ", "sk_"])
def test_hostile_text_takes_linear_time(text: str) -> None:
    # Quadratic time would be minutes.
    assert len(masked(text * 200_000)) <= 301
