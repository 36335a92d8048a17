"""The redacted form of exchanges and texts. For values that must not stay, see test_leaks."""

import base64

import orjson
import pytest

from airworthy.contract import Contract, ServiceAddress
from airworthy.contract.conversation.v3.declined_payments import DECLINES
from airworthy.contract.http.exchange import header
from airworthy.contract.http.operations import SERVED
from airworthy.contract.http.reading import FORM
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.redaction import Redactor
from exchange_parts import changed_response, response_of
from unit.contract.examples import SENT, changed, put
from unit.contract.examples import exchange as documented

from .stub import CONTRACT, JSON, KEY, SECRETS, exchange, request_json, response_json

ORDER = "https://service.example/v4/order"
REFUND = "https://service.example/v4/refunds"


def redactor() -> Redactor:
    return Redactor(CONTRACT, Pseudonyms(b"k" * 32), SECRETS)


def test_value_has_one_pseudonym_in_all_places() -> None:
    sent = changed(SENT["createOrder"], put("passengers[0].name", "Zephyrine"))
    made = redactor().exchange(documented("createOrder", sent=sent, returned={"note": "Zephyrine", "x": ["ZEPHYRINE"]}))
    name = request_json(made)["passengers"][0]["name"]
    assert name != "Zephyrine"
    assert response_json(made) == {"note": name, "x": [name.upper()]}


@pytest.mark.parametrize("code", sorted(DECLINES))
@pytest.mark.parametrize("form", ['{"code":"%s"}', '{"errors":[{"message":"declined (%s)"}]}', "%s"])
def test_codes_of_a_failed_payment_stay(code: str, form: str) -> None:
    made = changed_response(documented("confirmOrder", status=409), body=(form % code).encode())
    assert code in (response_of(redactor().exchange(made)).body or b"").decode()


def test_payment_is_readable_without_what_is_private_in_it() -> None:
    address = ServiceAddress(("https://service.example",), ("https://payments.example/test",))
    form = b"amount=5314&currency=eur&payment_method=pm_1a2b3c&description=Zephyrine&receipt_email=z%40x.example"
    body = {
        "id": "pi_1a2b3c",
        "object": "payment_intent",
        "status": "requires_action",
        "amount": 5314,
        "currency": "eur",
        "client_secret": "pi_1a2b3c_secret_4d5e6f",
        "payment_method": {"id": "pm_1a2b3c", "card": {"brand": "visa", "last4": "4321", "exp_month": 7}},
        "last_payment_error": {"code": "card_declined", "message": "the card of Zephyrine was declined"},
        "description": "Zephyrine",
        "metadata": {"order": "acme-4711"},
    }
    url = "https://payments.example/test/v1/payment_intents"
    own = Redactor(Contract.load(SERVED, address), Pseudonyms(b"k" * 32))
    made = own.redacted(exchange(form, body, url=url, headers=(("Content-Type", FORM),)))

    assert made.exchange.request.url == url
    assert (made.exchange.request.body or b"").startswith(b"amount=5314&currency=eur&payment_method=pm_")
    found = response_json(made.exchange)
    kept = ("object", "status", "amount", "currency")
    assert {name: found[name] for name in kept} == {name: body[name] for name in kept}
    assert found["last_payment_error"]["code"] == "card_declined"
    written = f"{made.exchange.request.body!r} {found}"
    assert not [each for each in ("1a2b3c", "4d5e6f", "4321", "Zephyrine", "z%40x", "4711", ": 7") if each in written]
    assert len(made.marks["response.body"]) == 2 * 9


@pytest.mark.parametrize("operation", ["searchOffers", "getBaggage"])
def test_response_without_private_values_keeps_its_bytes(operation: str) -> None:
    made = documented(operation)
    body = orjson.dumps(response_json(made), option=orjson.OPT_INDENT_2)
    assert response_of(redactor().exchange(changed_response(made, body=body))).body == body


def test_values_that_no_schema_describes() -> None:
    body: list[object] = [None, True, 42, -7, "BOOKED", "", [], {}, "12"]
    assert request_json(redactor().exchange(exchange({"a": body}, None, url=REFUND))) == {"a": body}


