"""Requests of v4 scenarios that depend on the profile or on the fields that an offer requires."""

import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from itertools import count, cycle
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import pytest

from airworthy.contract.http.exchange import Exchange
from airworthy.sandbox.dashboard.profile import profile
from airworthy.suite.outcomes import NotApplicable, PrerequisiteFailed, SeatsGone, Untested
from airworthy.target.client import InconclusiveError
from airworthy.target.profile_file import profile_from
from conformance.capabilities import CapabilityRequirements
from conformance.parsed_response import ParsedResponse
from conformance.payments import PaymentFields
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.v4 import accepted_requests
from conformance.v4.offer_client import FoundItinerary, OfferClient, OfferCriteria, StoredOffer
from conformance.v4.order_client import OrderClient
from conformance.v4.seats import SeatSearch
from conformance.v4.steps import orders, requests
from unit.evidence import stub

NOTHING = cast("Any", None)


def exchange(body: bytes, status: int = 200) -> Exchange:
    return stub.exchange(None, body, status=status)


def payments_at(
    post_form: Callable[[str, Mapping[str, str]], Exchange] | None = None, **situations: object
) -> PaymentFields:
    """Return the payments at a payment provider that responds so, with changed situations (None: without them)."""
    values = profile("https://127.0.0.1:1")
    payment = values["payment"] | situations
    values["payment"] = {name: value for name, value in payment.items() if value is not None}
    return PaymentFields(CapabilityRequirements(profile_from(values, "here"), list), post_form)


def order_client() -> OrderClient:
    found = profile_from(profile("https://127.0.0.1:1"), "here")
    return OrderClient(found, found.organisation, NOTHING, NOTHING, NOTHING, NOTHING)


@pytest.mark.parametrize("key", ["secret", "a secret of several words"])
@pytest.mark.parametrize(
    ("path", "scheme"), [("/v4/search", ""), ("/v3/flights", "Bearer "), ("/v2/bookings", "Bearer ")]
)
def test_scheme_is_not_a_part_of_the_key(key: str, path: str, scheme: str) -> None:
    values = profile("https://127.0.0.1:1")
    values["v4"]["key"] = values["v3"]["token"] = values["v2"]["token"] = key
    found = profile_from(values, "here")
    client = OrderClient(found, found.organisation, NOTHING, NOTHING, NOTHING, NOTHING)

    draft = RequestDraft("", "GET", path)
    assert client.authorization(draft) == f"{scheme}{key}"
    assert client.scheme(draft) == scheme


def context_of(client: SimpleNamespace) -> ScenarioContext:
    return ScenarioContext(cast("Any", client), NOTHING, None, NOTHING)


def offer_requiring(*names: str) -> StoredOffer:
    information = {"adult": {"providerRequiredAdditionalFields": list(names)}}
    body = {"providerAdditionalPassengerInformationByPassengerType": information}
    return StoredOffer(NOTHING, ParsedResponse(exchange(json.dumps(body).encode())), OfferCriteria(), {}, 0)


@pytest.mark.parametrize(
    ("listed", "field", "may_be_required"),
    [
        ((), "phone", False),
        (("BIRTH_DATE", "passportNumber"), "phone", False),
        (("phoneNumber",), "phone", True),
        (("phoneNumber",), "nationalityCountryCode", False),
        (("NATIONALITY",), "nationalityCountryCode", True),
        (("LOCALITY_CODE_OF_RESIDENCY",), "countryCodeOfResidence", True),
        (("SOMETHING_ELSE",), "middleName", True),
    ],
)
def test_field_that_an_offer_may_require(listed: tuple[str, ...], field: str, may_be_required: bool) -> None:
    client = order_client()

    assert client.may_require(offer_requiring(*listed), f"passengers[0].{field}") is may_be_required
    assert not client.may_require(offer_requiring(*listed), "selectedBaggage[0].inboundSegmentBaggageSelection")


@pytest.mark.parametrize(("sold", "status", "attempts"), [("8", 422, 9), ("none", 422, 9), ("8", 500, 6)])
def test_get_offer_is_tried_with_each_flight_of_a_search(
    monkeypatch: pytest.MonkeyPatch, sold: str, status: int, attempts: int
) -> None:
    """Each of nine flights is sold under two marketing carriers (OPEN-56)."""
    sections = [
        {"departureDate": str(number), "marketingCarrierCode": of} for number in range(9) for of in ("IB", "QR")
    ]
    found = [FoundItinerary({"outboundSegment": {"sections": [each]}}, NOTHING) for each in sections]
    client, circle, sent = order_client(), cycle(found), list[str]()
    client.clock = cast("Any", SimpleNamespace(generation=0))

    def send(draft: RequestDraft) -> ParsedResponse:
        sent.append(draft.body["outboundSegment"]["sections"][0]["departureDate"])
        body = {"id": str(UUID(int=1)), "cheapestFare": {"id": str(UUID(int=2))}}
        return ParsedResponse(exchange(json.dumps(body).encode(), 200 if sent[-1] == sold else status))

    for name, replacement in {
        "send": send,
        "itinerary": lambda _: next(circle),
        "offer_request": lambda _, each: RequestDraft("getOffer", "POST", "/v4/offer", body=each.offer),
        "search_with_offers": lambda _: SimpleNamespace(itineraries=found),
        "_blamed_for": lambda *_: "V4-OFFER-FIELDS",
        "explain": lambda _: None,
    }.items():
        monkeypatch.setattr(client, name, replacement)
    with nullcontext() if (sold, status) == ("8", 422) else pytest.raises(PrerequisiteFailed):
        client.store(OfferCriteria())

    assert sent == [str(number) for number in range(attempts)]


