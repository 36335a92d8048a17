"""Redaction: private values are replaced anywhere in an exchange before it is written."""

import base64
import json
import re
from urllib.parse import parse_qs, urlsplit

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airworthy.contract.exchange import Exchange, header
from airworthy.evidence import Pseudonyms, Redactor, redact
from airworthy.evidence.detectors import without_cards, without_emails

from .stub import (
    JSON,
    KEY,
    SECRETS,
    STARTED,
    StubContract,
    answered_by,
    exchange,
    sent_by,
)

CARD = "4242424242424242"
PASSENGER = {
    "name": "Canaria",
    "firstLastName": "Nightingale",
    "identificationNumber": "X7654321K",
    "birthDate": "1987-06-05",
    "email": "canaria@birds.example",
    "phone": "+34 600 765 432",
}
KINDS = {
    "name": "name",
    "firstLastName": "name",
    "identificationNumber": "document-number",
    "birthDate": "birth-date",
    "email": "email",
    "phone": "phone",
    "expirationDate": "document-date",
    "customerCode": "customer-code",
}


def redactor(**kinds: str) -> Redactor:
    return Redactor(StubContract(**(kinds or KINDS)), Pseudonyms(b"k" * 32), SECRETS)


def everything(*values: object) -> str:
    return " ".join(map(repr, values))


def test_marked_values_have_the_same_pseudonym_in_request_and_response() -> None:
    made = redactor().exchange(exchange(PASSENGER, {**PASSENGER, "status": "OPEN"}))
    sent, returned = sent_by(made), answered_by(made)
    assert returned == {**sent, "status": "OPEN"}
    assert not set(sent.values()) & set(PASSENGER.values())
    assert sent["birthDate"].startswith("1987-06-")


def test_exchange_without_private_values_is_unchanged() -> None:
    body = b'{ "status" : "OPEN", "total": 10.50,\n "id": "c0ffee00-1234-4123-8123-123456789012" }'
    url = "https://service.example/v4/order?offerId=c0ffee00-1234-4123-8123-123456789012&x=%41"
    made = redactor().exchange(exchange(body, body, url=url, headers=(JSON, ("X-Trace", "42"))))
    assert made == exchange(body, body, url=url, headers=(JSON, ("X-Trace", "42")))


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("Authorization", KEY, "$AIRWORTHY_V4_KEY"),
        ("authorization", f"Bearer {KEY}", "Bearer $AIRWORTHY_V4_KEY"),
        (
            "Authorization",
            "Basic " + base64.b64encode(f"{KEY}:".encode()).decode(),
            "Basic $AIRWORTHY_V4_KEY",
        ),
        ("Authorization", "Basic !", "Basic redacted-"),
        ("Authorization", " ", " "),
        ("Authorization", "Bearer", "Bearer"),
        ("Authorization", "another-key", "redacted-"),
        ("Authorization", "Bearer another key", "Bearer redacted-"),
        ("Authorization", "", ""),
        ("Proxy-Authorization", "another-key", "redacted-"),
        ("Cookie", "session=4711", "redacted-"),
        ("Set-Cookie", "session=4711; Secure", "redacted-"),
        ("X-API-Key", "another-key", "redacted-"),
        ("X-Debug", f"key={KEY}", "key=$AIRWORTHY_V4_KEY"),
        ("Location", "/v4/order?email=canaria@birds.example", "/v4/order?email=u"),
        ("Accept", "application/json", "application/json"),
    ],
)
def test_secret_headers_are_redacted(name: str, value: str, shown: str) -> None:
    made = redactor().exchange(exchange(headers=((name, value),)))
    found = header(made.request.headers, name)
    assert found is not None
    assert found.startswith(shown)
    assert found == shown or "redacted" in found or "@example.invalid" in found
    assert KEY not in found
    assert "another" not in found


@pytest.mark.parametrize("pair", ["another-key:", "another-key:password", ":password", ":"])
def test_redacted_basic_authentication_keeps_its_form(pair: str) -> None:
    sent = "Basic " + base64.b64encode(pair.encode()).decode()
    redact = redactor()
    found, bare = (
        header(redact.exchange(exchange(headers=(("Authorization", each),))).request.headers, "Authorization") or ""
        for each in (sent, "another-key")
    )
    user, _, password = base64.b64decode(found.removeprefix("Basic ")).decode().partition(":")
    assert user == (bare if pair.startswith("another-key") else "")
    assert bool(password) == pair.endswith("password")
    assert "another" not in user + password
    assert "password" not in user + password


