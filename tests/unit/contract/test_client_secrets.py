"""Clients that send card numbers, keys and tokens where they do not belong, or use plain HTTP."""

import base64
from dataclasses import replace

import pytest

from airworthy.contract import Contract, Conversation, Exchange, Response, ServiceAddress
from airworthy.contract.bodies.card_numbers import holds_card_number
from exchange_parts import authorized, changed_request
from unit.contract.examples import BASE, HEADERS, JSON, OFFER, RETURNED, SENT, changed, error, exchange, put
from unit.contract.judging import found, last_findings
from unit.contract.payment.test_rules import FIELDS, payment
from unit.contract.v3 import v3_examples

CARD = "4242424242424242"
KEY = "header:Authorization"


# Card numbers


@pytest.mark.parametrize(
    "value",
    [
        *(CARD, "4242 4242 4242 4242", "4242-4242-4242-4242", "4242.4242.4242.4242", "4242/4242/4242/4242"),
        *("4242  4242  4242  4242", "4242\u00a04242\u00a04242\u00a04242", "3782 822463 10005", "3782.822463.10005"),
        *("\uff14\uff12" * 8, "card: 4242 4242 4242 4242, 04/30", "Main Street 56 4242 4242 4242 4242 12"),
        *("6445644564456445", "3056930009020004", "6205500000000000004", "6304-0000-0000-0000", "6759649826438453"),
        *(int(CARD), float(CARD), "9999 9999 9999 9999", "4242 4242 4242 4242 12/29", "card 5555-5555-5555-4444"),
        *("378282246310005", "6011111111111117"),
    ],
)
def test_card_number_is_recognized(value: object) -> None:
    assert holds_card_number(value)


@pytest.mark.parametrize(
    "value",
    [
        *("4242424242424241", "ref-4242424242424242", "pm_4242424242424242", "order4242424242424242"),
        *("11111111-1111-1111-4111-111111111111", "2027-03-14 08:30:00 2027-03-14 09:50:00", "+34 600 123 456"),
        *("0034600123456", "4915112345678", "AAECAwQFBgcICQoLDA0ODxAREhM=", "1.4242.4242.4242.4243", 1.5, True),
        *(None, [CARD]),
    ],
)
def test_other_number_is_not_a_card_number(value: object) -> None:
    assert not holds_card_number(value)


@pytest.mark.parametrize("text", ["1 ", "4 ", "4", "4242.", "4 4a", "4242 4242 4242 4241 ", "\uff14"])
def test_long_text_of_digits_is_searched_in_bounded_time(text: str) -> None:
    assert holds_card_number(text * 50_000) == (text == "4242.")


ORDER = exchange("createOrder")


@pytest.mark.parametrize(
    ("place", "made"),
    [
        ("path", exchange("getOrder", url=f"https://service.example/v4/order/{CARD}", status=404)),
        ("query:note", changed_request(ORDER, url=f"{ORDER.request.url}&note=4242+4242+4242+4242")),
        ("header:X-Card", changed_request(ORDER, headers=(*HEADERS, ("X-Card", CARD)))),
        ("/?", exchange("createOrder", sent=put(CARD, value=True))),
        ("/note/0", exchange("createOrder", sent=put("note", [float(CARD)]))),
        ("/customerContact/address", exchange("createOrder", sent=put("customerContact.address", CARD))),
    ],
)
def test_card_number_in_each_part_of_a_request(place: str, made: Exchange) -> None:
    assert ("request", "V4-CARD-DATA", place) in found(made)


@pytest.mark.parametrize(
    "body", [b"card%5Bnumber%5D=4242+4242+4242+4242", b'{"card": "4242424242424242"', b"\xff 4242424242424242"]
)
def test_card_number_in_a_body_that_is_not_json(body: bytes) -> None:
    assert ("request", "V4-CARD-DATA", "") in found(exchange("createOrder", sent=body, status=400))
    assert ("request", "V4-CARD-DATA", "") in found(exchange("getFares", sent=body))


def test_card_number_in_a_request_to_any_version() -> None:
    body = b'{"card": {"number": "4242 4242 4242 4242"}}'
    service = Contract.load(("v2", "v3", "v4"), ServiceAddress(("https://service.example",)))
    for path, rule in (("/v3/bookings", "V23"), ("/v2/pay", "V23"), ("/v4/pay", "V4"), ("/v1.1/bookings", "V4")):
        made = exchange("createOrder", url=f"https://service.example{path}", sent=body, status=404)
        assert f"{rule}-CARD-DATA" in {each.rule for each in service.judge(made)}
    assert last_findings(payment(FIELDS)) == []


def test_trace_id_is_not_a_card_number() -> None:
    made = exchange("getFares")
    for name in ("X-Datadog-Trace-Id", "X-Request-Id", "Cookie", "traceparent", "If-None-Match"):
        headers = (*HEADERS, (name, CARD))
        assert found(changed_request(made, headers=headers)) == []


# Secrets


def with_key(made: Exchange, key: str, status: int = 200) -> Exchange:
    response = made.response if status == 200 else Response(status, JSON, b'{"statusCode": 401}')
    return replace(authorized(made, key), response=response)


