"""Faults in POST requests and in the cancellation of booking requests."""

from airworthy.sandbox.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.faults.changes import change, edit_responses, put, remove, when, with_status, with_success
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.service import Handler, SandboxService


def _holds_nothing(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Free the seats of all booking requests."""
    response = handler(service, request)
    for key in service.store.booking_requests:
        if booking_request := service.store.booking_requests.get(key):
            service.store.seats.free(booking_request)
    return response


def _holds_cancelled(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Hold the seats of a cancelled booking request until it would have expired."""
    response = handler(service, request)
    if request.operation == "cancelRequest":
        cancelled = service.store.booking_requests.get(int(request.path["request_id"]))
        if cancelled:
            service.store.seats.hold(cancelled, service.clock.now())
    return response


FAULTS: tuple[Fault, ...] = (
    Fault(
        "request-any-customer",
        "V3-REQUESTS-REQUIRED",
        "The service accepts any value as customer_code of a booking request",
        tolerates=("createRequests:/customer_code:*",),
    ),
    Fault(
        "request-any-flights",
        "V3-REQUESTS-REQUIRED",
        "The service accepts values of any type as flight_ids of a booking request",
        tolerates=("createRequests:/flight_ids*:type",),
    ),
    Fault(
        "request-any-passengers",
        "V3-REQUESTS-REQUIRED",
        "The service accepts any value as passengers of a booking request",
        tolerates=("createRequests:/passengers:*",),
    ),
    Fault(
        "request-incomplete-422",
        "V3-REQUESTS-REQUIRED",
        "The service rejects an incomplete booking request with 422",
        rewords={"createRequests:/*:required": with_status(422)},
    ),
    Fault(
        "request-for-three",
        "V3-REQUESTS-FLIGHTS",
        "The service accepts a booking request for three flights",
        tolerates=("createRequests:/flight_ids:maxItems",),
    ),
    Fault(
        "traveller-without-first-name",
        "V3-REQUESTS-PASSENGER",
        "The service accepts a booking request whose passengers have no first_name",
        tolerates=("createRequests:/passengers/*/first_name:*",),
    ),
    Fault(
        "traveller-422",
        "V3-REQUESTS-PASSENGER",
        "The service rejects an incomplete passenger of a booking request with 422",
        rewords={"createRequests:/passengers/*/*:*": with_status(422)},
    ),
    Fault(
        "middle-name-required",
        "V3-REQUESTS-OPTIONAL",
        "The service requires middle_name of passengers",
        rejects=when("createRequests", lambda body: not all("middle_name" in each for each in body["passengers"])),
    ),
    Fault(
        "passport-required",
        "V3-REQUESTS-OPTIONAL",
        "The service requires passport_number of passengers on every flight",
        rejects=when("createRequests", lambda body: not all("passport_number" in each for each in body["passengers"])),
    ),
    Fault(
        "any-fare-type",
        "V3-REQUESTS-FARE-TYPE",
        "The service treats any fare_type as one_way",
        tolerates=("createRequests:/fare_type:*",),
    ),
    Fault(
        "no-round-trip-fares",
        "V3-REQUESTS-FARE-TYPE",
        "The service rejects the fare_type round_trip",
        rejects=when("createRequests", lambda body: body["fare_type"] == "round_trip"),
    ),
    Fault(
        "fare-type-crash",
        "V3-REQUESTS-FARE-TYPE",
        "The service responds to an invalid fare_type with 500",
        rewords={"createRequests:/fare_type:enum": with_status(500)},
    ),
    Fault(
        "bags-under-any-id",
        "V3-BAGS-KEYS",
        "The service accepts bags for flights that are not in the booking request",
        tolerates=("bags-keys",),
    ),
    Fault(
        "bags-keys-crash",
        "V3-BAGS-KEYS",
        "The service responds with 500 to bags for flights that are not in the booking request",
        rewords={"bags-keys": with_status(500)},
    ),
    Fault(
        "bags-empty",
        "V3-BAGS-NOT-EMPTY",
        "The service accepts an empty bags object",
        tolerates=("createRequests:/bags:minProperties",),
    ),
    Fault(
        "bags-left-out",
        "V3-BAGS-NOT-EMPTY",
        "The service accepts a booking request whose bags are missing or null",
        tolerates=(
            "createRequests:/bags:required",
            "createRequests:/bags:type",
        ),
    ),
    Fault(
        "bags-left-out-409",
        "V3-BAGS-NOT-EMPTY",
        "The service rejects a booking request without bags with 409",
        rewords={"createRequests:/bags:required": with_status(409)},
    ),
    Fault(
        "bags-unlisted",
        "V3-BAGS-LISTED",
        "The service accepts bags that leave out options of the flight",
        tolerates=("bags-listed",),
    ),
    Fault(
        "bag-without-quantity",
        "V3-BAGS-OPTION",
        "The service accepts a bag without quantity",
        tolerates=("createRequests:/bags/*/quantity:*",),
    ),
    Fault(
        "bag-without-weight",
        "V3-BAGS-OPTION",
        "The service accepts a bag without weight",
        tolerates=("createRequests:/bags/*/weight:*",),
    ),
    Fault(
        "bag-option-422",
        "V3-BAGS-OPTION",
        "The service rejects an invalid bag with 422",
        rewords={"createRequests:/bags/*/*:*": with_status(422)},
    ),
    Fault(
        "bags-without-limit", "V3-BAGS-QUANTITY", "The service accepts any number of bags", tolerates=("bags-quantity",)
    ),
    Fault(
        "unknown-flight-400",
        "V23-REQUESTS-UNKNOWN-FLIGHT",
        "The service rejects a booking request for an unknown flight with 400",
        rewords={"flight-unknown@createRequests": with_status(400)},
    ),
    Fault(
        "unknown-flight-422",
        "V23-REQUESTS-UNKNOWN-FLIGHT",
        "The service rejects a v2 booking request for an unknown flight with 422",
        rewords={"flight-unknown@createRequestsV2": with_status(422)},
    ),
    Fault(
        "unknown-flight-empty",
        "V23-REQUESTS-UNKNOWN-FLIGHT",
        "The service responds to a booking request for an unknown flight with 200 and an empty list",
        rewords={"flight-unknown@createRequests": with_success({"requests": []})},
    ),
    Fault(
        "unavailable-requested",
        "V23-REQUESTS-GONE",
        "The service accepts a booking request for a flight that is no longer available",
        tolerates=("flight-gone@createRequests",),
    ),
    Fault(
        "unavailable-404",
        "V23-REQUESTS-GONE",
        "The service rejects a booking request for a flight that is no longer available with 404",
        rewords={"flight-gone@createRequests": with_status(404)},
    ),
    Fault(
        "unavailable-requested-in-v2",
        "V23-REQUESTS-GONE",
        "The service accepts a v2 booking request for a flight that is no longer available",
        tolerates=("flight-gone@createRequestsV2",),
    ),
    Fault(
        "request-for-one-only",
        "V3-REQUESTS-ANSWER",
        "The service rejects a booking request for two flights",
        rejects=when("createRequests", lambda body: len(body["flight_ids"]) > 1),
    ),
    Fault(
        "request-without-flight",
        "V3-REQUESTS-ANSWER",
        "The service responds with booking requests that have no flight",
        rewrite=edit_responses("createRequests", remove("/requests/*/flight")),
    ),
    Fault(
        "request-first-only",
        "V3-REQUESTS-ANSWER",
        "The service responds with one booking request where two flights were requested",
        rewrite=edit_responses("createRequests", change("/requests", lambda requests: requests[:1])),
    ),
    Fault(
        "request-id-text",
        "V3-REQUESTS-ANSWER",
        "The service responds with booking requests whose ids are strings",
        rewrite=edit_responses("createRequests", change("/requests/*/id", str)),
    ),
    Fault(
        "bags-fee-sum",
        "V3-REQUESTS-BAGS-FEE",
        "The service responds with bags_fee as a number",
        rewrite=edit_responses("createRequests", change("/requests/*/bags_fee", lambda fees: sum(fees.values()))),
    ),
    Fault(
        "bags-fee-nothing",
        "V3-REQUESTS-BAGS-FEE",
        "The service responds with a fee of 0 for checked bags",
        rewrite=edit_responses("createRequests", put("/requests/*/bags_fee/checked", 0)),
        verdict="warning",
        reason="OPEN-81: the quantity of a bag option may mean included pieces, which cost nothing",
    ),
    Fault(
        "bags-fee-nothing-included",
        "V3-REQUESTS-BAGS-FEE",
        "The service responds with a fee of 0 for checked bags of which none is included",
        rewrite=edit_responses(
            "createRequests",
            put("/requests/*/bags_fee/checked", 0),
            put("/requests/*/flight/bags/checked/*/quantity", 0),
        ),
    ),
    Fault(
        "bags-fee-checked",
        "V3-REQUESTS-BAGS-FEE",
        "The service responds with a bags_fee that has no cabin fee",
        rewrite=edit_responses("createRequests", remove("/requests/*/bags_fee/cabin")),
    ),
    Fault(
        "counted-as-adults",
        "V3-REQUESTS-COUNT",
        "The service responds with a booking request that counts no infants",
        rewrite=edit_responses("createRequests", put("/requests/*/passengers/infants", 0)),
    ),
    Fault(
        "counted-twice",
        "V3-REQUESTS-COUNT",
        "The service responds with a booking request that counts every adult twice",
        rewrite=edit_responses("createRequests", change("/requests/*/passengers/adults", lambda adults: 2 * adults)),
    ),
    Fault(
        "cancel-without-success",
        "V3-CANCEL",
        "The service responds to a cancellation with an empty object",
        rewrite=edit_responses("cancelRequest", remove("/success")),
    ),
    Fault(
        "cancel-fails",
        "V3-CANCEL",
        "The service responds to a cancellation with success set to false",
        rewrite=edit_responses("cancelRequest", put("/success", False)),
    ),
    Fault(
        "cancel-rejected",
        "V3-CANCEL",
        "The service rejects every cancellation with 409",
        rejects=when("cancelRequest"),
        rejects_with=409,
    ),
    Fault(
        "request-holds-nothing",
        "V23-REQUESTS-HOLD",
        "The service sells the seats of a booking request again",
        wraps=_holds_nothing,
    ),
    Fault(
        "cancelled-seats-held",
        "V3-CANCEL-NEW-FLOW",
        "The service holds the seats of a cancelled booking request until it would have expired",
        wraps=_holds_cancelled,
        verdict="warning",
        reason="The documents do not say when the seats are free again",
    ),
    Fault(
        "cancelled-again",
        "V3-CANCEL-PENDING",
        "The service cancels booking requests in any status",
        tolerates=("request-not-pending",),
    ),
    Fault(
        "cancelled-again-crash",
        "V3-CANCEL-PENDING",
        "The service responds to a second cancellation with 500",
        rewords={"request-not-pending": with_status(500)},
    ),
    Fault(
        "unknown-cancelled",
        "V3-CANCEL-UNKNOWN",
        "The service responds with success to the cancellation of an unknown booking request",
        rewords={"request-unknown@cancelRequest": with_success({"success": True})},
    ),
    Fault(
        "unknown-cancelled-409",
        "V3-CANCEL-UNKNOWN",
        "The service rejects the cancellation of an unknown booking request with 409",
        rewords={"request-unknown@cancelRequest": with_status(409)},
    ),
)
