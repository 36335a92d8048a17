"""The integration of a partner, which its recorded traffic shows, as a part of the results."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """A file of recorded traffic: its name without the folder, its SHA-256 in hexadecimal, and its size in bytes."""

    name: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class ItemChange:
    """A change of the operator to the go-live list: an item that is ``added`` or ``not required``, and why."""

    rule: str
    change: Literal["added", "not required"]
    reason: str


@dataclass(frozen=True, slots=True)
class Integration:
    """The integration of a partner, judged by its recorded traffic.

    ``version`` is the interface that the partner integrates; ``began`` and ``ended`` are the times of the first and the
    last exchange with the service, None if there is none. ``adults`` and ``infants`` are the numbers of passengers that
    the go-live list requires in one booking.
    """

    version: str
    recordings: tuple[RecordedFile, ...] = ()
    began: datetime | None = None
    ended: datetime | None = None
    adults: int = 0
    infants: int = 0
    changes: tuple[ItemChange, ...] = ()
