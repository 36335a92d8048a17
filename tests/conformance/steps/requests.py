"""Steps that send a prepared request, with one thing changed."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest
from pytest_bdd import given, parsers, when

from airworthy.contract.exchange import Exchange
from airworthy.target.client import NOT_GIVEN, Client
from conformance import bodies
from conformance.answer import Answer, read
from conformance.bodies import OrderOptions
from conformance.desk import Desk
from conformance.draft import Draft
from conformance.fixtures import Announce
from conformance.offer_desk import OfferDesk, Wanted
from conformance.order_desk import OrderDesk, Ordered
from conformance.payments import WAYS
from conformance.scene import Scene

_FIELD = r"(?P<field>[A-Za-z_][A-Za-z0-9_.\[\]]*)"


def _send(desk: Desk, scene: Scene, draft: Draft) -> None:
    scene.draft, scene.answer = draft, desk.send(draft)
    if draft.operation == "createOrder" and scene.answer.succeeded and scene.answer.member("id"):
        stored = scene.offer
        scene.order = Ordered(draft, scene.answer, stored, OrderOptions())
        desk.forget(stored)


@when(parsers.re(rf"it is sent without {_FIELD}"))
def _it_is_sent_without(desk: Desk, scene: Scene, field: str) -> None:
    _send(desk, scene, scene.request.leaving_out(field))


@when(parsers.re(rf"it is sent with {_FIELD} set to (?P<value>.+)"))
def _it_is_sent_with(desk: Desk, scene: Scene, field: str, value: str) -> None:
    _send(desk, scene, scene.request.setting(field, json.loads(value)))


@when(parsers.re(r"it is sent without the parameter (?P<parameter>\w+)"))
def _it_is_sent_without_the_parameter(desk: Desk, scene: Scene, parameter: str) -> None:
    _send(desk, scene, scene.request.asking(**{parameter: None}))


@when(parsers.re(r"it is sent without the birth date of its (?P<passenger>child|infant)"))
def _it_is_sent_without_the_birth_date(desk: Desk, scene: Scene, passenger: str) -> None:
    index = scene.wanted.party.types.index(passenger)
    _send(desk, scene, scene.request.leaving_out(f"passengers[{index}].birthDate"))


@when(parsers.re(r"it is sent for a passenger titled (?P<title>MR|MRS|MS)"))
def _it_is_sent_for_a_passenger_titled(desk: OrderDesk, scene: Scene, title: str) -> None:
    options = OrderOptions(payment=desk.usual_payment, title=title)
    _send(desk, scene, desk.order_request(scene.offer, options))


@when("it is sent with an unknown fare")
def _it_is_sent_with_an_unknown_fare(desk: Desk, scene: Scene, unknown_id: str) -> None:
    _send(desk, scene, scene.request.asking(fareId=unknown_id))


@when("it is sent with the fare of another offer")
def _it_is_sent_with_the_fare_of_another_offer(desk: OfferDesk, scene: Scene) -> None:
    other = next(
        (each for each in (desk.store(scene.wanted) for _ in range(3)) if each.fare_id != scene.offer.fare_id), None
    )
    if other is None:
        pytest.fail("three offers of other itineraries have the same fare id")
    _send(desk, scene, scene.request.asking(fareId=other.fare_id))


@when("it is sent with an unknown offer")
def _it_is_sent_with_an_unknown_offer(desk: Desk, scene: Scene, unknown_id: str) -> None:
    _send(desk, scene, scene.request.asking(offerId=unknown_id))


@when(
    parsers.re(r"it is sent with (?P<name>payment_method|payment_intent_id|three_d_secure) from the payment provider")
)
def _it_is_sent_with_a_provider_field(desk: Desk, scene: Scene, name: str) -> None:
    makers: dict[str, Callable[[], Any]] = {
        "payment_method": lambda: desk.payments.payment_method("accepted"),
        "payment_intent_id": lambda: desk.payments.payment_intent("accepted", scene.ordered.total),
        "three_d_secure": bodies.three_d_secure,
    }
    _send(desk, scene, scene.request.setting(name, makers[name]()))


@when("it is sent for an unknown order")
def _it_is_sent_for_an_unknown_order(desk: Desk, scene: Scene, unknown_id: str) -> None:
    _send(desk, scene, replace(scene.request, path=f"/v4/order/{unknown_id}/confirm"))


# Keys


@given(parsers.re(r"a request of (?P<operation>\w+) that the service answers"))
def _a_request_of(desk: OrderDesk, scene: Scene, operation: str) -> None:
    if operation == "createOrder":
        scene.order = desk.ordered(Wanted(), OrderOptions(payment=desk.usual_payment))
        scene.stored = desk.stored(Wanted())
        scene.draft = desk.order_request(scene.stored, OrderOptions(payment=desk.usual_payment))
        return
    scene.draft = _read_requests(desk)[operation]
    reason = f"a documented request of {operation} was not answered"
    scene.answer = desk.needed(scene.draft, reason, _OWNERS[operation])


_OWNERS = {
    "searchOffers": "V4-SEARCH-OFFERS",
    "getOffer": "V4-OFFER-FIELDS",
    "getFares": "V4-FARES-LIVE",
    "getBaggage": "V4-BAGGAGE-OPTIONS",
    "getOrder": "V4-ORDER-READ",
    "getReservation": "V4-RESERVATION-FIELDS",
    "findReservation": "V4-RESERVATION-BY-ORDER",
}


def _read_requests(desk: OrderDesk) -> dict[str, Draft]:
    """A documented request of every operation that changes nothing that matters."""
    booked = desk.booked(WAYS[desk.usual_payment])
    stored = desk.stored(Wanted())
    return {
        "searchOffers": desk.search(Wanted()).draft,
        "getOffer": stored.draft,
        "getFares": bodies.get_fares(stored.id),
        "getBaggage": bodies.get_baggage(stored.id),
        "getOrder": bodies.get_order(booked.id),
        "getReservation": bodies.get_reservation(booked.reservation_id),
        "findReservation": bodies.find_reservation(booked.id),
    }


@when("it is sent with a wrong key")
def _it_is_sent_with_a_wrong_key(desk: Desk, scene: Scene, wrong_key: str) -> None:
    scene.answer = desk.send(scene.request, key=wrong_key)


@when("it is sent without a key")
def _it_is_sent_without_a_key(desk: Desk, scene: Scene, expects_request_finding: Announce) -> None:
    expects_request_finding("V4-AUTH-KEY-SENT", "V23-AUTH-KEY-SENT")
    scene.answer = desk.send(scene.request, key=None)


@when(parsers.re(r'it is sent with the key prefixed by "(?P<scheme>\w+)"'))
def _it_is_sent_with_a_prefixed_key(desk: Desk, scene: Scene, expects_request_finding: Announce, scheme: str) -> None:
    expects_request_finding("V4-CURRENT-REVISION")
    scene.answer = desk.send(scene.request, key=f"{scheme} {desk.authorization(scene.request)}")


# Transport


@when("the same search is sent over plain HTTP")
def _the_search_is_sent_over_plain_http(desk: Desk, scene: Scene, expects_request_finding: Announce) -> None:
    # What goes over plain HTTP is read by anybody: the key stays at home, unless it is a test key and the interface
    # itself asks for it.
    expects_request_finding("V4-AUTH-KEY-SENT", "V23-AUTH-KEY-SENT")
    draft = scene.request
    path = draft.path + (f"?{urlencode(draft.query)}" if draft.query else "")
    body = NOT_GIVEN if draft.body is None else draft.body
    answer = read(desk.client.over_plain_http(draft.method, path, json=body))
    asked_for = answer.member("statusCode") or (answer.exchange.response is not None and answer.status in (401, 403))
    if asked_for and desk.profile.environment != "production":
        answer = read(desk.client.over_plain_http(draft.method, path, json=body, key=desk.authorization(draft)))
    scene.answer = answer


@when("a trip is searched, offered, ordered, booked and read")
def _a_grand_tour(desk: OrderDesk, scene: Scene) -> None:
    scene.together = desk.grand_tour()
    scene.answer = scene.together[-1]


@when(parsers.re(r'(?P<operation>\w+) is asked with the identifier "(?P<identifier>[^"]+)"'))
def _an_operation_is_asked_with(
    desk: OrderDesk, scene: Scene, expects_request_finding: Announce, operation: str, identifier: str
) -> None:
    expects_request_finding("V4-ORDER-ID-FORM", "V4-ORDER-QUERY", "V4-RESERVATION-QUERY")
    drafts = {
        "getFares": lambda: bodies.get_fares(identifier),
        "getBaggage": lambda: bodies.get_baggage(identifier),
        "getOrder": lambda: bodies.get_order(identifier),
        "getReservation": lambda: bodies.get_reservation(identifier),
        "findReservation": lambda: bodies.find_reservation(identifier),
        "confirmOrder": lambda: bodies.confirm_order(identifier, "balance"),
        "createOrder": lambda: desk.order_request(desk.stored(Wanted()), OrderOptions()).asking(offerId=identifier),
    }
    scene.draft = drafts[operation]()
    scene.answer = desk.send(scene.draft)


@when(parsers.re(r"its body is replaced by (?P<text>.+)"))
def _its_body_is_replaced(desk: Desk, scene: Scene, expects_request_finding: Announce, text: str) -> None:
    expects_request_finding("V4-SEARCH-REQUIRED", "V4-OFFER-REQUIRED", "V4-ORDER-REQUIRED")
    expects_request_finding("V2-REQUESTS-REQUIRED", "V3-REQUESTS-REQUIRED")
    draft = replace(scene.request, body=None, raw=text.encode())
    scene.answer = desk.send(draft, headers={"Content-Type": "application/json"})


@when(parsers.re(r"a search is sent to the removed version (?P<version>v[0-9.]+)"))
def _a_search_is_sent_to_a_removed_version(desk: OfferDesk, scene: Scene, version: str) -> None:
    trip = desk.trip(Wanted())
    query = {"origin": trip.origin.code, "destination": trip.destination.code}
    path = f"/{version}/flights"
    scene.answer = _first_success(desk.client, path, query)


def _first_success(client: Client, path: str, query: dict[str, str]) -> Answer:
    """Ask with the bare and the prefixed key, as the live versions do: either would reveal what still serves."""
    exchanges: list[Exchange] = []
    bare = client.key.reveal() if client.key else ""
    for key in (bare, f"Bearer {bare}"):
        exchanges.append(client.send("GET", path, query=query, key=key))
        if read(exchanges[-1]).succeeded:
            break
    return read(exchanges[-1])


_REFUSALS: dict[str, Callable[[OfferDesk, str], Answer]] = {
    "Bad Request": lambda desk, _: desk.send(desk.search(Wanted()).draft.setting("adults", 0)),
    "Unauthorized": lambda desk, _: desk.send(desk.search(Wanted()).draft, key="airworthy-wrong-key"),
    "Not Found": lambda desk, unknown_id: desk.send(bodies.get_order(unknown_id)),
}


@when(parsers.re(r"a request is refused as (?P<reason>Bad Request|Unauthorized|Not Found)"))
def _a_request_is_refused(
    desk: OfferDesk, scene: Scene, expects_request_finding: Announce, unknown_id: str, reason: str
) -> None:
    expects_request_finding("V4-SEARCH-ADULTS")
    desk.search(Wanted())
    scene.answer = _REFUSALS[reason](desk, unknown_id)
