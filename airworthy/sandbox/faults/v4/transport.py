"""Faults in what all operations of v4 share: transport, keys, errors, and the values of responses."""

from dataclasses import replace
from http import HTTPStatus

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import Json, add, after, change, having, put, remove, when
from airworthy.sandbox.faults.table import FAILS, PASSES, WARNS, Table, rule
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import SandboxService


def _repeat_request(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
    if response.status < HTTPStatus.BAD_REQUEST or not isinstance(response.body, dict):
        return response
    sent = f"{request.headers.get('authorization')} {dict(request.query)} {request.raw.decode(errors='replace')}"
    body = {name: value for name, value in response.body.items() if name != "statusCode"}
    return replace(response, body=body | {"message": sent})


def _use_the_first_reservation(service: SandboxService, _: SandboxRequest, order: Json) -> Json:
    """Give every booked order the same reservation."""
    if isinstance(order, SandboxResponse):
        return None
    first = next(str(each) for each in service.store.reservations)
    service.store.orders.change(order["id"], lambda order: replace(order, reservation=first))
    return order | {"reservationId": first}


def _find_nothing_for_an_empty_key(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
    is_sent = request.headers.get("authorization") == ""
    return SandboxResponse(200, {"offers": []}) if is_sent and request.operation == "searchOffers" else response


FAULTS: Table = {
    rule("V4-HTTPS-ONLY"): FAILS,
    "plain-http-served: responds to requests over plain HTTP": row.sets(plain_http_served=True),
    rule("V4-JSON-ANSWERS"): FAILS,
    "reservation-as-html": row.sends("findReservation", body=b"<html></html>", headers={"content-type": "text/html"}),
    "fares-cut-off": row.sends("getFares", body=b'{"fares": [', headers={"content-type": "application/json"}),
    rule("V4-JSON-ANSWERS", "The documents require JSON but do not mention the Content-Type header"): WARNS,
    "order-as-text": row.sends("getOrder", headers={"content-type": "text/plain"}),
    rule("V4-SUCCESS-STATUS"): FAILS,
    "order-created: responds to Create Order with 201": row.sends("createOrder", status=201),
    "order-accepted: responds to Confirm Order with 202": row.sends("confirmOrder", status=202),
    rule("V4-NO-SERVER-FAULT"): FAILS,
    "malformed-id-crashes: a malformed id": row.crashes("*id-malformed"),
    "bad-json-crashes: a body that is not JSON": row.crashes("body-not-json"),
    "unchecked:getOffer:/outboundSegment/sections:minItems:500": row.crashes(
        "getOffer:/outboundSegment/sections:minItems"
    ),
    rule("V4-BAD-REQUEST"): FAILS,
    "status-422:createOrder:/passengers/*/localityCodeOfResidency:type": row.rejects_with(
        422, "createOrder:/passengers/*/localityCodeOfResidency:type"
    ),
    "unchecked:createOrder:/passengers/*/middleName:empty": row.crashes(
        having("createOrder:/passengers/*/middleName", const="")
    ),
    "bad-json-422: a body that is not JSON": row.rejects_with(422, "body-not-json"),
    rule("V4-DOCUMENTED-VALUES"): FAILS,
    "required:searchOffers:/travelClass": row.requires,
    "required:getOffer:/travelClass": row.requires,
    "required:getOffer:/inboundSegment/sections/*/travelClass": row.requires,
    rule("V4-REMOVED-VERSIONS"): FAILS,
    "removed-version-serves": row.serves("version-removed", {"offers": []}),
    rule("V4-CURRENT-REVISION"): FAILS,
    "status-confirming: responds with the status CONFIRMING for a confirmed order": change(
        "confirmOrder:/status", lambda status: "CONFIRMING" if status == "BOOKED" else status
    ),
    "upper-case-types": change("*Order:/passengers/*/type", str.upper),
    "error-type": add("error:", type="INVALID_REQUEST_PARAMETERS"),
    rule("V4-CURRENT-REVISION", "OPEN-46: additional fields are tolerated, even those of an earlier revision"): WARNS,
    "connectivity-standard": add("getOffer:", connectivityStandard="NDC", validatingCarrier="IB"),
    "itinerary-options": add("getBaggage:/fareBaggageOptions/*", itineraryOptions=[]),
    "priority-boarding-flag": add("getOffer:/cheapestFare", hasPriorityBoardingIncluded=False),
    rule("V4-UNKNOWN-FIELDS", "OPEN-46: additional response fields are tolerated and reported as drift"): PASSES,
    "loyalty-points": add("getOrder:", loyaltyPoints=12),
    rule("V4-AUTH-KEY"): FAILS,
    "key-needs-bearer: requires a scheme before the key in Get Order": row.does(
        rejects=lambda request: request.operation == "getOrder" and " " not in request.headers.get("authorization", ""),
        rejects_with=401,
    ),
    "key-not-for-fares: every key in Get Fares": row.rejects(when("getFares"), 401),
    rule("V4-AUTH-WRONG-KEY"): FAILS,
    "wrong-key-served: an unknown key": row.accepts("key-wrong"),
    "part-of-key-served: the beginning of a key": row.accepts("key-part"),
    "wrong-prefixed-key-served: any key that is prefixed by Bearer": row.accepts("key-wrong-prefixed"),
    "wrong-key-forbidden: an unknown key": row.rejects_with(403, "key-wrong"),
    rule("V4-AUTH-WRONG-KEY", "The documents do not say whether the letter case of a key counts"): WARNS,
    "key-any-case: ignores the letter case of keys": row.tolerates("key-other-case"),
    rule("V4-AUTH-MISSING-KEY"): FAILS,
    "no-key-served: a request without a key": row.accepts("key-missing"),
    "empty-key-served: serves a search with an empty key": row.does(rewrite=_find_nothing_for_an_empty_key),
    "no-key-crashes: a request without a key": row.serves_empty("key-missing"),
    rule("V4-CUSTOMER-CODE-UNKNOWN"): FAILS,
    "customer-code-conflict: an unknown customerCode": row.rejects_with(409, "customer-code-unknown*"),
    rule("V4-ERROR-BODY"): FAILS,
    "error-without-status-code": remove("error:/statusCode"),
    "error-without-error": remove("error:/error"),
    "error-without-message": remove("error:/message"),
    "error-status-as-text": change("error:/statusCode", str),
    "error-message-list": change("error:/message", lambda text: [text]),
    "error-repeats-request: repeats the request with its key in errors": row.does(rewrite=_repeat_request),
    "error-wrapped": change("error:", lambda body: {"errors": [body]}),
    rule("V4-ERROR-STATUS-CODE"): FAILS,
    "error-always-400": put("error:/statusCode", 400),
    "error-status-zero": put("error:/statusCode", 0),
    rule("V4-ERROR-TEXT"): FAILS,
    "error-text-generic": put("error:/error", "Error"),
    "error-text-code": put("error:/error", "NOT_FOUND_ERROR"),
    rule("V4-IDENTIFIERS"): FAILS,
    "orders-one-reservation": after("confirmOrder", _use_the_first_reservation),
    rule("V4-CURRENCY"): FAILS,
    "us-dollars": put("*Order:/totalPrice/currency", "USD"),
    "search-in-dollars": put("searchOffers:/offers/*/fare/price/currency", "USD"),
    "fares-in-dollars": put("getFares:/fares/*/totalPrice/currency", "USD"),
    rule("V4-TECHNICAL-STOPS"): FAILS,
    "stops-as-number": add("getOffer:/outboundSegment/sections/*", technicalStops=0),
    "stops-as-text": add("searchOffers:/offers/*/outboundSegment/sections/*", technicalStops="none"),
    rule("V4-PRICING"): FAILS,
    "pricing-of-seniors: responds with an offer that has a price for seniors": change(
        "getOffer:/cheapestFare/passengerPricingByPassengerType", lambda by_type: by_type | {"senior": by_type["adult"]}
    ),
}
