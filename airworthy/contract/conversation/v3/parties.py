"""The passengers of v3 and v2 as requests and responses can be compared: their numbers."""

from dataclasses import dataclass

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json
from airworthy.contract.http.transaction import Transaction, items, member, whole

COUNTS = ("adults", "children", "infants")


@dataclass(frozen=True, slots=True)
class Party:
    """A number of passengers, and how many of them are infants."""

    passengers: int
    infants: int

    @property
    def shown(self) -> str:
        """The numbers as findings show them."""
        return f"{wording.shown(self.passengers)} passengers, {wording.shown(self.infants)} of them infants"

    @classmethod
    def counted(cls, counts: Json) -> "Party | None":
        """Return the passengers of a booking request in a response of v2, or None if a count is missing."""
        numbers = [whole(member(counts, name)) for name in COUNTS]
        known = [number for number in numbers if number is not None]
        return cls(sum(known), known[-1]) if len(known) == len(COUNTS) else None

    @classmethod
    def named(cls, passengers: Json) -> "Party | None":
        """Return the passengers that a booking of v2 names, or None if some are not marked as infants or others."""
        marks = [passenger.get("is_infant") for passenger in items(passengers)]
        are_clear = bool(marks) and all(isinstance(mark, bool) for mark in marks)
        return cls(len(marks), marks.count(True)) if are_clear else None


def named_passengers(transaction: Transaction) -> Json:
    """Return the passengers that a booking of v2 names; v3 takes those of the booking request (Versioning, item 3)."""
    return member(transaction.sent, "passengers") if transaction.operation == "createBookingsV2" else None