def test_currency_that_no_schema_describes_stays_in_texts() -> None:
    own = redactor()
    own.exchange(exchange({"currency": "usd", "payer": "Zephyrine"}, None, url=REFUND))
    text = 'currency of a price is "USD", not EUR'
    assert own.words(f"{text}, says Zephyrine").startswith(f"{text}, says [redacted:")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("passengers[0].birthDate of ", " is required"),
        ("No such operation: your card was declined, the seat is sold, a mandatory value is ", ""),
    ],
)
def test_message_keeps_the_words_of_the_documents_and_usual_ones(before: str, after: str) -> None:
    body = {"statusCode": 400, "error": "Bad Request", "message": f"{before}Zephyrine{after}"}
    found = response_json(redactor().exchange(exchange({}, body, url=ORDER, status=400)))
    assert found["error"] == "Bad Request"
    assert found["message"].startswith(before)
    assert found["message"].endswith(after)
    assert "Zephyrine" not in found["message"]


def test_learned_value_is_removed_from_the_vocabulary() -> None:
    run = redactor()
    run.exchange(documented("createOrder", sent=changed(SENT["createOrder"], put("passengers[0].name", "Price"))))
    body = {"statusCode": 400, "error": "Bad Request", "message": "the name Price is invalid"}
    assert "Price" not in response_json(run.exchange(exchange({}, body, url=ORDER, status=400)))["message"]


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("Authorization", KEY, "$AIRWORTHY_V4_KEY"),
        ("authorization", f"Bearer {KEY}", "Bearer $AIRWORTHY_V4_KEY"),
        ("Authorization", "Basic " + base64.b64encode(f"{KEY}:".encode()).decode(), "Basic $AIRWORTHY_V4_KEY"),
        ("Authorization", "Bearer", "Bearer"),
        ("Authorization", "", ""),
        ("X-Key", KEY, "$AIRWORTHY_V4_KEY"),
        ("Authorization", "7", "$AIRWORTHY_V3_TOKEN"),
        ("Accept", "application/json, text/*;q=0.5", "application/json, text/*;q=0.5"),
        ("Content-Type", "application/json; charset=utf-8", "application/json; charset=utf-8"),
        ("Content-Type", "application/x-www-form-urlencoded", "application/x-www-form-urlencoded"),
        ("Content-Encoding", "gzip", "gzip"),
        ("Date", "Sun, 22 Nov 2026 09:16:17 GMT", "Sun, 22 Nov 2026 09:16:17 GMT"),
        ("Retry-After", "120", "120"),
    ],
)
def test_headers(name: str, value: str, shown: str) -> None:
    assert header(redactor().exchange(exchange(headers=((name, value),))).request.headers, name) == shown


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"{ORDER}/5b9e8d7c-3a2b-4c1d-9e8f-7a6b5c4d3e33/confirm",) * 2,
        ("https://service.example/v3/flights?origin=MAD&destination=BCN&start=2026-12-01&seats=2",) * 2,
        ("https://service.example/v3/requests/700047/cancel",) * 2,
        (f"{ORDER}?key={KEY}", f"{ORDER}?key=$AIRWORTHY_V4_KEY"),
    ],
)
def test_urls(url: str, shown: str) -> None:
    assert redactor().exchange(exchange(url=url, method="GET" if "flights" in url else "POST")).request.url == shown


def test_content_length_stays_as_correct_or_incorrect_as_it_was() -> None:
    for length in ("22", "29"):
        body = b'{"e": "a@b.c", "f": 1}'
        made = redactor().exchange(exchange(body, None, headers=(JSON, ("Content-Length", length)), url=REFUND)).request
        assert header(made.headers, "content-length") == str(len(made.body or b"") + int(length) - len(body))


def test_expiry_in_the_month_of_the_exchange_stays() -> None:
    for day, stays in (("2026-11-02", True), ("2027-03-14", False)):
        sent = changed(SENT["createOrder"], put("passengers[0].identification.expirationDate", day))
        found = request_json(redactor().exchange(documented("createOrder", sent=sent)))
        expiry = found["passengers"][0]["identification"]["expirationDate"]
        assert expiry[:7] == day[:7]
        assert (expiry == day) is stays


