"""What the results name of a target as it was recorded: waivers, waits, and what the run created."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

import orjson

How = Literal["clock", "waited", "cut"]


@dataclass(frozen=True, slots=True)
class Waiver:
    """The agreement of ``owner`` to accept a failed or untested rule until a date (inclusive)."""

    rule: str
    owner: str
    reason: str
    expires: date


@dataclass(frozen=True, slots=True)
class Wait:
    """Something that had to age: by advancing the clock, by waiting, or not at all (longer than the maximum wait).

    ``why`` says why the clock that the profile names was not used.
    """

    what: str
    seconds: float
    how: How
    why: str = ""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """An order or confirmation of v4, or a booking request or booking of v3 or v2, without personal data.

    ``id`` of a booking also contains its record locator. ``made`` is the time of the request, ``note`` the scenario.
    """

    kind: str
    id: str
    made: datetime
    status: str = ""
    exchange: str = ""
    note: str = ""

    @classmethod
    def of(cls, line: bytes) -> "LedgerEntry | None":
        """Return the entry in a line of the ledger, or None if it was not written completely."""
        try:
            fields: dict[str, Any] = orjson.loads(line)
            return cls(**{**fields, "made": datetime.fromisoformat(fields["made"])})
        except (ValueError, TypeError, KeyError):
            return None