def test_content_length_keeps_its_difference_from_the_body() -> None:
    body = {"name": "Canaria", "email": "canaria@birds.example"}
    length = len(orjson.dumps(body))
    for said, off in ((str(length), 0), (str(length + 7), 7), ("many", None)):
        made = redactor().exchange(exchange(body, None, headers=(JSON, ("Content-Length", said)))).request
        found = header(made.headers, "content-length")
        assert found == ("many" if off is None else str(len(made.body or b"") + off))


@pytest.mark.parametrize(
    ("url", "gone", "stays"),
    [
        ("https://service.example/v4/order?email=canaria%40birds.example&offerId=7", "birds", "offerId=7"),
        (f"https://service.example/v4/order?key={KEY}", "canary", "key=$AIRWORTHY_V4_KEY"),
        (f"https://service.example/v4/order/{KEY}/x", "canary", "/v4/order/$AIRWORTHY_V4_KEY/x"),
        ("https://service.example/v4/order?token=abc%20def", "abc", "token=redacted-"),
        (f"https://service.example/v4/order?pan={CARD}", CARD, "pan=9999999999999999"),
        ("https://me:secret@service.example/v4/order", "secret", "@service.example/v4/order"),
        ("https://[service.example/v4/canaria@birds.example", "birds", "@example.invalid"),
        ("https://service.example/elsewhere?name=Canaria", "Canaria", "name="),
    ],
)
def test_private_values_in_urls_are_redacted(url: str, gone: str, stays: str) -> None:
    made = redactor().exchange(exchange(url=url)).request.url
    assert gone not in made
    assert stays in made


def test_marked_query_parameter_is_redacted() -> None:
    class Marked(StubContract):
        def sensitive(self, exchange: Exchange) -> list[tuple[str, str, str]]:
            return [*super().sensitive(exchange), ("request", "query:who", "name")]

    made = redact(exchange(url="https://service.example/v4/order?who=Canaria"), Marked(), Pseudonyms())
    assert re.fullmatch("[A-Z][a-z]{6}", parse_qs(urlsplit(made.request.url).query)["who"][0])
    assert "Canaria" not in made.request.url


@pytest.mark.parametrize(
    "message",
    [
        "Canaria is not allowed to fly",
        "passenger CANARIA NIGHTINGALE refused",
        "document X7654321K has expired",
        "canaria@birds.example bounced",
        "call +34 600 765 432",
        "born 1987-06-05",
    ],
)
def test_private_values_repeated_in_an_error_message_are_redacted(message: str) -> None:
    made = redactor().exchange(exchange(PASSENGER, {"message": message}, status=400))
    said = answered_by(made)["message"]
    for value in PASSENGER.values():
        assert value.lower() not in said.lower()
    assert len(said.split()) == len(message.split())


def test_learned_value_is_redacted_in_later_exchanges() -> None:
    run = redactor()
    sent = sent_by(run.exchange(exchange(PASSENGER, {"status": "OPEN"})))
    later = run.exchange(exchange(None, {"note": "for Canaria"}, method="GET"))
    assert answered_by(later)["note"] == f"for {sent['name']}"
    assert run.text("Canaria, X7654321K") == f"{sent['name']}, {sent['identificationNumber']}"
    assert run.text("Canariae") == "Canariae"


def test_escaped_value_is_redacted() -> None:
    run = redactor()
    run.exchange(exchange({"name": "José María"}, None))
    answer = rb'{"note": "Jos\u00e9 Mar\u00eda was here"}'
    assert b"Mar" not in orjson.dumps(answered_by(run.exchange(exchange(None, answer))))


def test_documented_values_and_airports_are_not_redacted_as_names() -> None:
    run = redactor()
    run.exchange(exchange({"name": "Open", "firstLastName": "Ada"}, None))
    made = run.exchange(exchange(None, {"status": "OPEN", "origin": "ADA", "note": "Ada was here"}))
    assert answered_by(made)["status"] == "OPEN"
    assert answered_by(made)["origin"] == "ADA"
    assert "Ada" not in answered_by(made)["note"]


