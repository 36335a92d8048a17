"""Faults in the second of several elements, in one kind of them, or in the last cent: what a spot check overlooks."""

from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from airworthy.sandbox.faults.changes import ORDERS, Edit, edit_responses, put, remove
from airworthy.sandbox.faults.fault import Fault, Wrapper
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import Handler, SandboxService

Json = Any
_A_CENT = 1
_LATER = "2099-01-01"


def _second(path: str, edit: Edit) -> Edit:
    """Return an edit of the second item of an array, where there is one."""
    return Edit(path, lambda items: [*items[:1], *map(edit, items[1:2]), *items[2:]])


def _after(operation: str, prepare: Callable[[SandboxService, SandboxRequest], None]) -> Wrapper:
    """Return a handler that repairs requests of an operation before it checks them."""

    def handle(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
        if request.operation == operation:
            prepare(service, request)
        return handler(service, request)

    return handle


def _add_items_of_infants(_: SandboxService, request: SandboxRequest) -> None:
    items = request.body["selectedBaggage"]
    known = {each["passengerNumber"] for each in items}
    infants = [each["number"] for each in request.body["passengers"] if each["type"] == "infant"]
    more = [{"passengerNumber": each, "outboundSegmentBaggageSelection": []} for each in infants if each not in known]
    request.body["selectedBaggage"] = [*items, *more]


def _renew_documents(fits: Callable[[Json], bool]) -> Callable[[SandboxService, SandboxRequest], None]:
    def prepare(_: SandboxService, request: SandboxRequest) -> None:
        for each in request.body["passengers"]:
            if each.get("identification") and fits(each):
                each["identification"]["expirationDate"] = _LATER

    return prepare


def _take_an_almost_equal_amount(service: SandboxService, request: SandboxRequest) -> None:
    intent = service.provider.intent(str(request.body.get("payment_intent_id")))
    order_id = service.identifier(request.path["orderId"])
    order = service.store.orders.get(order_id)
    if intent and order and abs(intent.amount - order.total) <= _A_CENT:
        service.store.orders.change(order_id, lambda order: replace(order, total=intent.amount))


def _finds_nothing_in_a_city(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
    """Find no offers between an airport and a city of destination."""
    if request.operation != "searchOffers" or response.status != HTTPStatus.OK:
        return response
    ends = (request.body["outboundSegment"][end]["type"] for end in ("origin", "destination"))
    return replace(response, body={"offers": []}) if tuple(ends) == ("AIRPORT", "CITY") else response


def _without_second_selections(order: Json) -> Json:
    """Return an order whose total price leaves out all but the first selection of each passenger and way."""
    left_out = sum(
        selection["numberOfPieces"] * (selection.get("pricePerPiece") or item["pricePerPiece"])["amount"]
        for item in order["selectedBaggage"]
        for way in ("outbound", "inbound")
        for selection in (item.get(f"{way}SegmentBaggageSelection") or ())[1:]
        if selection.get("pricePerPiece") or item.get("pricePerPiece")
    )
    total = order["totalPrice"]
    return order | {"totalPrice": total | {"amount": round(total["amount"] - left_out, 2)}}


FAULTS: tuple[Fault, ...] = (
    Fault(
        "offer-second-carrier",
        "V4-SEARCH-ITINERARY",
        "The service stores an offer whose second section has another operating carrier than the requested one",
        rewrite=edit_responses("getOffer", _second("/outboundSegment/sections", put("/operatingCarrierCode", "ZZ"))),
    ),
    Fault(
        "total-without-second-selection",
        "V4-ORDER-TOTAL-BAGGAGE",
        "The service leaves the second selection of a passenger out of the total price",
        rewrite=edit_responses(ORDERS, Edit("", _without_second_selections)),
    ),
    Fault(
        "amount-within-a-cent",
        "V4-CONFIRM-AMOUNT",
        "The service accepts a payment intent that is a cent above or below the order amount",
        wraps=_after("confirmOrder", _take_an_almost_equal_amount),
    ),
    Fault(
        "found-without-second-nationality",
        "V4-RESERVATION-BY-ORDER",
        "The service responds to Get Reservation by order without the nationality of the second passenger",
        rewrite=edit_responses("findReservation", _second("/passengers", put("/nationalityCountryCode", None))),
    ),
    Fault(
        "second-middle-name-lost",
        "V4-ORDER-PASSENGERS-ECHO",
        "The service leaves the middle name of the second passenger out of orders",
        rewrite=edit_responses(ORDERS, _second("/passengers", remove("/middleName"))),
        verdict="warning",
        reason="OPEN-48: an optional member may be left out",
    ),
    Fault(
        "fares-in-dollars",
        "V4-CURRENCY",
        "The service lists the fares of an offer in USD",
        rewrite=edit_responses("getFares", put("/fares/*/totalPrice/currency", "USD")),
    ),
    Fault(
        "baggage-without-infants",
        "V4-ORDER-BAGGAGE-PER-PASSENGER",
        "The service accepts an order without an item of selected baggage for the infant",
        wraps=_after("createOrder", _add_items_of_infants),
    ),
    Fault(
        "expired-national-id",
        "V4-ORDER-IDENTIFICATION-EXPIRY",
        "The service checks the expiry date of passports only",
        wraps=_after("createOrder", _renew_documents(lambda each: each["identification"]["type"] != "PASSPORT")),
    ),
    Fault(
        "expired-infant-document",
        "V4-ORDER-IDENTIFICATION-EXPIRY",
        "The service does not check the expiry date of an infant's identification",
        wraps=_after("createOrder", _renew_documents(lambda each: each["type"] == "infant")),
    ),
    Fault(
        "city-of-destination",
        "V4-SEARCH-LOCATION",
        "The service finds no offers between an airport and a city of destination",
        rewrite=_finds_nothing_in_a_city,
        verdict="warning",
        reason="OPEN-77: the number of offers is open",
    ),
)