@pytest.mark.parametrize(
    ("path", "variable"),
    [
        ("v4/search", "$AIRWORTHY_V4_CUSTOMER_CODE"),
        ("v3/requests", "$AIRWORTHY_V3_CUSTOMER_CODE"),
        ("v2/requests", "$AIRWORTHY_V4_CUSTOMER_CODE"),
        ("v9/requests", "$AIRWORTHY_V4_CUSTOMER_CODE"),
    ],
)
def test_shared_secret_has_the_variable_of_the_interface(path: str, variable: str) -> None:
    run = redactor()
    for _ in range(2):
        made = run.exchange(exchange({"customer_code": "partner-canary-code"}, url=f"https://service.example/{path}"))
        assert request_json(made)["customer_code"] == variable
        assert run.text("partner-canary-code") == "$AIRWORTHY_V4_CUSTOMER_CODE"
        run.exchange(exchange({"customer_code": "partner-canary-code"}, url="https://service.example/v3/requests"))


@pytest.mark.parametrize(
    "text",
    [
        "the request uses basic authentication, which only the payment provider does",
        "GET https://127.0.0.1:8490/v4/search: nothing listens on this port (connection refused)",
        "4 successes: 4 x status 200, 12 x status 429 of 2026-11-21T08:30:00",
        "not one of 1.0.2, 2.1.0, 2.2.0",
        # A short secret is replaced only where it stands alone.
        "abcd xabc abc-123 trace_abc abc.example",
    ],
)
def test_words_of_ours_stay(text: str) -> None:
    run = Redactor(CONTRACT, Pseudonyms(b"k" * 32), SECRETS | {"abc": ("$SHORT",)})
    run.exchange(documented("createOrder", sent=changed(SENT["createOrder"], put("passengers[0].name", "Basic"))))
    assert run.text(f"{text}: {KEY}s, abc, (abc)") == f"{text}: $AIRWORTHY_V4_KEYs, $SHORT, ($SHORT)"


@pytest.mark.parametrize(
    "text", ["ada@birds.example", "4242.4242.4242.4242", "+34 600 765 432", "Bearer abcdefgh12", "sk_live_51HxCanary"]
)
def test_text_of_a_library_keeps_only_harmless_words(text: str) -> None:
    run = Redactor(CONTRACT, Pseudonyms(b"k" * 32), public=("https://127.0.0.1:8490", "127.0.0.1", "MAD"))
    kept = "no order from MAD at https://127.0.0.1:8490"
    found = run.words(f"{kept}: {text}")
    assert found.startswith(f"{kept}: ")
    assert "[redacted:" in found
    assert text.removeprefix("Bearer ") not in found


def test_public_terms_stay_in_evidence() -> None:
    run = Redactor(CONTRACT, Pseudonyms(b"k" * 32), public=("MAD",))
    headers = (("Host", "service.example"), ("Location", f"{ORDER}/5b9e8d7c-3a2b-4c1d-9e8f-7a6b5c4d3e33"))
    harmless = (("Sec-Fetch-Mode", "cors"), ("Vary", "Origin, Accept-Encoding"))
    made = exchange({"from": "MAD", "to": "WWN"}, None, url=REFUND, headers=(*headers, *harmless))
    found = run.redacted(made)
    assert found.exchange.request.headers == made.request.headers
    assert request_json(found.exchange)["from"] == "MAD"
    assert request_json(found.exchange)["to"] != "WWN"


def test_body_that_is_not_json() -> None:
    for body in (b'{"a": NaN}', b'{"a": "\\ud800"}', b"\xff\xfe", b"Zephyrine".replace(b"y", b"\0")):
        made = redactor().exchange(exchange(body, None, url=REFUND)).request
        with pytest.raises(orjson.JSONDecodeError):
            orjson.loads(made.body or b"")


@pytest.mark.parametrize("token", [KEY, f"Bearer {KEY}", f"Basic {base64.b64encode(f'{KEY}:'.encode()).decode()}"])
def test_secrets_keep_their_names_when_evidence_is_redacted_again(token: str) -> None:
    sent = changed(SENT["createOrder"], put("customerCode", "partner-canary-code"))
    once = redactor().exchange(exchange(sent, headers=(("Authorization", token), JSON)))
    again = Redactor(CONTRACT, Pseudonyms(b"other"), SECRETS).exchange(once)
    assert "$AIRWORTHY_V4_KEY" in (header(again.request.headers, "Authorization") or "")
    assert request_json(again)["customerCode"] == "$AIRWORTHY_V4_CUSTOMER_CODE"
