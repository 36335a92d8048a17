"""The bag options of flights of v3 and v2, by what identifies them."""

from dataclasses import dataclass
from functools import lru_cache

import orjson

from airworthy.contract.bodies.body import Json
from airworthy.contract.http.transaction import as_number, items, member

Size = tuple[float | None, ...]
Luggage = tuple[float, float | None]
"""The weight and the price of a luggage option."""
_LONGEST_OPTIONS = 8 * 1024


@dataclass(frozen=True, slots=True)
class CabinBagOption:
    """A cabin bag option, identified by its size (width, height, length), its weight, or both (OPEN-16)."""

    size: Size | None
    weight: float | None


def checked_bag(option: Json) -> float | None:
    """Return what identifies a checked bag option: its weight."""
    return as_number(member(option, "weight"))


def cabin_bag(option: Json) -> CabinBagOption:
    """Return what identifies a cabin bag option: its dimensions, its weight, or both."""
    size = [as_number(member(option, "dimensions", name)) for name in ("width", "height", "length")]
    return CabinBagOption(None if None in size else tuple(size), as_number(member(option, "weight")))


# The flights of a carrier share a few sets of options.
@lru_cache(maxsize=1024)
def bag_options(bags: bytes) -> tuple[frozenset[float], frozenset[CabinBagOption]] | None:
    """Return the checked and the cabin bag options of a flight, or None if they are too many to remember."""
    if len(bags) > _LONGEST_OPTIONS:
        return None
    checked, cabin = (items(orjson.loads(bags), kind) for kind in ("checked", "cabin"))
    weights = (checked_bag(option) for option in checked)
    return frozenset(each for each in weights if each is not None), frozenset(map(cabin_bag, cabin))


def luggage_options(flight: Json) -> frozenset[Luggage] | None:
    """Return the luggage options of a flight of v2, or None if it has no array of them."""
    options = member(flight, "luggage_options")
    if not isinstance(options, list):
        return None
    bags = ((checked_bag(each), as_number(member(each, "price"))) for each in items(options))
    return frozenset((weight, price) for weight, price in bags if weight is not None)
