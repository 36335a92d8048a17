"""HTTP and additional members in v2 and v3 where the documents are silent."""

from dataclasses import replace

from airworthy.contract import Response
from unit.contract.examples import BASE, BEARER_HEADERS, JSON, OF_V4, RETURNED, exchange, put
from unit.contract.open_questions.stories import Stories, bodies, rejections, responses, sending
from unit.contract.v3.v3_examples import WINDOW

WHATEVER = (b"", b"<p>", b"[]", b'["no"]', b'{"code": "x"}', b'{"error": {"code": 1}}', b'[{"field": "x", "wrong": 1}]')
V3 = [name for name in RETURNED if name not in OF_V4]

CONFORMING: Stories = {
    "OPEN-09": [story for name in V3 for story in bodies(exchange(name), 429, b"", b"slow", b'{"retry": 1}')],
    "OPEN-14": [
        story
        for name in V3
        for status in (400, 401, 403, 404, 409, 422, 500)
        for story in bodies(exchange(name), status, *WHATEVER)
    ],
    "OPEN-18": [
        [exchange(name, headers=(("Authorization", "test-token"), *BEARER_HEADERS[1:]), status=status)]
        for name in V3
        for status in (200, 401)
    ],
    "OPEN-32": [
        story for name in V3 for story in rejections(exchange(name, headers=BEARER_HEADERS[1:]), 400, 401, 403)
    ],
    "OPEN-33": [
        [replace(exchange("searchFlights", url=f"http://service.example/v3/flights?{WINDOW}"), response=response)]
        for response in (None, Response(301, JSON, b""), Response(403, JSON, b"no"), Response(308, (), None))
    ],
    "OPEN-47": [
        [sending("createRequests", put("passengers[0].is_infant", value=False))],
        [sending("createBookings", put("luggage", {}))],
        *rejections(sending("createBookings", put("luggage", {})), 400),
    ],
    "OPEN-48": [
        *responses("createBookings", "bookings[0].address", None, leave_out=True),
        *responses("createBookings", "bookings[0].postal_code", None, leave_out=True),
        *responses("searchFlights", "results[0].segments[0].via_airport", None, "BCN"),
        *responses("createRequests", "requests[0].customer.vat_number", None, ""),
    ],
    "OPEN-75": [
        [exchange("searchFlights", headers=BEARER_HEADERS[:1])],
        *rejections(exchange("searchFlights", headers=BEARER_HEADERS[:1]), 400, 406, 415),
        *rejections(exchange("searchFlights", url=f"{BASE}/v3/nothing"), 404, 405),
        [exchange("searchFlights", url=f"{BASE}/v3/nothing")],
    ],
    "OPEN-102": rejections(exchange("searchFlights", url=f"{BASE}/v1.0/flights"), 404, 410),
}
