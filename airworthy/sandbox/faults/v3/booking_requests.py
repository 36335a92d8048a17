"""Faults in POST requests and in the cancellation of booking requests."""

from airworthy.sandbox.faults.changes import change, edit_responses, put, when, with_status, with_success
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.kinds import accepts, crashes, rejects, rejects_with
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.service.service import Handler, SandboxService


def _takes_any_weight(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Take the checked bag options of a request for those of the flight in the same order."""
    if request.operation == "createRequests":
        for key, listed in request.body["bags"].items():
            flight = service.timetable.find(int(key)) if key.isdecimal() else None
            own = service.v3_resources.options(flight, "checked") if flight else ()
            for sent, option in zip(listed.get("checked") or (), own, strict=False):
                sent["weight"] = option["weight"]
    return handler(service, request)


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


def _conflict_of_the_second_passenger(rejected: Rejected) -> Rejected:
    return with_status(409)(rejected) if "/passengers/1" in str(rejected.body) else rejected


FAULTS: tuple[Fault, ...] = (
    Fault(
        "request-second-passenger-409",
        "V3-BAD-REQUEST",
        "The service rejects a booking request whose second passenger is incomplete with 409",
        rewords={"createRequests:/passengers/*/*:required": _conflict_of_the_second_passenger},
    ),
    rejects_with(
        "request-incomplete-422",
        "V3-REQUESTS-REQUIRED",
        422,
        "an incomplete booking request",
        "createRequests:/*:required",
    ),
    accepts(
        "request-for-three",
        "V3-REQUESTS-FLIGHTS",
        "a booking request for three flights",
        "createRequests:/flight_ids:maxItems",
    ),
    rejects_with(
        "traveller-422",
        "V3-REQUESTS-PASSENGER",
        422,
        "an incomplete passenger of a booking request",
        "createRequests:/passengers/*/*:*",
    ),
    rejects(
        "no-round-trip-fares",
        "V3-REQUESTS-FARE-TYPE",
        "the fare_type round_trip",
        when("createRequests", lambda body: body["fare_type"] == "round_trip"),
    ),
    crashes("fare-type-crash", "V3-REQUESTS-FARE-TYPE", "an invalid fare_type", "createRequests:/fare_type:enum"),
    accepts("bags-under-any-id", "V3-BAGS-KEYS", "bags for flights that are not in the booking request", "bags-keys"),
    Fault(
        "bags-keys-crash",
        "V3-BAGS-KEYS",
        "The service responds with 500 to bags for flights that are not in the booking request",
        rewords={"bags-keys": with_status(500)},
    ),
    accepts("bags-empty", "V3-BAGS-NOT-EMPTY", "an empty bags object", "createRequests:/bags:minProperties"),
    rejects_with(
        "bags-left-out-409", "V3-BAGS-NOT-EMPTY", 409, "a booking request without bags", "createRequests:/bags:required"
    ),
    Fault(
        "bags-of-any-weight",
        "V3-BAGS-LISTED",
        "The service takes the listed checked bags for those of the flight, whatever they weigh",
        wraps=_takes_any_weight,
    ),
    accepts("bags-unlisted", "V3-BAGS-LISTED", "bags that leave out options of the flight", "bags-listed"),
    rejects_with("bag-option-422", "V3-BAGS-OPTION", 422, "an invalid bag", "createRequests:/bags/*/*:*"),
    accepts("bags-without-limit", "V3-BAGS-QUANTITY", "any number of bags", "bags-quantity"),
    rejects_with(
        "unknown-flight-400",
        "V23-REQUESTS-UNKNOWN-FLIGHT",
        400,
        "a booking request for an unknown flight",
        "flight-unknown@createRequests",
    ),
    rejects_with(
        "unknown-flight-422",
        "V23-REQUESTS-UNKNOWN-FLIGHT",
        422,
        "a v2 booking request for an unknown flight",
        "flight-unknown@createRequestsV2",
    ),
    Fault(
        "unknown-flight-empty",
        "V23-REQUESTS-UNKNOWN-FLIGHT",
        "The service responds to a booking request for an unknown flight with 200 and an empty list",
        rewords={"flight-unknown@createRequests": with_success({"requests": []})},
    ),
    accepts(
        "unavailable-requested",
        "V23-REQUESTS-GONE",
        "a booking request for a flight that is no longer available",
        "flight-gone@createRequests",
    ),
    rejects_with(
        "unavailable-404",
        "V23-REQUESTS-GONE",
        404,
        "a booking request for a flight that is no longer available",
        "flight-gone@createRequests",
    ),
    accepts(
        "unavailable-requested-in-v2",
        "V23-REQUESTS-GONE",
        "a v2 booking request for a flight that is no longer available",
        "flight-gone@createRequestsV2",
    ),
    rejects(
        "request-for-one-only",
        "V3-REQUESTS-ANSWER",
        "a booking request for two flights",
        when("createRequests", lambda body: len(body["flight_ids"]) > 1),
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
        verdict="warning",
        reason="OPEN-81, OPEN-82: how bags_fee follows from the prices of bags is not documented",
    ),
    Fault(
        "bags-fee-unwanted",
        "V3-REQUESTS-BAGS-FEE",
        "The service charges for one cabin bag more than was requested",
        rewrite=edit_responses(
            ("createRequests", "createBookings", "getBookings"),
            change("/requests/*/bags_fee/cabin", lambda fee: fee + 14.9),
            change("/bookings/*/bags_fee/cabin", lambda fee: fee + 14.9),
        ),
        verdict="warning",
        reason="OPEN-82: how a price is computed is not documented",
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
    crashes("cancelled-again-crash", "V3-CANCEL-PENDING", "a second cancellation", "request-not-pending"),
    Fault(
        "unknown-cancelled",
        "V3-CANCEL-UNKNOWN",
        "The service responds with success to the cancellation of an unknown booking request",
        rewords={"request-unknown@cancelRequest": with_success({"success": True})},
    ),
    rejects_with(
        "unknown-cancelled-409",
        "V3-CANCEL-UNKNOWN",
        409,
        "the cancellation of an unknown booking request",
        "request-unknown@cancelRequest",
    ),
)