def test_common_values_are_not_learned() -> None:
    run = redactor(name="name", zip="address", country="country", born="birth-date")
    run.exchange(exchange({"name": "Li", "zip": "28001", "country": "ESP", "born": "2027-01-05"}, None))
    untouched = {"note": "Li, ESP 28001", "departureDate": "2027-01-05"}
    assert answered_by(run.exchange(exchange(None, untouched))) == untouched


def test_expiry_date_in_the_month_of_the_exchange_stays_before_or_after_it() -> None:
    for day, stays in (("2026-11-20", True), ("2026-11-22", True), ("2027-03-14", False)):
        made = sent_by(redactor().exchange(exchange({"expirationDate": day}, None)))
        assert made["expirationDate"][:7] == day[:7]
        assert (made["expirationDate"] == day) is stays
    assert STARTED.isoformat().startswith("2026-11-21")


@pytest.mark.parametrize(
    "body",
    [
        b'{"name": "Canaria", "name": "Canaria"}',
        b'{"name": "Canaria", "email": "canaria@birds.example", "identificationNumber": "X7654',
        b'{"email":"canaria@birds.example","price":NaN}',
        b'\xef\xbb\xbf{"name": "Canaria"}',
        b"{'name': 'Canaria', email : canaria@birds.example}",
        b"<order><name>Canaria</name></order>",
        b"name=Canaria&identificationNumber=X7654321K",
        b"<p>Dear canaria@birds.example, your card 4242 4242 4242 4242 is charged</p>",
        b"\xff\xfe canaria@birds.example",
        b"[" * 2000 + b'{"name": "Canaria"}',
        orjson.dumps({"a": [{"b": ["canaria@birds.example", CARD, int(CARD)]}], CARD: 1, "name": 5}),
    ],
)
@pytest.mark.parametrize("url", ["https://service.example/v4/order", "https://service.example/unknown"])
def test_undocumented_bodies_are_redacted(body: bytes, url: str) -> None:
    made = redactor().exchange(exchange(body, body, url=url))
    assert made.request.body is not None
    assert made.response is not None
    for text in (made.request.body, made.response.body):
        assert re.search(rb"Canaria|birds|X7654|4242", text or b"") is None


def test_body_in_an_unknown_encoding_keeps_ascii_only() -> None:
    page = "Señora Canaria, pasajera de España, canaria@birds.example".encode("latin-1")
    run = redactor()
    run.exchange(exchange({"name": "Canaria"}, None))
    made = run.exchange(exchange(page, "Canaria".encode("utf-16"), url="https://service.example/unknown"))
    assert made.response is not None
    assert made.response.body == b"\xff"
    assert re.fullmatch(
        rb"Se\xffora [A-Z][a-z]{6}, pasajera de Espa\xffa, u\w{12}@example.invalid", made.request.body or b""
    )


def test_sensitive_member_names_count_only_outside_of_schemas() -> None:
    body = {"name": "Iberia", "password": "hunter22", "nested": {"CVC": "123", "card_number": "1234"}}
    known = answered_by(redactor(other="name").exchange(exchange(None, body)))
    assert known["name"] == "Iberia"
    assert known["password"].startswith("redacted-")
    assert known["nested"]["CVC"] != "123"
    assert known["nested"]["card_number"] == "9999"
    refused = answered_by(redactor(other="name").exchange(exchange(None, body, status=422)))
    assert refused["name"] != "Iberia"


def test_form_is_redacted_by_its_field_names() -> None:
    form = f"card%5Bnumber%5D={CARD[:-1]}1&card%5Bcvc%5D=123&billing_details%5Bemail%5D=c%40birds.example&type=card"
    url = "https://payments.example/v1/payment_methods"
    headers = (("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"),)
    made = redactor().exchange(exchange(form.encode(), {"id": "pm_1Nxyz"}, url=url, headers=headers))
    fields = parse_qs((made.request.body or b"").decode())
    assert fields["card[number]"] == ["9" * 16]
    assert fields["card[cvc]"] != ["123"]
    assert fields["type"] == ["card"]
    assert "birds" not in repr(fields)
    assert answered_by(made) == {"id": "pm_1Nxyz"}


