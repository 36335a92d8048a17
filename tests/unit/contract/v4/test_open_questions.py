"""Where the documents are silent or disagree: what every conforming service may do raises no finding against it.

One entry for each item of ``open-questions.md`` that is about v4 and shows on the wire.
"""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from airworthy.contract import Contract, Conversation, Exchange, Response, ServiceAddress
from unit.contract.examples import (
    ANSWERED,
    HEADERS,
    JSON,
    ORDER,
    PASSENGER,
    SENT,
    changed,
    drop,
    error,
    exchange,
    money,
    pricing,
    put,
    refused,
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
FAILED = changed(ANSWERED["createOrder"], put("status", "FAILED"))
THREE_D = {
    "version": "2.1.0",
    "electronic_commerce_indicator": "07",
    "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
    "transaction_id": "x",
}

Story = list[Exchange]


def refusals(made: Exchange, *statuses: int, before: Iterable[Exchange] = ()) -> list[Story]:
    return [[*before, refused(made, status, PHRASES[status])] for status in statuses]


def answers(operation: str, path: str, *values: object, leave_out: bool = False) -> list[Story]:
    made = [exchange(operation, answered=changed(ANSWERED[operation], put(path, value))) for value in values]
    if leave_out:
        made.append(exchange(operation, answered=changed(ANSWERED[operation], put(path, None), drop(path))))
    return [[each] for each in made]


def ask(operation: str, path: str, value: object) -> Exchange:
    return exchange(operation, sent=changed(SENT[operation], put(path, value)))


def bodies(made: Exchange, status: int, *contents: bytes) -> list[Story]:
    return [[replace(made, response=Response(status, JSON, content))] for content in contents]


CONFORMING: dict[str, list[Story]] = {
    "OPEN-01": answers("getOffer", f"{SECTION}.technicalStops", [], ["CDG"], [{"airport": "CDG"}], leave_out=True),
    "OPEN-02": [
        *answers("searchOffers", "offers[0].inboundSegment", None, {"sections": []}, {"legs": 1}, leave_out=True),
        *answers("getOffer", "inboundSegment", None, leave_out=True),
        *answers("getOrder", "offer.inboundSegment", None, {"sections": []}, [1]),
        *answers("getReservation", "inboundSegment", None, {"any": 1}),
    ],
    "OPEN-03": [
        [exchange("getFares", answered={"fares": []})],
        [exchange("getFares", answered={"fares": [{"price": {"totalAmount": 1}}]})],
        [exchange("getFares", answered={"fares": [{"id": "1", "x": [2]}], "currency": "EUR", "offer": {}})],
    ],
    "OPEN-04": answers("getReservation", "fare", {}, {"anything": [1]}, None, leave_out=True),
    "OPEN-05": [
        [
            exchange("createOrder"),
            exchange("confirmOrder", answered=FAILED),
            exchange("confirmOrder", after=1, name="3"),
        ],
        [
            exchange("createOrder"),
            exchange("confirmOrder", answered=FAILED),
            refused(exchange("confirmOrder", after=1, name="3"), 409, "Conflict"),
        ],
    ],
    "OPEN-06": refusals(exchange("createOrder", after=31), 400, 404, 409, 410, 422, before=[exchange("getOffer")]),
    "OPEN-07": refusals(
        exchange("confirmOrder", after=5, name="2"), 400, 403, 404, 409, 422, before=[exchange("confirmOrder")]
    ),
    "OPEN-09": bodies(exchange("searchOffers"), 429, b"", b"slow down", b'{"retry": 1}')
    + bodies(exchange("getOrder"), 503, b""),
    "OPEN-24": [
        *refusals(exchange("confirmOrder"), 403, 406, 422),
        [exchange("confirmOrder", answered=FAILED)],
        *[
            [
                exchange("createOrder"),
                refused(exchange("confirmOrder", after=1), status, PHRASES[status]),
                exchange("getOrder", answered=changed(FAILED, put("status", left)), after=2),
            ]
            for status in (403, 406, 422)
            for left in ("FAILED", "OPEN")
        ],
    ],
    "OPEN-25": [
        *refusals(exchange("searchOffers", sent=changed(SENT["searchOffers"], drop("inboundSegment"))), 400),
        [exchange("searchOffers", sent=changed(SENT["searchOffers"], drop("inboundSegment")))],
        [ask("searchOffers", "inboundSegment", {"whatever": 1})],
        *refusals(ask("getOffer", "inboundSegment", {"sections": []}), 400),
    ],
    "OPEN-27": [
        [exchange("getOffer"), exchange("createOrder", after=20), exchange("confirmOrder", after=50)],
        *refusals(
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
                answered=changed(ANSWERED["createOrder"], put("passengers[0].identification", {"type": "BIRTH_DATE"})),
            )
        ],
    ],
    "OPEN-31": [
        *refusals(exchange("searchOffers"), 404),
        *refusals(exchange("getOffer"), 404),
        [exchange("searchOffers", answered={"offers": []})],
    ],
    "OPEN-32": refusals(exchange("getOrder", headers=HEADERS[1:]), 400, 401, 403),
    "OPEN-33": [
        *refusals(exchange("getOrder", url=f"http://service.example/v4/order/{ORDER}"), 400, 403, 404),
        *bodies(exchange("getOrder", url=f"http://service.example/v4/order/{ORDER}"), 301, b"", b"<html>"),
        [replace(exchange("getOrder", url=f"http://service.example/v4/order/{ORDER}"), response=None)],
    ],
    "OPEN-34": [
        [exchange("getOrder", headers=(("Authorization", "Bearer key"), *HEADERS[1:]))],
        *refusals(exchange("getOrder", headers=(("Authorization", "Bearer key"), *HEADERS[1:])), 401),
    ],
    "OPEN-35": [[ask("createOrder", "customerCode", "X")], *refusals(ask("createOrder", "customerCode", "X"), 400)],
    "OPEN-36": answers(
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
                answered=changed(ANSWERED["createOrder"], put("passengers[0].birthDate", value)),
            )
        ]
        for value in (None, "1990-12-10")
    ],
    "OPEN-44": [
        [exchange("createOrder", answered=changed(ANSWERED["createOrder"], *changes))]
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
                answered=changed(
                    ANSWERED["createOrder"], put("selectedBaggage[0].outboundSegmentBaggageSelection", answered)
                ),
            )
        ]
        for chosen, answered in (
            ([], []),
            ([{"type": "CABIN", "numberOfPieces": 0, "kilosPerPiece": 10}], []),
            (
                [{"type": "CABIN", "numberOfPieces": 0, "kilosPerPiece": 10}],
                [{"type": "CABIN", "numberOfPieces": 0, "kilosPerPiece": 10, "pricePerPiece": None}],
            ),
        )
    ],
    "OPEN-47": [
        [ask("createOrder", "passengers[0].is_infant", value=False)],
        [ask("getOffer", "isResidentDiscountEligible", value=False)],
        *refusals(ask("getOffer", "isResidentDiscountEligible", value=False), 400),
    ],
    "OPEN-48": [
        *answers("getOffer", f"{SECTION}.departureTerminal", None, "4", leave_out=True),
        *answers("getOrder", "passengers[0].middleName", None, leave_out=True),
        *answers("getOrder", "passengers[0].secondLastName", None, leave_out=True),
        *answers("getOrder", "passengers[0].nationalityCountryCode", None, leave_out=True),
        *answers("getOrder", "passengers[0].phone", None, leave_out=True),
        *answers("createOrder", "reservationId", None, leave_out=True),
        *answers("createOrder", "selectedBaggage[0].inboundSegmentBaggageSelection", None, [], leave_out=True),
        *answers("getReservation", "passengers[0].birthDate", None, leave_out=True),
    ],
    "OPEN-49": [
        *refusals(exchange("getFares", url="https://service.example/v4/offer/x/fares"), 400, 404, 422),
        [exchange("getFares", url="https://service.example/v4/offer/x/fares", answered={"fares": []})],
        *refusals(exchange("getOrder", url="https://service.example/v4/order/x"), 400, 404, 422),
        *refusals(exchange("createOrder", url="https://service.example/v4/order"), 400, 404, 422),
        *refusals(exchange("findReservation", url="https://service.example/v4/reservation"), 400, 404, 405),
    ],
    "OPEN-50": refusals(exchange("createOrder"), 400, 404, 422, before=[exchange("getOffer")]),
    "OPEN-51": [
        *refusals(
            ask("confirmOrder", "paymentMethod", {"balance": True}), 400, 403, 422, before=[exchange("createOrder")]
        ),
        *refusals(ask("confirmOrder", "payment_intent_id", "pi_1"), 400, 422),
    ],
    "OPEN-52": [
        *refusals(ask("confirmOrder", "three_d_secure", THREE_D), 400, 406, 422),
        [exchange("confirmOrder", sent=SENT["confirmOrder"] | {"three_d_secure": THREE_D}, answered=FAILED)],
        [
            exchange(
                "confirmOrder",
                sent=SENT["confirmOrder"] | {"three_d_secure": THREE_D | {"electronic_commerce_indicator": "06"}},
                answered=FAILED,
            )
        ],
    ],
    "OPEN-53": refusals(ask("createOrder", "paymentMethod", {"balance": True}), 400, 403, 422),
    "OPEN-54": [
        [ask("searchOffers", "travelClass", "economy")],
        [exchange("searchOffers", sent=SENT["searchOffers"] | {"travelClass": "BUSINESS"}, answered={"offers": []})],
        *refusals(ask("getOffer", "travelClass", "BUSINESS"), 400, 404),
        [ask("getOffer", "travelClass", "BUSINESS")],
        [exchange("getOffer", sent=SENT["getOffer"] | {"travelClass": "FIRST"}, answered={})],
        [
            exchange(
                "getOffer", sent=changed(SENT["getOffer"], put(f"{SECTION}.travelClass", "FIRST")), answered=b"null"
            )
        ],
    ],
    "OPEN-55": [
        *refusals(ask("searchOffers", "outboundSegment.departureDate", "2020-01-01"), 400, 404),
        [
            exchange(
                "searchOffers",
                sent=changed(SENT["searchOffers"], put("adults", 9), put("children", 9)),
                answered={"offers": []},
            )
        ],
    ],
    "OPEN-56": [
        *refusals(exchange("getOffer"), 400, 404, 409, 422),
        [exchange("searchOffers"), *answers("getOffer", "cheapestFare.totalPrice", money(999))[0]],
    ],
    "OPEN-57": [[exchange("searchOffers"), *answers("getOffer", "id", OTHER)[0]]],
    "OPEN-58": [
        *refusals(exchange("getBaggage", after=40), 403, 404, before=[exchange("getOffer")]),
        [exchange("getOffer"), exchange("getBaggage", after=40, answered={"fareBaggageOptions": []})],
        *answers("getBaggage", "fareBaggageOptions[0].inboundSegmentOptions", None, [], leave_out=True),
    ],
    "OPEN-59": refusals(exchange("getOrder"), 401, 403, 404) + refusals(exchange("getReservation"), 401, 403, 404),
    "OPEN-60": refusals(exchange("findReservation"), 400, 404, 409, before=[exchange("createOrder")]),
    "OPEN-61": [
        *answers("getOffer", f"{PRICING}.adult.fareAmount", money(0), money(12345.678)),
        *answers("getOrder", "offer.fare.totalPrice", money(1)),
        *answers("createOrder", "totalPrice", money(35), money(99999)),
    ],
    "OPEN-62": [
        *answers("getOffer", "cheapestFare.includedBaggage[0].descriptor", None, {}, {"weight": 7.5}, {"weight": None}),
        *answers("getOffer", "cheapestFare.includedBaggage[0].descriptor.dimensions", None, {}, {"width": None}),
    ],
    "OPEN-63": [
        *answers(
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
        *answers("getOffer", f"{SECTION}.marketingCarrierCode", "ib"),
        *answers("searchOffers", "offers[0].outboundSegment.sections[0].marketingCarrierCode", "U2", "3O"),
        *answers("searchOffers", "offers[0].outboundSegment.sections[0].origin", "mad", "Mad"),
        [
            exchange(
                "getOffer",
                sent=changed(SENT["getOffer"], put(f"{SECTION}.flightNumber", "912")),
                answered=changed(ANSWERED["getOffer"], put(f"{SECTION}.flightNumber", "0912")),
            )
        ],
        *answers("searchOffers", "offers[0].outboundSegment.sections[0].flightNumber", "0123", "1"),
        *refusals(ask("searchOffers", "outboundSegment.origin.code", "mad"), 400),
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
                answered=changed(
                    ANSWERED["createOrder"],
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
                answered=changed(
                    ANSWERED["createOrder"],
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
                answered=changed(ANSWERED["getOffer"], put(PRICING, pricing(2))),
            ),
            exchange("createOrder", after=1),
        ],
        [
            exchange(
                "createOrder",
                sent=changed(SENT["createOrder"], put("passengers[0]", PASSENGER | {"type": "infant", "title": "MR"})),
                answered=changed(
                    ANSWERED["createOrder"], put("passengers[0]", PASSENGER | {"type": "infant", "title": "MR"})
                ),
            )
        ],
    ],
    "OPEN-68": answers("getOffer", f"{INFORMATION}.providerRequiredAdditionalFields", [], ["birthDate", "Passport no"]),
    "OPEN-69": [
        [ask("createOrder", "paymentMethod", {"card": True, "balance": False})],
        *refusals(ask("createOrder", "paymentMethod", {"card": True, "balance": False}), 400),
        *answers("createOrder", "paymentMethod", {"card": True, "balance": False}),
    ],
    "OPEN-70": [
        [
            exchange(
                "createOrder",
                sent=changed(
                    SENT["createOrder"],
                    put("customerContact.carrierPortalCredentials", {"username": "u", "password": "p"}),
                ),
                answered=changed(ANSWERED["createOrder"], put("customerContact.carrierPortalCredentials", value)),
            )
        ]
        for value in (None, {}, "***", {"username": "u", "password": "***"}, {"username": "u", "password": "p"})
    ],
    "OPEN-71": [
        [exchange("createOrder"), exchange("confirmOrder", after=20)],
        *refusals(exchange("confirmOrder", after=20), 404, 422, before=[exchange("createOrder")]),
    ],
    "OPEN-72": [[exchange("confirmOrder", sent={"paymentMethod": {"card": True}, "payment_intent_id": "whatever"})]],
    "OPEN-73": [
        [
            exchange("getOffer"),
            exchange("getOffer", after=1),
            exchange("createOrder", after=2),
            exchange("createOrder", after=3),
        ],
        [exchange("getOffer"), *answers("getOffer", "id", OTHER)[0]],
    ],
    "OPEN-75": [
        [exchange("searchOffers", headers=HEADERS[:1])],
        *refusals(exchange("searchOffers", headers=HEADERS[:1]), 400, 406, 415),
        *refusals(exchange("searchOffers", url="https://service.example/v4/nothing"), 404, 405),
        [exchange("searchOffers", url="https://service.example/v4/nothing")],
    ],
    "OPEN-76": [
        [exchange("getOrder", status=status, answered=error(status, text, message="désolé"))]
        for status, text in (
            (404, "not found"),
            (422, "Unprocessable Content"),
            (400, "BAD REQUEST"),
            (460, "Anything"),
        )
    ],
    "OPEN-77": [
        [exchange("searchOffers", answered={"offers": []})],
        [exchange("searchOffers", answered={"offers": [ANSWERED["searchOffers"]["offers"][0]] * 300})],
    ],
    "OPEN-102": refusals(exchange("searchOffers", url="https://service.example/v1.0/search"), 404, 410),
}
CASES = [(item, at, story) for item, stories in CONFORMING.items() for at, story in enumerate(stories)]


@pytest.mark.parametrize(("item", "at", "story"), CASES, ids=[f"{item}-{at}" for item, at, _ in CASES])
def test_what_is_open_is_held_against_no_service(item: str, at: int, story: Story) -> None:
    contract, conversation = (
        Contract.load(service=ServiceAddress(base_urls=("https://service.example",))),
        Conversation(),
    )
    for made in story:
        against = [finding for finding in contract.judge(made, conversation) if finding.side == "response"]
        assert against == [], (item, at)


@pytest.mark.parametrize("operation", ANSWERED)
def test_open_46_unknown_fields_are_a_note(contract: Contract, operation: str) -> None:
    answer = changed(ANSWERED[operation], put("surprise", {"a": [1]}))
    findings = contract.judge(exchange(operation, answered=answer))
    assert [(finding.kind, finding.drift, finding.soft) for finding in findings] in (
        [("drift", "unknown-field", True)],
        [],
    )
    assert bool(findings) != (operation == "getFares")
