"""Cards, payment intents, lists and idempotency keys, as the payment provider's official client sees them."""

from typing import Any

import pytest
import stripe

from airworthy.sandbox.payment_provider.provider import CARDS, Card

from .agency import Agency

PAYMENT: Any = {"amount": 1000, "currency": "eur", "capture_method": "manual", "payment_method": "pm_card_visa"}
CARD: Any = {"number": "4242424242424242", "exp_month": 12, "exp_year": 2040, "cvc": "987"}


def create(provider: stripe.StripeClient, **more: object) -> stripe.PaymentIntent:
    return provider.v1.payment_intents.create(PAYMENT | more)


def payment_of(error: stripe.StripeError) -> stripe.PaymentIntent:
    assert error.error is not None
    assert error.error.payment_intent is not None
    return error.error.payment_intent


# The states of a payment


def test_at_most_the_amount_is_captured(provider: stripe.StripeClient) -> None:
    intent = create(provider, confirm=True)
    with pytest.raises(stripe.InvalidRequestError) as error:
        provider.v1.payment_intents.capture(intent.id, {"amount_to_capture": 1001})
    captured = provider.v1.payment_intents.capture(intent.id, {"amount_to_capture": 400})

    assert (intent.status, intent.amount_capturable) == ("requires_capture", 1000)
    assert error.value.code == "amount_too_large"
    assert (captured.status, captured.amount_received, captured.amount_capturable) == ("succeeded", 400, 0)


def test_payment_is_canceled_once(provider: stripe.StripeClient) -> None:
    intent = create(provider)
    canceled = provider.v1.payment_intents.cancel(intent.id, {"cancellation_reason": "abandoned"})
    with pytest.raises(stripe.InvalidRequestError) as again:
        provider.v1.payment_intents.cancel(intent.id)

    assert (canceled.status, canceled.cancellation_reason) == ("canceled", "abandoned")
    assert canceled.canceled_at
    assert again.value.code == "payment_intent_unexpected_state"
    assert payment_of(again.value).status == "canceled"


def test_updated_payment_is_confirmed_with_its_new_terms(provider: stripe.StripeClient) -> None:
    intent = create(provider, payment_method="", metadata={"order": "1", "agent": "2"})
    terms: Any = {"amount": 700, "payment_method": "pm_card_visa"}
    notes: Any = {"description": "MAD-BCN", "metadata": {"agent": "", "x": "3"}}
    updated = provider.v1.payment_intents.update(intent.id, terms | notes)
    confirmed = provider.v1.payment_intents.confirm(intent.id)

    statuses = [each.status for each in (intent, updated, confirmed)]
    assert statuses == ["requires_payment_method", "requires_confirmation", "requires_capture"]
    assert (confirmed.amount_capturable, confirmed.description) == (700, "MAD-BCN")
    assert confirmed.metadata.to_dict() == {"order": "1", "x": "3"}


def test_only_the_notes_of_a_confirmed_payment_are_updated(provider: stripe.StripeClient) -> None:
    intent = create(provider, confirm=True)
    noted = provider.v1.payment_intents.update(intent.id, {"metadata": {"order": "1"}})
    with pytest.raises(stripe.InvalidRequestError) as error:
        provider.v1.payment_intents.update(intent.id, {"amount": 1})

    assert (noted.status, noted.metadata.to_dict()) == ("requires_capture", {"order": "1"})
    assert error.value.code == "payment_intent_unexpected_state"


def test_declined_payment_can_be_paid_with_another_card(provider: stripe.StripeClient) -> None:
    intent = create(provider, payment_method="pm_card_chargeDeclined")
    with pytest.raises(stripe.CardError) as declined:
        provider.v1.payment_intents.confirm(intent.id)
    failed = provider.v1.payment_intents.retrieve(intent.id)
    paid = provider.v1.payment_intents.confirm(intent.id, {"payment_method": "pm_card_visa"})

    assert declined.value.error is not None
    assert declined.value.error.decline_code == "generic_decline"
    assert payment_of(declined.value).id == intent.id
    assert (failed.status, failed.payment_method) == ("requires_payment_method", None)
    assert failed.last_payment_error is not None
    assert failed.last_payment_error.code == "card_declined"
    assert (paid.status, paid.last_payment_error) == ("requires_capture", None)


