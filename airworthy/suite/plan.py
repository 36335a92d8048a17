"""What an exploration knows of the planned conversations that it begins with."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import orjson


class Plan(Protocol):
    """Conversations that are planned: each is about a combination of circumstances, such as a payment and an age."""

    @property
    def sizes(self) -> Mapping[str, int]:
        """The number of values of each circumstance."""

    @property
    def combinations(self) -> Iterable[Mapping[str, int]]:
        """The circumstances of each conversation, as the places of their values; that of the plainest value is 0."""

    def converse(self, circumstances: Mapping[str, int]) -> object:
        """Begin a conversation in some circumstances, and have it."""


def saved_circumstances(plan: Plan, saved: Path) -> Iterator[Mapping[str, int]]:
    """Yield the circumstances in a file that a plan still has, and delete the file. A broken one has none."""
    if not saved.exists():
        return
    content = saved.read_bytes()
    saved.unlink()
    rows: list[Mapping[str, int]] = []
    # A run may have been killed while it wrote the file.
    with suppress(orjson.JSONDecodeError):
        rows = orjson.loads(content)
    for row in rows:
        if row.keys() == plan.sizes.keys() and all(place < plan.sizes[name] for name, place in row.items()):
            yield row
