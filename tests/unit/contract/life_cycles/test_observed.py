"""The steps that traffic takes in the life cycles."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import pytest

from airworthy.contract import Contract, Conversation, ServiceAddress
from airworthy.contract.http.exchange import Exchange, Response
from airworthy.contract.life_cycles import Step
from conformance.v3 import request_bodies as v3_bodies
from conformance.v3 import samples as v3_samples
from conformance.v4 import samples
from conformance.v4.samples import exchange_of, with_header


def taken(exchanges: Iterable[Exchange]) -> list[Step]:
    """Return the steps of a conversation."""
    contract = Contract.load(("v2", "v3", "v4"), ServiceAddress((samples.BASE,), (samples.PROVIDER,)))
    conversation, found = Conversation(), list[Step]()
    for exchange in exchanges:
        contract.judge(exchange, conversation, None, found)
    return found


def named(steps: Iterable[Step]) -> list[str]:
    """Return the names of the transitions; of a step that is not allowed, what it does."""
    return [
        each.life_cycle.name(each.transition) if each.transition else f"{each.before} {each.operation} {each.after}"
        for each in steps
    ]


def rejected(exchange: Exchange, status: int = 409) -> Exchange:
    body = b'{"statusCode": 409, "error": "Conflict", "message": "no"}'
    return replace(exchange, response=Response(status, (("Content-Type", "application/json"),), body))


def later(exchange: Exchange, **ago: float) -> Exchange:
    return replace(exchange, started=exchange.started + timedelta(**ago), id=f"{exchange.id}-later")


def test_documented_conversation_of_v4_takes_documented_transitions() -> None:
    assert named(taken(samples.conversation())) == [
        "offer: none, getOffer, stored",
        "offer: stored, getFares, stored",
        "offer: stored, getBaggage, stored",
        "offer: stored, createOrder, stored",
        "order: none, createOrder, OPEN",
        "order: OPEN, confirmOrder, BOOKED",
        "reservation: none, confirmOrder, created",
        "order: BOOKED, getOrder, BOOKED",
        "reservation: created, getReservation, created",
        "reservation: created, findReservation, created",
    ]


@pytest.mark.parametrize("interface", ["v3", "v2"])
def test_documented_conversation_of_v3_takes_documented_transitions(interface: v3_bodies.Interface) -> None:
    assert named(taken(v3_samples.conversation(interface))) == [
        "booking request: none, createRequests, pending",
        "booking request: pending, createBookings, booked",
        "booking: none, createBookings, AWAITING_PNR_AIRLINE",
        "booking: AWAITING_PNR_AIRLINE, getBookings, CONFIRMED",
    ]


def test_second_confirmation_is_to_be_rejected() -> None:
    *_, confirmation, _, _, _ = conversation = samples.conversation()
    again = later(confirmation, minutes=10)
    assert named(taken([*conversation, rejected(again)]))[-1] == "order: BOOKED, confirmOrder, BOOKED rejected"
    accepted = taken([*conversation, again])[-1]
    assert accepted.transition is None
    assert {each.rule for each in accepted.allowed} == {"V4-CONFIRM-ONCE"}


def test_order_of_another_organisation_is_to_be_rejected() -> None:
    *_, read, _, _ = conversation = samples.conversation()
    foreign = with_header(later(read, minutes=10), "Authorization", "another-key")
    assert named(taken([*conversation, rejected(foreign, 404)]))[-1].endswith(
        "by another organisation, BOOKED rejected"
    )
    assert taken([*conversation, foreign])[-1].transition is None


def test_offer_expires() -> None:
    conversation = samples.conversation()
    fares = later(conversation[2], minutes=31)
    empty = replace(fares, response=replace(conversation[2].response or Response(200, ()), body=b'{"fares": []}'))
    assert named(taken([*conversation, empty]))[-2:] == [
        "offer: stored, time, expired",
        "offer: expired, getFares, expired rejected",
    ]
    assert taken([*conversation, fares])[-1].transition is None


def test_state_between_three_and_five_minutes_is_uncertain() -> None:
    conversation = v3_samples.conversation("v3")[:2]
    cancel = exchange_of(
        v3_bodies.cancel_request(700001), {"success": True}, conversation[-1].started, "cancel", "Bearer sample-token"
    )
    assert named(taken([*conversation, later(cancel, minutes=1)]))[-1] == (
        "booking request: pending, cancelRequest, cancelled"
    )
    assert named(taken([*conversation, later(cancel, minutes=4)])) == ["booking request: none, createRequests, pending"]
    assert taken([*conversation, later(cancel, minutes=6)])[-1].transition is None


@pytest.mark.parametrize("status", [401, 429, 500, 503])
def test_response_that_says_nothing_of_the_resource_is_no_step(status: int) -> None:
    *_, read, _, _ = conversation = samples.conversation()
    again = rejected(later(read, minutes=10), status)
    assert named(taken([*conversation, again])) == named(taken(conversation))