def test_order_is_created_from_an_offer_that_lists_its_payment_method(monkeypatch: pytest.MonkeyPatch) -> None:
    """The options of an offer may list balance only, card only, or nothing (OPEN-36)."""
    listed = [["balance"], ["card"], ["card", "balance"], ["balance"], []]

    def offer(number: int) -> StoredOffer:
        body = {"id": str(number), "paymentOptions": [{"type": each} for each in listed[number % len(listed)]]}
        response = ParsedResponse(stub.exchange(None, json.dumps(body).encode(), url="https://127.0.0.1/v4/offer"))
        return StoredOffer(NOTHING, response, OfferCriteria(), {}, 0)

    numbers = count()
    monkeypatch.setattr(OfferClient, "store", lambda *_: offer(next(numbers)))
    client = order_client()
    assert [client.store(OfferCriteria()).id for _ in range(3)] == ["2", "4", "7"]
    listed[:] = [["balance"]]
    assert [client.store(OfferCriteria()).id for _ in range(2)] == ["19", "20"]

    seats = SeatSearch(client)
    seats.follow(offer(0).response)
    rejected = stub.exchange(
        b'{"paymentMethod": {"card": true}}', b"{}", url="https://127.0.0.1/v4/order?offerId=0", status=422
    )
    with pytest.raises(Untested, match="OPEN-36"):
        seats.explain("createOrder", rejected)


def test_payment_intent_that_is_not_ready_has_a_payment_method() -> None:
    posted: list[Mapping[str, str]] = []

    def post_form(path: str, form: Mapping[str, str]) -> Exchange:
        posted.append(form)
        return exchange(b'{"id": "pm_1"}' if path.endswith("methods") else b'{"id": "pi_1"}')

    assert payments_at(post_form, not_ready=None).payment_intent("not_ready", 84.0) == "pi_1"
    assert posted[-1]["payment_method"] == "pm_1"
    assert "confirm" not in posted[-1]


def test_payment_method_that_exists_proves_nothing_about_the_provider() -> None:
    payments = payments_at(accepted={"payment_method": "pm_card_visa"}, url=None, token=None)
    with pytest.raises(NotApplicable, match="payment methods that exist"):
        payments.create_payment_method("accepted")
    assert payments.payment_method("accepted") == "pm_card_visa"


@pytest.mark.parametrize(("status", "waits"), [("requires_action", True), ("requires_capture", False)])
def test_payment_intent_that_needs_verification_waits_for_it(status: str, *, waits: bool) -> None:
    def post_form(path: str, _: Mapping[str, str]) -> Exchange:
        made = {"id": "pm_1"} if path.endswith("methods") else {"id": "pi_1", "status": status}
        return exchange(json.dumps(made).encode())

    payments = payments_at(post_form)
    with nullcontext() if waits else pytest.raises(NotApplicable, match="wait for no verification"):
        assert payments.payment_intent("needs_verification", 84.0) == "pi_1"


@pytest.mark.parametrize("status", [502, 503, 504])
def test_gateway_in_front_of_the_payment_provider_is_inconclusive(status: int) -> None:
    payments = payments_at(lambda *_: exchange(b"<h1>Bad Gateway</h1>", status))
    with pytest.raises(InconclusiveError, match=f"instead of the payment provider with status {status}"):
        payments.payment_method("accepted")


def test_removed_version_is_requested_with_every_key_and_token() -> None:
    values = profile("https://127.0.0.1:1")
    values["v2"] = values["v2"] | {"token": "another-token"}
    sent: list[str] = []

    def send(*_: object, key: str, **__: object) -> Exchange:
        sent.append(key)
        return exchange(b"{}", 404)

    organisation = profile_from(values, "here").organisation
    client = SimpleNamespace(v4=organisation.v4, organisation=organisation, client=SimpleNamespace(send=send))

    assert requests._first_success(cast("Any", client), "/v1/flights", {}).status == 404
    keys = [values[version]["key" if version == "v4" else "token"] for version in ("v4", "v3", "v2")]
    assert sorted(sent) == sorted([*keys, *(f"Bearer {key}" for key in keys)])


