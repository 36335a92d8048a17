"""Detecting secrets that no schema describes, in JSON, text and forms."""

import json
import re
from itertools import accumulate, pairwise
from typing import Any, Final

import orjson
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from airworthy.contract import Contract
from airworthy.contract.card_numbers import holds_card_number
from airworthy.evidence import Pseudonyms, Redactor
from airworthy.evidence.credentials import is_secret_header
from airworthy.evidence.detectors import without_cards, without_tokens

from .stub import SECRETS, StubContract, answered_by, exchange, sent_by

CONTRACT: Final = Contract.load(("v2", "v3", "v4"))
JWT: Final = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
TOKENS: Final = (
    JWT,
    "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    "rk_test_51H8xyzABCDEF0123",
    "pk_test_TYooMQauvdEDq54NiTphI7jx",
    "whsec_9a8b7c6d5e4f3a2b1c",
    "pm_1NxyzAbCdEfGhIjK",
    "pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_YrKJUKribcBjcG8HVhfZluoGH",
    "seti_1NxyzAbCdEfGhIjK",
    "AKIAIOSFODNN7EXAMPLE",
)
PLANTED: Final = (
    *TOKENS,
    "Bearer abc123def456",
    "canaria@birds.example",
    "4242424242424242",
    "4242 4242 4242 4242",
    "4242-4242-4242-4242",
    "378282246310005",
)
IMPERSONAL: Final = "https://service.example/v4/order/search"
URLS: Final = ("https://service.example/v4/order", "https://service.example/unknown")


def redactor() -> Redactor:
    return Redactor(StubContract(), Pseudonyms(b"k" * 32), SECRETS)


def json_with(planted: str, *, alone: bool = False) -> st.SearchStrategy[Any]:
    around = st.sampled_from(["{}"] if alone else ["{}", "it is {}", "{} was refused", "a\n{};", "«{}»", '"{}"'])
    leaf = around.map(lambda text: text.format(planted))
    # The text around a planted value must not look like a part of it.
    other = st.none() | st.booleans() | st.integers(-99, 99) | st.text("abc éñ\\\"'\n", max_size=8)
    return st.recursive(
        leaf,
        lambda each: (
            st.lists(each | other, min_size=1, max_size=3).filter(lambda found: planted in json.dumps(found))
            | st.dictionaries(st.text("abcdé~/", min_size=1, max_size=5), each, min_size=1, max_size=3)
        ),
        max_leaves=6,
    )


@given(data=st.data(), planted=st.sampled_from(PLANTED), url=st.sampled_from(URLS), escaped=st.booleans())
def test_secret_in_arbitrary_json_is_redacted(data: st.DataObject, planted: str, url: str, escaped: bool) -> None:
    document = data.draw(json_with(planted))
    body = json.dumps(document, ensure_ascii=escaped).encode()
    made = redactor().exchange(exchange(body, body, url=url, status=200))

    for text in (made.request.body or b"", made.response.body if made.response else b""):
        assert planted not in json.dumps(orjson.loads(text or b""), ensure_ascii=False)


@given(data=st.data(), planted=st.sampled_from(PLANTED), escaped=st.booleans())
def test_private_value_in_an_impersonal_response_is_redacted(data: st.DataObject, planted: str, escaped: bool) -> None:
    body = json.dumps([data.draw(json_with(planted, alone=True))], ensure_ascii=escaped).encode()
    made = redactor().exchange(exchange(None, body, method="GET", url=IMPERSONAL))

    assert planted not in json.dumps(answered_by(made), ensure_ascii=False)


@pytest.mark.parametrize(
    "hidden", ["canaria\\u0040birds.example", "\\u0034242424242424242", "\\u0073k_live_4eC39HqLyj"]
)
def test_escaped_value_in_an_impersonal_response_is_redacted(hidden: str) -> None:
    made = answered_by(redactor().exchange(exchange(None, f'["{hidden}"]'.encode(), method="GET", url=IMPERSONAL)))

    assert not re.search("canaria|4242|4eC39", made[0])


@pytest.mark.parametrize("name", ["password", "token", "Card_Number", "api_key"])
def test_member_name_marks_a_private_value_in_an_impersonal_response(name: str) -> None:
    made = answered_by(redactor().exchange(exchange(None, [{name: "4711"}], method="GET", url=IMPERSONAL)))

    assert made[0][name] != "4711"


def test_impersonal_response_without_private_values_is_unchanged() -> None:
    body = b'[ {"city_name": "M\\u00e1laga", "origin": "AGP","at":"2026-11-21T08:30:00",  "name":"Canaria Air"}]'
    made = redactor().exchange(exchange(None, body, method="GET", url=IMPERSONAL))

    assert made.response is not None
    assert made.response.body == body


