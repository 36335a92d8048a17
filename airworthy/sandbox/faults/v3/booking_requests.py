"""Faults in POST requests and their cancellation."""

from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import (
    answering,
    change,
    drop,
    objecting,
    of,
    put,
    rewording,
    to_status,
    to_success,
    tolerating,
    when,
)

FAULTS: tuple[Fault, ...] = (
    *of(
        "V3-REQUESTS-REQUIRED",
        tolerating("request-any-customer", "customer_code may be anything", "createRequests:/customer_code:*"),
        tolerating("request-any-flights", "flight_ids may be anything", "createRequests:/flight_ids*:type"),
        tolerating("request-any-passengers", "passengers may be anything", "createRequests:/passengers:*"),
        rewording(
            "request-incomplete-422", "An incomplete request gives 422", "createRequests:/*:required", to_status(422)
        ),
    ),
    *of(
        "V3-REQUESTS-FLIGHTS",
        tolerating("request-for-three", "Three flights are requested at once", "createRequests:/flight_ids:maxItems"),
    ),
    *of(
        "V3-REQUESTS-PASSENGER",
        tolerating(
            "traveller-without-first-name", "Passengers need no first name", "createRequests:/passengers/*/first_name:*"
        ),
        rewording(
            "traveller-422", "An incomplete passenger gives 422", "createRequests:/passengers/*/*:*", to_status(422)
        ),
    ),
    *of(
        "V3-REQUESTS-OPTIONAL",
        objecting(
            "middle-name-demanded",
            "Passengers need a middle name",
            when("createRequests", lambda body: not all("middle_name" in each for each in body["passengers"])),
        ),
        objecting(
            "passport-demanded",
            "Passengers need a passport on any flight",
            when("createRequests", lambda body: not all("passport_number" in each for each in body["passengers"])),
        ),
    ),
    *of(
        "V3-REQUESTS-FARE-TYPE",
        tolerating("any-fare-type", "Any fare type is taken for one_way", "createRequests:/fare_type:*"),
        objecting(
            "no-round-trip-fares",
            "round_trip is refused",
            when("createRequests", lambda body: body["fare_type"] == "round_trip"),
        ),
        rewording("fare-type-crash", "Another fare type gives 500", "createRequests:/fare_type:enum", to_status(500)),
    ),
    *of(
        "V3-BAGS-KEYS",
        tolerating("bags-under-any-id", "Bags may stand under any id", "bags-keys"),
        rewording("bags-keys-crash", "Bags under another id give 500", "bags-keys", to_status(500)),
    ),
    *of(
        "V3-BAGS-NOT-EMPTY",
        tolerating("bags-empty", "bags may be empty", "createRequests:/bags:minProperties"),
        tolerating(
            "bags-left-out",
            "bags may be left out or null",
            "createRequests:/bags:required",
            "createRequests:/bags:type",
        ),
        rewording("bags-left-out-409", "Bags left out give 409", "createRequests:/bags:required", to_status(409)),
    ),
    *of(
        "V3-BAGS-LISTED",
        tolerating("bags-unlisted", "Bag options may be left out", "bags-listed"),
    ),
    *of(
        "V3-BAGS-OPTION",
        tolerating("bag-without-quantity", "A bag needs no quantity", "createRequests:/bags/*/quantity:*"),
        tolerating("bag-without-weight", "A checked bag needs no weight", "createRequests:/bags/*/weight:*"),
        rewording("bag-option-422", "A wrong bag gives 422", "createRequests:/bags/*/*:*", to_status(422)),
    ),
    *of(
        "V3-BAGS-QUANTITY",
        tolerating("bags-without-limit", "Passengers carry any number of bags", "bags-quantity"),
    ),
    *of(
        "V23-REQUESTS-UNKNOWN-FLIGHT",
        rewording("unknown-flight-400", "An unknown flight gives 400", "flight-unknown@createRequests", to_status(400)),
        rewording(
            "unknown-flight-422", "An unknown flight gives 422 in v2", "flight-unknown@createRequestsV2", to_status(422)
        ),
        rewording(
            "unknown-flight-empty",
            "An unknown flight gives an empty success",
            "flight-unknown@createRequests",
            to_success({"requests": []}),
        ),
    ),
    *of(
        "V23-REQUESTS-GONE",
        tolerating("gone-requested", "A flight that is gone is requested", "flight-gone@createRequests"),
        rewording("gone-404", "A flight that is gone gives 404", "flight-gone@createRequests", to_status(404)),
        tolerating("gone-requested-in-v2", "A flight that is gone is requested in v2", "flight-gone@createRequestsV2"),
    ),
    *of(
        "V3-REQUESTS-ANSWER",
        objecting(
            "request-for-one-only",
            "Two flights are refused",
            when("createRequests", lambda body: len(body["flight_ids"]) > 1),
        ),
        answering("request-without-flight", "Requests lack their flight", "createRequests", drop("/requests/*/flight")),
        answering(
            "request-first-only",
            "One request is answered for two flights",
            "createRequests",
            change("/requests", lambda requests: requests[:1]),
        ),
        answering("request-id-text", "Requests have ids of text", "createRequests", change("/requests/*/id", str)),
    ),
    *of(
        "V3-REQUESTS-BAGS-FEE",
        answering(
            "bags-fee-sum",
            "bags_fee is one number",
            "createRequests",
            change("/requests/*/bags_fee", lambda fees: sum(fees.values())),
        ),
        answering("bags-fee-nothing", "Bags cost nothing", "createRequests", put("/requests/*/bags_fee/checked", 0)),
        answering("bags-fee-checked", "bags_fee lacks cabin", "createRequests", drop("/requests/*/bags_fee/cabin")),
    ),
    *of(
        "V3-REQUESTS-COUNT",
        answering(
            "counted-as-adults", "Infants are not counted", "createRequests", put("/requests/*/passengers/infants", 0)
        ),
        answering(
            "counted-twice",
            "Adults are counted twice",
            "createRequests",
            change("/requests/*/passengers/adults", lambda adults: 2 * adults),
        ),
    ),
    *of(
        "V3-CANCEL",
        answering("cancel-without-success", "A cancellation answers nothing", "cancelRequest", drop("/success")),
        answering("cancel-fails", "A cancellation answers false", "cancelRequest", put("/success", False)),
        objecting("cancel-refused", "A cancellation is refused", when("cancelRequest"), 409),
    ),
    *of(
        "V3-CANCEL-PENDING",
        tolerating("cancelled-again", "Any request can be cancelled", "request-not-pending"),
        rewording("cancelled-again-crash", "A second cancellation gives 500", "request-not-pending", to_status(500)),
    ),
    *of(
        "V3-CANCEL-UNKNOWN",
        rewording(
            "unknown-cancelled",
            "A request that does not exist is cancelled",
            "request-unknown@cancelRequest",
            to_success({"success": True}),
        ),
    ),
)
