"""Steps that send a prepared request, with one thing changed."""

import json
import secrets
from contextlib import suppress
from dataclasses import replace
from functools import partial
from urllib.parse import urlencode

from airworthy.suite.outcomes import NotApplicable, Untested
from airworthy.target.client import NOT_GIVEN
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.step_table import when
from conformance.v4.order_client import CreatedOrder
from conformance.v4.request_bodies import OrderOptions

SENT = "the client sends the request"
SIMILAR = "without its last character|followed by another character|in the other case"
# The names that the features use for members below the top of a body.
_MEMBERS = {
    "the last name of the first passenger": "passengers[0].last_name",
    "the 3D Secure indicator": "three_d_secure.electronic_commerce_indicator",
    "the inbound baggage of the first passenger": "selectedBaggage[0].inboundSegmentBaggageSelection",
    "the outbound baggage of the first passenger": "selectedBaggage[0].outboundSegmentBaggageSelection",
    "the baggage of the second passenger": "selectedBaggage[1]",
    "the baggage of the third passenger": "selectedBaggage[2]",
    "the passenger of the second baggage item": "selectedBaggage[1].passengerNumber",
    "the carrier-portal credentials": "customerContact.carrierPortalCredentials",
    "the address of the contact": "customerContact.address",
    "the e-mail of the contact": "customerContact.email",
    "the phone number of the contact": "customerContact.phone.number",
    "the city of the contact": "customerContact.cityName",
    "the birth date": "passengers[0].birthDate",
    "the number of the identification": "passengers[0].identification.identificationNumber",
    "the title of the second passenger": "passengers[1].title",
    "the flight number of the first section": "outboundSegment.sections[0].flightNumber",
    "the travel class of the first section": "outboundSegment.sections[0].travelClass",
    "the day of departure": "outboundSegment.departureDate",
    "the day of return": "inboundSegment.departureDate",
    "the origin": "outboundSegment.origin.code",
    "the destination": "outboundSegment.destination.code",
    "the place of origin": "outboundSegment.origin",
    "the place of destination": "outboundSegment.destination",
    "the inbound place of origin": "inboundSegment.origin",
    "the inbound place of destination": "inboundSegment.destination",
}
_FIELD = rf"(?P<field>{'|'.join(_MEMBERS)}|[A-Za-z_][A-Za-z0-9_.\[\]]*)"


def send_request(context: ScenarioContext, draft: RequestDraft) -> None:
    response = context.send(draft)
    if draft.operation == "createOrder" and response.succeeded and response.member("id"):
        stored = context.offer
        context.order = CreatedOrder(draft, response, stored, OrderOptions())
        context.service.forget(stored)


def similar(own: str, how: str) -> str:
    """Return ``own`` changed in one of the ways of `SIMILAR`, which a service that compares only a part may overlook.

    Raises NotApplicable if the text has no letters in that case.
    """
    other = {"without": own[:-1], "followed": f"{own}x", "in": own.swapcase()}[how.partition(" ")[0]]
    if other == own:
        raise NotApplicable("there are no letters to write in the other case")
    return other


@when(rf"{SENT} without {_FIELD}")
def _send_request_without(context: ScenarioContext, field: str) -> None:
    send_request(context, context.request.without(_MEMBERS.get(field, field)))


@when(rf"{SENT} with {_FIELD} set to (?P<value>.+)")
def _send_request_with(context: ScenarioContext, field: str, value: str) -> None:
    send_request(context, context.request.with_value(_MEMBERS.get(field, field), json.loads(value)))


@when(rf'{SENT} with its (?P<field>\w+) followed by "(?P<text>.+)"')
def _send_more_text(context: ScenarioContext, field: str, text: str) -> None:
    """Send a value that a service takes for its own if it compares only the beginning."""
    send_request(context, context.request.with_value(field, context.request.body[field] + text))


@when(rf"{SENT} without the parameter (?P<parameter>\w+)")
def _send_without_parameter(context: ScenarioContext, parameter: str) -> None:
    send_request(context, context.request.with_query(**{parameter: None}))