def test_predefined_payment_stays_as_it_is(provider: stripe.StripeClient) -> None:
    reference = "pi_sandbox_wrong_amount"
    assert provider.v1.payment_intents.capture(reference).status == "succeeded"

    assert provider.v1.payment_intents.retrieve(reference).status == "requires_capture"


def test_metadata_of_a_payment_method_are_updated(provider: stripe.StripeClient) -> None:
    method = provider.v1.payment_methods.create({"type": "card", "card": CARD, "metadata": {"order": "1"}})
    updated = provider.v1.payment_methods.update(method.id, {"metadata": {"order": "2"}})
    with pytest.raises(stripe.InvalidRequestError):
        provider.v1.payment_methods.update("pm_card_visa", {"metadata": {"order": "2"}})

    assert method.metadata is not None
    assert method.metadata.to_dict() == {"order": "1"}
    assert updated.metadata is not None
    assert updated.metadata.to_dict() == {"order": "2"}


@pytest.mark.parametrize(
    "parameters",
    [
        {"amount": 0},
        {"amount": 123_456_789},
        {"amount": "1e3"},
        {"currency": "xyz"},
        {"capture_method": "later"},
        {"payment_method": "pm_unknown"},
        {"metadata": {"x" * 41: "1"}},
        {"metadata": {"x": "1" * 501}},
        {"metadata": {str(number): "1" for number in range(51)}},
        {"description": "x" * 1001},
        {"confirm": True, "return_url": "javascript:alert(1)"},
        {"confirm": True, "return_url": "https://a.example;script-src *"},
        {"confirm": True, "return_url": "https://user@a.example/"},
        {"confirm": True, "return_url": "https://a.example/\r\nX: 1"},
        {"confirm": True, "return_url": "https://[a"},
    ],
    ids=str,
)
def test_invalid_parameter_is_named(provider: stripe.StripeClient, parameters: dict[str, object]) -> None:
    with pytest.raises(stripe.InvalidRequestError) as error:
        create(provider, **parameters)

    assert error.value.http_status == 400
    assert error.value.param == list(parameters)[-1]


def test_client_iterates_over_all_payments(provider: stripe.StripeClient) -> None:
    created = [create(provider).id for _ in range(5)]
    first = provider.v1.payment_intents.list({"limit": 2})
    iterated = [each.id for each, _ in zip(first.auto_paging_iter(), range(5), strict=False)]
    newer = provider.v1.payment_intents.list({"limit": 2, "ending_before": created[0]})

    assert first.has_more
    assert iterated == created[::-1]
    assert [each.id for each in newer] == [created[2], created[1]]
    assert newer.has_more
    assert {each.id for each in newer.auto_paging_iter()} == set(created[1:])


def test_client_iterates_over_all_payment_methods(provider: stripe.StripeClient) -> None:
    created = [provider.v1.payment_methods.create({"type": "card", "card": CARD}).id for _ in range(3)]
    listed = provider.v1.payment_methods.list({"type": "card", "limit": 1})

    assert [each.id for each, _ in zip(listed.auto_paging_iter(), range(3), strict=False)] == created[::-1]


def test_payments_are_filtered_by_time(provider: stripe.StripeClient) -> None:
    intent = create(provider)
    since = provider.v1.payment_intents.list({"created": {"gte": intent.created}})
    later = provider.v1.payment_intents.list({"created": {"gt": intent.created + 3600}})

    assert since.data[0].id == intent.id
    assert (later.data, later.has_more) == ([], False)


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 101}, "limit"),
        ({"starting_after": "pi_unknown"}, "starting_after"),
        ({"created": {"gt": "yesterday"}}, "created"),
    ],
)
def test_invalid_list_parameter_is_named(
    provider: stripe.StripeClient, query: stripe.params.PaymentIntentListParams, param: str
) -> None:
    create(provider)
    with pytest.raises(stripe.InvalidRequestError) as error:
        provider.v1.payment_intents.list(query)

    assert (error.value.http_status, error.value.param) == (400, param)


