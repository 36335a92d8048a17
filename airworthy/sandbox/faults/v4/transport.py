"""Faults in what all operations of v4 share: transport, keys, errors, and the values of responses."""

from dataclasses import replace
from http import HTTPStatus

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import Json, add, after, change, put, remove, when
from airworthy.sandbox.faults.table import rule, table
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import SandboxService


def _repeat_request(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
    if response.status < HTTPStatus.BAD_REQUEST or not isinstance(response.body, dict):
        return response
    sent = f"{request.headers.get('authorization')} {dict(request.query)} {request.raw.decode(errors='replace')}"
    body = {name: value for name, value in response.body.items() if name != "statusCode"}
    return replace(response, body=body | {"message": sent})


def _use_the_first_reservation(service: SandboxService, _: SandboxRequest, order: Json) -> Json:
    if isinstance(order, SandboxResponse):
        return None
    first = next(str(each) for each in service.store.reservations)
    service.store.orders.change(order["id"], lambda order: replace(order, reservation=first))
    return order | {"reservationId": first}


def _find_nothing_for_an_empty_key(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
    is_sent = request.headers.get("authorization") == ""
    return SandboxResponse(200, {"offers": []}) if is_sent and request.operation == "searchOffers" else response


FAULTS = table(
    rule("V4-HTTPS-ONLY"),
    row.sets("plain-http-served: responds to requests over plain HTTP", plain_http_served=True),
    rule("V4-JSON-ANSWERS"),
    row.sends(
        "reservation-as-html: responds to Get Reservation by order with an HTML page",
        "findReservation",
        body=b"<html></html>",
        headers={"content-type": "text/html"},
    ),
    row.sends(
        "fares-cut-off: responds to Get Fares with a truncated JSON document",
        "getFares",
        body=b'{"fares": [',
        headers={"content-type": "application/json"},
    ),
    rule("V4-JSON-ANSWERS", warns="The documents require JSON but do not mention the Content-Type header"),
    row.sends(
        "order-as-text: responds to Get Order with the content type text/plain",
        "getOrder",
        headers={"content-type": "text/plain"},
    ),
    rule("V4-SUCCESS-STATUS"),
    row.sends("order-created: responds to Create Order with 201", "createOrder", status=201),
    row.sends("order-accepted: responds to Confirm Order with 202", "confirmOrder", status=202),
    rule("V4-NO-SERVER-FAULT"),
    row.crashes("malformed-id-crashes: a malformed id", "*id-malformed"),
    row.crashes("bad-json-crashes: a body that is not JSON", "body-not-json"),
    row.crashes(
        "unchecked:getOffer:/outboundSegment/sections:minItems:500: an offer request without sections",
        "getOffer:/outboundSegment/sections:minItems",
    ),
    rule("V4-BAD-REQUEST"),
    row.status_422("createOrder:/passengers/*/localityCodeOfResidency:type"),
    row.crashes_at_empty("createOrder:/passengers/*/middleName"),
    row.rejects_with("bad-json-422: a body that is not JSON", 422, "body-not-json"),
    rule("V4-DOCUMENTED-VALUES"),
    row.requires("searchOffers:/travelClass"),
    row.requires("getOffer:/travelClass"),
    row.requires("getOffer:/inboundSegment/sections/*/travelClass"),
    rule("V4-REMOVED-VERSIONS"),
    row.serves(
        "removed-version-serves: still serves the removed versions 1.0 and 1.1", "version-removed", {"offers": []}
    ),
    rule("V4-CURRENT-REVISION"),
    row.does(
        "status-confirming: responds with the status CONFIRMING for a confirmed order",
        change("confirmOrder:/status", lambda status: "CONFIRMING" if status == "BOOKED" else status),
    ),
    row.does(
        "upper-case-types: responds with the passenger types ADULT, CHILD and INFANT in orders",
        change("*Order:/passengers/*/type", str.upper),
    ),
    row.responds("error-type", add("error:", type="INVALID_REQUEST_PARAMETERS")),
    rule(
        "V4-CURRENT-REVISION",
        warns="OPEN-46: additional response fields are tolerated, even those of an earlier revision",
    ),
    row.responds("connectivity-standard", add("getOffer:", connectivityStandard="NDC", validatingCarrier="IB")),
    row.responds("itinerary-options", add("getBaggage:/fareBaggageOptions/*", itineraryOptions=[])),
    row.responds("priority-boarding-flag", add("getOffer:/cheapestFare", hasPriorityBoardingIncluded=False)),
    rule("V4-UNKNOWN-FIELDS", passes="OPEN-46: additional response fields are tolerated and reported as drift"),
    row.responds("loyalty-points", add("getOrder:", loyaltyPoints=12)),
    rule("V4-AUTH-KEY"),
    row.does(
        "key-needs-bearer: requires a scheme before the key in Get Order",
        rejects=lambda request: request.operation == "getOrder" and " " not in request.headers.get("authorization", ""),
        rejects_with=401,
    ),
    row.rejects("key-not-for-fares: every key in Get Fares", when("getFares"), 401),
    rule("V4-AUTH-WRONG-KEY"),
    row.accepts("wrong-key-served: an unknown key", "key-wrong"),
    row.accepts("part-of-key-served: the beginning of a key", "key-part"),
    row.accepts("wrong-prefixed-key-served: any key that is prefixed by Bearer", "key-wrong-prefixed"),
    row.rejects_with("wrong-key-forbidden: an unknown key", 403, "key-wrong"),
    rule("V4-AUTH-WRONG-KEY", warns="The documents do not say whether the letter case of a key counts"),
    row.tolerates("key-any-case: ignores the letter case of keys", "key-other-case"),
    rule("V4-AUTH-MISSING-KEY"),
    row.accepts("no-key-served: a request without a key", "key-missing"),
    row.does("empty-key-served: serves a search with an empty key", rewrite=_find_nothing_for_an_empty_key),
    row.serves_empty("no-key-crashes: a request without a key", "key-missing"),
    rule("V4-CUSTOMER-CODE-UNKNOWN"),
    row.rejects_with("customer-code-conflict: an unknown customerCode", 409, "customer-code-unknown*"),
    rule("V4-ERROR-BODY"),
    row.responds("error-without-status-code", remove("error:/statusCode")),
    row.responds("error-without-error", remove("error:/error")),
    row.responds("error-without-message", remove("error:/message")),
    row.does(
        "error-status-as-text: responds with errors whose statusCode is a string", change("error:/statusCode", str)
    ),
    row.does(
        "error-message-list: responds with errors whose message is an array",
        change("error:/message", lambda text: [text]),
    ),
    row.does(
        "error-repeats-request: responds with errors that have no statusCode and repeat the request, including its key",
        rewrite=_repeat_request,
    ),
    row.does(
        "error-wrapped: wraps errors in an object with the field errors",
        change("error:", lambda body: {"errors": [body]}),
    ),
    rule("V4-ERROR-STATUS-CODE"),
    row.responds("error-always-400", put("error:/statusCode", 400)),
    row.responds("error-status-zero", put("error:/statusCode", 0)),
    rule("V4-ERROR-TEXT"),
    row.responds("error-text-generic", put("error:/error", "Error")),
    row.responds("error-text-code", put("error:/error", "NOT_FOUND_ERROR")),
    rule("V4-IDENTIFIERS"),
    row.behaves(
        "orders-one-reservation: gives every booked order the same reservation",
        after("confirmOrder", _use_the_first_reservation),
    ),
    rule("V4-CURRENCY"),
    row.responds("us-dollars", put("*Order:/totalPrice/currency", "USD")),
    row.responds("search-in-dollars", put("searchOffers:/offers/*/fare/price/currency", "USD")),
    row.responds("fares-in-dollars", put("getFares:/fares/*/totalPrice/currency", "USD")),
    rule("V4-TECHNICAL-STOPS"),
    row.responds("stops-as-number", add("getOffer:/outboundSegment/sections/*", technicalStops=0)),
    row.responds("stops-as-text", add("searchOffers:/offers/*/outboundSegment/sections/*", technicalStops="none")),
    rule("V4-PRICING"),
    row.does(
        "pricing-of-seniors: responds with an offer that has a price for seniors",
        change(
            "getOffer:/cheapestFare/passengerPricingByPassengerType",
            lambda by_type: by_type | {"senior": by_type["adult"]},
        ),
    ),
)
