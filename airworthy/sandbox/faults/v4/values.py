"""Faults in the values that v4 responses share: ids, money, sections, prices."""

from dataclasses import replace
from typing import Any

from airworthy.sandbox.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.faults.changes import ORDERS, add, change, edit_responses, put, remove, rename
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.service import Handler, SandboxService

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


def _with_one_id(offers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [offer | {"id": offers[0]["id"]} for offer in offers]


FAULTS: tuple[Fault, ...] = (
    Fault(
        "search-one-id",
        "V4-IDENTIFIERS",
        "The service responds to a search with offers that have the same id",
        rewrite=edit_responses("searchOffers", change("/offers", _with_one_id)),
    ),
    Fault(
        "orders-one-reservation",
        "V4-IDENTIFIERS",
        "The service gives every booked order the same reservation",
        wraps=_one_reservation,
    ),
    Fault(
        "search-id-number",
        "V4-IDENTIFIERS",
        "The service responds to a search with offer ids that are numbers in decimal notation",
        rewrite=edit_responses("searchOffers", put("/offers/*/id", "4711")),
    ),
    Fault(
        "fare-id-short",
        "V4-IDENTIFIERS",
        "The service responds to Get Baggage with fare ids that are not UUIDs",
        rewrite=edit_responses("getBaggage", put("/fareBaggageOptions/*/fareId", "F1")),
    ),
    Fault(
        "reservation-order-id",
        "V4-IDENTIFIERS",
        "The service responds with reservations whose orderId has no hyphens",
        rewrite=edit_responses("getReservation", change("/orderId", lambda text: text.replace("-", ""))),
    ),
    Fault(
        "payment-fee-bare",
        "V4-MONEY",
        "The service responds to a search with a payment fee that is a number",
        rewrite=edit_responses("searchOffers", put("/offers/*/paymentOptions/*/fee", 3.5)),
    ),
    Fault(
        "amount-as-text",
        "V4-MONEY",
        "The service responds with amounts of offers as strings",
        rewrite=edit_responses("getOffer", change("/cheapestFare/totalPrice/amount", str)),
    ),
    Fault(
        "money-as-number",
        "V4-MONEY",
        "The service responds to Get Order with a total price that is a number",
        rewrite=edit_responses("getOrder", change("/totalPrice", lambda money: money["amount"])),
    ),
    Fault(
        "money-without-currency",
        "V4-MONEY",
        "The service responds with order totals that have no currency",
        rewrite=edit_responses(ORDERS, remove("/totalPrice/currency")),
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
        "currency-symbol",
        "V4-CURRENCY",
        "The service responds to Get Baggage with a currency symbol instead of a code",
        rewrite=edit_responses(
            "getBaggage", put("/fareBaggageOptions/*/outboundSegmentOptions/*/pricePerPiece/currency", "€")
        ),
    ),
    Fault(
        "section-without-carrier",
        "V4-SECTION-FIELDS",
        "The service responds with sections that have no marketingCarrierCode",
        rewrite=edit_responses("getOffer", remove(f"{_OFFERED}/marketingCarrierCode")),
    ),
    Fault(
        "section-without-arrival",
        "V4-SECTION-FIELDS",
        "The service responds with sections that have no arrivalDate",
        rewrite=edit_responses("getOffer", remove(f"{_OFFERED}/arrivalDate")),
    ),
    Fault(
        "section-renamed",
        "V4-SECTION-FIELDS",
        "The service responds with sections that have the member number instead of flightNumber",
        rewrite=edit_responses("getOffer", rename(_OFFERED, "flightNumber", "number")),
    ),
    Fault(
        "airport-name",
        "V4-SECTION-AIRPORTS",
        "The service responds with sections whose origin is the name of a city",
        rewrite=edit_responses("getOffer", put(f"{_OFFERED}/origin", "Madrid")),
    ),
    Fault(
        "airport-four-letters",
        "V4-SECTION-AIRPORTS",
        "The service responds with sections whose destination is an ICAO code",
        rewrite=edit_responses("getOffer", put(f"{_OFFERED}/destination", "LEBL")),
    ),
    Fault(
        "carrier-three-letters",
        "V4-SECTION-CARRIERS",
        "The service responds with sections whose operating carrier is an ICAO code",
        rewrite=edit_responses("getOffer", put(f"{_OFFERED}/operatingCarrierCode", "IBE")),
    ),
    Fault(
        "carrier-empty",
        "V4-SECTION-CARRIERS",
        "The service responds with sections whose marketing carrier is empty",
        rewrite=edit_responses("getOffer", put(f"{_OFFERED}/marketingCarrierCode", "")),
    ),
    Fault(
        "times-with-zone",
        "V4-SECTION-TIMES",
        "The service responds with departure times that have a time zone",
        rewrite=edit_responses("getOffer", change(f"{_OFFERED}/departureDate", lambda text: f"{text}Z")),
    ),
    Fault(
        "times-without-seconds",
        "V4-SECTION-TIMES",
        "The service responds with arrival times without seconds",
        rewrite=edit_responses("getOffer", change(f"{_OFFERED}/arrivalDate", lambda text: text[:16])),
    ),
    Fault(
        "times-at-24",
        "V4-SECTION-TIMES",
        "The service responds with arrival times at 24:00:00",
        rewrite=edit_responses("getOffer", change(f"{_OFFERED}/arrivalDate", lambda text: f"{text[:10]}T24:00:00")),
    ),
    Fault(
        "flight-number-with-carrier",
        "V4-SECTION-FLIGHT-NUMBER",
        "The service responds with flight numbers that include the carrier",
        rewrite=edit_responses("getOffer", change(f"{_OFFERED}/flightNumber", lambda text: f"IB{text}")),
    ),
    Fault(
        "flight-number-integer",
        "V4-SECTION-FLIGHT-NUMBER",
        "The service responds with flight numbers as integers",
        rewrite=edit_responses("getOffer", change(f"{_OFFERED}/flightNumber", int)),
    ),
    Fault(
        "class-business",
        "V4-SECTION-TRAVEL-CLASS",
        "The service responds with sections in the travel class BUSINESS",
        rewrite=edit_responses("getOffer", put(f"{_OFFERED}/travelClass", "BUSINESS")),
    ),
    Fault(
        "seats-missing",
        "V4-SECTION-AVAILABLE-SEATS",
        "The service responds to a search with sections that have no availableSeats",
        rewrite=edit_responses("searchOffers", remove("/offers/*/outboundSegment/sections/*/availableSeats")),
    ),
    Fault(
        "seats-as-text",
        "V4-SECTION-AVAILABLE-SEATS",
        "The service responds to a search with availableSeats as a string",
        rewrite=edit_responses("searchOffers", put("/offers/*/outboundSegment/sections/*/availableSeats", "9+")),
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
        "pricing-without-adult",
        "V4-PRICING",
        "The service responds with an offer whose prices have no entry for adults",
        rewrite=edit_responses("getOffer", remove(f"{_PRICING}/adult")),
    ),
    Fault(
        "pricing-of-seniors",
        "V4-PRICING",
        "The service responds with an offer that has a price for seniors",
        rewrite=edit_responses("getOffer", change(_PRICING, lambda by_type: by_type | {"senior": by_type["adult"]})),
    ),
    Fault(
        "pricing-without-tax",
        "V4-PRICING",
        "The service responds to a search with prices by passenger type that have no taxAmount",
        rewrite=edit_responses("searchOffers", remove("/offers/*/fare/passengerPricingByPassengerType/*/taxAmount")),
    ),
    Fault(
        "pricing-count-as-text",
        "V4-PRICING",
        "The service responds with numberOfPassengers as a string",
        rewrite=edit_responses("getOffer", change(f"{_PRICING}/*/numberOfPassengers", str)),
    ),
    Fault(
        "payment-by-voucher",
        "V4-PAYMENT-OPTIONS",
        "The service responds with the payment option voucher",
        rewrite=edit_responses("getOffer", change("/paymentOptions", lambda options: [*options, {"type": "voucher"}])),
    ),
    Fault(
        "payment-option-bare",
        "V4-PAYMENT-OPTIONS",
        "The service responds with payment options as strings",
        rewrite=edit_responses("getOffer", change("/paymentOptions/*", lambda option: option["type"])),
    ),
    Fault(
        "payment-options-missing-type",
        "V4-PAYMENT-OPTIONS",
        "The service responds with payment options that have no type",
        rewrite=edit_responses("getOffer", remove("/paymentOptions/*/type")),
    ),
)
