"""The keys of a profile that reasons name."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from airworthy.resources import resource

_NAMED: Final = re.compile(r"(?<!\w)\[([a-z][a-z0-9_.]*)\]")


@cache
def _schema() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((resource("schemas") / "profile.json").read_text(encoding="utf-8"))
    return document


def wrong_keys(text: str, *, of_flights: bool | None) -> Iterator[str]:
    """Yield the keys in brackets that no profile has, and routes of the other interface.

    ``of_flights`` says whether the text is about v3 and v2 rather than v4; None if it may be about either.
    """
    for key in _NAMED.findall(text):
        is_other = key.startswith("routes.") and of_flights not in (None, key.startswith("routes.flights_"))
        if is_other or not _is_key(key):
            yield key


def _is_key(key: str) -> bool:
    node: Any = _schema()
    for name in key.split("."):
        node = node.get("properties", {}).get(name, {})
        while "$ref" in node:
            node = _schema()["$defs"][node["$ref"].rpartition("/")[2]]
    return bool(node)
