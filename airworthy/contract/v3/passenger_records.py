"""What stays the same about the passenger records of a booking of v3 and v2: who travels."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from airworthy.contract.body import Json
from airworthy.contract.spelling import spellings
from airworthy.contract.transaction import items, member, whole
from airworthy.contract.v3.moments import are_apart, moment

MOST_RECORDS = 50
LONGEST_TEXT = 100
NAMES = ("first_name", "last_name")
DAYS = ("date_of_birth", "passport_expiry_date")
DETAILS = ("nationality", "birth_country", "passport_number", "passport_country_of_issue")
_ONLY_WARN = {*DETAILS, "passport_expiry_date"}
# In any format (OPEN-10). A time other than midnight may belong to another day in another time zone.
_DAY = re.compile(r"(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})(?:[T ]00:00.*)?", re.ASCII)

Text = frozenset[str]
"""The ways to write a text; empty if it cannot be compared."""


@dataclass(frozen=True, slots=True)
class SeenRecord:
    """A passenger record: its times, whether it is of an infant, and its ``texts``, all of `NAMES` to `DETAILS`."""

    created: datetime | None
    updated: datetime | None
    is_infant: bool | None
    texts: Mapping[str, Text]

    @classmethod
    def of(cls, record: Json) -> "SeenRecord":
        """Return what a record in a response shows."""
        marked = member(record, "is_infant")
        texts = {name: written(member(record, name)) for name in (*NAMES, *DETAILS)}
        texts |= {name: _day(member(record, name)) for name in DAYS}
        created, updated = (moment(member(record, name)) for name in ("created_at", "updated_at"))
        return cls(created, updated, marked if isinstance(marked, bool) else None, texts)

    def unlike(self, later: "SeenRecord") -> Iterator[tuple[str, bool]]:
        """Yield each member that differs in a later response, and whether that only warns.

        Why a record was updated is not known, and travel documents may be shown in another way.
        """
        was_updated = are_apart(self.updated, later.updated)
        for name, before in self.texts.items():
            if are_other_words(before, later.texts[name]):
                yield name, was_updated or name in _ONLY_WARN
        if None not in (self.is_infant, later.is_infant) and self.is_infant != later.is_infant:
            yield "is_infant", was_updated


def seen_records(booking: Json) -> Mapping[int, SeenRecord] | None:
    """Return the passenger records of a booking by their ids, or None if the ids are not unique integers."""
    records = items(booking, "passengers")
    seen = {whole(record.get("id")): SeenRecord.of(record) for record in records[:MOST_RECORDS]}
    known = {key: record for key, record in seen.items() if key is not None}
    return known if len(known) == len(records) else None


def are_other_words(before: Text, now: Text) -> bool:
    """Return whether two texts differ; a name may come back with a title or without a middle name."""
    return bool(before and now) and not any(one in other or other in one for one in before for other in now)


def written(value: Json) -> Text:
    """Return the ways to write a text; one in letters other than Latin ones, or a masked one, cannot be compared."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or "*" in value:
        return frozenset()
    written = spellings(value)
    return written if all(each and each.isascii() for each in written) else frozenset()


def _day(value: Json) -> Text:
    """Return the numbers of a date, in any order."""
    found = _DAY.fullmatch(value) if isinstance(value, str) else None
    return frozenset({" ".join(sorted(f"{int(each):04d}" for each in found.groups()))}) if found else frozenset()
