"""The test bookings that the request-based document asks for before an integration goes live, as far as they were seen.

v3/v2 document, What the service does, Going live: several adults and infants, with and without checked bags, with
and without cabin bags. How many are several is not written (OPEN-42); v2 has no cabin bags; v4 has no such list.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from airworthy.contract import Exchange, ResolvedUrl
from airworthy.contract.body import Json
from airworthy.contract.conversation.v3 import BOOKINGS, REQUESTS, identifier, sent_ids
from airworthy.contract.reading import read_transaction
from airworthy.contract.transaction import Transaction, items, member, whole

ADULTS: Final = 2
INFANTS: Final = 1
LISTED: Final = ("v2", "v3")
_REMEMBERED: Final = 10_000
_CABIN: Final = ("with cabin bags", "without cabin bags")
_NAMES: Final = ("several adults", "infants", "with checked bags", "without checked bags", *_CABIN)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that the test bookings have to cover.

    ``exchange`` is the first booking that does, at ``seen``; empty and None where none has. ``asked`` says whether the
    list asks it of the versions that were seen.
    """

    name: str
    asked: bool
    exchange: str = ""
    seen: datetime | None = None

    @property
    def done(self) -> bool:
        """Whether a booking covers it."""
        return self.seen is not None


@dataclass(frozen=True, slots=True)
class _Held:
    """What a booking request holds: people, and whether bags of each kind (None where that is not said with it)."""

    adults: int
    infants: int
    checked: bool | None = None
    cabin: bool | None = None


class GoLive:
    """Looks out for the bookings of the go-live list; for one thread at a time.

    ``adults`` are several, ``infants`` enough of them, in one booking.
    """

    def __init__(self, *, adults: int = ADULTS, infants: int = INFANTS) -> None:
        self.adults, self.infants = adults, infants
        self.versions: set[str] = set()
        self._items = {name: Item(name, asked=False) for name in _NAMES}
        self._held: OrderedDict[tuple[str, str], _Held] = OrderedDict()

    def see(self, exchange: Exchange, call: ResolvedUrl) -> None:
        """Look at an exchange of the service."""
        operation = call.operation
        if operation is None or operation.version not in LISTED:
            return
        self.versions.add(operation.version)
        if operation.id not in (*REQUESTS, *BOOKINGS):
            return
        transaction = read_transaction(exchange, call, operation)
        if not transaction.fulfilled:
            return
        if operation.id in REQUESTS:
            self._requested(transaction)
        elif items(transaction.delivered, "bookings"):
            self._booked(transaction)

    def progress(self) -> tuple[Item, ...]:
        """Return what the list holds, in its order; nothing of it is asked where neither v3 nor v2 was seen."""
        asked = set(_NAMES if "v3" in self.versions else _NAMES[: -len(_CABIN)] if self.versions else ())
        return tuple(replace(item, asked=name in asked) for name, item in self._items.items())

    @property
    def covered(self) -> frozenset[str]:
        """The names of what a booking covers already."""
        return frozenset(name for name, item in self._items.items() if item.done)

    def merge(self, other: "GoLive") -> None:
        """Take in what was seen in another part of the same traffic."""
        self.versions |= other.versions
        for item in other.progress():
            self.cover(item)

    def cover(self, new: Item) -> None:
        """Take in what a booking covers; the first in time counts."""
        old = self._items[new.name]
        if new.seen and (old.seen is None or (new.seen, new.exchange) < (old.seen, old.exchange)):
            self._items[new.name] = new

    def _requested(self, transaction: Transaction) -> None:
        for made in items(transaction.delivered, "requests"):
            key = identifier(made.get("id"))
            people = [whole(member(made, "passengers", name)) for name in ("adults", "infants")]
            adults, infants = (count or 0 for count in people)
            bags = member(transaction.sent, "bags", identifier(member(made, "flight", "id")))
            kinds = (_any(member(bags, kind)) if bags is not None else None for kind in ("checked", "cabin"))
            self._held[transaction.url.version, key] = _Held(adults, infants, *kinds)
            if len(self._held) > _REMEMBERED:
                self._held.popitem(last=False)

    def _booked(self, transaction: Transaction) -> None:
        requests = sent_ids(transaction)
        known = (self._held.get((transaction.url.version, request)) for request in requests)
        held = [each for each in known if each is not None]
        if not requests or len(held) != len(requests):
            return
        luggage = member(transaction.sent, "luggage")
        if isinstance(luggage, Mapping):
            held = [replace(each, checked=_any(luggage.get(key))) for each, key in zip(held, requests, strict=True)]
        for name in self._covered(held):
            self.cover(Item(name, asked=True, exchange=transaction.exchange.id, seen=transaction.started))

    def _covered(self, held: list[_Held]) -> Iterator[str]:
        if all(each.adults >= self.adults for each in held):
            yield "several adults"
        if all(each.infants >= self.infants for each in held):
            yield "infants"
        for kind, bags in (("checked", [each.checked for each in held]), ("cabin", [each.cabin for each in held])):
            if None not in bags:
                yield f"{'with' if any(bags) else 'without'} {kind} bags"


def _any(options: Json) -> bool:
    """Whether of any listed option at least one piece is wanted."""
    wanted = (option.get("quantity") for option in items(options))
    return any(isinstance(each, int | float) and each > 0 for each in wanted)
