"""The offer-based interface: its operations in the order in which a booking goes."""

from airworthy.sandbox.routing import Operation
from airworthy.sandbox.v4 import offers, orders

OPERATIONS = (
    Operation("searchOffers", "POST", "/search", offers.search_offers),
    Operation("getOffer", "POST", "/offer", offers.get_offer),
    Operation("getFares", "GET", "/offer/{offerId}/fares", offers.get_fares),
    Operation("getBaggage", "GET", "/offer/{offerId}/baggage", offers.get_baggage),
    Operation("createOrder", "POST", "/order", orders.create_order),
    Operation("confirmOrder", "POST", "/order/{orderId}/confirm", orders.confirm_order),
    Operation("getOrder", "GET", "/order/{orderId}", orders.get_order),
    Operation("getReservation", "GET", "/reservation/{reservationId}", orders.get_reservation),
    Operation("findReservation", "GET", "/reservation", orders.find_reservation),
)
