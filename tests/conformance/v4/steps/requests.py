"""Steps that send a request of v4, prepared by an earlier step or made for the purpose."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from itertools import chain
from typing import Any

from airworthy.contract.http.transaction import amount, items, same_id, whole
from airworthy.suite.outcomes import NotApplicable
from conformance.parsed_response import ParsedResponse
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given, when
from conformance.steps.requests import send_request
from conformance.v4 import request_bodies as bodies
from conformance.v4.offer_client import OfferClient, OfferCriteria
from conformance.v4.order_client import READS
from conformance.v4.request_bodies import OrderOptions
from conformance.v4.steps.orders import prepare


@when(r"the client sends the request without the birth date of its last (?P<passenger>child|infant)")
def _send_without_the_birth_date(context: ScenarioContext, passenger: str) -> None:
    index = max(index for index, kind in enumerate(context.criteria.party.types) if kind == passenger)
    send_request(context, context.request.without(f"passengers[{index}].birthDate"))


@when("the client sends the request with an unknown (?P<what>fare|offer)")
def _send_request_with_an_unknown_id(context: ScenarioContext, what: str) -> None:
    unknown = bodies.another_id(context.request.query[f"{what}Id"])
    send_request(context, context.request.with_query(**{f"{what}Id": unknown}))


@when(
    r"the client sends the request with a (?P<kind>[A-Z_]+) that expired two days ago", "V4-ORDER-IDENTIFICATION-OPTION"
)
def _send_expired_identification(context: ScenarioContext, kind: str) -> None:
    draft = context.request.with_value("passengers[0].identification.type", kind)
    expired = context.service.clock.now().date() - bodies.TWO_DAYS
    send_request(context, bodies.with_documents_until(draft, expired))


@when("the client sends the request with an identification that expires (?P<when>.+)")
def _send_identification_that_expires_soon(context: ScenarioContext, when: str) -> None:
    arrival = str(context.offer.draft.body["outboundSegment"]["sections"][-1]["arrivalDate"])
    a_week_after = date.fromisoformat(arrival[:10]) + timedelta(weeks=1)
    expires = (
        a_week_after if when == "a week after the flight" else context.service.clock.now().date() + bodies.TWO_DAYS
    )
    send_request(context, bodies.with_documents_until(context.request, expires))


_TWO_ITEMS = r"two items for the first passenger, while the second one has (?P<has>one|none)"


@when(rf"the client sends the request with {_TWO_ITEMS}")
def _send_two_items_for_a_passenger(context: ScenarioContext, has: str) -> None:
    first, second = context.request.body["selectedBaggage"]
    items = [first, first, second] if has == "one" else [first, first]
    send_request(context, context.request.with_value("selectedBaggage", items))


@when("the client sends the request with a baggage item for another passenger, too")
def _send_an_item_for_nobody(context: ScenarioContext) -> None:
    (own,) = context.request.body["selectedBaggage"]
    items = [own, {**own, "passengerNumber": own["passengerNumber"] + 1}]
    send_request(context, context.request.with_value("selectedBaggage", items))


@when(r"the client sends the request with another fare of the offer(?P<bag> and one of its bags)?")
def _send_another_fare_of_the_offer(context: ScenarioContext, bag: str | None) -> None:
    reason = "the baggage options of an offer were not returned"
    listed = context.service.send_required(bodies.get_baggage(context.offer.id), reason, "V4-BAGGAGE-OPTIONS")
    fares = items(listed.body, "fareBaggageOptions")
    other = next((each for each in fares if str(each.get("fareId")).lower() != context.offer.fare_id.lower()), None)
    if other is None:
        fares = context.service.send(bodies.get_fares(context.offer.id)).array("fares")
        listed_only = "the offer lists baggage options of its cheapest fare only"
        raise NotApplicable("the offer has one fare" if len(fares) == 1 else listed_only)
    draft = context.request.with_query(fareId=str(other.get("fareId")))
    if bag:
        limits = ("maxPiecesPerPassenger", "maxKilosPerPiece")
        options = [
            each for each in items(other, "outboundSegmentOptions") if all(whole(each.get(name)) for name in limits)
        ]
        if not options:
            raise NotApplicable("the other fares of the offer have no bags")
        dearest = max(options, key=lambda option: amount(option.get("pricePerPiece")) or 0.0)
        draft = draft.with_value("selectedBaggage[0].outboundSegmentBaggageSelection", [bodies.selection(dearest, 1)])
    send_request(context, draft)


@when("the client sends the request with the fare of another offer")
def _send_request_with_the_fare_of_another_offer(context: ScenarioContext) -> None:
    own = context.offer
    # The flights may be the same: a service may look up the fare by them. Whether the offer or the fare is the same
    # then is open (OPEN-57, OPEN-73).
    again = replace(own, response=context.service.send(own.draft), fare="")
    stored = chain([again], (context.service.store(context.criteria) for _ in range(2)))
    others = (each for each in stored if each.response.succeeded and not same_id(each.id, own.id))
    other = next((each for each in others if not same_id(each.fare_id, own.fare_id)), None)
    if other is None:
        raise NotApplicable("other offers have the same fare id (OPEN-73)")
    send_request(context, context.request.with_query(fareId=other.fare_id))
    is_accepted = context.last_response.succeeded
    if is_accepted and other.fare_id.lower().encode() in context.service.send(bodies.get_fares(own.id)).content.lower():
        raise NotApplicable("offers share fares (OPEN-73)")


@when(
    r"the client sends the request with (?P<name>payment_method|payment_intent_id|three_d_secure) "
    r"from the payment provider"
)
def _send_request_with_a_provider_field(context: ScenarioContext, name: str) -> None:
    makers: dict[str, Callable[[], Any]] = {
        "payment_method": lambda: context.service.payments.payment_method("accepted"),
        "payment_intent_id": lambda: context.service.payments.payment_intent("accepted", context.ordered.total),
        "three_d_secure": bodies.three_d_secure,
    }
    send_request(context, context.request.with_value(name, makers[name]()))


@when(
    "the client sends the request with an empty (?P<name>payment_method|payment_intent_id|three_d_secure)",
    "V4-CONFIRM-PAYMENT-METHOD-PREFIX",
    "V4-CONFIRM-3DS-FIELDS",
)
def _send_request_with_an_empty_field(context: ScenarioContext, name: str) -> None:
    send_request(context, context.request.with_value(name, {} if name == "three_d_secure" else ""))


@when("the client sends the request for an unknown order")
def _send_request_for_an_unknown_order(context: ScenarioContext) -> None:
    unknown = bodies.another_id(context.ordered.id)
    send_request(context, replace(context.request, path=f"/v4/order/{unknown}/confirm"))


@given(r"a request of (?P<operation>\w+) that the service accepts")
def _a_request_of(context: ScenarioContext, operation: str) -> None:
    if operation == "createOrder":
        prepare(context, OfferCriteria(), OrderOptions(payment=context.service.usual_payment))
    elif operation in READS:
        context.draft, context.response = context.service.read(operation)
    else:
        find = context.service.search if operation == "searchOffers" else context.service.stored
        found = find(OfferCriteria())
        context.draft, context.response = found.draft, found.response


@when("the client uses every operation once")
def _use_every_operation(context: ScenarioContext) -> None:
    context.together = context.service.use_every_operation()
    context.response = context.together[-1]


@when(
    r'the client requests (?P<operation>\w+) with the identifier "(?P<identifier>[^"]+)"',
    "V4-ORDER-ID-FORM",
    "V4-ORDER-QUERY",
    "V4-RESERVATION-QUERY",
)
def _an_operation_is_requested_with(context: ScenarioContext, operation: str, identifier: str) -> None:
    drafts = {
        "getFares": lambda: bodies.get_fares(identifier),
        "getBaggage": lambda: bodies.get_baggage(identifier),
        "getOrder": lambda: bodies.get_order(identifier),
        "getReservation": lambda: bodies.get_reservation(identifier),
        "findReservation": lambda: bodies.find_reservation(identifier),
        "confirmOrder": lambda: bodies.confirm_order(identifier, "balance"),
        "createOrder": lambda: context.service.order_request(
            context.service.stored(OfferCriteria()), OrderOptions()
        ).with_query(offerId=identifier),
    }
    context.send(drafts[operation]())


@when(r"the client sends a search to the removed version (?P<version>v[0-9.]+)")
def _search_removed_version(context: ScenarioContext, version: str) -> None:
    trip = context.service.trip(OfferCriteria())
    query = {"origin": trip.origin.code, "destination": trip.destination.code}
    path = f"/{version}/flights"
    context.response = _first_success(context.service, path, query)


def _first_success(service_client: OfferClient, path: str, query: dict[str, str]) -> ParsedResponse:
    """Send a request with each key and token, bare and prefixed: any of them may show what is still available."""
    keys = [service_client.v4.key, *(each.token for each in service_client.organisation.tokens.values())]
    responses: list[ParsedResponse] = []
    for key in dict.fromkeys(each.reveal() for each in keys):
        for authorization in (key, f"Bearer {key}"):
            exchange = service_client.client.send("GET", path, query=query, key=authorization)
            responses.append(ParsedResponse(exchange))
            if responses[-1].succeeded:
                return responses[-1]
    return responses[-1]
