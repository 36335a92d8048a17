"""The examples of all interfaces together, for tests that treat every operation alike."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from airworthy.contract.bodies.body import Json
from unit.contract.examples import OF_V4, RETURNED, SENT, THREE_D, Change, changed, drop, put

BEFORE: dict[str, tuple[str, ...]] = {
    "getFares": ("getOffer",),
    "getBaggage": ("getOffer",),
    "createOrder": ("getOffer", "getBaggage"),
    "confirmOrder": ("getOffer", "createOrder"),
    "getOrder": ("getOffer", "createOrder", "confirmOrder"),
    "getReservation": ("getOffer", "createOrder", "confirmOrder"),
    "findReservation": ("getOffer", "createOrder", "confirmOrder"),
    "createRequests": ("searchFlights",),
    "cancelRequest": ("searchFlights", "createRequests"),
    "createBookings": ("searchFlights", "createRequests"),
    "getBookings": ("createRequests", "createBookings"),
    "createBookingsV2": ("createRequestsV2",),
    "getBookingsV2": ("createRequestsV2", "createBookingsV2"),
}
"""The operations of a conversation before each operation."""

_BACK = {
    "origin": {"code": "BCN", "type": "AIRPORT"},
    "destination": {"code": "MAD", "type": "CITY"},
    "departureDate": "2035-03-21",
}
CUSTOMER = dict.fromkeys(("first_name", "last_name", "gender", "email", "phonenumber"), "x")
_PERSON = {"middleName": "Byron", "phone": {"number": "600123456", "countryCode": "ES"}}


class Example(NamedTuple):
    """A conforming body; ``side`` says whether it is that of the request or of the response."""

    name: str
    side: str
    operation: str
    body: Json


def _sent(name: str, operation: str, *changes: Change) -> Example:
    return Example(name, "request", operation, changed(SENT[operation], *changes))


def _deposit(name: str, operation: str) -> Example:
    return _sent(name, operation, drop("payment_method"), put("self_psp", value=True))


def _variants() -> Iterator[Example]:
    yield _sent("a round trip", "searchOffers", put("tripType", "ROUND_TRIP"), put("inboundSegment", _BACK))
    yield _sent("an offer of a class", "getOffer", put("travelClass", "ECONOMY"))
    optional = (put(f"passengers[0].{name}", value) for name, value in _PERSON.items())
    yield _sent("an order with optional members", "createOrder", *optional)
    authenticated = put("three_d_secure", THREE_D)
    yield _sent("3-D Secure", "confirmOrder", authenticated)
    yield _sent("an intent", "confirmOrder", drop("payment_method"), put("payment_intent_id", "pi_1"))
    yield _sent("balance", "confirmOrder", drop("payment_method"), put("paymentMethod", {"balance": True}))
    yield _sent("an infant", "verifyFlight", put("passengers.infants", 1))
    yield _sent("3-D Secure in v3", "createBookings", authenticated)
    yield _sent("3-D Secure in v2", "createBookingsV2", authenticated)
    yield _deposit("a deposit in v3", "createBookings")
    yield _deposit("a deposit in v2", "createBookingsV2")
    yield _sent("a new customer", "createBookingsV2", drop("customer_code"), put("customer_data", CUSTOMER))


EXAMPLES: Final = (
    *(Example(operation, "request", operation, body) for operation, body in SENT.items()),
    *(Example(operation, "response", operation, body) for operation, body in RETURNED.items()),
    *_variants(),
)


def family(operation: str) -> str:
    """Return how the ids of the rules of an operation's interface begin."""
    return "V4" if operation in OF_V4 else "V23"
