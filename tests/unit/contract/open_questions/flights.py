"""Searches and round-trip fares of v2 and v3 where the documents are silent."""

from unit.contract.examples import exchange
from unit.contract.open_questions.stories import Stories, rejections, responses
from unit.contract.v3.v3_examples import NO_BAGS, WINDOW, flight, queried

UNMAINTAINED = 0.0


CONFORMING: Stories = {
    "OPEN-40": [
        [exchange("verifyFlight", returned={}, after=UNMAINTAINED)],
        [exchange("verifyFlight", returned=b"<html>", after=UNMAINTAINED)],
        [exchange("verifyFlight", returned={"price": "wrong"}, after=UNMAINTAINED)],
        [exchange("verifyFlight", status=500, returned=b"", after=UNMAINTAINED)],
        [exchange("verifyFlight", sent={}, status=500, returned=b"", after=UNMAINTAINED)],
        *rejections(exchange("verifyFlight", after=UNMAINTAINED), 404, 410),
    ],
    "OPEN-78": [
        story
        for query in (
            "origin=MAD&destination=FCO&start=2035-03-13&end=2035-03-21",
            "origin=MAD&destination=FCO&start=2035-03-13&end=2026-11-01",
            "origin=LON&destination=FCO&start=2035-03-13",
            "origin=ZZZ&destination=QQQ",
            "origin=MAD&destination=FCO&start=2020-01-01",
        )
        for story in (
            [queried("searchFlights", query, returned={"results": [], "next_page_id": None})],
            *rejections(queried("searchFlights", query), 400, 404, 422),
        )
    ]
    + [[queried("searchFlights", "origin=MAD&destination=FCO&start=2035-03-13&end=2035-03-21")]]
    + [[queried("searchFlights", "origin=MAD&destination=FCO&start=2035-03-13&end=2026-11-01")]],
    "OPEN-79": [
        [queried("searchRoundTrips", query)]
        for query in (
            "origin=MAD&destination=FCO&returnStart=2027-01-01",
            "origin=MAD&destination=FCO&start=2035-04-01&returnStart=2035-03-13",
            "origin=MAD&destination=FCO&returnEnd=2026-11-05",
        )
    ]
    + rejections(queried("searchRoundTrips", f"{WINDOW}&returnStart=2026-11-01"), 400, 422),
    "OPEN-80": [
        [
            exchange("searchFlights", returned={"results": [flight(bags=NO_BAGS)] * 3, "next_page_id": "a"}),
            queried("searchFlights", f"{WINDOW}&seats=20&next_page_id=a"),
            queried("searchFlights", "origin=BCN&destination=IBZ&next_page_id=a"),
            queried("searchFlights", "origin=BCN&destination=IBZ&start=2030-01-01&next_page_id=a"),
        ],
        *responses("searchFlights", "next_page_id", " ", "x" * 500),
    ],
    "seats with a sign": [[queried("searchFlights", f"{WINDOW}&seats=%2B2")]],
    "OPEN-81": [
        *responses("searchFlights", "results[0].bags.checked[0].quantity", 0, 5, 1.5),
        *responses("searchFlights", "results[0].duration", "26:05", "101:00"),
    ],
    "OPEN-95": [
        *responses("searchRoundTrips", "fares[0].checked_bags_prices", [], [60.5], [{"weight": 20, "price": 60}]),
        *responses("searchRoundTrips", "fares[0].cabin_bags_prices", [], [12], [{"any": 1}]),
        *responses("searchRoundTrips", "fares[0].return_id", 1),
    ],
    "OPEN-96": [
        *[[exchange("verifyFlight", status=status)] for status in (200, 201)],
        *responses("verifyFlight", "infant_price", None, leave_out=True),
        *responses("verifyFlight", "total_price", 1),
    ],
    "OPEN-37": [
        [exchange("searchFlights"), *responses("createRequests", "requests[0].flight.price", 999)[0]],
        [exchange("searchFlights"), *responses("createRequests", "requests[0].flight.bags", NO_BAGS)[0]],
        *rejections(exchange("createRequests"), 409, before=[exchange("searchFlights")]),
    ],
}
