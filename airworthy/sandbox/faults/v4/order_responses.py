"""Faults in the orders of all responses."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from airworthy.sandbox.faults.changes import ORDERS, change, edit_responses, put, remove
from airworthy.sandbox.faults.fault import Fault


def _another_id(_: object) -> str:
    return str(uuid4())


def _without(order: dict[str, Any], way: str, left_out: Callable[[int], int]) -> dict[str, Any]:
    """Return an order whose total price leaves out some pieces of baggage of one segment."""
    saved = sum(
        left_out(selection["numberOfPieces"]) * item["pricePerPiece"]["amount"]
        for item in order["selectedBaggage"]
        for selection in item.get(f"{way}SegmentBaggageSelection") or ()
        if item.get("pricePerPiece")
    )
    total = order["totalPrice"]
    return order | {"totalPrice": total | {"amount": round(total["amount"] - saved, 2)}}


def _of_the_first_passenger(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*items[:1], *({**item, "outboundSegmentBaggageSelection": []} for item in items[1:])]


def _without_later_passengers(order: dict[str, Any]) -> dict[str, Any]:
    """Return an order whose total price leaves out the baggage of all passengers but the first."""
    others = _without(order | {"selectedBaggage": order["selectedBaggage"][1:]}, "outbound", lambda pieces: pieces)
    return order | {"totalPrice": others["totalPrice"]}


def _without_cabin_bags(order: dict[str, Any]) -> dict[str, Any]:
    """Return an order whose total price leaves out the baggage of passengers with a cabin bag."""
    cabin = [
        item
        for item in order["selectedBaggage"]
        if any(each["type"] == "CABIN" for each in item["outboundSegmentBaggageSelection"])
    ]
    others = _without(order | {"selectedBaggage": cabin}, "outbound", lambda pieces: pieces)
    return order | {"totalPrice": others["totalPrice"]}


FAULTS: tuple[Fault, ...] = (
    Fault(
        "status-of-a-person",
        "V4-ORDER-STATUS",
        "The service responds with a passenger's last name as the status of an order",
        rewrite=edit_responses(
            ORDERS, change("", lambda order: order | {"status": order["passengers"][0]["firstLastName"]})
        ),
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
        "order-of-other-passengers",
        "V4-ORDER-OFFER",
        "The service responds with an order whose fare is priced for other passengers than those of its offer",
        rewrite=edit_responses(
            "createOrder", put("/offer/fare/passengerPricingByPassengerType/adult/numberOfPassengers", 7)
        ),
    ),
    Fault(
        "order-read-of-other-passengers",
        "V4-ORDER-OFFER",
        "The service responds to Get Order with a fare that is priced for other passengers than those of its offer",
        rewrite=edit_responses(
            "getOrder", put("/offer/fare/passengerPricingByPassengerType/adult/numberOfPassengers", 7)
        ),
    ),
    Fault(
        "order-of-dearer-fare",
        "V4-ORDER-OFFER",
        "The service responds with an order whose fare costs more than in its offer",
        rewrite=edit_responses("createOrder", change("/offer/fare/totalPrice/amount", lambda amount: amount + 50)),
        verdict="warning",
        reason="OPEN-61: the documents do not say how prices follow from each other",
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
        "passengers-other-phone",
        "V4-ORDER-PASSENGERS-ECHO",
        "The service changes the phone numbers of passengers in the order",
        rewrite=edit_responses(ORDERS, put("/passengers/*/phone/number", "600999999")),
    ),
    Fault(
        "passengers-other-phone-country",
        "V4-ORDER-PASSENGERS-ECHO",
        "The service changes the countries of the phones of passengers in the order",
        rewrite=edit_responses(ORDERS, put("/passengers/*/phone/countryCode", "FR")),
    ),
    Fault(
        "passengers-other-birth-date",
        "V4-ORDER-PASSENGERS-ECHO",
        "The service changes the birth dates of passengers in the order",
        rewrite=edit_responses(ORDERS, put("/passengers/*/birthDate", "1990-01-01")),
    ),
    Fault(
        "passengers-all-mr",
        "V4-ORDER-PASSENGERS-ECHO",
        "The service gives all passengers of an order the title MR",
        rewrite=edit_responses(ORDERS, put("/passengers/*/title", "MR")),
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
        "baggage-of-first-passenger",
        "V4-ORDER-BAGGAGE-ECHO",
        "The service leaves the selected baggage of the second passenger out of the order",
        rewrite=edit_responses(ORDERS, change("/selectedBaggage", _of_the_first_passenger)),
    ),
    Fault(
        "baggage-of-one-kind",
        "V4-ORDER-BAGGAGE-ECHO",
        "The service returns the first selection of each passenger only",
        rewrite=edit_responses(
            ORDERS, change("/selectedBaggage/*/outboundSegmentBaggageSelection", lambda selections: selections[:1])
        ),
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
        "method-swapped",
        "V4-ORDER-PAYMENT-METHOD-ECHO",
        "The service responds with payment by balance for every order",
        rewrite=edit_responses(ORDERS, put("/paymentMethod", {"balance": True})),
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
        "total-without-second-passenger",
        "V4-ORDER-TOTAL-BAGGAGE",
        "The service leaves the baggage of the second passenger out of the total price",
        rewrite=edit_responses(ORDERS, change("", _without_later_passengers)),
    ),
    Fault(
        "total-without-cabin-bag",
        "V4-ORDER-TOTAL-BAGGAGE",
        "The service leaves cabin bags out of the total price",
        rewrite=edit_responses(ORDERS, change("", _without_cabin_bags)),
    ),
    Fault(
        "total-with-double-baggage",
        "V4-ORDER-TOTAL-BAGGAGE",
        "The service includes the baggage twice in the total price",
        policy={"order_total": lambda fare, baggage, fee: fare + 2 * baggage + fee},
    ),
    Fault(
        "total-by-card-without-baggage",
        "V4-ORDER-TOTAL-BAGGAGE",
        "The service leaves baggage out of the total price of orders by card",
        policy={"order_total": lambda fare, baggage, fee: fare + (0 if fee else baggage) + fee},
    ),
    Fault(
        "total-with-baggage-without-fee",
        "V4-ORDER-TOTAL-CARD-FEE",
        "The service leaves the card fee out of the total price of orders with baggage",
        policy={"order_total": lambda fare, baggage, fee: fare + baggage + (0 if baggage else fee)},
        verdict="warning",
        reason="OPEN-61: how the fee enters the total is not documented",
    ),
    Fault(
        "total-without-fee",
        "V4-ORDER-TOTAL-CARD-FEE",
        "The service leaves the card fee out of the total price",
        policy={"order_total": lambda fare, baggage, _: fare + baggage},
        verdict="warning",
        reason="OPEN-61: how the fee enters the total is not documented",
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
