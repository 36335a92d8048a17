"""Orders and reservations of v4 where the documents are silent."""

from unit.contract.examples import OFFER, SENT, drop, exchange, money, pricing, put
from unit.contract.open_questions.stories import Stories, echoed, rejections, responses, sending

OTHER_FARE = f"https://service.example/v4/order?offerId={OFFER}&fareId=00000000-0000-4000-8000-000000000000"
SECTION = "outboundSegment.sections[0]"
BAG = "selectedBaggage[0].outboundSegmentBaggageSelection[0]"
PRICING = "cheapestFare.passengerPricingByPassengerType"


CONFORMING: Stories = {
    "OPEN-04": responses("getReservation", "fare", {}, {"anything": [1]}, None, leave_out=True),
    "OPEN-06": rejections(exchange("createOrder", after=31), 400, 404, 409, 410, 422, before=[exchange("getOffer")]),
    "OPEN-30": [[echoed("createOrder", put("passengers[0].identification", {"type": "BIRTH_DATE"}))]],
    "OPEN-35": [
        [sending("createOrder", put("customerCode", "X"))],
        *rejections(sending("createOrder", put("customerCode", "X")), 400),
    ],
    "OPEN-43": [
        [exchange("createOrder", sent=drop("passengers[0].birthDate"), returned=put("passengers[0].birthDate", value))]
        for value in (None, "1990-04-01")
    ],
    "OPEN-44": [
        [exchange("createOrder", returned=changes)]
        for changes in (
            put("selectedBaggage[0].pricePerPiece", money(23.5)),
            (put("selectedBaggage[0].pricePerPiece", money(23.5)), drop(f"{BAG}.pricePerPiece")),
            put("selectedBaggage[0].pricePerPiece", None),
        )
    ]
    + [
        [
            exchange(
                "createOrder",
                sent=put("selectedBaggage[0].outboundSegmentBaggageSelection", chosen),
                returned=put("selectedBaggage[0].outboundSegmentBaggageSelection", returned),
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
    "OPEN-50": rejections(exchange("createOrder", url=OTHER_FARE), 400, 404, 422, before=[exchange("getOffer")]),
    "OPEN-53": rejections(sending("createOrder", put("paymentMethod", {"balance": True})), 400, 403, 422),
    "OPEN-59": rejections(exchange("getOrder"), 401, 403, 404) + rejections(exchange("getReservation"), 401, 403, 404),
    "OPEN-60": rejections(exchange("findReservation"), 400, 404, 409, before=[exchange("createOrder")]),
    "OPEN-64": [
        [exchange("getOffer"), exchange("createOrder", returned=put(f"offer.{SECTION}.destination", "bcn"))],
    ],
    "OPEN-65": [
        [
            exchange("getOffer"),
            exchange("getBaggage"),
            exchange(
                "createOrder",
                sent=put(BAG, {"type": "CHECK_IN", "numberOfPieces": pieces, "kilosPerPiece": 50}),
                returned=put(
                    BAG, {"type": "CHECK_IN", "numberOfPieces": pieces, "kilosPerPiece": 50, "pricePerPiece": money(1)}
                ),
            ),
        ]
        for pieces in (9, -1)
    ],
    "OPEN-66": [
        [echoed("createOrder", put("passengers[0].number", 0), put("selectedBaggage[0].passengerNumber", 0))],
        [exchange("createOrder"), *responses("getReservation", "passengers[0].number", 0)[0]],
    ],
    "OPEN-67": [
        [
            exchange("getOffer", sent=SENT["getOffer"] | {"adults": 2}, returned=put(PRICING, pricing(2))),
            exchange("createOrder", after=1),
        ],
        [echoed("createOrder", put("passengers[0].type", "infant"), put("passengers[0].title", "MR"))],
    ],
    "OPEN-69": [
        [sending("createOrder", put("paymentMethod", {"card": True, "balance": False}))],
        *rejections(sending("createOrder", put("paymentMethod", {"card": True, "balance": False})), 400),
        *responses("createOrder", "paymentMethod", {"card": True, "balance": False}),
    ],
    "OPEN-70": [
        [
            exchange(
                "createOrder",
                sent=put("customerContact.carrierPortalCredentials", {"username": "u", "password": "p"}),
                returned=put("customerContact.carrierPortalCredentials", value),
            )
        ]
        for value in (None, {}, "***", {"username": "u", "password": "***"}, {"username": "u", "password": "p"})
    ],
}
