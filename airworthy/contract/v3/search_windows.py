"""The days on which the flights of a search in v3 or v2 may depart, from its parameters and their defaults."""

from dataclasses import dataclass
from typing import Final

from airworthy.contract.http.transaction import Transaction, day

LONGEST_WINDOW: Final = 3
_WAY_THERE: Final = ("start", "end")
_WAY_BACK: Final = ("returnStart", "returnEnd")


@dataclass(frozen=True, slots=True)
class DateWindow:
    """The requested days as ordinals, from ``first`` to ``last``."""

    first: int
    last: int


def first_day(transaction: Transaction, name: str) -> tuple[int, int] | None:
    """Return the earliest and latest first day as ordinals; by default, today in any time zone, if that is known."""
    text = transaction.url.query_value(name)
    if text:
        first = day(text)
        return (first.toordinal(), first.toordinal()) if first else None
    today = transaction.started.date().toordinal()
    return None if transaction.is_ahead else (today - 1, today + 1)


def requested_window(transaction: Transaction, first: str, last: str) -> DateWindow | None:
    """Return the days on which flights may depart, or None if the request does not state them as documented.

    A service may move or shorten a window that ends before it begins, or too late (OPEN-78).
    """
    start, text = first_day(transaction, first), transaction.url.query_value(last)
    end = day(text)
    if start is None or (text and end is None):
        return None
    latest = start[1] + LONGEST_WINDOW
    requested = end.toordinal() if end else latest
    return DateWindow(start[0], min(requested, latest) if requested >= start[0] else latest)


def is_way_back_stated(transaction: Transaction) -> bool:
    """Return whether a search for round-trip fares states a day of the return flight."""
    return any(transaction.url.query_value(name) for name in _WAY_BACK)


def outward_window(transaction: Transaction) -> DateWindow | None:
    """Return the days of the outward flights of fares, or None if the days of the way back leave them open.

    They do if they are the only ones, or earlier (OPEN-79).
    """
    window = requested_window(transaction, *_WAY_THERE)
    back = [stated.toordinal() for name in _WAY_BACK if (stated := day(transaction.url.query_value(name)))]
    is_stated = any(transaction.url.query_value(name) for name in _WAY_THERE) or not is_way_back_stated(transaction)
    return window if window and is_stated and all(each >= window.first for each in back) else None


def return_window(transaction: Transaction) -> DateWindow | None:
    """Return the days of the return flights of fares: all possible ones if only one end is stated (OPEN-79)."""
    first, last = (day(transaction.url.query_value(name)) for name in _WAY_BACK)
    if first and last:
        return requested_window(transaction, *_WAY_BACK)
    there = outward_window(transaction)
    if there is None:
        return None
    earliest, latest = there.first + 1, there.last + 1
    if first:
        possible = DateWindow(first.toordinal(), max(first.toordinal() + LONGEST_WINDOW, latest))
        return possible if possible.first <= latest else None
    if last:
        return DateWindow(there.first, last.toordinal())
    return None if is_way_back_stated(transaction) else DateWindow(earliest, latest)