@given(st.sampled_from(PLANTED).flatmap(lambda planted: json_with(planted).map(json.dumps)) | st.text(max_size=80))
def test_redacting_a_text_twice_changes_nothing(text: str) -> None:
    run = redactor()
    once = run.text(text)
    assert run.text(once) == once


@pytest.mark.parametrize("planted", PLANTED)
@pytest.mark.parametrize(
    "around", ["<p>{}</p>", "{}", "key={}&x=1", '{{"broken": "{}"', "no such key: {}.", "\r\n{}\r\n--boundary--"]
)
def test_secret_in_arbitrary_text_is_redacted(planted: str, around: str) -> None:
    body = around.format(planted).encode()
    for status in (200, 400, 500):
        made = redactor().exchange(exchange(body, body, url=URLS[1], status=status))
        assert planted.encode() not in (made.request.body or b"")
        assert made.response is not None
        assert planted.encode() not in (made.response.body or b"")


@pytest.mark.parametrize("planted", PLANTED)
def test_secret_in_a_url_or_header_is_redacted(planted: str) -> None:
    word = planted.replace(" ", "%20")
    made = redactor().exchange(
        exchange(None, None, method="GET", url=f"{URLS[1]}/{word}?x={word}", headers=(("X-Note", planted),))
    )
    assert word not in made.request.url
    assert planted not in repr(made.request.headers)


CARDS: Final = ("4242424242424242", "5555555555554444", "378282246310005", "6205500000000000004")
SIGNS: Final = ("", " ", "-", ".", "/", "  ", "\u00a0", "\u2009.\u2009", " - ", "\u2013", "?", "_", ":", "\uff0d")
GROUPS: Final = ((4, 4, 4, 4), (4, 6, 5), (4, 4, 4, 4, 3), (1,) * 19, (19,), (6, 6, 6, 4))


@given(
    card=st.sampled_from(CARDS),
    written=st.tuples(st.sampled_from(GROUPS), st.sampled_from(SIGNS)),
    foreign=st.sets(st.integers(0, 18)) | st.just(set(range(19))),
    zero=st.sampled_from("\uff10\u0660"),
    around=st.sampled_from(["{}", "x {}", "é{} 1", "{}é", "a {}, b", "12 {} 04/30", "{} 4242"]),
)
def test_card_number_becomes_nines_that_the_contract_still_finds(
    card: str, written: tuple[tuple[int, ...], str], foreign: set[int], zero: str, around: str
) -> None:
    sizes, sign = written
    digits = [chr(ord(zero) + int(digit)) if place in foreign else digit for place, digit in enumerate(card)]
    ends = list(accumulate(sizes, initial=0))
    text = around.format(sign.join("".join(digits[start:end]) for start, end in pairwise(ends) if digits[start:end]))
    assume(holds_card_number(text))

    made = without_cards(text)
    assert made != text
    assert len(made) == len(text)
    assert holds_card_number(made)
    assert without_cards(made) == made
    for escaped in (False, True):
        body = json.dumps([text], ensure_ascii=escaped).encode()
        assert answered_by(redactor().exchange(exchange(None, body, method="GET", url=IMPERSONAL))) == [made]


@pytest.mark.parametrize("token", TOKENS)
def test_same_token_has_the_same_pseudonym(token: str) -> None:
    stand = Pseudonyms(b"k" * 32).text
    first = without_tokens(f"{token} was refused", stand).removesuffix(" was refused")
    assert first != token
    assert without_tokens(f"again {token}", stand) == f"again {first}"


def test_sent_payment_id_is_redacted_in_the_response() -> None:
    run = Redactor(CONTRACT)
    url = "https://service.example/v4/order/c0ffee00-1234-4123-8123-123456789012/confirm"
    sent = {"paymentMethod": {"card": True}, "payment_method": "pm_card_visa"}
    made = run.exchange(exchange(sent, {"message": f"refused: {json.dumps(sent)}"}, url=url, status=422))
    assert sent_by(made)["payment_method"] in answered_by(made)["message"]
    assert "pm_card_visa" not in repr(made)


def test_redacted_payment_id_keeps_its_prefix() -> None:
    made = answered_by(redactor().exchange(exchange(None, {"note": "No such PaymentMethod: pm_1NxyzAbCdEf"})))
    assert made["note"].startswith("No such PaymentMethod: pm_redacted")