def basic(user: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:".encode()).decode()


def judged(*exchanges: Exchange) -> list[list[tuple[str, str, str]]]:
    contract, conversation = Contract.load(("v2", "v3", "v4")), Conversation()
    return [
        [
            (each.rule, each.pointer, each.actual)
            for each in contract.judge(made, conversation)
            if each.side == "request"
        ]
        for made in exchanges
    ]


@pytest.mark.parametrize(
    "search",
    [with_key(exchange("searchOffers"), "key-1"), with_key(exchange("searchFlights"), "Bearer key-1")],
)
def test_key_of_the_service_is_sent_to_the_provider(search: Exchange) -> None:
    wrong = [("PAYMENT-METHOD-TOKEN", KEY, "the key of the service")]
    paid = payment(FIELDS, token=basic("key-1"))
    assert judged(search, paid, search) == [[], wrong, []]
    rejected = replace(paid, response=Response(401, JSON, b"{}"))
    assert judged(rejected, search, rejected) == [[], [], wrong]
    assert judged(search, payment(FIELDS, token=basic("rk_1"))) == [[], []]


def test_token_of_the_provider_is_sent_to_the_service() -> None:
    paid, wrong = payment(FIELDS, token=basic("rk_1")), ("V4-AUTH-KEY-SENT", KEY, "the payment provider's token")
    assert judged(paid, with_key(exchange("confirmOrder"), "rk_1", 401))[1] == [wrong]
    late = with_key(exchange("createBookings"), "Bearer rk_1", 401)
    assert judged(paid, late)[1] == [("V23-AUTH-KEY-SENT", *wrong[1:])]
    assert judged(late, paid)[1] == []


def test_key_is_sent_by_basic_authentication() -> None:
    wrong = [("V4-AUTH-KEY-SENT", KEY, "basic authentication")]
    assert judged(with_key(exchange("getFares"), basic("key-1"), 401)) == [wrong]
    assert judged(with_key(exchange("getFares"), "Basic (redacted)", 401)) == [wrong]


@pytest.mark.parametrize("placeholder", ["[REDACTED]", "redacted", "***", "<removed>"])
def test_placeholder_says_nothing_about_a_key(placeholder: str) -> None:
    first, paid = with_key(exchange("getFares"), placeholder), payment(FIELDS, token=placeholder)
    other = with_key(exchange("getReservation", status=404, returned=error(404, "Not Found")), placeholder)
    booked = with_key(exchange("confirmOrder"), placeholder)
    # Without callers, nobody knows whose order it is, either.
    assert judged(first, paid, booked, other) == [[], [], [], []]
    assert judged(payment(FIELDS, token=f"Basic {placeholder}")) == [[]]


@pytest.mark.parametrize("operation", ["createOrder", "createBookings"])
def test_placeholder_of_a_body_is_not_judged(operation: str) -> None:
    found = last_findings(exchange(operation, sent=b"[REDACTED]"))
    assert [(each.kind, each.side) for each in found] == [("unreadable", "request")]


def test_malformed_id_that_the_service_issued_is_its_mistake() -> None:
    issued, url = exchange("createOrder", returned=put("id", "ORD-1")), f"{BASE}/v4/order/ORD-1"
    read = exchange("getOrder", url=url, returned=put("id", "ORD-1"))
    assert {each.rule for each in last_findings(issued, read)} == {"V4-IDENTIFIERS"}
    assert "V4-ORDER-ID-FORM" in {each.rule for each in last_findings(read)}


def test_plain_http_request_without_a_response() -> None:
    url = f"http://service.example/v4/offer/{OFFER}/fares"
    assert found(replace(exchange("getFares", url=url), response=None)) == [("request", "V4-HTTPS-ONLY", "path")]


# Fares that offers share


def test_fare_that_several_offers_share() -> None:
    other, another = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
    returned = RETURNED["getOffer"]
    first = exchange("getOffer", returned=changed(returned, put("id", other)))
    listed = exchange(
        "getBaggage",
        url=f"https://service.example/v4/offer/{other}/baggage",
        returned={
            "fareBaggageOptions": [{"fareId": another, "outboundSegmentOptions": [], "inboundSegmentOptions": None}]
        },
    )
    url = f"https://service.example/v4/order?offerId={OFFER}&fareId={another}"
    ordered = exchange("createOrder", url=url, returned=put("offer.fare.id", another))
    assert found(first, listed, exchange("getOffer"), ordered) == []


def test_identity_number_may_look_like_a_card_number() -> None:
    number = "30105120110003"
    assert holds_card_number(number)
    sent = exchange("createOrder", sent=put("passengers[0].identification.identificationNumber", number))
    assert "V4-CARD-DATA" not in {each.rule for each in last_findings(sent)}


def test_long_id_of_the_service_may_look_like_a_card_number() -> None:
    bags = {CARD: SENT["createRequests"]["bags"][str(v3_examples.FLIGHT)]}
    sent = SENT["createRequests"] | {"flight_ids": [int(CARD)], "bags": bags}
    found = last_findings(exchange("createRequests", sent=sent))
    assert "V23-CARD-DATA" not in {each.rule for each in found}
    found = last_findings(exchange("createRequests", sent=sent | {"fare_type": "5555555555554444"}))
    assert [each.pointer for each in found if each.rule == "V23-CARD-DATA"] == ["/fare_type"]