@pytest.mark.parametrize("declares_balance", [True, False])
def test_organisation_without_balance_needs_no_second_organisation(*, declares_balance: bool) -> None:
    draft = RequestDraft("createOrder", "POST", "/v4/order")
    client = SimpleNamespace(
        v4=SimpleNamespace(balance=False, declares_balance=declares_balance),
        usual_payment="card",
        booked=lambda by: by,
        stored=lambda _: offer_requiring(),
        order_request=lambda *_: draft,
        send=lambda _: ParsedResponse(exchange(b"{}", 403)),
    )
    context = context_of(client)

    if not declares_balance:
        # The organisation may well have balance payment.
        with pytest.raises(Untested, match=r"\[v4\] balance"):
            orders._order_of_an_organisation_without_balance(context)
        return
    orders._order_of_an_organisation_without_balance(context)

    assert (context.last_response.status, context.order, context.is_of_second) == (403, None, False)


@pytest.mark.parametrize("currency", ["usd", "eur", None])
def test_payment_provider_may_take_eur_only(currency: str | None) -> None:
    posted: list[Mapping[str, str]] = []

    def post_form(path: str, form: Mapping[str, str]) -> Exchange:
        posted.append(form)
        if path.endswith("methods"):
            return exchange(b'{"id": "pm_1"}')
        made = {"id": "pi_1", "status": "requires_capture", "currency": currency} if currency else {}
        return exchange(json.dumps(made).encode(), 200 if currency else 400)

    with nullcontext() if currency == "usd" else pytest.raises(NotApplicable, match="no payment intents in USD"):
        assert payments_at(post_form).payment_intent("currency_mismatch", 84.0) == "pi_1"
    assert (posted[-1]["currency"], posted[-1]["amount"]) == ("usd", "8400")


@pytest.mark.parametrize("is_reserved", [True, False])
def test_rejected_confirmations_make_no_reservation(*, is_reserved: bool) -> None:
    found = exchange(b'{"id": "a reservation"}' if is_reserved else b"{}", 200 if is_reserved else 404)
    read = exchange(b'{"status": "FAILED"}')
    client = SimpleNamespace(
        any_order=lambda *_: SimpleNamespace(id="an order"),
        usual_payment="card",
        confirmation=lambda *_: NOTHING,
        send=lambda draft: ParsedResponse(read if draft.operation == "getOrder" else found),
    )
    confirmation = accepted_requests._Confirmation(cast("Any", client), "a payment method")
    confirmation.draft()
    with pytest.raises(PrerequisiteFailed) if is_reserved else nullcontext():
        confirmation.note(ParsedResponse(exchange(b"{}", 400)))


@pytest.mark.parametrize(("listed", "status", "is_sent"), [(("birthDate",), 0, 0), ((), 422, 1), ((), 200, 1)])
def test_birth_date_that_no_offer_lists_is_left_out_on_the_route_of_the_profile(
    listed: tuple[str, ...], status: int, is_sent: int
) -> None:
    """How a supplier says that it requires the birth date of an adult is open (OPEN-43)."""
    stored, sent = offer_requiring(*listed), list[RequestDraft]()

    def send(draft: RequestDraft) -> ParsedResponse:
        sent.append(draft)
        return ParsedResponse(exchange(b"{}", status))

    client = SimpleNamespace(
        v4=SimpleNamespace(balance=False),
        usual_payment="card",
        requires_birth_date=order_client().requires_birth_date,
        stored=lambda _: stored,
        ordered=lambda *_: SimpleNamespace(response=stored.response, stored=stored),
        order_request=lambda *_: RequestDraft(
            "createOrder", "POST", "/v4/order", body={"passengers": [{"birthDate": "x"}]}
        ),
        send=send,
    )
    context = context_of(client)
    with pytest.raises(Untested, match="birth_date_required") if status == 200 else nullcontext():
        orders._an_order_request_that_requires_birth_dates(context)

    assert context.criteria.route == ("regular" if listed else "birth_date_required")
    assert [each.body for each in sent] == [{"passengers": [{}]}] * is_sent


@pytest.mark.parametrize(("fares", "reason"), [(1, "the offer has one fare"), (3, "of its cheapest fare only")])
def test_offer_without_baggage_options_of_another_fare(fares: int, reason: str) -> None:
    fare_id = str(UUID(int=2))
    offered = {"id": str(UUID(int=1)), "cheapestFare": {"id": fare_id}}
    client = SimpleNamespace(
        send_required=lambda *_: ParsedResponse(
            exchange(json.dumps({"fareBaggageOptions": [{"fareId": fare_id}]}).encode())
        ),
        send=lambda _: ParsedResponse(exchange(json.dumps({"fares": [{}] * fares}).encode())),
    )
    context = context_of(client)
    context.keep_stored(replace(offer_requiring(), response=ParsedResponse(exchange(json.dumps(offered).encode()))))
    with pytest.raises(NotApplicable, match=reason):
        requests._send_another_fare_of_the_offer(context, None)


def test_reason_for_gone_seats_quotes_the_rejection(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, found in {"_lacks_seats": True, "_route": "regular"}.items():
        monkeypatch.setattr(SeatSearch, name, lambda *_, found=found: found)
    client, rejected = order_client(), stub.exchange({"adults": 1}, b"{}", status=422)
    monkeypatch.setattr(client, "is_documented", lambda _: True)
    with pytest.raises(SeatsGone, match=r"\[routes.regular\] .* sold out") as raised:
        SeatSearch(client).explain("getOffer", rejected)
    assert raised.value.exchange == rejected
