"""Faults in Create Order and in the orders of all answers."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

from airworthy.sandbox.faults.changes import ORDERS, change, edit_responses, put, remove, when, with_status
from airworthy.sandbox.faults.fault import Fault


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
    Fault(
        "order-without-fare",
        "V4-ORDER-QUERY",
        "The service creates an order without the query parameter fareId",
        tolerates=("query-missing",),
    ),
    Fault(
        "order-query-crash",
        "V4-ORDER-QUERY",
        "The service responds with 500 to Create Order without a query parameter",
        rewords={"query-missing": with_status(500)},
    ),
    Fault(
        "order-without-contact",
        "V4-ORDER-REQUIRED",
        "The service creates an order without customerContact",
        tolerates=("createOrder:/customerContact:*",),
    ),
    Fault(
        "order-without-baggage",
        "V4-ORDER-REQUIRED",
        "The service creates an order without selectedBaggage",
        tolerates=(
            "createOrder:/selectedBaggage:*",
            "baggage-per-passenger",
        ),
    ),
    Fault(
        "order-incomplete-422",
        "V4-ORDER-REQUIRED",
        "The service rejects an order without customerContact with 422",
        rewords={"createOrder:/customerContact:required": with_status(422)},
    ),
    Fault(
        "order-middle-name-demanded",
        "V4-ORDER-OPTIONAL",
        "The service requires middleName of passengers",
        rejects=when("createOrder", lambda body: body["passengers"][0].get("middleName") is None),
    ),
    Fault(
        "order-second-name-demanded",
        "V4-ORDER-OPTIONAL",
        "The service requires secondLastName of passengers",
        rejects=when("createOrder", lambda body: body["passengers"][0].get("secondLastName") is None),
    ),
    Fault(
        "order-phone-demanded",
        "V4-ORDER-OPTIONAL",
        "The service requires phone of passengers",
        rejects=when("createOrder", lambda body: body["passengers"][0].get("phone") is None),
    ),
    Fault(
        "passenger-without-name",
        "V4-ORDER-PASSENGER",
        "The service creates an order with a passenger without name",
        tolerates=("createOrder:/passengers/*/name:*",),
    ),
    Fault(
        "passenger-number-text",
        "V4-ORDER-PASSENGER",
        "The service accepts a string as the number of a passenger",
        tolerates=("createOrder:/passengers/[*]/number:type",),
    ),
    Fault(
        "passenger-without-gender",
        "V4-ORDER-PASSENGER",
        "The service creates an order with a passenger without gender",
        tolerates=("createOrder:/passengers/*/gender:required",),
    ),
    Fault(
        "passenger-422",
        "V4-ORDER-PASSENGER",
        "The service rejects a passenger without name with 422",
        rewords={"createOrder:/passengers/*/name:required": with_status(422)},
    ),
    Fault(
        "passenger-any-type",
        "V4-ORDER-PASSENGER-TYPE",
        "The service treats any passenger type as adult",
        tolerates=("createOrder:/passengers/[*]/type:[te]*",),
    ),
    Fault(
        "passenger-any-title",
        "V4-ORDER-TITLE",
        "The service treats any title as MR",
        tolerates=("createOrder:/passengers/*/title:[te]*",),
    ),
    Fault(
        "passenger-not-ms",
        "V4-ORDER-TITLE",
        "The service rejects the title MS",
        rejects=when("createOrder", lambda body: body["passengers"][0]["title"] == "MS"),
    ),
    Fault(
        "passenger-any-gender",
        "V4-ORDER-GENDER",
        "The service treats any gender as MALE",
        tolerates=("createOrder:/passengers/*/gender:enum",),
    ),
    Fault(
        "passenger-gender-422",
        "V4-ORDER-GENDER",
        "The service rejects an invalid gender with 422",
        rewords={"createOrder:/passengers/*/gender:enum": with_status(422)},
    ),
    Fault(
        "child-without-birth-date",
        "V4-ORDER-BIRTH-DATE",
        "The service creates an order with a child without birthDate",
        tolerates=("birth-date-missing",),
    ),
    Fault(
        "any-birth-date",
        "V4-ORDER-BIRTH-DATE",
        "The service accepts any string as birthDate",
        tolerates=("createOrder:/passengers/*/birthDate:*",),
    ),
    Fault(
        "adult-without-birth-date",
        "V4-ORDER-ADULT-BIRTH-DATE",
        "The service creates an order with an adult without birthDate, though the offer lists it as required",
        tolerates=("adult-birth-date-missing",),
        verdict="warning",
        reason="OPEN-43: how a supplier allows adults without birthDate is not documented",
    ),
    Fault(
        "identification-any-type",
        "V4-ORDER-IDENTIFICATION",
        "The service accepts any identification type",
        tolerates=("createOrder:/passengers/*/identification/type:enum",),
    ),
    Fault(
        "identification-incomplete",
        "V4-ORDER-IDENTIFICATION",
        "The service accepts an identification that has only a type",
        tolerates=("identification-incomplete",),
    ),
    Fault(
        "identification-any-date",
        "V4-ORDER-IDENTIFICATION",
        "The service accepts any string as the expirationDate of an identification",
        tolerates=("createOrder:/passengers/*/identification/expirationDate:*",),
    ),
    Fault(
        "document-expired",
        "V4-ORDER-IDENTIFICATION-EXPIRY",
        "The service accepts an identification that has expired",
        tolerates=("document-expired",),
    ),
    Fault(
        "country-any-length",
        "V4-ORDER-COUNTRY-CODES",
        "The service accepts any string as a country code",
        tolerates=("createOrder:*ountryCode*:pattern",),
    ),
    Fault(
        "country-422",
        "V4-ORDER-COUNTRY-CODES",
        "The service rejects a country code of three letters with 422",
        rewords={"createOrder:*ountryCode*:pattern": with_status(422)},
    ),
    Fault(
        "phone-unchecked",
        "V4-ORDER-PHONE",
        "The service does not validate phones",
        tolerates=(
            "createOrder:*/phone:type",
            "createOrder:*/phone/number:type",
        ),
    ),
    Fault(
        "contact-without-email",
        "V4-ORDER-CONTACT",
        "The service accepts a customer contact without email",
        tolerates=("createOrder:/customerContact/email:*",),
    ),
    Fault(
        "contact-without-phone",
        "V4-ORDER-CONTACT",
        "The service accepts a customer contact without phone",
        tolerates=("createOrder:/customerContact/phone:required",),
    ),
    Fault(
        "contact-any-gender",
        "V4-ORDER-CONTACT",
        "The service accepts any gender of a customer contact",
        tolerates=("createOrder:/customerContact/gender:[te]*",),
    ),
    Fault(
        "baggage-any-type",
        "V4-ORDER-BAGGAGE-SELECTION",
        "The service accepts any type of selected baggage",
        tolerates=(
            "createOrder:/selectedBaggage/*/type:*",
            "createOrder:/selectedBaggage/*/*/*/type:*",
        ),
    ),
    Fault(
        "baggage-pieces-text",
        "V4-ORDER-BAGGAGE-SELECTION",
        "The service accepts a string as numberOfPieces of selected baggage",
        tolerates=("createOrder:/selectedBaggage/*/numberOfPieces:*",),
    ),
    Fault(
        "baggage-selection-422",
        "V4-ORDER-BAGGAGE-SELECTION",
        "The service rejects an incomplete baggage selection with 422",
        rewords={"createOrder:/selectedBaggage/*:required": with_status(422)},
    ),
    Fault(
        "baggage-for-some",
        "V4-ORDER-BAGGAGE-PER-PASSENGER",
        "The service accepts a baggage selection that leaves out passengers",
        tolerates=("baggage-per-passenger",),
    ),
    Fault(
        "payment-both",
        "V4-ORDER-PAYMENT-METHOD",
        "The service accepts an order with both card and balance, or with neither",
        tolerates=("payment-method-one@createOrder",),
    ),
    Fault(
        "any-fare",
        "V4-ORDER-FARE-OF-OFFER",
        "The service creates an order for a fare that does not belong to the offer",
        tolerates=("fare-foreign",),
    ),
    Fault(
        "unknown-offer-400",
        "V4-ORDER-UNKNOWN-OFFER",
        "The service rejects an order for an unknown offer with 400",
        rewords={"offer-unknown@createOrder": with_status(400)},
    ),
    Fault(
        "expired-offer-ordered",
        "V4-ORDER-EXPIRED-OFFER",
        "The service creates an order for an expired offer",
        tolerates=("offer-expired",),
    ),
    Fault(
        "expired-offer-crash",
        "V4-ORDER-EXPIRED-OFFER",
        "The service responds to an order for an expired offer with 500",
        rewords={"offer-expired": with_status(500)},
    ),
    Fault(
        "offers-short-lived",
        "V4-OFFER-RETENTION",
        "The service keeps offers for 10 minutes",
        policy={"offer_lifetime": timedelta(minutes=10)},
    ),
    Fault(
        "offers-live-25-minutes",
        "V4-OFFER-RETENTION",
        "The service keeps offers for 25 minutes",
        policy={"offer_lifetime": timedelta(minutes=25)},
    ),
    Fault(
        "order-without-contact-shown",
        "V4-ORDER-FIELDS",
        "The service responds with orders that have no customerContact",
        rewrite=edit_responses(ORDERS, remove("/customerContact")),
    ),
    Fault(
        "order-without-total",
        "V4-ORDER-FIELDS",
        "The service responds with orders that have no totalPrice",
        rewrite=edit_responses("getOrder", remove("/totalPrice")),
    ),
    Fault(
        "order-without-offer",
        "V4-ORDER-FIELDS",
        "The service responds with orders that have no offer",
        rewrite=edit_responses("getOrder", remove("/offer")),
    ),
    Fault(
        "status-pending",
        "V4-ORDER-STATUS",
        "The service responds with the status PENDING for an open order",
        rewrite=edit_responses(
            "createOrder", change("/status", lambda status: "PENDING" if status == "OPEN" else status)
        ),
    ),
    Fault(
        "status-of-a-person",
        "V4-ORDER-STATUS",
        "The service responds with a passenger's last name as the status of an order",
        rewrite=edit_responses(
            ORDERS, change("", lambda order: order | {"status": order["passengers"][0]["firstLastName"]})
        ),
    ),
    Fault(
        "status-lower-case",
        "V4-ORDER-STATUS",
        "The service responds with order statuses in lower case",
        rewrite=edit_responses(ORDERS, change("/status", str.lower)),
    ),
    Fault(
        "order-opens-failed",
        "V4-ORDER-OPENS",
        "The service responds to Create Order with an order that is FAILED",
        rewrite=edit_responses("createOrder", put("/status", "FAILED")),
    ),
    Fault(
        "order-of-other-offer",
        "V4-ORDER-OFFER",
        "The service responds with an order whose offer has a different id",
        rewrite=edit_responses(ORDERS, change("/offer/id", _another_id)),
    ),
    Fault(
        "order-of-other-fare",
        "V4-ORDER-OFFER",
        "The service responds with an order whose fare has a different id",
        rewrite=edit_responses("getOrder", change("/offer/fare/id", _another_id)),
    ),
    Fault(
        "order-of-other-carrier",
        "V4-ORDER-OFFER",
        "The service responds with an order whose carriers differ from those of its offer",
        rewrite=edit_responses(ORDERS, put("/offer/outboundSegment/sections/*/operatingCarrierCode", "ZZ")),
    ),
    Fault(
        "order-arrives-later",
        "V4-ORDER-OFFER",
        "The service responds with an order whose arrival times differ from those of its offer",
        rewrite=edit_responses(
            ORDERS, change("/offer/outboundSegment/sections/*/arrivalDate", lambda time: f"{time[:-2]}59")
        ),
    ),
    Fault(
        "passengers-renamed",
        "V4-ORDER-PASSENGERS-ECHO",
        "The service changes the names of passengers in the order",
        rewrite=edit_responses(ORDERS, put("/passengers/*/name", "X")),
    ),
    Fault(
        "passengers-unidentified",
        "V4-ORDER-PASSENGERS-ECHO",
        "The service leaves the identifications of passengers out of the order",
        rewrite=edit_responses(ORDERS, remove("/passengers/*/identification")),
    ),
    Fault(
        "passengers-reordered",
        "V4-ORDER-PASSENGERS-ECHO",
        "The service leaves the last passenger out of the order",
        rewrite=edit_responses("getOrder", change("/passengers", lambda all_of_them: all_of_them[:-1])),
    ),
    Fault(
        "contact-misread",
        "V4-ORDER-CONTACT-ECHO",
        "The service decodes the customer contact with another character encoding than UTF-8",
        rewrite=edit_responses(
            ORDERS, change("/customerContact/address", lambda text: text.encode().decode("latin-1"))
        ),
    ),
    Fault(
        "contact-without-zip",
        "V4-ORDER-CONTACT-ECHO",
        "The service responds with an empty zipCode of the customer contact",
        rewrite=edit_responses(ORDERS, put("/customerContact/zipCode", "")),
    ),
    Fault(
        "contact-other-email",
        "V4-ORDER-CONTACT-ECHO",
        "The service changes the email of the customer contact",
        rewrite=edit_responses("getOrder", change("/customerContact/email", lambda text: f"x{text}")),
    ),
    Fault(
        "baggage-pieces-lost",
        "V4-ORDER-BAGGAGE-ECHO",
        "The service responds with 0 pieces of selected baggage",
        rewrite=edit_responses(ORDERS, put("/selectedBaggage/*/outboundSegmentBaggageSelection/*/numberOfPieces", 0)),
    ),
    Fault(
        "baggage-lost",
        "V4-ORDER-BAGGAGE-ECHO",
        "The service leaves the selected baggage out of the order",
        rewrite=edit_responses(ORDERS, put("/selectedBaggage", [])),
    ),
    Fault(
        "baggage-back-lost",
        "V4-ORDER-BAGGAGE-ECHO",
        "The service leaves the selected baggage of the inbound segment out of the order",
        rewrite=edit_responses(ORDERS, put("/selectedBaggage/*/inboundSegmentBaggageSelection", [])),
    ),
    Fault(
        "piece-without-price",
        "V4-ORDER-PRICE-PER-PIECE",
        "The service responds with selected baggage that has no pricePerPiece",
        rewrite=edit_responses(
            ORDERS,
            remove("/selectedBaggage/*/pricePerPiece"),
            remove("/selectedBaggage/*/outboundSegmentBaggageSelection/*/pricePerPiece"),
        ),
    ),
    Fault(
        "piece-price-number",
        "V4-ORDER-PRICE-PER-PIECE",
        "The service responds with pricePerPiece as a number",
        rewrite=edit_responses(
            ORDERS,
            put("/selectedBaggage/*/pricePerPiece", 23.5),
            put("/selectedBaggage/*/outboundSegmentBaggageSelection/*/pricePerPiece", 23.5),
        ),
    ),
    Fault(
        "method-swapped",
        "V4-ORDER-PAYMENT-METHOD-ECHO",
        "The service responds with payment by balance for every order",
        rewrite=edit_responses(ORDERS, put("/paymentMethod", {"balance": True})),
    ),
    Fault(
        "method-as-text",
        "V4-ORDER-PAYMENT-METHOD-ECHO",
        "The service responds with paymentMethod as a string",
        rewrite=edit_responses(ORDERS, put("/paymentMethod", "card")),
    ),
    Fault(
        "total-without-baggage",
        "V4-ORDER-TOTAL-BAGGAGE",
        "The service leaves baggage out of the total price",
        policy={"order_total": lambda fare, _, fee: fare + fee},
    ),
    Fault(
        "total-with-half-baggage",
        "V4-ORDER-TOTAL-BAGGAGE",
        "The service includes half of the baggage price in the total price",
        policy={"order_total": lambda fare, baggage, fee: fare + baggage // 2 + fee},
    ),
    Fault(
        "total-with-one-piece",
        "V4-ORDER-TOTAL-BAGGAGE",
        "The service includes one piece of outbound baggage in the total price, however many are selected",
        rewrite=edit_responses(
            ORDERS, change("", lambda order: _without(order, "outbound", lambda pieces: max(pieces - 1, 0)))
        ),
    ),
    Fault(
        "total-without-baggage-back",
        "V4-ORDER-TOTAL-BAGGAGE",
        "The service leaves the baggage of the inbound segment out of the total price",
        rewrite=edit_responses(ORDERS, change("", lambda order: _without(order, "inbound", lambda pieces: pieces))),
    ),
    Fault(
        "total-without-fee",
        "V4-ORDER-TOTAL-CARD-FEE",
        "The service leaves the card fee out of the total price",
        policy={"order_total": lambda fare, baggage, _: fare + baggage},
    ),
    Fault(
        "booked-without-reservation",
        "V4-ORDER-RESERVATION-ID",
        "The service responds with booked orders that have no reservationId",
        rewrite=edit_responses("getOrder", remove("/reservationId")),
    ),
    Fault(
        "open-with-reservation",
        "V4-ORDER-RESERVATION-ID",
        "The service responds with a reservationId for open orders",
        rewrite=edit_responses("createOrder", change("", lambda order: order | {"reservationId": str(uuid4())})),
    ),
)