@pytest.mark.parametrize(
    "text",
    [
        "c0ffee00-1234-4123-8123-123456789012",
        "Bearer authentication is required",
        "Basic economy",
        "a basic fare without bags",
        "pk_number",
        "skill_set_2026",
        "pm_card_visa",
        "providerAdditionalPassengerInformationByPassengerType",
        "bm90IGEgc2VjcmV0IGJ1dCBhIGN1cnNvcg==",
        "Bearer $AIRWORTHY_V3_TOKEN",
        "Bearer redacted-0a1b2c3d",
        "2026-11-21T08:30:00",
    ],
)
def test_text_without_secrets_is_unchanged(text: str) -> None:
    assert redactor().text(text) == text


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("Authorization", True),
        ("Proxy-Authorization", True),
        ("Cookie", True),
        ("Set-Cookie", True),
        ("X-API-Key", True),
        ("apikey", True),
        ("X-Auth-Token", True),
        ("X-CSRF-Token", True),
        ("X-Client-Secret", True),
        ("Idempotency-Key", False),
        ("Content-Type", False),
        ("X-Request-Id", False),
    ],
)
def test_secret_header_names(name: str, secret: bool) -> None:
    assert is_secret_header(name) is secret


def test_credentials_repeated_in_a_message_are_redacted() -> None:
    run = redactor()
    headers = (("Authorization", "Bearer a-token-of-a-partner"), ("X-Api-Key", "another-partner-key"))
    made = run.exchange(
        exchange(
            {}, {"message": "A-Token-Of-A-Partner and another-partner-key are unknown"}, status=401, headers=headers
        )
    )
    said = answered_by(made)["message"]
    assert "partner" not in said.lower()
    # It is the same pseudonym in both places.
    assert made.request.headers[0][1].removeprefix("Bearer ") in said


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/v4/search", {"first_name": "Canaria", "deep": {"passport_number": "X7654321K"}}),
        ("POST", "/v4/order?offerId=1&fareId=2", {"traveller": {"last_name": "Canaria"}, "cp_reference": "X7654321K"}),
        ("POST", "/v3/requests", {"contact": {"lastNames": "Canaria", "identificationNumber": "X7654321K"}}),
        ("POST", "/v9/anything", {"name": "Canaria", "issueCountryCode": "X7654321K"}),
    ],
)
def test_member_of_another_version_is_redacted_in_an_unknown_operation(
    method: str, path: str, body: dict[str, Any]
) -> None:
    made = Redactor(CONTRACT).exchange(exchange(body, None, method=method, url=f"https://service.example{path}"))
    assert b"Canaria" not in (made.request.body or b"")
    assert b"X7654321K" not in (made.request.body or b"")


def test_query_and_body_have_the_same_pseudonym() -> None:
    """A value has the same pseudonym in a query and in a body."""
    run = Redactor(CONTRACT)
    found = run.exchange(
        exchange(
            None,
            {"bookings": [{"cp_reference": "CP7654321", "first_name": "Canaria"}]},
            method="GET",
            url="https://service.example/v3/bookings?cp_reference=CP7654321",
        )
    )
    assert found.request.url.endswith(f"cp_reference={answered_by(found)['bookings'][0]['cp_reference']}")


@pytest.mark.parametrize(
    "body",
    [
        b'--b\r\nContent-Disposition: form-data; name="first_name"\r\n\r\nCanaria\r\n--b--\r\n',
        b'--b\r\nContent-Disposition: form-data; name="a[first_name]"\r\nContent-Type: text/plain\r\n\r\nCanaria\r\n',
        b"--b\nContent-Disposition: form-data; name=lastNames\n\nCanaria\n--b--\n",
    ],
)
def test_multipart_form_is_redacted(body: bytes) -> None:
    headers = (("Content-Type", "multipart/form-data; boundary=b"),)
    made = Redactor(CONTRACT).exchange(exchange(body, None, url="https://service.example/upload", headers=headers))
    assert b"Canaria" not in (made.request.body or b"")
    assert b"--b" in (made.request.body or b"")


def test_billing_details_are_redacted() -> None:
    form = b"type=card&card%5Bnumber%5D=4242424242424242&billing_details%5Bname%5D=Canaria&owner%5Bphone%5D=600765432"
    made = Redactor(CONTRACT).exchange(
        exchange(
            form,
            None,
            url="https://pay.example/v1/payment_methods",
            headers=(("Content-Type", "application/x-www-form-urlencoded"),),
        )
    )
    assert b"Canaria" not in (made.request.body or b"")
    assert b"600765432" not in (made.request.body or b"")
    assert b"type=card" in (made.request.body or b"")
