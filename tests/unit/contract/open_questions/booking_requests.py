"""Booking requests of v2 and v3 where the documents are silent."""

from dataclasses import replace

from unit.contract.all_examples import CUSTOMER
from unit.contract.examples import BASE, drop, exchange, put
from unit.contract.open_questions.stories import Stories, rejections, responses, sending
from unit.contract.v3.v3_examples import FLIGHT, NO_BAGS, PASSENGER, REQUEST

BAG = f"bags.{FLIGHT}"
AN_INFANT = put("requests[0].passengers.infants", 1), put("requests[0].infant_price", 15)
NO_BAGS_AT_ALL: list[object] = [NO_BAGS, {}, {"checked": []}, {"cabin": []}]


CONFORMING: Stories = {
    "ISO 8601 by week or day of the year": [
        *responses(
            "createRequests", "requests[0].created_at", "2026-306T10:01:00Z", "2026306T1001", "2026-W45-1T10:01Z"
        ),
    ],
    "OPEN-10": [
        *[
            [sending("createRequests", put("passengers[0].date_of_birth", value))]
            for value in ("1990-04-01", "01.04.1990", "01/04/1990", "1990-04-01T00:00:00Z")
        ],
        *responses("createBookings", "bookings[0].passengers[0].date_of_birth", "01.04.1990", "1990-04-01T00:00:00Z"),
        *rejections(sending("createRequests", put("passengers[0].date_of_birth", "01/04/1990")), 400, 422),
    ],
    "OPEN-15": [
        [exchange("createRequests"), exchange("createBookings", after=4, name="2")],
        *rejections(exchange("createBookings", after=4), 400, 403, 404, 409, before=[exchange("createRequests")]),
    ],
    "OPEN-16": [
        [exchange("searchFlights"), made]
        for made in (
            sending("createRequests", drop(f"{BAG}.cabin[0].weight"), after=1),
            sending("createRequests", drop(f"{BAG}.cabin[0].dimensions"), after=1),
            sending("createRequests", put(f"{BAG}.cabin[0].weight", None), after=1),
        )
    ]
    + rejections(sending("createRequests", drop(f"{BAG}.cabin[0].weight")), 400, 422)
    + responses("searchFlights", "results[0].bags.cabin[0].weight", None, leave_out=True),
    "OPEN-20": [
        story for name in ("createRequests", "createRequestsV2") for story in rejections(exchange(name), 404, 409)
    ],
    "OPEN-22": rejections(exchange("cancelRequest", url=f"{BASE}/v3/requests/none/cancel"), 400, 404),
    "OPEN-23": [
        [sending("createRequestsV2", drop("customer_code"))],
        *[
            [replace(sending("createRequestsV2", drop("customer_code")), response=each.response)]
            for name in ("customer", "customer_code")
            for (each,) in responses("createRequestsV2", f"requests[0].{name}", None, leave_out=True)
        ],
        [sending("createBookingsV2", put("customer_data", CUSTOMER))],
        [sending("createBookingsV2", put("customer_data", CUSTOMER | {"email": 5}))],
    ],
    "OPEN-28": [[sending("createRequests", put(BAG, value))] for value in NO_BAGS_AT_ALL]
    + responses("searchFlights", "results[0].bags", NO_BAGS, {}, {"checked": None, "cabin": None}, {"checked": []}),
    "OPEN-29": [
        *rejections(sending("createRequests", put(f"{BAG}.checked[0].quantity", 9)), 400, 409, 422),
        *rejections(sending("createRequests", put("flight_ids", [1, 2, 3])), 400, 422),
        *rejections(
            sending("createRequests", put(BAG, NO_BAGS), after=1), 400, 422, before=[exchange("searchFlights")]
        ),
    ],
    "OPEN-83": [
        [sending("createRequests", put("passengers[0].gender", value))] for value in ("male", "M", "FEMALE", "x")
    ]
    + responses("createBookings", "bookings[0].gender", "F", "FEMALE"),
    "OPEN-84": [
        *responses("createRequests", "requests[0].passengers", {"adults": 0, "children": 1, "infants": 0}),
        [exchange("createRequests", returned=(put("requests[0].passengers.adults", 0), *AN_INFANT))],
    ],
    "OPEN-85": [
        [exchange("searchFlights", returned=put("results[0].need_apis", True)), last]
        for last in (
            exchange("createRequests", after=1),
            *(story[0] for story in rejections(exchange("createRequests", after=1), 400, 409, 422)),
        )
    ],
    "OPEN-86": [
        [
            exchange(
                "createRequests",
                sent=(
                    put("passengers", [PASSENGER, PASSENGER]),
                    put(f"{BAG}.checked[0].quantity", 2),
                    put(f"{BAG}.checked[1].quantity", quantity),
                    put(f"{BAG}.checked[0].price", 1),
                    put(f"{BAG}.checked[2]", {"quantity": 0, "weight": 99}),
                ),
                returned=AN_INFANT,
            )
        ]
        for quantity in (0, 1, 2)
    ],
    "OPEN-87": [
        [sending("createRequests", put("fare_type", "round_trip"))],
        *rejections(sending("createRequests", put("fare_type", "round_trip")), 400, 404, 409),
    ],
    "OPEN-88": [
        story
        for end in ("cancelRequest", "createBookings")
        for story in rejections(
            exchange("createBookings", after=2, name="3"),
            *(400, 403, 404, 409),
            before=[exchange("createRequests"), exchange(end, after=1, name="2")],
        )
    ]
    + rejections(exchange("createBookings", after=9), 400, 403, 404, 409, before=[exchange("createRequests")]),
    "OPEN-89": [
        [exchange("createRequests"), exchange("cancelRequest", after=1), again]
        for again in (
            exchange("cancelRequest", returned={"success": False}, after=2, name="3"),
            *(story[0] for story in rejections(exchange("cancelRequest", after=2, name="3"), 400, 403, 404, 409)),
        )
    ]
    + [[exchange("createRequests"), exchange("cancelRequest", returned={"success": False}, after=4)]]
    + rejections(exchange("cancelRequest", url=f"{BASE}/v2/requests/{REQUEST}/cancel"), 404, 405)
    + [[exchange("cancelRequest", url=f"{BASE}/v2/requests/{REQUEST}/cancel")]],
}