@when(f"{SENT} with an unknown payment (?P<what>method|intent)")
def _send_request_with_an_unknown_payment(context: ScenarioContext, what: str) -> None:
    number = secrets.token_hex(12)
    unknown = {"payment_method": f"pm_{number}"} if what == "method" else {"payment_intent_id": f"pi_{number}"}
    body = {name: value for name, value in context.request.body.items() if name != "payment_method"}
    send_request(context, replace(context.request, body=body | unknown))


@when(
    rf'{SENT} with version (?P<version>[0-9.]+) and indicator "(?P<indicator>[0-9]+)" of 3D Secure, '
    "paid by (?P<card>a Mastercard|a card that needs verification|the same card)"
)
def _send_results_of_a_version(context: ScenarioContext, version: str, indicator: str, card: str) -> None:
    """Send the results with another card only if the profile names one."""
    results = context.request.body["three_d_secure"] | {"version": version, "electronic_commerce_indicator": indicator}
    payment = {"three_d_secure": results}
    if card != "the same card":
        with suppress(NotApplicable, Untested):
            payment |= context.service.payments.fields(card, 0)[1]
    send_request(context, replace(context.request, body=context.request.body | payment))


# Keys


@when(rf"{SENT} with (?:a wrong (?:key|token)|the (?:key|token) (?P<how>{SIMILAR}))")
def _send_wrong_key(context: ScenarioContext, wrong_key: str, how: str | None) -> None:
    # In the form that the profile names for the interface: a token in the other form may be malformed (OPEN-18).
    scheme, separator, own = context.service.authorization(context.request).rpartition(" ")
    key = similar(own, how) if how else wrong_key
    context.response = context.service.send(context.request, key=f"{scheme}{separator}{key}")


@when(rf"{SENT} (?P<how>without a|with an empty) (?:key|token)", "V4-AUTH-KEY-SENT", "V23-AUTH-KEY-SENT")
def _send_no_key(context: ScenarioContext, how: str) -> None:
    key = None if how == "without a" else context.service.scheme(context.request)
    context.response = context.service.send(context.request, key=key)


@when(rf'{SENT} with (?P<whose>a wrong|the) key prefixed by "(?P<scheme>\w+)"', "V4-CURRENT-REVISION")
def _send_prefixed_key(context: ScenarioContext, wrong_key: str, whose: str, scheme: str) -> None:
    key = context.service.authorization(context.request) if whose == "the" else wrong_key
    context.response = context.service.send(context.request, key=f"{scheme} {key}")


# Transport


@when("the client sends the same request over plain HTTP", "V4-AUTH-KEY-SENT", "V23-AUTH-KEY-SENT")
def _send_over_plain_http(context: ScenarioContext) -> None:
    # Anybody can read plain HTTP: the key is sent only if it is a test key and the interface itself asks for it.
    draft = context.request
    path = draft.path + (f"?{urlencode(draft.query)}" if draft.query else "")
    body = NOT_GIVEN if draft.body is None else draft.body
    send = partial(context.service.client.over_plain_http, draft.method, path, json=body)
    response = ParsedResponse(send())
    asked_for = response.member("statusCode") or (
        response.exchange.response is not None and response.status in (401, 403)
    )
    if asked_for and context.service.profile.environment != "production":
        response = ParsedResponse(send(key=context.service.authorization(draft)))
    context.response = response


@when(
    rf"{SENT} with the body (?P<text>.+)",
    "V4-SEARCH-REQUIRED",
    "V4-OFFER-REQUIRED",
    "V4-ORDER-REQUIRED",
    "V4-CONFIRM-REQUIRED",
    "V2-REQUESTS-REQUIRED",
    "V3-REQUESTS-REQUIRED",
)
def _send_request_with_body(context: ScenarioContext, text: str) -> None:
    draft = replace(context.request, body=None, raw=text.encode())
    context.response = context.service.send(draft, headers={"Content-Type": "application/json"})
