"""Behaviour that the documents leave open in v4 has no finding against the service.

One entry for each item of ``open-questions.md`` that is about v4 and shows on the wire.
"""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from airworthy.contract import Contract, Conversation, Exchange, Response, ServiceAddress
from unit.contract.examples import (
    HEADERS,
    JSON,
    ORDER,
    PASSENGER,
    RETURNED,
    SENT,
    changed,
    drop,
    error,
    exchange,
    money,
    pricing,
    put,
    rejected,
)

PHRASES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    409: "Conflict",
    410: "Gone",
    415: "Unsupported Media Type",
    422: "Unprocessable Entity",
}
SECTION = "outboundSegment.sections[0]"
BAG = "selectedBaggage[0].outboundSegmentBaggageSelection[0]"
PRICING = "cheapestFare.passengerPricingByPassengerType"
INFORMATION = "providerAdditionalPassengerInformationByPassengerType.adult"
OTHER = "00000000-0000-4000-8000-000000000000"
FAILED = changed(RETURNED["createOrder"], put("status", "FAILED"))
THREE_D = {
    "version": "2.1.0",
    "electronic_commerce_indicator": "07",
    "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
    "transaction_id": "x",
}

Story = list[Exchange]


def rejections(made: Exchange, *statuses: int, before: Iterable[Exchange] = ()) -> list[Story]:
    return [[*before, rejected(made, status, PHRASES[status])] for status in statuses]


def responses(operation: str, path: str, *values: object, leave_out: bool = False) -> list[Story]:
    made = [exchange(operation, returned=changed(RETURNED[operation], put(path, value))) for value in values]
    if leave_out:
        made.append(exchange(operation, returned=changed(RETURNED[operation], put(path, None), drop(path))))
    return [[each] for each in made]


def sending(operation: str, path: str, value: object) -> Exchange:
    return exchange(operation, sent=changed(SENT[operation], put(path, value)))


def bodies(made: Exchange, status: int, *contents: bytes) -> list[Story]:
    return [[replace(made, response=Response(status, JSON, content))] for content in contents]


