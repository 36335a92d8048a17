"""Track the test bookings that the v3/v2 document requires before an integration goes live.

v3/v2 document, What the service does, Going live: several adults and infants, with and without checked bags, with
and without cabin bags. The document does not say what "several" means (OPEN-42); v2 has no cabin bags; v4 has no list.
A client also has to retrieve its bookings, because that is how it learns record locators and schedule changes.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from airworthy.contract import Exchange, ResolvedUrl
from airworthy.contract.body import Json
from airworthy.contract.conversation.v3 import BOOKINGS, REQUESTS, RETRIEVALS, identifier, reference, sent_ids
from airworthy.contract.reading import read_transaction
from airworthy.contract.transaction import Transaction, items, member, whole

ADULTS: Final = 2
INFANTS: Final = 1
LISTED: Final = ("v2", "v3")
_REMEMBERED: Final = 10_000
_CABIN: Final = ("with cabin bags", "without cabin bags")
_RETRIEVED: Final = "bookings retrieved"
_NAMES: Final = ("several adults", "infants", "with checked bags", "without checked bags", *_CABIN, _RETRIEVED)


@dataclass(frozen=True, slots=True)
class GoLiveItem:
    """One item of the go-live list.

    ``exchange`` is the id of the first exchange that covers it, ``seen`` its time; empty and None if there is none.
    ``required`` says whether the versions in the traffic require the item.
    """

    name: str
    required: bool
    exchange: str = ""
    seen: datetime | None = None

    @property
    def done(self) -> bool:
        """Whether an exchange covers the item."""
        return self.seen is not None


@dataclass(frozen=True, slots=True)
class _BookingRequest:
    """The passengers of a booking request, and whether it has bags of each kind (None if it does not say)."""

    adults: int
    infants: int
    checked: bool | None = None
    cabin: bool | None = None


class GoLive:
    """The progress on the go-live list. Not thread-safe.

    ``adults`` and ``infants`` are the numbers of passengers that the list requires in one booking.
    """

    def __init__(self, *, adults: int = ADULTS, infants: int = INFANTS) -> None:
        self.adults, self.infants = adults, infants
        self.versions: set[str] = set()
        self._items = {name: GoLiveItem(name, required=False) for name in _NAMES}
        self._requests: OrderedDict[tuple[str, str], _BookingRequest] = OrderedDict()
        self._booked: OrderedDict[tuple[str, str], None] = OrderedDict()

    def observe(self, exchange: Exchange, url: ResolvedUrl) -> None:
        """Take an exchange of the service into account."""
        operation = url.operation
        if operation is None or operation.version not in LISTED:
            return
        self.versions.add(operation.version)
        if operation.id not in (*REQUESTS, *BOOKINGS, *RETRIEVALS):
            return
        transaction = read_transaction(exchange, url, operation)
        if not transaction.fulfilled:
            return
        if operation.id in REQUESTS:
            self._remember_requests(transaction)
        elif operation.id in RETRIEVALS:
            self._cover_retrieval(transaction)
        elif items(transaction.delivered, "bookings"):
            self._cover_items(transaction)
            self._remember_bookings(transaction)

    def progress(self) -> tuple[GoLiveItem, ...]:
        """Return the items in the order of the list; no item is required if the traffic contains neither v3 nor v2."""
        required = set(_NAMES) if self.versions else set()
        if "v3" not in self.versions:
            required.difference_update(_CABIN)
        return tuple(replace(item, required=name in required) for name, item in self._items.items())

    @property
    def covered(self) -> frozenset[str]:
        """The names of the items that are already covered."""
        return frozenset(name for name, item in self._items.items() if item.done)

    def merge(self, other: "GoLive") -> None:
        """Add the progress in another part of the same traffic."""
        self.versions |= other.versions
        for item in other.progress():
            self.cover(item)

    def cover(self, new: GoLiveItem) -> None:
        """Mark an item as covered; the first booking in time counts."""
        old = self._items[new.name]
        if new.seen and (old.seen is None or (new.seen, new.exchange) < (old.seen, old.exchange)):
            self._items[new.name] = new

    def _remember_requests(self, transaction: Transaction) -> None:
        for request in items(transaction.delivered, "requests"):
            key = identifier(request.get("id"))
            counts = [whole(member(request, "passengers", name)) for name in ("adults", "infants")]
            adults, infants = (count or 0 for count in counts)
            bags = member(transaction.sent, "bags", identifier(member(request, "flight", "id")))
            has_bags = (_any(member(bags, kind)) if bags is not None else None for kind in ("checked", "cabin"))
            self._requests[transaction.url.version, key] = _BookingRequest(adults, infants, *has_bags)
            if len(self._requests) > _REMEMBERED:
                self._requests.popitem(last=False)

    def _cover_items(self, transaction: Transaction) -> None:
        keys = sent_ids(transaction)
        known = (self._requests.get((transaction.url.version, key)) for key in keys)
        requests = [each for each in known if each is not None]
        if not keys or len(requests) != len(keys):
            return
        luggage = member(transaction.sent, "luggage")
        if isinstance(luggage, Mapping):
            requests = [replace(each, checked=_any(luggage.get(key))) for each, key in zip(requests, keys, strict=True)]
        for name in self._covered(requests):
            self.cover(GoLiveItem(name, required=True, exchange=transaction.exchange.id, seen=transaction.started))

    def _remember_bookings(self, transaction: Transaction) -> None:
        for key in self._references(transaction):
            self._booked[key] = None
            if len(self._booked) > _REMEMBERED:
                self._booked.popitem(last=False)

    def _cover_retrieval(self, transaction: Transaction) -> None:
        if any(key in self._booked for key in self._references(transaction)):
            exchange = transaction.exchange.id
            self.cover(GoLiveItem(_RETRIEVED, required=True, exchange=exchange, seen=transaction.started))

    @staticmethod
    def _references(transaction: Transaction) -> set[tuple[str, str]]:
        found = (reference(booking.get("cp_reference")) for booking in items(transaction.delivered, "bookings"))
        return {(transaction.url.version, each) for each in found if each}

    def _covered(self, requests: list[_BookingRequest]) -> Iterator[str]:
        if all(each.adults >= self.adults for each in requests):
            yield "several adults"
        if all(each.infants >= self.infants for each in requests):
            yield "infants"
        for kind, bags in (
            ("checked", [each.checked for each in requests]),
            ("cabin", [each.cabin for each in requests]),
        ):
            if None not in bags:
                yield f"{'with' if any(bags) else 'without'} {kind} bags"


def _any(options: Json) -> bool:
    """Whether the client wants at least one piece of any option."""
    quantities = (option.get("quantity") for option in items(options))
    return any(isinstance(each, int | float) and each > 0 for each in quantities)