def test_unknown_and_foreign_resources_are_not_found(
    provider: stripe.StripeClient, other_provider: stripe.StripeClient
) -> None:
    intent = create(provider)
    method = provider.v1.payment_methods.create({"type": "card", "card": CARD})

    assert intent.id not in {each.id for each in other_provider.v1.payment_intents.list().auto_paging_iter()}
    for hidden in (
        lambda: provider.v1.payment_intents.retrieve("pi_unknown"),
        lambda: other_provider.v1.payment_intents.retrieve(intent.id),
        lambda: other_provider.v1.payment_intents.cancel(intent.id),
        lambda: other_provider.v1.payment_methods.retrieve(method.id),
    ):
        with pytest.raises(stripe.InvalidRequestError) as error:
            hidden()
        assert error.value.http_status == 404


def test_same_key_gives_the_same_payment(provider: stripe.StripeClient) -> None:
    options: Any = {"idempotency_key": "same-key-same-payment"}
    first, again = (provider.v1.payment_intents.create(PAYMENT, options) for _ in range(2))
    newest = provider.v1.payment_intents.list({"limit": 2})

    assert first.id == again.id
    assert [each.id for each in newest].count(first.id) == 1
    assert again.last_response is not None
    assert again.last_response.headers["Idempotent-Replayed"] == "true"


def test_same_key_repeats_a_declined_payment(provider: stripe.StripeClient) -> None:
    options: Any = {"idempotency_key": "declined"}
    declined: Any = PAYMENT | {"payment_method": "pm_card_chargeDeclined", "confirm": True}
    references = set()
    for _ in range(2):
        with pytest.raises(stripe.CardError) as error:
            provider.v1.payment_intents.create(declined, options)
        references.add(payment_of(error.value).id)

    assert len(references) == 1


def test_key_of_another_request_is_an_idempotency_error(
    provider: stripe.StripeClient, other_provider: stripe.StripeClient
) -> None:
    options: Any = {"idempotency_key": "key-of-another-request"}
    intent = provider.v1.payment_intents.create(PAYMENT, options)
    with pytest.raises(stripe.IdempotencyError, match="same parameters") as other_parameters:
        provider.v1.payment_intents.create(PAYMENT | {"amount": 1}, options)
    with pytest.raises(stripe.IdempotencyError, match="same endpoint"):
        provider.v1.payment_intents.confirm(intent.id, {}, options)
    of_other_account = other_provider.v1.payment_intents.create(PAYMENT, options)

    assert other_parameters.value.http_status == 400
    assert of_other_account.id != intent.id


def test_corrected_request_may_use_the_same_key(provider: stripe.StripeClient) -> None:
    options: Any = {"idempotency_key": "corrected"}
    with pytest.raises(stripe.InvalidRequestError):
        provider.v1.payment_intents.create(PAYMENT | {"currency": "xyz"}, options)

    assert provider.v1.payment_intents.create(PAYMENT, options).status == "requires_confirmation"


def test_long_key_is_rejected(provider: stripe.StripeClient) -> None:
    with pytest.raises(stripe.InvalidRequestError, match="255"):
        provider.v1.payment_intents.create(PAYMENT, {"idempotency_key": "k" * 256})


# Every response is the provider's JSON


@pytest.mark.parametrize(
    ("method", "path", "status", "allow"),
    [
        ("GET", "/v1/charges", 404, None),
        ("POST", "/v1/payment_intents/", 404, None),
        ("GET", "/v1/payment_intents/pi_1/confirm/again", 404, None),
        ("GET", "/v2/payment_methods", 404, None),
        ("DELETE", "/v1/payment_intents", 405, "GET, POST, HEAD"),
        ("PUT", "/v1/payment_methods/pm_card_visa", 405, "GET, POST, HEAD"),
        ("GET", "/v1/payment_intents/pi_1/confirm", 405, "POST"),
        ("OPTIONS", "/v1/payment_intents/pi_1/capture", 405, "POST"),
        ("DELETE", "/3d-secure/unknown", 405, "GET, POST, HEAD"),
    ],
)
def test_unknown_path_or_method_is_a_provider_error(
    agency: Agency, method: str, path: str, status: int, allow: str | None
) -> None:
    payment = agency.server.profile()["payment"]
    response = agency.ask(method, payment["url"] + path, auth=(payment["token"], ""))

    assert response.status_code == status
    assert response.json()["error"]["type"] == "invalid_request_error"
    assert path in response.json()["error"]["message"]
    assert response.headers.get("Allow") == allow
    assert response.headers["Request-Id"].startswith("req_")


