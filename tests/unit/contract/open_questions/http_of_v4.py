"""HTTP in v4 where the documents are silent."""

from dataclasses import replace

from unit.contract.examples import HEADERS, ORDER, error, exchange, put
from unit.contract.open_questions.stories import Stories, bodies, rejections, sending

CONFORMING: Stories = {
    "OPEN-09": bodies(exchange("searchOffers"), 429, b"", b"slow down", b'{"retry": 1}')
    + bodies(exchange("getOrder"), 503, b"")
    + [story for status in (407, 408, 413, 414, 421, 431) for story in bodies(exchange("getOrder"), status, b"<html>")],
    "OPEN-32": rejections(exchange("getOrder", headers=HEADERS[1:]), 400, 401, 403),
    "OPEN-33": [
        *rejections(exchange("getOrder", url=f"http://service.example/v4/order/{ORDER}"), 400, 403, 404),
        *bodies(exchange("getOrder", url=f"http://service.example/v4/order/{ORDER}"), 301, b"", b"<html>"),
        [replace(exchange("getOrder", url=f"http://service.example/v4/order/{ORDER}"), response=None)],
    ],
    "OPEN-34": [
        [exchange("getOrder", headers=(("Authorization", "Bearer key"), *HEADERS[1:]))],
        *rejections(exchange("getOrder", headers=(("Authorization", "Bearer key"), *HEADERS[1:])), 401),
    ],
    "OPEN-41": bodies(exchange("getOrder"), 500, b"", b"<html>", b'{"a": 1}', b"{"),
    "OPEN-47": [
        [sending("createOrder", put("passengers[0].is_infant", value=False))],
        [sending("getOffer", put("isResidentDiscountEligible", value=False))],
        *rejections(sending("getOffer", put("isResidentDiscountEligible", value=False)), 400),
    ],
    "OPEN-49": [
        *rejections(exchange("getFares", url="https://service.example/v4/offer/x/fares"), 400, 404, 422),
        [exchange("getFares", url="https://service.example/v4/offer/x/fares", returned={"fares": []})],
        *rejections(exchange("getOrder", url="https://service.example/v4/order/x"), 400, 404, 422),
        *rejections(exchange("createOrder", url="https://service.example/v4/order"), 400, 404, 422),
        *rejections(exchange("findReservation", url="https://service.example/v4/reservation"), 400, 404, 405),
    ],
    "OPEN-75": [
        [exchange("searchOffers", headers=HEADERS[:1])],
        *rejections(exchange("searchOffers", headers=HEADERS[:1]), 400, 406, 415),
        *bodies(exchange("searchOffers", headers=(*HEADERS[:2], ("Content-Type", "text/plain"))), 415, b"", b"<html>"),
        *[
            story
            for status in (200, 404, 406)
            for story in bodies(exchange("getOrder", headers=(HEADERS[0], ("Accept", "text/html"))), status, b"<html>")
        ],
        *rejections(exchange("searchOffers", url="https://service.example/v4/nothing"), 404, 405),
        [exchange("searchOffers", url="https://service.example/v4/nothing")],
    ],
    "OPEN-76": [
        [exchange("getOrder", status=status, returned=error(status, text, message="désolé"))]
        for status, text in (
            (404, "not found"),
            (422, "Unprocessable Content"),
            (400, "BAD REQUEST"),
            (460, "Anything"),
        )
    ],
    "OPEN-102": rejections(exchange("searchOffers", url="https://service.example/v1.0/search"), 404, 410),
}