CONFORMING: dict[str, list[Story]] = {
    "OPEN-01": responses("getOffer", f"{SECTION}.technicalStops", [], ["CDG"], [{"airport": "CDG"}], leave_out=True),
    "OPEN-02": [
        *responses("searchOffers", "offers[0].inboundSegment", None, {"sections": []}, {"legs": 1}, leave_out=True),
        *responses("getOffer", "inboundSegment", None, leave_out=True),
        *responses("getOrder", "offer.inboundSegment", None, {"sections": []}, [1]),
        *responses("getReservation", "inboundSegment", None, {"any": 1}),
    ],
    "OPEN-03": [
        [exchange("getFares", returned={"fares": []})],
        [exchange("getFares", returned={"fares": [{"price": {"totalAmount": 1}}]})],
        [exchange("getFares", returned={"fares": [{"id": "1", "x": [2]}], "currency": "EUR", "offer": {}})],
    ],
    "OPEN-04": responses("getReservation", "fare", {}, {"anything": [1]}, None, leave_out=True),
    "OPEN-05": [
        [
            exchange("createOrder"),
            exchange("confirmOrder", returned=FAILED),
            exchange("confirmOrder", after=1, name="3"),
        ],
        [
            exchange("createOrder"),
            exchange("confirmOrder", returned=FAILED),
            rejected(exchange("confirmOrder", after=1, name="3"), 409, "Conflict"),
        ],
    ],
    "OPEN-06": rejections(exchange("createOrder", after=31), 400, 404, 409, 410, 422, before=[exchange("getOffer")]),
    "OPEN-07": rejections(
        exchange("confirmOrder", after=5, name="2"), 400, 403, 404, 409, 422, before=[exchange("confirmOrder")]
    ),
    "OPEN-09": bodies(exchange("searchOffers"), 429, b"", b"slow down", b'{"retry": 1}')
    + bodies(exchange("getOrder"), 503, b""),
    "OPEN-24": [
        *rejections(exchange("confirmOrder"), 403, 406, 422),
        [exchange("confirmOrder", returned=FAILED)],
        *[
            [
                exchange("createOrder"),
                rejected(exchange("confirmOrder", after=1), status, PHRASES[status]),
                exchange("getOrder", returned=changed(FAILED, put("status", left)), after=2),
            ]
            for status in (403, 406, 422)
            for left in ("FAILED", "OPEN")
        ],
    ],
    "OPEN-25": [
        *rejections(exchange("searchOffers", sent=changed(SENT["searchOffers"], drop("inboundSegment"))), 400),
        [exchange("searchOffers", sent=changed(SENT["searchOffers"], drop("inboundSegment")))],
        [sending("searchOffers", "inboundSegment", {"whatever": 1})],
        *rejections(sending("getOffer", "inboundSegment", {"sections": []}), 400),
    ],
    "OPEN-27": [
        [exchange("getOffer"), exchange("createOrder", after=20), exchange("confirmOrder", after=50)],
        *rejections(
            exchange("confirmOrder", after=50),
            404,
            422,
            before=[exchange("getOffer"), exchange("createOrder", after=20)],
        ),
    ],
    "OPEN-30": [
        [
            exchange(
                "createOrder",
                sent=changed(SENT["createOrder"], put("passengers[0].identification", {"type": "BIRTH_DATE"})),
                returned=changed(RETURNED["createOrder"], put("passengers[0].identification", {"type": "BIRTH_DATE"})),
            )
        ],
    ],
    "OPEN-31": [
        *rejections(exchange("searchOffers"), 404),
        *rejections(exchange("getOffer"), 404),
        [exchange("searchOffers", returned={"offers": []})],
    ],
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
    "OPEN-35": [
        [sending("createOrder", "customerCode", "X")],
        *rejections(sending("createOrder", "customerCode", "X"), 400),
    ],
    "OPEN-36": responses(
        "getOffer",
        "paymentOptions",
        [],
        [{"type": "card"}],
        [{"type": "card", "fee": money(0)}],
        [{"type": "card", "fee": None}, {"type": "balance", "fee": money(0)}],
    ),
    "OPEN-41": bodies(exchange("getOrder"), 500, b"", b"<html>", b'{"a": 1}', b"{"),
    "OPEN-43": [
        [
            exchange(
                "createOrder",
                sent=changed(SENT["createOrder"], drop("passengers[0].birthDate")),
                returned=changed(RETURNED["createOrder"], put("passengers[0].birthDate", value)),
            )
        ]
        for value in (None, "1990-12-10")
    ],
    "OPEN-44": [
        [exchange("createOrder", returned=changed(RETURNED["createOrder"], *changes))]
        for changes in (
            [put("selectedBaggage[0].pricePerPiece", money(35))],
            [put("selectedBaggage[0].pricePerPiece", money(35)), drop(f"{BAG}.pricePerPiece")],
            [put("selectedBaggage[0].pricePerPiece", None)],
        )
    ]
    + [
        [
            exchange(
                "createOrder",
                sent=changed(SENT["createOrder"], put("selectedBaggage[0].outboundSegmentBaggageSelection", chosen)),
                returned=changed(
                    RETURNED["createOrder"], put("selectedBaggage[0].outboundSegmentBaggageSelection", returned)
                ),
            )
        ]
        for chosen, returned in (
            ([], []),
            ([{"type": "CABIN", "numberOfPieces": 0, "kilosPerPiece": 10}], []),
            (
                [{"type": "CABIN", "numberOfPieces": 0, "kilosPerPiece": 10}],
                [{"type": "CABIN", "numberOfPieces": 0, "kilosPerPiece": 10, "pricePerPiece": None}],
            ),
        )
    ],
    "OPEN-47": [
        [sending("createOrder", "passengers[0].is_infant", value=False)],
        [sending("getOffer", "isResidentDiscountEligible", value=False)],
        *rejections(sending("getOffer", "isResidentDiscountEligible", value=False), 400),
    ],
    "OPEN-48": [
        *responses("getOffer", f"{SECTION}.departureTerminal", None, "4", leave_out=True),
        *responses("getOrder", "passengers[0].middleName", None, leave_out=True),
        *responses("getOrder", "passengers[0].secondLastName", None, leave_out=True),
        *responses("getOrder", "passengers[0].nationalityCountryCode", None, leave_out=True),
        *responses("getOrder", "passengers[0].phone", None, leave_out=True),
        *responses("createOrder", "reservationId", None, leave_out=True),
        *responses("createOrder", "selectedBaggage[0].inboundSegmentBaggageSelection", None, [], leave_out=True),
        *responses("getReservation", "passengers[0].birthDate", None, leave_out=True),
    ],
    "OPEN-49": [
        *rejections(exchange("getFares", url="https://service.example/v4/offer/x/fares"), 400, 404, 422),
        [exchange("getFares", url="https://service.example/v4/offer/x/fares", returned={"fares": []})],
        *rejections(exchange("getOrder", url="https://service.example/v4/order/x"), 400, 404, 422),
        *rejections(exchange("createOrder", url="https://service.example/v4/order"), 400, 404, 422),
        *rejections(exchange("findReservation", url="https://service.example/v4/reservation"), 400, 404, 405),
    ],
    "OPEN-50": rejections(exchange("createOrder"), 400, 404, 422, before=[exchange("getOffer")]),
    "OPEN-51": [
        *rejections(
            sending("confirmOrder", "paymentMethod", {"balance": True}), 400, 403, 422, before=[exchange("createOrder")]
        ),
        *rejections(sending("confirmOrder", "payment_intent_id", "pi_1"), 400, 422),
    ],
    "OPEN-52": [
        *rejections(sending("confirmOrder", "three_d_secure", THREE_D), 400, 406, 422),
        [exchange("confirmOrder", sent=SENT["confirmOrder"] | {"three_d_secure": THREE_D}, returned=FAILED)],
        [
            exchange(
                "confirmOrder",
                sent=SENT["confirmOrder"] | {"three_d_secure": THREE_D | {"electronic_commerce_indicator": "06"}},
                returned=FAILED,
            )
        ],
    ],
    "OPEN-53": rejections(sending("createOrder", "paymentMethod", {"balance": True}), 400, 403, 422),
    "OPEN-54": [
        [sending("searchOffers", "travelClass", "economy")],
        [exchange("searchOffers", sent=SENT["searchOffers"] | {"travelClass": "BUSINESS"}, returned={"offers": []})],
        *rejections(sending("getOffer", "travelClass", "BUSINESS"), 400, 404),
        [sending("getOffer", "travelClass", "BUSINESS")],
        [exchange("getOffer", sent=SENT["getOffer"] | {"travelClass": "FIRST"}, returned={})],
        [
            exchange(
                "getOffer", sent=changed(SENT["getOffer"], put(f"{SECTION}.travelClass", "FIRST")), returned=b"null"
            )
        ],
    ],
    "OPEN-55": [
        *rejections(sending("searchOffers", "outboundSegment.departureDate", "2020-01-01"), 400, 404),
        [
            exchange(
                "searchOffers",
                sent=changed(SENT["searchOffers"], put("adults", 9), put("children", 9)),
                returned={"offers": []},
            )
        ],
    ],
    "OPEN-56": [
        *rejections(exchange("getOffer"), 400, 404, 409, 422),
        [exchange("searchOffers"), *responses("getOffer", "cheapestFare.totalPrice", money(999))[0]],
    ],
    "OPEN-57": [[exchange("searchOffers"), *responses("getOffer", "id", OTHER)[0]]],
    "OPEN-58": [
        *rejections(exchange("getBaggage", after=40), 403, 404, before=[exchange("getOffer")]),
        [exchange("getOffer"), exchange("getBaggage", after=40, returned={"fareBaggageOptions": []})],
        *responses("getBaggage", "fareBaggageOptions[0].inboundSegmentOptions", None, [], leave_out=True),
    ],
    "OPEN-59": rejections(exchange("getOrder"), 401, 403, 404) + rejections(exchange("getReservation"), 401, 403, 404),
    "OPEN-60": rejections(exchange("findReservation"), 400, 404, 409, before=[exchange("createOrder")]),
    "OPEN-61": [
        *responses("getOffer", f"{PRICING}.adult.fareAmount", money(0), money(12345.678)),
        *responses("getOrder", "offer.fare.totalPrice", money(1)),
        *responses("createOrder", "totalPrice", money(35), money(99999)),
    ],
    "OPEN-62": [
        *responses(
            "getOffer", "cheapestFare.includedBaggage[0].descriptor", None, {}, {"weight": 7.5}, {"weight": None}
        ),
        *responses("getOffer", "cheapestFare.includedBaggage[0].descriptor.dimensions", None, {}, {"width": None}),
    ],
    "OPEN-63": [
        *responses(
            "getOffer",
            PRICING,
            pricing(),
            {
                kind: pricing()["adult"] | {"numberOfPassengers": int(kind == "adult")}
                for kind in ("adult", "child", "infant")
            },
        ),
    ],
    "OPEN-64": [
        *responses("getOffer", f"{SECTION}.marketingCarrierCode", "ib"),
        *responses("searchOffers", "offers[0].outboundSegment.sections[0].marketingCarrierCode", "U2", "3O"),
        *responses("searchOffers", "offers[0].outboundSegment.sections[0].origin", "mad", "Mad"),
        [
            exchange(
                "getOffer",
                sent=changed(SENT["getOffer"], put(f"{SECTION}.flightNumber", "912")),
                returned=changed(RETURNED["getOffer"], put(f"{SECTION}.flightNumber", "0912")),
            )
        ],
        *responses("searchOffers", "offers[0].outboundSegment.sections[0].flightNumber", "0123", "1"),
        *rejections(sending("searchOffers", "outboundSegment.origin.code", "mad"), 400),
    ],
    "OPEN-65": [
        [
            exchange("getOffer"),
            exchange("getBaggage"),
            exchange(
                "createOrder",
                sent=changed(
                    SENT["createOrder"], put(BAG, {"type": "CHECK_IN", "numberOfPieces": 9, "kilosPerPiece": 50})
                ),
                returned=changed(
                    RETURNED["createOrder"],
                    put(BAG, {"type": "CHECK_IN", "numberOfPieces": 9, "kilosPerPiece": 50, "pricePerPiece": money(1)}),
                ),
            ),
        ]
    ],
    "OPEN-66": [
        [
            exchange(
                "createOrder",
                sent=changed(
                    SENT["createOrder"], put("passengers[0].number", 0), put("selectedBaggage[0].passengerNumber", 0)
                ),
                returned=changed(
                    RETURNED["createOrder"],
                    put("passengers[0].number", 0),
                    put("selectedBaggage[0].passengerNumber", 0),
                ),
            )
        ]
    ],
    "OPEN-67": [
        [
            exchange(
                "getOffer",
                sent=SENT["getOffer"] | {"adults": 2},
                returned=changed(RETURNED["getOffer"], put(PRICING, pricing(2))),
            ),
            exchange("createOrder", after=1),
        ],
        [
            exchange(
                "createOrder",
                sent=changed(SENT["createOrder"], put("passengers[0]", PASSENGER | {"type": "infant", "title": "MR"})),
                returned=changed(
                    RETURNED["createOrder"], put("passengers[0]", PASSENGER | {"type": "infant", "title": "MR"})
                ),
            )
        ],
    ],
    "OPEN-68": responses(
        "getOffer", f"{INFORMATION}.providerRequiredAdditionalFields", [], ["birthDate", "Passport no"]
    ),
    "OPEN-69": [
        [sending("createOrder", "paymentMethod", {"card": True, "balance": False})],
        *rejections(sending("createOrder", "paymentMethod", {"card": True, "balance": False}), 400),
        *responses("createOrder", "paymentMethod", {"card": True, "balance": False}),
    ],
    "OPEN-70": [
        [
            exchange(
                "createOrder",
                sent=changed(
                    SENT["createOrder"],
                    put("customerContact.carrierPortalCredentials", {"username": "u", "password": "p"}),
                ),
                returned=changed(RETURNED["createOrder"], put("customerContact.carrierPortalCredentials", value)),
            )
        ]
        for value in (None, {}, "***", {"username": "u", "password": "***"}, {"username": "u", "password": "p"})
    ],
    "OPEN-71": [
        [exchange("createOrder"), exchange("confirmOrder", after=20)],
        *rejections(exchange("confirmOrder", after=20), 404, 422, before=[exchange("createOrder")]),
    ],
    "OPEN-72": [[exchange("confirmOrder", sent={"paymentMethod": {"card": True}, "payment_intent_id": "whatever"})]],
    "OPEN-73": [
        [
            exchange("getOffer"),
            exchange("getOffer", after=1),
            exchange("createOrder", after=2),
            exchange("createOrder", after=3),
        ],
        [exchange("getOffer"), *responses("getOffer", "id", OTHER)[0]],
    ],
    "OPEN-75": [
        [exchange("searchOffers", headers=HEADERS[:1])],
        *rejections(exchange("searchOffers", headers=HEADERS[:1]), 400, 406, 415),
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
    "OPEN-77": [
        [exchange("searchOffers", returned={"offers": []})],
        [exchange("searchOffers", returned={"offers": [RETURNED["searchOffers"]["offers"][0]] * 300})],
    ],
    "OPEN-102": rejections(exchange("searchOffers", url="https://service.example/v1.0/search"), 404, 410),
}
CASES = [(item, at, story) for item, stories in CONFORMING.items() for at, story in enumerate(stories)]


@pytest.mark.parametrize(("item", "at", "story"), CASES, ids=[f"{item}-{at}" for item, at, _ in CASES])
def test_undocumented_behaviour_is_not_a_violation(item: str, at: int, story: Story) -> None:
    contract, conversation = (
        Contract.load(service=ServiceAddress(base_urls=("https://service.example",))),
        Conversation(),
    )
    for made in story:
        against = [finding for finding in contract.judge(made, conversation) if finding.side == "response"]
        assert against == [], (item, at)


@pytest.mark.parametrize("operation", RETURNED)
def test_open_46_unknown_field_only_warns(contract: Contract, operation: str) -> None:
    returned = changed(RETURNED[operation], put("surprise", {"a": [1]}))
    findings = contract.judge(exchange(operation, returned=returned))
    assert [(finding.kind, finding.drift, finding.soft) for finding in findings] in (
        [("drift", "unknown-field", True)],
        [],
    )
    assert bool(findings) != (operation == "getFares")
