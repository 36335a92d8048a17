"""The request to the payment provider: form-encoded, with the restricted token."""

import base64
from functools import partial
from urllib.parse import urlencode

import pytest

from airworthy.contract import Contract, Exchange, Request, Response, ServiceAddress
from exchange_parts import changed_request
from unit.contract.examples import START
from unit.contract.judging import last_findings, shown

FIELDS = {
    "type": "card",
    "card[number]": "4242424242424242",
    "card[exp_month]": "04",
    "card[exp_year]": "2030",
    "card[cvc]": "123",
}
TOKEN = "Basic " + base64.b64encode(b"rk_test_1:").decode()


def payment(
    fields: dict[str, str],
    *,
    token: str = TOKEN,
    returned: bytes = b'{"id": "pm_1"}',
    status: int = 200,
    base: str = "https://payment.example",
) -> Exchange:
    headers = (("Content-Type", "application/x-www-form-urlencoded"),) + ((("Authorization", token),) if token else ())
    request = Request("POST", f"{base}/v1/payment_methods", headers, urlencode(fields).encode())
    return Exchange("1", START, 0.1, request, Response(status, (), returned))


judged = partial(shown, "side rule pointer soft")


def test_valid_payment_method_request() -> None:
    assert judged(payment(FIELDS)) == []
    assert judged(payment({name: value for name, value in FIELDS.items() if name != "card[cvc]"})) == []


@pytest.mark.parametrize(
    ("returned", "pointer"),
    [
        *((text, "") for text in (b"", b"<html></html>", b'{"id": "pm_')),
        *((text, "/id") for text in (b'{"id": "card_1"}', b"{}")),
    ],
)
def test_response_without_an_id_that_begins_with_pm(returned: bytes, pointer: str) -> None:
    assert judged(payment(FIELDS, returned=returned)) == [("response", "PAYMENT-METHOD-ID", pointer, False)]
    assert judged(payment(FIELDS, returned=returned, status=402)) == []


@pytest.mark.parametrize("name", ["card[number]", "card[exp_month]", "card[exp_year]", "type"])
def test_missing_field(name: str) -> None:
    fields = {key: value for key, value in FIELDS.items() if key != name}
    assert judged(payment(fields)) == [("request", "PAYMENT-METHOD-FIELDS", f"/{name}", False)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("card[number]", "4242 4242 4242 4242"),
        ("card[exp_year]", "29"),
        ("card[exp_month]", "January"),
        ("card[exp_month]", "13"),
        ("type", "sepa_debit"),
    ],
)
def test_invalid_field(name: str, value: str) -> None:
    (finding,) = last_findings(payment(FIELDS | {name: value}))
    assert (finding.rule, finding.pointer) == ("PAYMENT-METHOD-FIELDS", f"/{name}")
    assert "4242" not in repr(finding)


@pytest.mark.parametrize("media", ["application/json", "application/x-www-form-urlencoded"])
def test_body_that_is_not_form_encoded_has_one_finding(media: str) -> None:
    made = payment(FIELDS)
    headers = (("Content-Type", media), ("Authorization", TOKEN))
    json = changed_request(made, headers=headers, body=b'{"type": "card", "card": {}}')
    assert judged(json) == [("request", "PAYMENT-METHOD-FIELDS", "header:Content-Type", False)]


@pytest.mark.parametrize(
    ("token", "is_valid"),
    [
        ("", False),
        ("rk_test_1", False),
        ("Bearer rk_test_1", True),
        ("Bearer", False),
        ("Basic " + base64.b64encode(b":x").decode(), False),
        ("Basic " + base64.b64encode(b"rk_test_1").decode(), True),
        ("Basic " + base64.b64encode(b"rk_test_1:secret").decode(), False),
        ("Basic (redacted)", True),
    ],
)
def test_token_of_the_payment_provider(token: str, is_valid: bool) -> None:
    expected = [] if is_valid else [("request", "PAYMENT-METHOD-TOKEN", "header:Authorization", False)]
    assert judged(payment(FIELDS, token=token)) == expected


def test_only_named_payment_providers_are_judged() -> None:
    named = ("https://pay.example/stripe", "https://other.example")
    contract = Contract.load(service=ServiceAddress(payment_providers=named))
    wrong = FIELDS | {"type": "x"}
    assert contract.judge(payment(wrong)) == []
    for base in named:
        assert [each.pointer for each in contract.judge(payment(wrong, base=base))] == ["/type"]


@pytest.mark.parametrize(
    ("path", "version", "operation"),
    [
        ("/v1/payment_methods", "payment", "createPaymentMethod"),
        ("/v4/search", "v4", "searchOffers"),
        # Other requests to the provider are not drift.
        ("/v1/payment_intents", None, None),
        ("/v1/search", "v1", None),
        ("/v4/payments", "v4", None),
    ],
)
def test_provider_at_the_address_of_the_service(path: str, version: str | None, operation: str | None) -> None:
    base = "https://service.example"
    contract = Contract.load(service=ServiceAddress(base_urls=(base,), payment_providers=(base,)))

    found = contract.resolve("POST", base + path)

    assert (found and found.version, found and found.operation and found.operation.id) == (version, operation)