def test_card_is_never_in_a_response(agency: Agency) -> None:
    payment = agency.server.profile()["payment"]
    url, auth = f"{payment['url']}/v1/payment_methods", (payment["token"], "")
    form = {"type": "card"} | {f"card[{name}]": str(value) for name, value in CARD.items()}
    responses = [
        agency.ask("POST", url, data=form, auth=auth),
        agency.ask("POST", url, data=form | {"card[exp_month]": "13"}, auth=auth),
        agency.ask("POST", url, data=form | {"card[number]": "4242424242424241"}, auth=auth),
        agency.ask("GET", url, auth=auth),
    ]

    assert [each.status_code for each in responses] == [200, 402, 402, 200]
    # An id may contain the digits of a security code by chance, but not as the whole of a value.
    assert not any(secret in each.text for each in responses for secret in ("424242424242424", '"987"', ":987", "cvc"))


def test_created_payment_method_books_an_order(agency: Agency, provider: stripe.StripeClient) -> None:
    created = provider.v1.payment_methods.create({"type": "card", "card": CARD})
    read = provider.v1.payment_methods.retrieve(created.id)

    assert created.id.startswith("pm_")
    assert read.card is not None
    assert (read.card.brand, read.card.last4) == ("visa", "4242")
    assert agency.confirm(agency.opened(), payment_method=created.id).json()["status"] == "BOOKED"


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_result_of_each_test_card(provider: stripe.StripeClient, card: Card) -> None:
    method = provider.v1.payment_methods.create({"type": "card", "card": CARD | {"number": card.number}})
    parameters: Any = {"amount": 100, "currency": "eur", "payment_method": method.id, "confirm": True}
    if card.outcome == "declined":
        with pytest.raises(stripe.CardError) as declined:
            provider.v1.payment_intents.create(parameters)
        assert declined.value.code == "card_declined"
    else:
        expected = {"accepted": "succeeded", "verification": "requires_action"}[card.outcome]
        assert provider.v1.payment_intents.create(parameters).status == expected


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"number": "4242424242424241"}, "incorrect_number"),
        ({"number": "4242 4242 4242 4242"}, "incorrect_number"),
        ({"exp_month": 13}, "invalid_expiry_month"),
        ({"exp_year": 2001}, "invalid_expiry_year"),
        ({"cvc": "1"}, "invalid_cvc"),
    ],
)
def test_invalid_card_is_a_card_error(provider: stripe.StripeClient, change: dict[str, object], code: str) -> None:
    with pytest.raises(stripe.CardError) as error:
        provider.v1.payment_methods.create({"type": "card", "card": CARD | change})

    assert error.value.code == code


def test_card_without_a_number_is_an_invalid_request_error(provider: stripe.StripeClient) -> None:
    with pytest.raises(stripe.InvalidRequestError) as missing:
        provider.v1.payment_methods.create({"type": "card"})

    assert missing.value.param == "card[number]"


@pytest.mark.parametrize("auth", [None, ("wrong", ""), ("", "")])
def test_provider_requires_the_restricted_token(agency: Agency, auth: tuple[str, str] | None) -> None:
    url = f"{agency.server.profile()['payment']['url']}/v1/payment_methods"
    response = agency.ask("POST", url, data={"type": "card"}, auth=auth)

    assert response.status_code == 401
    assert response.json()["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize("path", ["payment_methods", "payment_intents", "payment_intents/pi_1/confirm", "other"])
def test_payment_client_at_the_address_of_the_service_is_told_so(agency: Agency, path: str) -> None:
    response = agency.ask("POST", f"/v1/{path}", headers={"Authorization": agency.key})
    words = "version was removed" if path == "other" else "payment provider has an address of its own"
    assert response.status_code == 404
    assert words in response.json()["message"]
