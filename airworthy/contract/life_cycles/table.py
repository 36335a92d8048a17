"""What the documents say of the states of each resource, and where they leave the outcome open."""

from functools import partial
from typing import Final

from airworthy.contract.life_cycles.life_cycle import NONE, TIME, LifeCycle, Transition

STORED, EXPIRED = "stored", "expired"
OPEN, BOOKED, FAILED = "OPEN", "BOOKED", "FAILED"
PENDING, CANCELLED, ABORTED, USED = "pending", "cancelled", "aborted", "booked"
AWAITING, CONFIRMED, MOVED = "AWAITING_PNR_AIRLINE", "CONFIRMED", "CANCELED or CHANGED"
EXISTS = "created"
REFUSED = ""
"""Instead of a state: the request is rejected, and the resource stays in its state."""

_V4, _V3 = "(v4, States and transitions)", "(v3, States and transitions)"
_VERIFIED = f'"Get Offer: offer verified with the supplier, offer stored" {_V4}'
_KEPT = f'"offer is kept for 30 minutes" {_V4}'
_OPENS = f'"Create Order: offer valid, fare in offer, order OPEN" {_V4}'
_EXPIRES = f'"30 minutes elapsed: offer expired, any order created from it fails" {_V4}'
_BOOKS = f'"OPEN: Confirm Order, payment method matches and payment succeeds, BOOKED, a reservation is created" {_V4}'
_FAILS = f'"OPEN: Confirm Order, confirmation fails, FAILED" {_V4}'
_ONCE = f'"BOOKED: Confirm Order (repeat), any, unchanged, duplicate confirmation is rejected" {_V4}'
_NO_FARES = (
    '"When the offer is missing, expired or belongs to another user, the response is 200 with an empty fares array"'
)
_LATEST = '"Returns the latest persisted order" (v4, GET /order/{orderId})'
_RESERVED = '"Returns the reservation." (v4, GET /reservation/{reservationId})'
_OWN = '"A customer code identifies the distributor" (v3, Authentication)'
_AT_ONCE = '"Creates one request per flight id, at once." (v3, POST /v3/requests)'
_CANCELS = f'"request (pending): cancel request endpoint, request still pending, cancelled" {_V3}'
_PENDING_ONLY = '"Cancels a pending request only." (v3, POST /v3/requests/{request_id}/cancel)'
_LIFETIME = f'"not used for a booking within its lifetime: expired, a booking using it is rejected" {_V3}; OPEN-15'
_ABORTS = f'"failed payment: aborted, booking on an aborted request gives 403" {_V3}; OPEN-91'
_TAKEN = '"409: flight already booked, and similar" (v3, Errors); OPEN-88'
_ISSUED = f'"booking creation: payment succeeds, AWAITING_PNR_AIRLINE" {_V3}'
_CHARTER = f'"flight has no airline record locator (e.g. charter): CONFIRMED" {_V3}; OPEN-39'
_LOCATOR = f'"airline record locator received: CONFIRMED, pnr_airline populated" {_V3}'
_READ = '"Returns {bookings: [...]} with one or two bookings" (v3, GET /v3/bookings)'
_GONE = "is not found, being old or left"


def _line(*cells: str, foreign: bool = False, soft: bool = False) -> Transition:
    """Return a transition: state, operation, rule, the state after it (or `REFUSED`), condition and source."""
    before, operation, rule, after, condition, source = cells
    return Transition(before, operation, after or before, condition, rule, source, not after, foreign, soft)


_soft = partial(_line, soft=True)


def _life_cycle(
    resource: str, interfaces: tuple[str, ...], states: tuple[str, ...], *transitions: Transition
) -> LifeCycle:
    return LifeCycle(resource, interfaces, states, transitions)


