"""Which exchanges belong together: those that speak of the same offer, order, flight, request or booking.

Only they are judged by one another. A test holds this against what the rules of a journey look up. A secret that was
sent both to the service and to the payment provider ties all that carry it; one that was not ties nothing.
"""

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import urlsplit

from airworthy.contract import Contract, Exchange, ResolvedUrl, header
from airworthy.contract.body import Body, Json, skim
from airworthy.contract.conversation.v3 import BOOKINGS, RETRIEVALS, identifier, named, reference
from airworthy.contract.credentials import credential, digest
from airworthy.contract.operations import PAYMENT
from airworthy.contract.transaction import Transaction, items, member

_ALONE = "searchOffers"
_QUERIED = ("offerId", "fareId", "orderId")

Claim = tuple[str, bool]
"""The digest of a secret, and whether the payment provider is sent it, and not the service."""

Member = TypeVar("Member", bound=Hashable)


class Ties(NamedTuple):
    """What an exchange speaks of, and the secret that it carries; exchanges with a name in common belong together."""

    names: frozenset[str] = frozenset()
    claim: Claim | None = None


def ties(contract: Contract, exchange: Exchange) -> Ties:
    """Return what ties an exchange to others."""
    request = exchange.request
    call = contract.resolve(request.method, request.url)
    if call is None:
        return Ties()
    secret = digest(credential(header(request.headers, "Authorization") or "")[1])
    claim = (secret, call.version == PAYMENT) if secret else None
    if call.operation is None or call.version == PAYMENT or call.operation.id == _ALONE:
        return Ties(claim=claim)
    # No more is read than ties need, nor whether it may be judged: what is tied in vain does no harm.
    answered = exchange.response is not None and call.operation.succeeds(exchange.response.status)
    answer = skim(exchange.response.body) if answered and exchange.response else None
    if call.version == "v4":
        names = _of_offers(call, answer)
    else:
        names = _of_flights(Transaction(exchange, call, Body(skim(request.body)), Body(answer)))
    host = urlsplit(request.url).netloc.lower()
    return Ties(frozenset([f"{host} {name}" for name in names]), claim)


def _of_offers(call: ResolvedUrl, answer: Json) -> Iterator[str]:
    told: list[Json] = list(call.path_values.values())
    told += [value for name, value in call.query if name in _QUERIED]
    told += [member(answer, name) for name in ("id", "orderId", "reservationId")]
    told += [member(answer, "cheapestFare", "id")]
    told += [option.get("fareId") for option in items(answer, "fareBaggageOptions")]
    yield from (each.lower() for each in told if isinstance(each, str) and each)
    if under := reference(member(answer, "pnr")):
        yield f"reference {under}"


def _of_flights(transaction: Transaction) -> Iterator[str]:
    """Yield the flights, requests and bookings, those of v2 and v3 as the same: a rule compares them."""
    answer = transaction.delivered
    for each in named(transaction):
        yield f"{each.subject} {each.id}"
        # An id of v4 may be used here; numbers are none.
        yield from () if each.id.isdigit() else (each.id.lower(),)
    cursors = (transaction.url.query_value("next_page_id"), member(answer, "next_page_id"))
    yield from (f"page {cursor}" for cursor in cursors if isinstance(cursor, str))
    flights = [*items(answer, "results"), *items(answer, "flights")]
    yield from _named("flight", (flight.get("id") for flight in flights))
    yield from _named(
        "flight", (fare.get(way) for fare in items(answer, "fares") for way in ("outward_id", "return_id"))
    )
    yield from _named("booking request", (request.get("id") for request in items(answer, "requests")))
    if transaction.operation in (*BOOKINGS, *RETRIEVALS):
        bookings = items(answer, "bookings")
        yield from _named("booking request", (booking.get("request_id") for booking in bookings))
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

    def add(self, member: Member, ties: Ties) -> None:
        """Add a member with what ties it to others."""
        own = len(self._members)
        self._members.append(member)
        self._parents.append(own)
        for name in ties.names:
            self._join(own, self._first.setdefault(name, own))
        if ties.claim:
            secret, owner = ties.claim
            self._claims.setdefault(secret, {}).setdefault(owner, []).append(own)

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
