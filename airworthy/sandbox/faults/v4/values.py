"""Faults in the values that v4 responses share: ids, money, sections, prices."""

from dataclasses import replace

from airworthy.sandbox.faults.changes import ORDERS, add, change, edit_responses, put
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import Handler, SandboxService

_OFFERED = "/outboundSegment/sections/*"
_PRICING = "/cheapestFare/passengerPricingByPassengerType"


def _one_reservation(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Give every booked order the reservation of the first one."""
    response = handler(service, request)
    if request.operation != "confirmOrder" or isinstance(response, SandboxResponse):
        return response
    first = next(str(each) for each in service.store.reservations)
    service.store.orders.change(response["id"], lambda order: replace(order, reservation=first))
    return response | {"reservationId": first}


FAULTS: tuple[Fault, ...] = (
    Fault(
        "orders-one-reservation",
        "V4-IDENTIFIERS",
        "The service gives every booked order the same reservation",
        wraps=_one_reservation,
    ),
    Fault(
        "us-dollars",
        "V4-CURRENCY",
        "The service responds with orders in USD",
        rewrite=edit_responses(ORDERS, put("/totalPrice/currency", "USD")),
    ),
    Fault(
        "search-in-dollars",
        "V4-CURRENCY",
        "The service responds to a search with prices in USD",
        rewrite=edit_responses("searchOffers", put("/offers/*/fare/price/currency", "USD")),
    ),
    Fault(
        "stops-as-number",
        "V4-TECHNICAL-STOPS",
        "The service responds with technicalStops of an offer as a number",
        rewrite=edit_responses("getOffer", add(_OFFERED, technicalStops=0)),
    ),
    Fault(
        "stops-as-text",
        "V4-TECHNICAL-STOPS",
        "The service responds with technicalStops of found offers as a string",
        rewrite=edit_responses("searchOffers", add("/offers/*/outboundSegment/sections/*", technicalStops="none")),
    ),
    Fault(
        "pricing-of-seniors",
        "V4-PRICING",
        "The service responds with an offer that has a price for seniors",
        rewrite=edit_responses("getOffer", change(_PRICING, lambda by_type: by_type | {"senior": by_type["adult"]})),
    ),
)
