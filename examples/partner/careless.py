"""The same integration with defects that have names. Do not copy from here.

Each defect replaces one method of a client. `airworthy certify partner` refuses each of them at one item of the go-live
list, which `DEFECTS` names by version.
"""

from collections.abc import Callable, Mapping
from typing import Any

from partner.flights import FlightClient
from partner.go_live import Client
from partner.offers import OfferClient
from partner.service import Json, Rejected, Unclear


def double_confirmation(client: Client) -> None:
    """Confirm or book again what is booked already."""
    if isinstance(client, OfferClient):
        pay = client.pay

        def pay_twice(order: Json, card: Any) -> Json:  # noqa: ANN401
            confirmed = pay(order, card)
            try:
                pay(order, card)
            except Rejected:
                pass
            return confirmed

        client.pay = pay_twice  # type: ignore[method-assign]
        return
    send = client._send

    def send_twice(body: Json) -> str:
        reference = send(body)
        try:
            send(body)
        except Rejected:
            pass
        return reference

    client._send = send_twice  # type: ignore[method-assign]


def no_polling(client: Client) -> None:
    """Never look up what was booked."""
    client.retrieve = lambda _: ""  # type: ignore[method-assign]


def card_data(client: Client) -> None:
    """Send the card to the service, too."""
    post = client.service.post

    def post_with_card(path: str, body: Json, **query: str) -> Json:
        if path == "/bookings" or path.endswith("/confirm"):
            body |= {"card_number": "4242424242424242", "cvc": "123"}
        return post(path, body, **query)

    client.service.post = post_with_card  # type: ignore[method-assign]


def expired_offer(client: Client) -> None:
    """Send an expired offer or booking request again instead of starting again."""
    client.renew = lambda held: held  # type: ignore[assignment, method-assign, return-value]


def wrong_infant_count(client: Client) -> None:
    """Forget the infants where they are counted."""
    if isinstance(client, OfferClient):
        passengers = client._passengers
        client._passengers = lambda travellers: passengers(travellers) | {"infants": 0}  # type: ignore[method-assign]
    else:
        request_body = client._request_body

        def without_infants(flight: Json, travellers: Any, bags: Any) -> Json:  # noqa: ANN401
            return request_body(flight, [each for each in travellers if each.kind != "infant"], bags)

        client._request_body = without_infants  # type: ignore[method-assign]


def deprecated_verify(client: Client) -> None:
    """Verify the price with the deprecated operation of v3."""
    assert isinstance(client, FlightClient)
    request = client.request

    def verify_and_request(flight: Json, travellers: Any, bags: Any) -> Any:  # noqa: ANN401
        body = {"flight_id": flight["id"], "passengers": {"adults": 1}, "customer_code": client.customer_code}
        client.service.post("/flights/verify", body)
        return request(flight, travellers, bags)

    client.request = verify_and_request  # type: ignore[method-assign]


def stale_version(client: Client) -> None:
    """Call the interface as an earlier version had it: a field that v4 dropped, or the removed version 1.1."""
    if isinstance(client, OfferClient):
        passengers = client._passengers
        old: Json = {"isResidentDiscountEligible": False}
        client._passengers = lambda travellers: passengers(travellers) | old  # type: ignore[method-assign]
    else:
        get, service = client.service.get, client.service

        def from_removed_version(path: str, **query: str) -> Json:
            if path == "/bookings":
                try:
                    return service._send("GET", f"/../v1.1{path}", query, None)
                except Rejected:
                    pass
            return get(path, **query)

        service.get = from_removed_version  # type: ignore[method-assign]


def no_customer_code(client: Client) -> None:
    """Try without the customer code first."""
    post = client.service.post

    def post_without_code(path: str, body: Json, **query: str) -> Json:
        without = {name: value for name, value in body.items() if name not in ("customerCode", "customer_code")}
        if without != body:
            try:
                return post(path, without, **query)
            except Rejected:
                pass
        return post(path, body, **query)

    client.service.post = post_without_code  # type: ignore[method-assign]


def no_3d_secure(client: Client) -> None:
    """Ignore that the bank asks for 3-D Secure."""
    client.payments.authenticate = lambda _: None  # type: ignore[method-assign]


def retry_books_twice(client: Client) -> None:
    """After an unclear response, start again as if nothing had happened."""
    if isinstance(client, OfferClient):

        def start_again(offer: Any, card: Any) -> str:  # noqa: ANN401
            order = client.order(offer)
            try:
                client.pay(order, card)
            except Unclear:
                order = client.order(client.renew(offer))
                try:
                    client.pay(order, card)
                except Unclear:
                    pass
            return str(order["id"])

        client.buy = start_again  # type: ignore[method-assign]
        return

    def book_again(request: Any, card: Any) -> str:  # noqa: ANN401
        try:
            return client._send(client._booking_body(request, card))
        except Unclear:
            return client._send(client._booking_body(client.renew(request), card))

    client.book = book_again  # type: ignore[method-assign]


Defect = Callable[[Client], None]
DEFECTS: Mapping[str, tuple[Defect, Mapping[str, str]]] = {
    "double-confirmation": (double_confirmation, dict.fromkeys(("v4", "v3", "v2"), "GOLIVE-BOOK-ONCE")),
    "no-polling": (no_polling, dict.fromkeys(("v4", "v3", "v2"), "GOLIVE-LOCATOR")),
    "card-data": (card_data, dict.fromkeys(("v4", "v3", "v2"), "GOLIVE-NO-CARD-DATA")),
    "expired-offer": (expired_offer, dict.fromkeys(("v4", "v3", "v2"), "GOLIVE-EXPIRY")),
    "wrong-infant-count": (
        wrong_infant_count,
        {"v4": "GOLIVE-REQUESTS", "v3": "GOLIVE-INFANTS", "v2": "GOLIVE-INFANTS"},
    ),
    "deprecated-verify": (deprecated_verify, {"v3": "GOLIVE-NO-DEPRECATED"}),
    "stale-version": (
        stale_version,
        {"v4": "GOLIVE-NO-DRIFT", "v3": "GOLIVE-ONE-VERSION", "v2": "GOLIVE-ONE-VERSION"},
    ),
    "no-customer-code": (no_customer_code, dict.fromkeys(("v4", "v3", "v2"), "GOLIVE-CUSTOMER-CODE")),
    "no-3d-secure": (no_3d_secure, dict.fromkeys(("v4", "v3", "v2"), "GOLIVE-3DS")),
    "retry-books-twice": (retry_books_twice, dict.fromkeys(("v4", "v3", "v2"), "GOLIVE-SAFE-RETRY")),
}
"""The defects by name: what each does to a client, and the item that refuses it in each version that has it."""


def make_careless(client: Client, *defects: str) -> None:
    """Give a client some defects."""
    for name in defects:
        defect, _ = DEFECTS[name]
        defect(client)
