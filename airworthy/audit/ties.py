"""Which exchanges belong together: those that speak of the same offer, order, flight, request or booking.

Only they are judged by one another. A test holds this against what the rules of a journey look up. A secret that was
sent both to the service and to the payment provider ties all that carry it; one that was not ties nothing.
"""

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from airworthy.contract import Contract, Exchange
from airworthy.contract.body import Body, Json
from airworthy.contract.credentials import caller
from airworthy.contract.message import Message, items, member
from airworthy.contract.operations import PAYMENT
from airworthy.contract.reading import read_message
from airworthy.contract.trips import BOOKINGS, LOOK_UPS, identifier, named, reference

_ALONE = "searchOffers"
_QUERIED = ("offerId", "fareId", "orderId")

Claim = tuple[str, bool]
Member = TypeVar("Member", bound=Hashable)


def claim(contract: Contract, exchange: Exchange) -> Claim | None:
    """Return the digest of the secret that an exchange carries, and to whom: the payment provider, or the service."""
    call = contract.call(exchange.request.method, exchange.request.url)
    secret = caller(Message(exchange, call, Body(), Body())) if call else ""
    return (secret, call.version == PAYMENT) if call and secret else None


def ties(contract: Contract, exchange: Exchange) -> frozenset[str]:
    """Return the names of all that an exchange speaks of; exchanges with a name in common belong together."""
    call = contract.call(exchange.request.method, exchange.request.url)
    operation = call.operation if call else None
    if call is None or operation is None or operation.version == PAYMENT or operation.id == _ALONE:
        return frozenset()
    message = read_message(exchange, call, operation)
    names = _of_offers(message) if operation.version == "v4" else _of_flights(message)
    host = urlsplit(exchange.request.url).netloc.lower()
    return frozenset(f"{host} {name}" for name in names)


def _of_offers(message: Message) -> Iterator[str]:
    answer = message.delivered
    told: list[Json] = [*message.call.path_values.values(), *map(message.call.value, _QUERIED)]
    told += [member(answer, name) for name in ("id", "orderId", "reservationId")]
    told += [member(answer, "cheapestFare", "id")]
    told += [option.get("fareId") for option in items(answer, "fareBaggageOptions")]
    yield from (each.lower() for each in told if isinstance(each, str) and each)
    if under := reference(member(answer, "pnr")):
        yield f"reference {under}"


def _of_flights(message: Message) -> Iterator[str]:
    """Yield the flights, requests and bookings, those of v2 and v3 as the same: a rule compares them."""
    answer = message.delivered
    for each in named(message):
        if each.id:
            yield f"{each.subject} {each.id}"
            # An id of v4 may be used here; numbers are none.
            yield from () if each.id.isdigit() else (each.id.lower(),)
    cursors = (message.call.value("next_page_id"), member(answer, "next_page_id"))
    yield from (f"page {cursor}" for cursor in cursors if isinstance(cursor, str))
    flights = [*items(answer, "results"), *items(answer, "flights")]
    yield from _named("flight", (flight.get("id") for flight in flights))
    yield from _named(
        "flight", (fare.get(way) for fare in items(answer, "fares") for way in ("outward_id", "return_id"))
    )
    yield from _named("request", (request.get("id") for request in items(answer, "requests")))
    if message.operation in (*BOOKINGS, *LOOK_UPS):
        bookings = items(answer, "bookings")
        yield from _named("request", (booking.get("request_id") for booking in bookings))
        yield from _named("booking", (booking.get("id") for booking in bookings))
        yield from (f"reference {key}" for booking in bookings if (key := reference(booking.get("cp_reference"))))


def _named(subject: str, ids: Iterable[Json]) -> Iterator[str]:
    return (f"{subject} {key}" for each in ids if (key := identifier(each)))


class Groups(Generic[Member]):
    """Puts members together that have a name in common, directly or by others."""

    def __init__(self) -> None:
        self._members: list[Member] = []
        self._parents: list[int] = []
        self._first: dict[str, int] = {}
        self._claims: dict[str, dict[bool, list[int]]] = {}

    def add(self, member: Member, names: Iterable[str], claim: Claim | None = None) -> None:
        """Add a member with its names, and with a secret that it carries to somebody."""
        own = len(self._members)
        self._members.append(member)
        self._parents.append(own)
        for name in names:
            self._join(own, self._first.setdefault(name, own))
        if claim:
            self._claims.setdefault(claim[0], {}).setdefault(claim[1], []).append(own)

    def __iter__(self) -> Iterator[list[Member]]:
        """Yield the groups in the order of their first members, and these in the order in which they were added."""
        for claims in self._claims.values():
            if len(claims) > 1:
                one, *others = chain(*claims.values())
                for other in others:
                    self._join(one, other)
        groups: dict[int, list[Member]] = {}
        for index, each in enumerate(self._members):
            groups.setdefault(self._root(index), []).append(each)
        return iter(groups.values())

    def _join(self, one: int, other: int) -> None:
        roots = self._root(one), self._root(other)
        # The earliest is the root, so that the groups come out in the order of their first members.
        self._parents[max(roots)] = min(roots)

    def _root(self, index: int) -> int:
        while self._parents[index] != index:
            self._parents[index] = index = self._parents[self._parents[index]]
        return index
