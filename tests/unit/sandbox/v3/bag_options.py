"""Bag options as requests name them."""

from typing import Any

SIDES = ("width", "height", "length")


def documented(option: dict[str, Any]) -> dict[str, Any]:
    """Return a listed bag option without undocumented members, which a dialect may reject in a request."""
    kept: dict[str, Any] = {name: option[name] for name in ("weight", "dimensions", "price") if name in option}
    if isinstance(kept.get("dimensions"), dict):
        kept["dimensions"] = {side: kept["dimensions"][side] for side in SIDES}
    return kept
