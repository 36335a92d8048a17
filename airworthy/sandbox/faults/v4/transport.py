"""Faults in what all operations of v4 share: transport, keys, errors."""

from dataclasses import replace
from http import HTTPStatus

from airworthy.sandbox.faults.changes import (
    ORDERS,
    add,
    change,
    edit_errors,
    edit_responses,
    put,
    remove,
    replace_response,
    when,
    with_success,
)
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.kinds import accepts, crashes, rejects_with
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse


def _repeat_request(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
    """Put everything that the client sent, including its key, into the message of an error response."""
    if response.status < HTTPStatus.BAD_REQUEST or not isinstance(response.body, dict):
        return response
    sent = f"{request.headers.get('authorization')} {dict(request.query)} {request.raw.decode(errors='replace')}"
    body = {name: value for name, value in response.body.items() if name != "statusCode"}
    return replace(response, body=body | {"message": sent})


FAULTS: tuple[Fault, ...] = (
    Fault(
        "plain-http-served",
        "V4-HTTPS-ONLY",
        "The service responds to requests over plain HTTP",
        policy={"plain_http_served": True},
    ),
    Fault(
        "order-as-text",
        "V4-JSON-ANSWERS",
        "The service responds to Get Order with the content type text/plain",
        rewrite=replace_response("getOrder", headers={"content-type": "text/plain"}),
        verdict="warning",
        reason="The documents require JSON but do not mention the Content-Type header",
    ),
    Fault(
        "reservation-as-html",
        "V4-JSON-ANSWERS",
        "The service responds to Get Reservation by order with an HTML page",
        rewrite=replace_response("findReservation", body=b"<html></html>", headers={"content-type": "text/html"}),
    ),
    Fault(
        "fares-cut-off",
        "V4-JSON-ANSWERS",
        "The service responds to Get Fares with a truncated JSON document",
        rewrite=replace_response("getFares", body=b'{"fares": [', headers={"content-type": "application/json"}),
    ),
    Fault(
        "order-created",
        "V4-SUCCESS-STATUS",
        "The service responds to Create Order with 201",
        rewrite=replace_response("createOrder", status=201),
    ),
    Fault(
        "order-accepted",
        "V4-SUCCESS-STATUS",
        "The service responds to Confirm Order with 202",
        rewrite=replace_response("confirmOrder", status=202),
    ),
    crashes("malformed-id-crashes", "V4-NO-SERVER-FAULT", "a malformed id", "*id-malformed"),
    crashes("bad-json-crashes", "V4-NO-SERVER-FAULT", "a body that is not JSON", "body-not-json"),
    Fault(
        "removed-version-serves",
        "V4-REMOVED-VERSIONS",
        "The service still serves the removed versions 1.0 and 1.1",
        rewords={"version-removed": with_success({"offers": []})},
    ),
    Fault(
        "status-confirming",
        "V4-CURRENT-REVISION",
        "The service responds with the status CONFIRMING for a confirmed order",
        rewrite=edit_responses(
            "confirmOrder", change("/status", lambda status: "CONFIRMING" if status == "BOOKED" else status)
        ),
    ),
    Fault(
        "connectivity-standard",
        "V4-CURRENT-REVISION",
        "The service responds with the field connectivityStandard of an earlier revision in offers",
        rewrite=edit_responses("getOffer", add("", connectivityStandard="NDC", validatingCarrier="IB")),
        verdict="warning",
        reason="OPEN-46: additional response fields are tolerated, even those of an earlier revision",
    ),
    Fault(
        "upper-case-types",
        "V4-CURRENT-REVISION",
        "The service responds with the passenger types ADULT, CHILD and INFANT in orders",
        rewrite=edit_responses(ORDERS, change("/passengers/*/type", str.upper)),
    ),
    Fault(
        "itinerary-options",
        "V4-CURRENT-REVISION",
        "The service responds with the field itineraryOptions of an earlier revision in baggage",
        rewrite=edit_responses("getBaggage", add("/fareBaggageOptions/*", itineraryOptions=[])),
        verdict="warning",
        reason="OPEN-46: additional response fields are tolerated, even those of an earlier revision",
    ),
    Fault(
        "priority-boarding-flag",
        "V4-CURRENT-REVISION",
        "The service responds with the field hasPriorityBoardingIncluded of an earlier revision in fares",
        rewrite=edit_responses("getOffer", add("/cheapestFare", hasPriorityBoardingIncluded=False)),
        verdict="warning",
        reason="OPEN-46: additional response fields are tolerated, even those of an earlier revision",
    ),
    Fault(
        "error-type",
        "V4-CURRENT-REVISION",
        "The service responds with errors that have the field type of an earlier revision",
        rewrite=edit_errors(add("", type="INVALID_REQUEST_PARAMETERS")),
    ),
    Fault(
        "loyalty-points",
        "V4-UNKNOWN-FIELDS",
        "The service responds with an undocumented field in orders",
        rewrite=edit_responses("getOrder", add("", loyaltyPoints=12)),
        verdict="passed",
        reason="OPEN-46: additional response fields are tolerated and reported as drift",
    ),
    Fault(
        "key-needs-bearer",
        "V4-AUTH-KEY",
        "The service requires a scheme before the key in Get Order",
        rejects=lambda request: request.operation == "getOrder" and " " not in request.headers.get("authorization", ""),
        rejects_with=401,
    ),
    Fault(
        "key-not-for-fares",
        "V4-AUTH-KEY",
        "The service rejects every key in Get Fares",
        rejects=when("getFares"),
        rejects_with=401,
    ),
    accepts("wrong-key-served", "V4-AUTH-WRONG-KEY", "an unknown key", "key-wrong"),
    accepts("part-of-key-served", "V4-AUTH-WRONG-KEY", "the beginning of a key", "key-part"),
    accepts(
        "wrong-prefixed-key-served", "V4-AUTH-WRONG-KEY", "any key that is prefixed by Bearer", "key-wrong-prefixed"
    ),
    rejects_with("wrong-key-forbidden", "V4-AUTH-WRONG-KEY", 403, "an unknown key", "key-wrong"),
    accepts("no-key-served", "V4-AUTH-MISSING-KEY", "a request without a key", "key-missing"),
    Fault(
        "no-key-crashes",
        "V4-AUTH-MISSING-KEY",
        "The service responds to a request without a key with 200 and an empty object",
        rewords={"key-missing": with_success({})},
    ),
    rejects_with(
        "customer-code-conflict", "V4-CUSTOMER-CODE-UNKNOWN", 409, "an unknown customerCode", "customer-code-unknown*"
    ),
    Fault(
        "error-without-status-code",
        "V4-ERROR-BODY",
        "The service responds with errors that have no statusCode",
        rewrite=edit_errors(remove("/statusCode")),
    ),
    Fault(
        "error-without-error",
        "V4-ERROR-BODY",
        "The service responds with errors that have no error",
        rewrite=edit_errors(remove("/error")),
    ),
    Fault(
        "error-without-message",
        "V4-ERROR-BODY",
        "The service responds with errors that have no message",
        rewrite=edit_errors(remove("/message")),
    ),
    Fault(
        "error-status-as-text",
        "V4-ERROR-BODY",
        "The service responds with errors whose statusCode is a string",
        rewrite=edit_errors(change("/statusCode", str)),
    ),
    Fault(
        "error-message-list",
        "V4-ERROR-BODY",
        "The service responds with errors whose message is an array",
        rewrite=edit_errors(change("/message", lambda text: [text])),
    ),
    Fault(
        "error-repeats-request",
        "V4-ERROR-BODY",
        "The service responds with errors that have no statusCode and repeat the request, including its key",
        rewrite=_repeat_request,
    ),
    Fault(
        "error-wrapped",
        "V4-ERROR-BODY",
        "The service wraps errors in an object with the field errors",
        rewrite=edit_errors(change("", lambda body: {"errors": [body]})),
    ),
    Fault(
        "error-always-400",
        "V4-ERROR-STATUS-CODE",
        "The service responds with errors whose statusCode is always 400",
        rewrite=edit_errors(put("/statusCode", 400)),
    ),
    Fault(
        "error-status-zero",
        "V4-ERROR-STATUS-CODE",
        "The service responds with errors whose statusCode is 0",
        rewrite=edit_errors(put("/statusCode", 0)),
    ),
    Fault(
        "error-text-generic",
        "V4-ERROR-TEXT",
        "The service responds with the same error text for every status",
        rewrite=edit_errors(put("/error", "Error")),
    ),
    Fault(
        "error-text-code",
        "V4-ERROR-TEXT",
        "The service responds with a code instead of the reason phrase in error",
        rewrite=edit_errors(put("/error", "NOT_FOUND_ERROR")),
    ),
)
