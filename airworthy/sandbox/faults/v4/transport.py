"""Faults in what holds for every operation: transport, keys, errors."""

from dataclasses import replace
from http import HTTPStatus

from airworthy.sandbox.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import (
    ORDERS,
    Wanting,
    add,
    answering,
    change,
    drop,
    objecting,
    of,
    policy,
    put,
    refusing,
    replacing,
    rewording,
    to_status,
    to_success,
    tolerating,
    when,
)


def _repeating(name: str, description: str) -> Wanting:
    """Put all that a client sent, its key included, where anybody reads it."""

    def rewrite(call: SandboxRequest, answer: SandboxResponse) -> SandboxResponse:
        if answer.status < HTTPStatus.BAD_REQUEST or not isinstance(answer.body, dict):
            return answer
        sent = f"{call.headers.get('authorization')} {dict(call.query)} {call.raw.decode(errors='replace')}"
        body = {name: value for name, value in answer.body.items() if name != "statusCode"}
        return replace(answer, body=body | {"message": sent})

    return lambda rule: Fault(name, rule, description, rewrite=rewrite)


FAULTS: tuple[Fault, ...] = (
    *of(
        "V4-HTTPS-ONLY",
        policy("plain-http-served", "Plain HTTP is served", plain_http_served=True),
    ),
    *of(
        "V4-JSON-ANSWERS",
        replacing(
            "order-as-text",
            "Get Order answers JSON that is declared as text",
            "getOrder",
            headers={"content-type": "text/plain"},
        ),
        replacing(
            "reservation-as-html",
            "The reservation of an order is a page",
            "findReservation",
            body=b"<html></html>",
            headers={"content-type": "text/html"},
        ),
        replacing(
            "fares-cut-off",
            "Get Fares answers half a JSON document",
            "getFares",
            body=b'{"fares": [',
            headers={"content-type": "application/json"},
        ),
    ),
    *of(
        "V4-SUCCESS-STATUS",
        replacing("order-created", "Create Order answers 201", "createOrder", status=201),
        replacing("order-accepted", "Confirm Order answers 202", "confirmOrder", status=202),
    ),
    *of(
        "V4-NO-SERVER-FAULT",
        rewording("malformed-id-crashes", "A malformed id gives 500", "*id-malformed", to_status(500)),
        rewording("bad-json-crashes", "Broken JSON gives 500", "body-not-json", to_status(500)),
    ),
    *of(
        "V4-REMOVED-VERSIONS",
        rewording(
            "removed-version-serves", "Versions 1.0 and 1.1 still answer", "version-removed", to_success({"offers": []})
        ),
    ),
    *of(
        "V4-CURRENT-REVISION",
        answering(
            "status-confirming",
            "A confirmed order is CONFIRMING",
            "confirmOrder",
            change("/status", lambda status: "CONFIRMING" if status == "BOOKED" else status),
        ),
        answering(
            "connectivity-standard",
            "Offers carry connectivityStandard",
            "getOffer",
            add("", connectivityStandard="NDC", validatingCarrier="IB"),
        ),
        answering(
            "upper-case-types",
            "Passengers of orders are ADULT, CHILD and INFANT",
            ORDERS,
            change("/passengers/*/type", str.upper),
        ),
        answering(
            "itinerary-options",
            "Baggage has itineraryOptions",
            "getBaggage",
            add("/fareBaggageOptions/*", itineraryOptions=[]),
        ),
        answering(
            "priority-boarding-flag",
            "Fares have the flags of the earlier revision",
            "getOffer",
            add("/cheapestFare", hasPriorityBoardingIncluded=False),
        ),
        refusing("error-type", "Errors carry a type", add("", type="INVALID_REQUEST_PARAMETERS")),
    ),
    *of(
        "V4-UNKNOWN-FIELDS",
        answering("loyalty-points", "Orders carry an unknown field", "getOrder", add("", loyaltyPoints=12)),
    ),
    *of(
        "V4-AUTH-KEY",
        objecting(
            "key-needs-bearer",
            "Get Order wants the key with a scheme prefix",
            lambda call: call.operation == "getOrder" and " " not in call.headers.get("authorization", ""),
            401,
        ),
        objecting("key-not-for-fares", "Get Fares takes no key", when("getFares"), 401),
    ),
    *of(
        "V4-AUTH-WRONG-KEY",
        tolerating("wrong-key-served", "A wrong key is served", "key-wrong"),
        rewording("wrong-key-forbidden", "A wrong key gives 403", "key-wrong", to_status(403)),
    ),
    *of(
        "V4-AUTH-MISSING-KEY",
        tolerating("no-key-served", "A request without a key is served", "key-missing"),
        rewording("no-key-crashes", "A request without a key gives an empty success", "key-missing", to_success({})),
    ),
    *of(
        "V4-CUSTOMER-CODE-UNKNOWN",
        rewording(
            "customer-code-conflict", "An unknown customerCode gives 409", "customer-code-unknown*", to_status(409)
        ),
    ),
    *of(
        "V4-ERROR-BODY",
        refusing("error-without-status-code", "Errors lack statusCode", drop("/statusCode")),
        refusing("error-without-error", "Errors lack error", drop("/error")),
        refusing("error-without-message", "Errors lack message", drop("/message")),
        refusing("error-status-as-text", "statusCode is a string", change("/statusCode", str)),
        refusing("error-message-list", "message is an array", change("/message", lambda text: [text])),
        _repeating("error-repeats-request", "Errors lack statusCode, and their message repeats the request"),
        refusing("error-wrapped", "The error is wrapped in an object", change("", lambda body: {"errors": [body]})),
    ),
    *of(
        "V4-ERROR-STATUS-CODE",
        refusing("error-always-400", "statusCode is 400 whatever the status", put("/statusCode", 400)),
        refusing("error-status-zero", "statusCode is 0", put("/statusCode", 0)),
    ),
    *of(
        "V4-ERROR-TEXT",
        refusing("error-text-generic", "error is the same for all", put("/error", "Error")),
        refusing("error-text-code", "error is a code", put("/error", "NOT_FOUND_ERROR")),
    ),
)