_OFFER = _life_cycle(
    "offer",
    ("v4",),
    (NONE, STORED, EXPIRED),
    _line(NONE, "getOffer", "V4-OFFER-FIELDS", STORED, "verified with the supplier", _VERIFIED),
    _soft(STORED, "getFares", "V4-FARES-LIVE", STORED, "lists its fares", "OPEN-03"),
    _line(STORED, "getBaggage", "V4-OFFER-RETENTION", STORED, "lists its baggage options", _KEPT),
    _line(STORED, "createOrder", "V4-ORDER-OPENS", STORED, "creates an order", _OPENS),
    _line(STORED, "createOrder", "V4-ORDER-OPENS", REFUSED, "has an order already, or is sold out", "OPEN-56, OPEN-73"),
    _line(STORED, "getFares", "V4-FARES-FOREIGN", REFUSED, "returns no fares", _NO_FARES, foreign=True),
    _line(STORED, TIME, "V4-OFFER-RETENTION", EXPIRED, "30 minutes elapsed", _EXPIRES),
    _line(EXPIRED, "getFares", "V4-FARES-EXPIRED", REFUSED, "returns no fares", _NO_FARES),
    _line(EXPIRED, "getBaggage", "V4-OFFER-RETENTION", EXPIRED, "may list its baggage options", "OPEN-58"),
    _line(EXPIRED, "getBaggage", "V4-OFFER-RETENTION", REFUSED, "may be rejected", "OPEN-58"),
    _line(EXPIRED, "createOrder", "V4-ORDER-EXPIRED-OFFER", REFUSED, "is rejected", _EXPIRES),
)
_ORDER = _life_cycle(
    "order",
    ("v4",),
    (NONE, OPEN, BOOKED, FAILED),
    _line(NONE, "createOrder", "V4-ORDER-OPENS", OPEN, "offer valid, fare in offer", _OPENS),
    _line(OPEN, "getOrder", "V4-CONFIRM-OTHERS", OPEN, "is read", _LATEST),
    _line(OPEN, "getOrder", "V4-CONFIRM-OTHERS", FAILED, "a confirmation was rejected", "OPEN-24, OPEN-51"),
    _line(OPEN, "getOrder", "V4-CONFIRM-OTHERS", REFUSED, _GONE, "OPEN-71, OPEN-73"),
    _line(OPEN, "findReservation", "V4-RESERVATION-BEFORE-BOOKING", REFUSED, "has no reservation", "OPEN-60"),
    _line(OPEN, "confirmOrder", "V4-CONFIRM-BOOKS", BOOKED, "payment succeeds", _BOOKS),
    _line(OPEN, "confirmOrder", "V4-CONFIRM-BOOKS", FAILED, "confirmation fails", _FAILS),
    _line(OPEN, "confirmOrder", "V4-CONFIRM-BOOKS", REFUSED, "is rejected", "OPEN-24, OPEN-51"),
    _line(OPEN, "getOrder", "V4-ORDER-FOREIGN", REFUSED, "is not its own", "OPEN-59", foreign=True),
    _line(OPEN, "confirmOrder", "V4-ORDER-FOREIGN", REFUSED, "is not its own", "OPEN-59", foreign=True),
    _line(BOOKED, "confirmOrder", "V4-CONFIRM-ONCE", REFUSED, "is rejected", _ONCE),
    _line(BOOKED, "getOrder", "V4-ORDER-STAYS-BOOKED", BOOKED, "is read", _LATEST),
    _line(BOOKED, "getOrder", "V4-ORDER-STAYS-BOOKED", REFUSED, "is not found, being old", _LATEST),
    _line(BOOKED, "getOrder", "V4-ORDER-FOREIGN", REFUSED, "is not its own", "OPEN-59", foreign=True),
    _line(BOOKED, "confirmOrder", "V4-ORDER-FOREIGN", REFUSED, "is not its own", "OPEN-59", foreign=True),
    _soft(FAILED, "getOrder", "V4-CONFIRM-FAILED-STATUS", FAILED, "is read", _FAILS),
    _soft(FAILED, "getOrder", "V4-CONFIRM-FAILED-STATUS", OPEN, "may be left OPEN", "OPEN-24"),
    _soft(FAILED, "getOrder", "V4-CONFIRM-FAILED-STATUS", REFUSED, _GONE, "OPEN-71, OPEN-73"),
    _line(FAILED, "findReservation", "V4-RESERVATION-BEFORE-BOOKING", REFUSED, "has no reservation", "OPEN-60"),
    _line(FAILED, "getOrder", "V4-ORDER-FOREIGN", REFUSED, "is not its own", "OPEN-59", foreign=True),
    _line(FAILED, "confirmOrder", "V4-ORDER-FOREIGN", REFUSED, "is not its own", "OPEN-59", foreign=True),
    _line(FAILED, "confirmOrder", "V4-CONFIRM-BOOKS", REFUSED, "may be rejected", "OPEN-05"),
    _line(FAILED, "confirmOrder", "V4-CONFIRM-BOOKS", FAILED, "may fail again", "OPEN-05"),
    _line(FAILED, "confirmOrder", "V4-CONFIRM-BOOKS", BOOKED, "may be tried again", "OPEN-05"),
)
_RESERVATION = _life_cycle(
    "reservation",
    ("v4",),
    (NONE, EXISTS),
    _line(NONE, "confirmOrder", "V4-CONFIRM-BOOKS", EXISTS, "payment succeeds", _BOOKS),
    _line(EXISTS, "getReservation", "V4-RESERVATION-MATCHES-ORDER", EXISTS, "is read", _RESERVED),
    _line(EXISTS, "findReservation", "V4-RESERVATION-MATCHES-ORDER", EXISTS, "is found", _RESERVED),
    _line(EXISTS, "getReservation", "V4-RESERVATION-FOREIGN", REFUSED, "is not its own", "OPEN-59", foreign=True),
    _line(EXISTS, "findReservation", "V4-RESERVATION-FOREIGN", REFUSED, "is not its own", "OPEN-59", foreign=True),
)
_BOOKING_REQUEST = _life_cycle(
    "booking request",
    ("v3", "v2"),
    (NONE, PENDING, USED, CANCELLED, EXPIRED, ABORTED),
    _line(NONE, "createRequests", "V23-REQUESTS-FLIGHT", PENDING, "one request per flight id", _AT_ONCE),
    _line(PENDING, "createBookings", "V23-BOOKINGS-BOOK", USED, "payment succeeds", _ISSUED),
    _line(PENDING, "createBookings", "V23-BOOKINGS-BOOK", ABORTED, "payment fails", _ABORTS),
    _line(PENDING, "createBookings", "V23-BOOKINGS-BOOK", REFUSED, "is rejected, or left out", "OPEN-88, OPEN-97"),
    _soft(PENDING, "createBookings", "V23-FOREIGN", REFUSED, "is not its own", _OWN, foreign=True),
    _line(PENDING, "cancelRequest", "V3-CANCEL", CANCELLED, "request still pending", _CANCELS),
    _line(PENDING, "cancelRequest", "V3-CANCEL", REFUSED, "may have ended with another one", "OPEN-97, OPEN-98"),
    _soft(PENDING, "cancelRequest", "V23-FOREIGN", REFUSED, "is not its own", _OWN, foreign=True),
    _line(PENDING, TIME, "V23-REQUEST-LIFETIME", EXPIRED, "not used within its lifetime", _LIFETIME),
    _line(EXPIRED, "createBookings", "V23-REQUEST-LIFETIME", REFUSED, "is rejected", _LIFETIME),
    _line(EXPIRED, "cancelRequest", "V3-CANCEL-PENDING", REFUSED, "is rejected", _PENDING_ONLY),
    _line(CANCELLED, "createBookings", "V3-BOOKINGS-CANCELLED", REFUSED, "is rejected", _CANCELS),
    _line(CANCELLED, "cancelRequest", "V3-CANCEL-PENDING", REFUSED, "is rejected", _PENDING_ONLY),
    _line(ABORTED, "createBookings", "V23-BOOKINGS-PAYMENT-FAILS", REFUSED, "gives 403", _ABORTS),
    _line(ABORTED, "cancelRequest", "V3-CANCEL-PENDING", REFUSED, "is rejected", _PENDING_ONLY),
    _line(USED, "createBookings", "V23-BOOKINGS-ONCE", REFUSED, "is rejected", _TAKEN),
    _line(USED, "cancelRequest", "V3-CANCEL-PENDING", REFUSED, "is rejected", _PENDING_ONLY),
)
_BOOKING = _life_cycle(
    "booking",
    ("v3", "v2"),
    (NONE, AWAITING, CONFIRMED, MOVED),
    _soft(NONE, "createBookings", "V23-BOOKING-STATUS", AWAITING, "payment succeeds", _ISSUED),
    _soft(NONE, "createBookings", "V23-BOOKING-STATUS", CONFIRMED, "flight has no airline record locator", _CHARTER),
    _soft(AWAITING, "getBookings", "V23-LOCATOR", AWAITING, "is read", _READ),
    _soft(AWAITING, "getBookings", "V23-LOCATOR", CONFIRMED, "airline record locator received", _LOCATOR),
    _soft(AWAITING, "getBookings", "V23-LOCATOR", MOVED, "at any time", "OPEN-11"),
    _soft(CONFIRMED, "getBookings", "V23-LOCATOR", CONFIRMED, "is read", _READ),
    _soft(CONFIRMED, "getBookings", "V23-LOCATOR", MOVED, "at any time", "OPEN-11"),
    _soft(MOVED, "getBookings", "V23-LOCATOR", MOVED, "is read", "OPEN-11"),
    _soft(MOVED, "getBookings", "V23-LOCATOR", CONFIRMED, "at any time", "OPEN-11"),
    _soft(MOVED, "getBookings", "V23-LOCATOR", AWAITING, "at any time", "OPEN-11"),
)

LIFE_CYCLES: Final = (_OFFER, _ORDER, _RESERVATION, _BOOKING_REQUEST, _BOOKING)
