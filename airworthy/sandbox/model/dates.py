"""Birth and passport dates of v3 and v2, whose format the documents leave open (OPEN-10)."""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime

FORMS: Mapping[str, str] = {
    "YYYY-MM-DD": "%Y-%m-%d",
    "DD.MM.YYYY": "%d.%m.%Y",
    "DD/MM/YYYY": "%d/%m/%Y",
    "date-time": "%Y-%m-%dT%H:%M:%S",
}
_PARTS: Mapping[str, str] = {
    "YYYY-MM-DD": r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})",
    "DD.MM.YYYY": r"(?P<day>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\.(?P<year>[0-9]{4})",
    "DD/MM/YYYY": r"(?P<day>[0-9]{1,2})/(?P<month>[0-9]{1,2})/(?P<year>[0-9]{4})",
    "date-time": r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})[T ][0-9]{2}:[0-9]{2}.{0,30}",
}


def read_day(text: str, form: str = "any") -> date | None:
    """Return the date in a text of one form (``any``: of one of the forms), or None if there is no valid date."""
    for each in FORMS if form == "any" else (form,):
        if found := re.fullmatch(_PARTS[each], text):
            with suppress(ValueError):
                return date(*(int(found[part]) for part in ("year", "month", "day")))
    return None


def written(text: str | None, form: str) -> str | None:
    """Return a date in another form, or the unchanged text if it is not a date or the form is "as sent"."""
    day = read_day(text) if text and form != "as sent" else None
    return text if day is None else datetime(day.year, day.month, day.day).strftime(FORMS[form])  # noqa: DTZ001 - a date


def age(born: date, on: date) -> int:
    """Return the age in whole years on a day."""
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day))
