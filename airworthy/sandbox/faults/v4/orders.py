"""Faults in Create Order and in the orders of all answers."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import (
    ORDERS,
    answering,
    change,
    drop,
    objecting,
    of,
    policy,
    put,
    rewording,
    to_status,
    tolerating,
    when,
)


def _another_id(_: object) -> str:
    return str(uuid4())


def _without(order: dict[str, Any], way: str, left_out: Callable[[int], int]) -> dict[str, Any]:
    """Return an order whose total leaves out some pieces of baggage of one way, in the documented dialect."""
    saved = sum(
        left_out(selection["numberOfPieces"]) * item["pricePerPiece"]["amount"]
        for item in order["selectedBaggage"]
        for selection in item.get(f"{way}SegmentBaggageSelection") or ()
        if item.get("pricePerPiece")
    )
    total = order["totalPrice"]
    return order | {"totalPrice": total | {"amount": round(total["amount"] - saved, 2)}}


FAULTS: tuple[Fault, ...] = (
    *of(
        "V4-ORDER-QUERY",
        tolerating("order-without-fare", "An order needs no fareId", "query-missing"),
        rewording("order-query-crash", "A missing parameter gives 500", "query-missing", to_status(500)),
    ),
    *of(
        "V4-ORDER-REQUIRED",
        tolerating("order-without-contact", "An order needs no customerContact", "createOrder:/customerContact:*"),
        tolerating(
            "order-without-baggage",
            "An order needs no selectedBaggage",
            "createOrder:/selectedBaggage:*",
            "baggage-per-passenger",
        ),
        rewording(
            "order-incomplete-422",
            "An incomplete order gives 422",
            "createOrder:/customerContact:required",
            to_status(422),
        ),
    ),
    *of(
        "V4-ORDER-OPTIONAL",
        objecting(
            "order-middle-name-demanded",
            "Passengers need a middleName",
            when("createOrder", lambda body: body["passengers"][0].get("middleName") is None),
        ),
        objecting(
            "order-second-name-demanded",
            "Passengers need a secondLastName",
            when("createOrder", lambda body: body["passengers"][0].get("secondLastName") is None),
        ),
        objecting(
            "order-phone-demanded",
            "Passengers need a phone",
            when("createOrder", lambda body: body["passengers"][0].get("phone") is None),
        ),
    ),
    *of(
        "V4-ORDER-PASSENGER",
        tolerating("passenger-without-name", "Passengers need no name", "createOrder:/passengers/*/name:*"),
        tolerating("passenger-number-text", "number may be a string", "createOrder:/passengers/[*]/number:type"),
        tolerating(
            "passenger-without-gender", "Passengers need no gender", "createOrder:/passengers/*/gender:required"
        ),
        rewording(
            "passenger-422",
            "A passenger without a name gives 422",
            "createOrder:/passengers/*/name:required",
            to_status(422),
        ),
    ),
    *of(
        "V4-ORDER-PASSENGER-TYPE",
        tolerating("passenger-any-type", "Any type is taken for adult", "createOrder:/passengers/[*]/type:[te]*"),
    ),
    *of(
        "V4-ORDER-TITLE",
        tolerating("passenger-any-title", "Any title is taken for MR", "createOrder:/passengers/*/title:[te]*"),
        objecting(
            "passenger-not-ms",
            "MS is refused",
            when("createOrder", lambda body: body["passengers"][0]["title"] == "MS"),
        ),
    ),
    *of(
        "V4-ORDER-GENDER",
        tolerating("passenger-any-gender", "Any gender is taken for MALE", "createOrder:/passengers/*/gender:enum"),
        rewording(
            "passenger-gender-422", "Another gender gives 422", "createOrder:/passengers/*/gender:enum", to_status(422)
        ),
    ),
    *of(
        "V4-ORDER-BIRTH-DATE",
        tolerating("child-without-birth-date", "Children need no birthDate", "birth-date-missing"),
        tolerating("any-birth-date", "Any text is taken for a birthDate", "createOrder:/passengers/*/birthDate:*"),
    ),
    *of(
        "V4-ORDER-ADULT-BIRTH-DATE",
        tolerating(
            "adult-without-birth-date", "Adults need no birthDate though it is listed", "adult-birth-date-missing"
        ),
    ),
    *of(
        "V4-ORDER-IDENTIFICATION",
        tolerating(
            "identification-any-type",
            "Any identification type is taken",
            "createOrder:/passengers/*/identification/type:enum",
        ),
        tolerating("identification-incomplete", "An identification needs its type only", "identification-incomplete"),
        tolerating(
            "identification-any-date",
            "Any text is taken for an expirationDate",
            "createOrder:/passengers/*/identification/expirationDate:*",
        ),
    ),
    *of(
        "V4-ORDER-IDENTIFICATION-EXPIRY",
        tolerating("document-expired", "An expired document is taken", "document-expired"),
    ),
    *of(
        "V4-ORDER-COUNTRY-CODES",
        tolerating("country-any-length", "Any text is taken for a country", "createOrder:*ountryCode*:pattern"),
        rewording(
            "country-422", "A country of three letters gives 422", "createOrder:*ountryCode*:pattern", to_status(422)
        ),
    ),
    *of(
        "V4-ORDER-PHONE",
        tolerating(
            "phone-unchecked", "Phones are not checked", "createOrder:*/phone:type", "createOrder:*/phone/number:type"
        ),
    ),
    *of(
        "V4-ORDER-CONTACT",
        tolerating("contact-without-email", "A contact needs no email", "createOrder:/customerContact/email:*"),
        tolerating("contact-without-phone", "A contact needs no phone", "createOrder:/customerContact/phone:required"),
        tolerating("contact-any-gender", "A contact may have any gender", "createOrder:/customerContact/gender:[te]*"),
    ),
    *of(
        "V4-ORDER-BAGGAGE-SELECTION",
        tolerating(
            "baggage-any-type",
            "Any type is taken for a bag",
            "createOrder:/selectedBaggage/*/type:*",
            "createOrder:/selectedBaggage/*/*/*/type:*",
        ),
        tolerating(
            "baggage-pieces-text", "numberOfPieces may be a string", "createOrder:/selectedBaggage/*/numberOfPieces:*"
        ),
        rewording(
            "baggage-selection-422",
            "An incomplete selection gives 422",
            "createOrder:/selectedBaggage/*:required",
            to_status(422),
        ),
    ),
    *of(
        "V4-ORDER-BAGGAGE-PER-PASSENGER",
        tolerating("baggage-for-some", "Baggage is not needed for all passengers", "baggage-per-passenger"),
    ),
    *of(
        "V4-ORDER-PAYMENT-METHOD",
        tolerating(
            "payment-both", "Both or none of card and balance are taken for card", "payment-method-one@createOrder"
        ),
    ),
    *of(
        "V4-ORDER-FARE-OF-OFFER",
        tolerating("any-fare", "Any fare is taken for the cheapest", "fare-foreign"),
    ),
    *of(
        "V4-ORDER-UNKNOWN-OFFER",
        rewording("unknown-offer-400", "An unknown offer gives 400", "offer-unknown@createOrder", to_status(400)),
    ),
    *of(
        "V4-ORDER-EXPIRED-OFFER",
        tolerating("expired-offer-ordered", "An expired offer is ordered", "offer-expired"),
        rewording("expired-offer-crash", "An expired offer gives 500", "offer-expired", to_status(500)),
    ),
    *of(
        "V4-OFFER-RETENTION",
        policy("offers-short-lived", "Offers live for 10 minutes", offer_lifetime=timedelta(minutes=10)),
        policy("offers-live-25-minutes", "Offers live for 25 minutes", offer_lifetime=timedelta(minutes=25)),
    ),
    *of(
        "V4-ORDER-FIELDS",
        answering("order-without-contact-shown", "Orders lack customerContact", ORDERS, drop("/customerContact")),
        answering("order-without-total", "Orders lack totalPrice", "getOrder", drop("/totalPrice")),
        answering("order-without-offer", "Orders lack their offer", "getOrder", drop("/offer")),
    ),
    *of(
        "V4-ORDER-STATUS",
        answering(
            "status-pending",
            "An open order is PENDING",
            "createOrder",
            change("/status", lambda status: "PENDING" if status == "OPEN" else status),
        ),
        answering(
            "status-of-a-person",
            "The status is the name of a passenger",
            ORDERS,
            change("", lambda order: order | {"status": order["passengers"][0]["firstLastName"]}),
        ),
        answering("status-lower-case", "Statuses are in lower case", ORDERS, change("/status", str.lower)),
    ),
    *of(
        "V4-ORDER-OPENS",
        answering("order-opens-failed", "A created order is FAILED", "createOrder", put("/status", "FAILED")),
    ),
    *of(
        "V4-ORDER-OFFER",
        answering("order-of-other-offer", "An order names another offer", ORDERS, change("/offer/id", _another_id)),
        answering(
            "order-of-other-fare", "An order names another fare", "getOrder", change("/offer/fare/id", _another_id)
        ),
        answering(
            "order-of-other-carrier",
            "An order is flown by another carrier than its offer",
            ORDERS,
            put("/offer/outboundSegment/sections/*/operatingCarrierCode", "ZZ"),
        ),
        answering(
            "order-arrives-later",
            "An order arrives at another time than its offer",
            ORDERS,
            change("/offer/outboundSegment/sections/*/arrivalDate", lambda time: f"{time[:-2]}59"),
        ),
    ),
    *of(
        "V4-ORDER-PASSENGERS-ECHO",
        answering(
            "passengers-renamed", "Passengers come back with another name", ORDERS, put("/passengers/*/name", "X")
        ),
        answering(
            "passengers-unidentified", "Identifications do not come back", ORDERS, drop("/passengers/*/identification")
        ),
        answering(
            "passengers-reordered",
            "The last passenger does not come back",
            "getOrder",
            change("/passengers", lambda all_of_them: all_of_them[:-1]),
        ),
    ),
    *of(
        "V4-ORDER-CONTACT-ECHO",
        answering(
            "contact-misread",
            "A contact is read in another encoding than it was written in",
            ORDERS,
            change("/customerContact/address", lambda text: text.encode().decode("latin-1")),
        ),
        answering("contact-without-zip", "The zip code comes back empty", ORDERS, put("/customerContact/zipCode", "")),
        answering(
            "contact-other-email",
            "The e-mail comes back changed",
            "getOrder",
            change("/customerContact/email", lambda text: f"x{text}"),
        ),
    ),
    *of(
        "V4-ORDER-BAGGAGE-ECHO",
        answering(
            "baggage-pieces-lost",
            "Pieces come back as 0",
            ORDERS,
            put("/selectedBaggage/*/outboundSegmentBaggageSelection/*/numberOfPieces", 0),
        ),
        answering("baggage-lost", "Baggage does not come back", ORDERS, put("/selectedBaggage", [])),
        answering(
            "baggage-back-lost",
            "Baggage of the way back does not come back",
            ORDERS,
            put("/selectedBaggage/*/inboundSegmentBaggageSelection", []),
        ),
    ),
    *of(
        "V4-ORDER-PRICE-PER-PIECE",
        answering(
            "piece-without-price",
            "pricePerPiece is missing",
            ORDERS,
            drop("/selectedBaggage/*/pricePerPiece"),
            drop("/selectedBaggage/*/outboundSegmentBaggageSelection/*/pricePerPiece"),
        ),
        answering(
            "piece-price-number",
            "pricePerPiece is a number",
            ORDERS,
            put("/selectedBaggage/*/pricePerPiece", 23.5),
            put("/selectedBaggage/*/outboundSegmentBaggageSelection/*/pricePerPiece", 23.5),
        ),
    ),
    *of(
        "V4-ORDER-PAYMENT-METHOD-ECHO",
        answering("method-swapped", "Every order says balance", ORDERS, put("/paymentMethod", {"balance": True})),
        answering("method-as-text", "paymentMethod is a string", ORDERS, put("/paymentMethod", "card")),
    ),
    *of(
        "V4-ORDER-TOTAL-BAGGAGE",
        policy("total-without-baggage", "The total leaves out baggage", order_total=lambda fare, _, fee: fare + fee),
        policy(
            "total-with-half-baggage",
            "The total has half of the baggage",
            order_total=lambda fare, baggage, fee: fare + baggage // 2 + fee,
        ),
        answering(
            "total-with-one-piece",
            "The total has one piece of a bag, however many are selected",
            ORDERS,
            change("", lambda order: _without(order, "outbound", lambda pieces: max(pieces - 1, 0))),
        ),
        answering(
            "total-without-baggage-back",
            "The total leaves out the baggage of the way back",
            ORDERS,
            change("", lambda order: _without(order, "inbound", lambda pieces: pieces)),
        ),
    ),
    *of(
        "V4-ORDER-TOTAL-CARD-FEE",
        policy(
            "total-without-fee",
            "The total leaves out the card fee",
            order_total=lambda fare, baggage, _: fare + baggage,
        ),
    ),
    *of(
        "V4-ORDER-RESERVATION-ID",
        answering(
            "booked-without-reservation", "A booked order has no reservationId", "getOrder", drop("/reservationId")
        ),
        answering(
            "open-with-reservation",
            "An open order has a reservationId",
            "createOrder",
            change("", lambda order: order | {"reservationId": str(uuid4())}),
        ),
    ),
)
