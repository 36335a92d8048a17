"""Find which exchanges belong together: those of one caller, or about the same order, booking request or booking.

Only linked exchanges are judged in the context of each other; a test compares the links with the facts that the rules
of a conversation look up. A secret that was sent to both the service and the payment provider links all exchanges that
carry it; a secret that was sent to only one of them links nothing.

Every client is shown the same flights of v3 and v2, so they would link all clients. The rules about flights and pages
ask what the searches of the same client found: with a credential, the caller is link enough.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple
from urllib.parse import urlsplit

from airworthy.contract.bodies.body import Body, Json, skim
from airworthy.contract.contract import Contract
from airworthy.contract.conversation.v3.memory import BOOKINGS, RETRIEVALS, identifier, named, reference
from airworthy.contract.http.credentials import credential, digest
from airworthy.contract.http.exchange import Exchange, header
from airworthy.contract.http.operations import PAYMENT, ResolvedUrl
from airworthy.contract.http.transaction import Transaction, items, member

_NO_RESOURCES = "searchOffers"
_FLIGHT = "flight"
_QUERY_IDS = ("offerId", "fareId", "orderId")

SentSecret = tuple[str, bool]
"""The digest of a secret, and whether it was sent to the payment provider rather than to the service."""


class Links(NamedTuple):
    """What an exchange shares with others: exchanges with the same caller or a common name belong together.

    ``caller`` names the credential and the host, ``names`` the resources. ``service`` is the origin, if the exchange
    called a documented operation of the service there.
    """

    caller: str = ""
    names: frozenset[str] = frozenset()
    secret: SentSecret | None = None
    service: str = ""


def links(contract: Contract, exchange: Exchange) -> Links:
    """Return the links of an exchange to others."""
    request = exchange.request
    call = contract.resolve(request.method, request.url)
    if call is None:
        return Links()
    secret_digest = digest(credential(header(request.headers, "Authorization") or "")[1])
    secret = (secret_digest, call.version == PAYMENT) if secret_digest else None
    if call.operation is None or call.version == PAYMENT:
        return Links(secret=secret)
    url = urlsplit(request.url)
    host = url.netloc.lower()
    origin = f"{url.scheme}://{host}"
    # A caller's requests are judged by everything that its searches found.
    caller = f"{host} caller {secret_digest}" if secret_digest else ""
    if call.operation.id == _NO_RESOURCES:
        return Links(caller, secret=secret, service=origin)
    # The bodies are not validated here: a superfluous link does no harm.
    succeeded = exchange.response is not None and call.operation.succeeds(exchange.response.status)
    response = skim(exchange.response.body) if succeeded and exchange.response else None
    if call.version == "v4":
        names = _v4_names(call, response)
    else:
        transaction = Transaction(exchange, call, Body(skim(request.body)), Body(response))
        names = chain(_v3_names(transaction), () if caller else _v3_names_shown_to_everybody(transaction))
    return Links(caller, frozenset(f"{host} {name}" for name in names), secret, origin)


def _v4_names(call: ResolvedUrl, response: Json) -> Iterator[str]:
    ids: list[Json] = list(call.path_values.values())
    ids += [value for name, value in call.query if name in _QUERY_IDS]
    ids += [member(response, name) for name in ("id", "orderId", "reservationId")]
    ids += [member(response, "cheapestFare", "id")]
    ids += [option.get("fareId") for option in items(response, "fareBaggageOptions")]
    yield from (each.lower() for each in ids if isinstance(each, str) and each)
    if locator := reference(member(response, "pnr")):
        yield f"reference {locator}"


def _v3_names(transaction: Transaction) -> Iterator[str]:
    """Yield the booking requests and bookings; v2 and v3 share names, because a rule compares them."""
    response = transaction.delivered
    for each in named(transaction):
        yield from () if each.subject == _FLIGHT else (f"{each.subject} {each.id}",)
        # A client may send an id of v4 here; those are never numbers.
        yield from () if each.id.isdigit() else (each.id.lower(),)
    yield from _names("booking request", (request.get("id") for request in items(response, "requests")))
    if transaction.operation in (*BOOKINGS, *RETRIEVALS):
        bookings = items(response, "bookings")
        yield from _names("booking request", (booking.get("request_id") for booking in bookings))
        yield from _names("booking", (booking.get("id") for booking in bookings))
        yield from (f"reference {key}" for booking in bookings if (key := reference(booking.get("cp_reference"))))


def _v3_names_shown_to_everybody(transaction: Transaction) -> Iterator[str]:
    response = transaction.delivered
    cursors = (transaction.url.query_value("next_page_id"), member(response, "next_page_id"))
    yield from (f"page {cursor}" for cursor in cursors if isinstance(cursor, str))
    flights = [*items(response, "results"), *items(response, "flights")]
    yield from _names(_FLIGHT, (flight.get("id") for flight in flights))
    fares = items(response, "fares")
    yield from _names(_FLIGHT, (fare.get(direction) for fare in fares for direction in ("outward_id", "return_id")))
    yield from (f"{_FLIGHT} {each.id}" for each in named(transaction) if each.subject == _FLIGHT)


def _names(subject: str, ids: Iterable[Json]) -> Iterator[str]:
    return (f"{subject} {key}" for each in ids if (key := identifier(each)))
