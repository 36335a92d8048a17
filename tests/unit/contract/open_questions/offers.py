"""Searches, offers, fares and baggage options of v4 where the documents are silent."""

from exchange_parts import changed_request
from unit.contract.examples import RETURNED, SENT, drop, exchange, money, pricing, put
from unit.contract.open_questions.stories import Stories, rejections, responses, sending

SECTION = "outboundSegment.sections[0]"
PRICING = "cheapestFare.passengerPricingByPassengerType"
INFORMATION = "providerAdditionalPassengerInformationByPassengerType.adult"
OTHER = "00000000-0000-4000-8000-000000000000"
EMPTY_OFFER = exchange("getOffer", returned={"remark": 1})


CONFORMING: Stories = {
    "OPEN-01": responses(
        "getOffer", f"{SECTION}.technicalStops", None, [], ["CDG"], [{"airport": "CDG"}], leave_out=True
    ),
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
    "OPEN-25": [
        *rejections(exchange("searchOffers", sent=drop("inboundSegment")), 400),
        [exchange("searchOffers", sent=drop("inboundSegment"))],
        [sending("searchOffers", put("inboundSegment", {"whatever": 1}))],
        *rejections(sending("getOffer", put("inboundSegment", {"sections": []})), 400),
    ],
    "OPEN-31": [
        *rejections(exchange("searchOffers"), 404),
        *rejections(exchange("getOffer"), 404),
        [exchange("searchOffers", returned={"offers": []})],
    ],
    "OPEN-36": responses(
        "getOffer",
        "paymentOptions",
        [],
        [{"type": "card"}],
        [{"type": "card", "fee": money(0)}],
        [{"type": "card", "fee": None}, {"type": "balance", "fee": money(0)}],
    ),
    "OPEN-54": [
        [sending("searchOffers", put("travelClass", "economy"))],
        [exchange("searchOffers", sent=SENT["searchOffers"] | {"travelClass": "BUSINESS"}, returned={"offers": []})],
        *rejections(sending("getOffer", put("travelClass", "BUSINESS")), 400, 404),
        [sending("getOffer", put("travelClass", "BUSINESS"))],
        [exchange("getOffer", sent=SENT["getOffer"] | {"travelClass": "FIRST"}, returned={})],
        [exchange("getOffer", sent=put(f"{SECTION}.travelClass", "FIRST"), returned=b"null")],
        [changed_request(EMPTY_OFFER, body=None)],
    ],
    "OPEN-55": [
        *rejections(sending("searchOffers", put("outboundSegment.departureDate", "2020-01-01")), 400, 404),
        [exchange("searchOffers", sent=(put("adults", 9), put("children", 9)), returned={"offers": []})],
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
        )
    ],
    "OPEN-64": [
        *responses("getOffer", f"{SECTION}.marketingCarrierCode", "vy"),
        *responses("searchOffers", "offers[0].outboundSegment.sections[0].marketingCarrierCode", "U2", "3O"),
        *responses("searchOffers", "offers[0].outboundSegment.sections[0].origin", "mad", "Mad"),
        [
            exchange(
                "getOffer", sent=put(f"{SECTION}.flightNumber", "912"), returned=put(f"{SECTION}.flightNumber", "0912")
            )
        ],
        *responses("searchOffers", "offers[0].outboundSegment.sections[0].flightNumber", "0123", "1"),
        *rejections(sending("searchOffers", put("outboundSegment.origin.code", "mad")), 400),
    ],
    "OPEN-68": responses(
        "getOffer", f"{INFORMATION}.providerRequiredAdditionalFields", [], ["birthDate", "Passport no"]
    ),
    "OPEN-73": [
        [exchange(name, after=at) for at, name in enumerate(["getOffer"] * 2 + ["createOrder"] * 2)],
        [exchange("getOffer"), *responses("getOffer", "id", OTHER)[0]],
    ],
    "OPEN-77": [
        [exchange("searchOffers", returned={"offers": []})],
        [exchange("searchOffers", returned={"offers": [RETURNED["searchOffers"]["offers"][0]] * 300})],
    ],
}
