"""What the run leaves behind at the target: written as it happens, never read back, so that Ctrl-C loses nothing."""

import json
import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from airworthy.contract.exchange import Exchange
from airworthy.errors import AirworthyError

_MAKES: Final = (
    ("order", re.compile(r"/v4/order$")),
    ("confirmation", re.compile(r"/v4/order/[^/]+/confirm$")),
)
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
    """An order, or a confirmation of one: ids and when (ISO 8601, UTC), for which scenario; no personal data."""

    kind: str
    id: str
    made: str
    status: str
    exchange: str
    note: str


def books(method: str, path: str) -> str | None:
    """Return what a call would make at the target ("order", "confirmation"), or None."""
    if method.upper() != "POST":
        return None
    bare = path.partition("?")[0].rstrip("/")
    return next((kind for kind, place in _MAKES if place.search(bare)), None)


class Ledger:
    """Appends each order and confirmation that an answer shows to a JSON Lines file.

    Several processes may append to one file: a line is one write.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.made: list[Made] = []

    def hear(self, exchange: Exchange, note: str = "") -> None:
        """Take note of what an exchange has made. ``note`` says for what, such as a scenario's name."""
        url = exchange.request.url.partition("?")[0]
        kind = books(exchange.request.method, url)
        response = exchange.response
        if kind is None or (response is not None and response.status not in _SUCCESS):
            return
        # Without an answer nobody knows: that stands here as well, with what is known.
        order = _order(response.body if response else None)
        identifier = str(order.get("id") or (url.split("/")[-2] if kind == "confirmation" else ""))
        status = str(order.get("status") or "unknown")
        made = Made(
            kind=kind,
            id=identifier if _ID.fullmatch(identifier) else "unreadable",
            made=exchange.started.isoformat(),
            status=status if _STATUS.fullmatch(status) else "unreadable",
            exchange=exchange.id,
            note=note,
        )
        self.made.append(made)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write(json.dumps(asdict(made), ensure_ascii=False).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def _order(body: bytes | None) -> dict[str, Any]:
    try:
        order = orjson.loads(body or b"")
    except ValueError:
        return {}
    return order if isinstance(order, dict) else {}