def test_known_secret_is_replaced_with_its_variable() -> None:
    run = redactor()
    made = run.exchange(exchange({"customerCode": "partner-canary-code"}, {"echo": f"<{KEY}>"}))
    assert sent_by(made) == {"customerCode": "$AIRWORTHY_V4_CUSTOMER_CODE"}
    assert answered_by(made) == {"echo": "<$AIRWORTHY_V4_KEY>"}
    assert run.text(f"refused: {KEY}") == "refused: $AIRWORTHY_V4_KEY"
    wrong = sent_by(run.exchange(exchange({"customerCode": "another"}, None)))
    assert re.fullmatch("[a-z]{7}", wrong["customerCode"])
    assert wrong["customerCode"] != "another"


def test_secrets_without_a_variable_and_short_secrets() -> None:
    run = Redactor(
        StubContract(), secrets={"from-a-file": "…", "abc": "$SHORT", "abcd": "$WORD", CARD: "…", "pm_1": "…"}
    )
    assert re.fullmatch(
        "redacted-[0-9a-f]{8} abc \\$WORD abcde 9{16} pm_1", run.text(f"from-a-file abc abcd abcde {CARD} pm_1")
    )


def test_card_number_is_not_replaced_with_a_variable() -> None:
    """A card number must remain recognizable, and three digits are too common."""
    run = Redactor(StubContract(), secrets={CARD: "$CARD", "1234": "$CVC", "12345678": "$CODE"})
    assert run.text(f"{CARD}, flight 1234, 12345678") == f"{'9' * 16}, flight 1234, $CODE"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("4242424242424242", True),
        ("4242 4242 4242 4242", True),
        ("4242-4242-4242-4242", True),
        ("378282246310005", True),
        ("4242424242424241", False),
        ("1763713845123", False),
        ("0000000000000000", False),
        ("4242", False),
        ("4242  4242 4242 4242", False),
    ],
)
def test_card_numbers_are_found(text: str, found: bool) -> None:
    assert (without_cards(f"pan={text};") != f"pan={text};") is found


def test_card_number_is_found_among_other_numbers() -> None:
    text = "order 12 4242 4242 4242 4242 07/29, pan4242424242424242 and 12-42"
    assert without_cards(text) == "order 12 9999 9999 9999 9999 07/29, pan9999999999999999 and 12-42"
    assert without_cards("1 " * 20_000) == "1 " * 20_000


def test_uuid_is_not_a_card_number() -> None:
    identifier = "42424242-4242-4242-8242-424242424242"
    assert without_cards(f'{{"id":"{identifier}"}}') == f'{{"id":"{identifier}"}}'


def test_email_addresses_are_redacted_once() -> None:
    pseudonym = "u0123456789ab@example.invalid"

    def made(_: str, __: str) -> str:
        return pseudonym

    assert without_emails("to jörg.o'neil+x@mail.birds.example.", made) == f"to {pseudonym}."
    assert without_emails(pseudonym, lambda _, __: "twice") == pseudonym
    assert without_emails("canary@example.invalid", made) == pseudonym
    assert without_emails("a" * 100_000 + "@", made) == "a" * 100_000 + "@"


@given(
    st.binary(max_size=300)
    | st.recursive(
        st.text() | st.integers() | st.none(), lambda each: st.lists(each) | st.dictionaries(st.text(), each)
    )
    .map(json.dumps)
    .map(str.encode)
)
def test_arbitrary_body_is_redacted_without_an_exception(body: bytes) -> None:
    redactor().exchange(exchange(body, body, url="https://service.example/unknown"))


def test_learned_values_are_bounded() -> None:
    run = redactor()
    for number in range(30):
        run.exchange(exchange({"name": f"Nightingale{' x' * number}"}, None))
    # Of values that have so many lengths around the same word, the latest are known.
    assert "Nightingale" not in run.text(f"for Nightingale{' x' * 29}")
    assert run.text("for Nightingale x y") == "for Nightingale x y"
    long = "Nightingale " * 50
    assert sent_by(run.exchange(exchange({"name": long}, None)))["name"] != long
    assert run.text(long) == long
