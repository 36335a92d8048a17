"""Dates of birth and of passports, whose format the documents leave open (OPEN-10)."""

import re
from datetime import date, timedelta

_FORMATS = (
    r"(?P<year>\d{4})[-./]?(?P<month>\d{2})[-./]?(?P<day>\d{2})",
    r"(?P<day>\d{1,2})[-./](?P<month>\d{1,2})[-./](?P<year>\d{4})",
    r"(?P<month>\d{1,2})[-./](?P<day>\d{1,2})[-./](?P<year>\d{4})",
)
_TIME = re.compile(r"[T ](?P<time>\d{2}:\d{2}).*")


def possible_days(text: object) -> set[date]:
    """Return the days that a text may mean, none if it has no known format."""
    if not isinstance(text, str):
        return set()
    time = _TIME.search(text)
    days = set()
    for each in _FORMATS:
        found = re.fullmatch(each, text[: time.start()] if time else text)
        if found:
            try:
                days.add(date(int(found["year"]), int(found["month"]), int(found["day"])))
            except ValueError:
                continue
    # A midnight in another time zone belongs to the next day.
    is_shifted = time is not None and time["time"] != "00:00"
    return days | {day + timedelta(days=1) for day in days if is_shifted}


def are_of_different_days(one: object, other: object) -> bool:
    """Return whether two texts cannot mean the same day."""
    days = possible_days(one), possible_days(other)
    return all(days) and not days[0] & days[1]
