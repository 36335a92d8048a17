"""The offer-based interface: its operations, from the search to the booking."""

from airworthy.sandbox.service.routing import SandboxOperation
from airworthy.sandbox.v4 import offers, orders

OPERATIONS = (
    SandboxOperation("searchOffers", "POST", "/search", offers.search_offers),
    SandboxOperation("getOffer", "POST", "/offer", offers.get_offer),
    SandboxOperation("getFares", "GET", "/offer/{offerId}/fares", offers.get_fares),
    SandboxOperation("getBaggage", "GET", "/offer/{offerId}/baggage", offers.get_baggage),
    SandboxOperation("createOrder", "POST", "/order", orders.create_order),
    SandboxOperation("confirmOrder", "POST", "/order/{orderId}/confirm", orders.confirm_order),
    SandboxOperation("getOrder", "GET", "/order/{orderId}", orders.get_order),
    SandboxOperation("getReservation", "GET", "/reservation/{reservationId}", orders.get_reservation),
    SandboxOperation("findReservation", "GET", "/reservation", orders.find_reservation),
)
