"""The ledger: every order and booking that a run created at the target, written at once so that Ctrl-C loses none."""

import contextlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from airworthy.contract.http.exchange import SUCCESSES, Exchange
from airworthy.errors import AirworthyError, StorageError
from airworthy.private_files import make_folder, owner_only
from airworthy.target.records import LedgerEntry
from airworthy.target.retries import is_rejected_by_throttling, is_throttled

_CREATING_PATHS: Final = (
    ("order", re.compile(r"/v4/order$")),
    ("confirmation", re.compile(r"/v4/order/[^/]+/confirm$")),
    ("request", re.compile(r"/v[23]/requests$")),
    ("booking", re.compile(r"/v[23]/bookings$")),
)
# One request of v3 or v2 may create several resources. These arrays of the response list them.
_ARRAYS: Final = {"request": "requests", "booking": "bookings"}
_IDS: Final = ("id", "cp_reference")
_MAX_ENTRIES: Final = 10
# The status of a request that the target throttled: it should have created nothing, and the suite sends it again.
THROTTLED: Final = "throttled"
# A faulty service may return personal data in these fields: only values with the form of an id or a status are kept.
_ID: Final = re.compile(r"[A-Za-z0-9_-]{0,64}")
_STATUS: Final = re.compile(r"[A-Z_]{0,32}|[a-z_]{0,32}")


class LiveBookingError(AirworthyError):
    """The profile is for a production environment, and bookings there are not allowed."""

    def __init__(self) -> None:
        super().__init__("the profile is for a production environment; bookings there require --allow-live-bookings")


class BookingLimitError(AirworthyError):
    """An exploration has made as many bookings as it may."""

    def __init__(self) -> None:
        super().__init__(
            "the exploration has made as many bookings as --max-bookings allows; a greater number explores more"
        )


def created_kind(method: str, path: str) -> str | None:
    """Return what a request creates at the target ("order", "confirmation", "request", "booking"), or None."""
    if method.upper() != "POST":
        return None
    bare = path.partition("?")[0].rstrip("/")
    return next((kind for kind, place in _CREATING_PATHS if place.search(bare)), None)


class Ledger:
    """Appends each order, confirmation, booking request and booking to a JSON Lines file.

    A throttled request for one of them is an entry, too, with the status `THROTTLED`. Several processes may append to
    the same file: the entries of one exchange are a single write.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def record(self, exchange: Exchange, note: str = "") -> None:
        """Append what an exchange created. ``note`` is the name of the scenario.

        Raises:
            StorageError: the file could not be written; the message names what is missing in it.
        """
        url = exchange.request.url.partition("?")[0]
        kind = created_kind(exchange.request.method, url)
        response = exchange.response
        if kind is None or (response is not None and response.status not in SUCCESSES and not is_throttled(response)):
            return
        throttled = is_rejected_by_throttling(response)
        # Without a response, or with status 503, the order may exist, so it is recorded with what is known.
        body: Mapping[str, Any] = {}
        if response and not throttled:
            with contextlib.suppress(ValueError, RecursionError):
                body = _object(json.loads(response.body or b""))
        in_path = url.split("/")[-2] if kind == "confirmation" else ""
        entries = [
            LedgerEntry(
                kind=kind,
                id=" ".join(_bounded(str(each[name])) for name in _IDS if each.get(name)) or _bounded(in_path),
                made=exchange.started,
                status=THROTTLED if throttled else _bounded(str(each.get("status") or "unknown"), _STATUS),
                exchange=exchange.id,
                note=note,
            )
            for each in _created(kind, body)
        ]
        lines = b"".join(
            json.dumps(asdict(each), ensure_ascii=False, default=datetime.isoformat).encode() + b"\n"
            for each in entries
        )
        try:
            make_folder(self.path.parent)
            with open(self.path, "ab", opener=owner_only) as file:
                file.write(lines)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            lost = ", ".join(f"{each.kind} {each.id or '(unknown id)'}" for each in entries)
            raise StorageError(f"{self.path}: {error.strerror}; the ledger lacks: {lost}") from None

    def entries(self) -> Iterator[LedgerEntry]:
        """Yield what was recorded. A line that was not written completely is left out."""
        lines = self.path.read_bytes().splitlines() if self.path.exists() else []
        yield from filter(None, map(LedgerEntry.of, lines))


def _created(kind: str, body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the created resources in a response body, or one empty object if it has none."""
    listed = body.get(_ARRAYS[kind]) if kind in _ARRAYS else [body]
    created = listed[:_MAX_ENTRIES] if isinstance(listed, list) else []
    yield from (_object(each) for each in created or [None])


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _bounded(text: str, form: re.Pattern[str] = _ID) -> str:
    return text if form.fullmatch(text) else "unreadable"
