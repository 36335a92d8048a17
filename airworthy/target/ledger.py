"""What the run leaves behind at the target: written as it happens, so that Ctrl-C loses nothing."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from airworthy.contract.exchange import Exchange
from airworthy.errors import AirworthyError

_MAKES: Final = (
    ("order", re.compile(r"/v4/order$")),
    ("confirmation", re.compile(r"/v4/order/[^/]+/confirm$")),
    ("request", re.compile(r"/v[23]/requests$")),
    ("booking", re.compile(r"/v[23]/bookings$")),
)
# One order of v3 and v2 makes several: where they stand in its answer.
_LISTS: Final = {"request": "requests", "booking": "bookings"}
_MOST: Final = 10
_SUCCESS: Final = range(200, 300)
# What stands there came over the wire, and may be somebody's name: nothing but an id and a status is kept.
_ID: Final = re.compile(r"[A-Za-z0-9_-]{0,64}")
_STATUS: Final = re.compile(r"[A-Z_]{0,32}|[a-z_]{0,32}")


class LiveBookingRefused(AirworthyError):  # noqa: N818  the user asked for it
    """The profile says that this is a production environment, where nothing is ordered unless the user allows it."""

    def __init__(self) -> None:
        super().__init__("a production environment: nothing is ordered there without --allow-live-bookings")


@dataclass(frozen=True, slots=True)
class Made:
    """An order or a confirmation of v4, a request or a booking of v3 or v2; no personal data.

    ``id`` is its id, of a booking with the reference by which it is looked up; ``made`` when (ISO 8601, UTC), and
    ``note`` for which scenario.
    """

    kind: str
    id: str
    made: str
    status: str
    exchange: str
    note: str


def books(method: str, path: str) -> str | None:
    """Return what a call would make at the target ("order", "confirmation", "request", "booking"), or None."""
    if method.upper() != "POST":
        return None
    bare = path.partition("?")[0].rstrip("/")
    return next((kind for kind, place in _MAKES if place.search(bare)), None)


class Ledger:
    """Appends each order, confirmation, request and booking that an answer shows to a JSON Lines file.

    Several processes may append to one file: what one exchange has made is one write.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def hear(self, exchange: Exchange, note: str = "") -> None:
        """Take note of what an exchange has made. ``note`` says for what, such as a scenario's name."""
        url = exchange.request.url.partition("?")[0]
        kind = books(exchange.request.method, url)
        response = exchange.response
        if kind is None or (response is not None and response.status not in _SUCCESS):
            return
        # Without an answer nobody knows: that stands here as well, with what is known.
        body = _object(_json(response.body if response else None))
        in_path = url.split("/")[-2] if kind == "confirmation" else ""
        made = [
            Made(
                kind=kind,
                id=_identifier(each) or _bounded(in_path),
                made=exchange.started.isoformat(),
                status=_bounded(str(each.get("status") or "unknown"), _STATUS),
                exchange=exchange.id,
                note=note,
            )
            for each in _things(kind, body)
        ]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write(b"".join(json.dumps(asdict(each), ensure_ascii=False).encode() + b"\n" for each in made))
            file.flush()
            os.fsync(file.fileno())


def _things(kind: str, body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Go through what an answer says was made: one thing of which nothing is known, where it does not say."""
    listed = body.get(_LISTS[kind]) if kind in _LISTS else [body]
    things = listed[:_MOST] if isinstance(listed, list) else []
    yield from (_object(each) for each in things or [None])


def _identifier(thing: Mapping[str, Any]) -> str:
    parts = [_bounded(str(thing[name])) for name in ("id", "cp_reference") if thing.get(name)]
    return " ".join(parts)


def _json(body: bytes | None) -> object:
    try:
        return json.loads(body or b"")
    except (ValueError, RecursionError):
        return None


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _bounded(text: str, form: re.Pattern[str] = _ID) -> str:
    return text if form.fullmatch(text) else "unreadable"
