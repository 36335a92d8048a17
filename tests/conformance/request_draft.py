"""A request before it is sent, and the one change that a negative scenario makes to it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from airworthy.suite.request_members import MISSING, with_change

_STEP = re.compile(r"([^.\[\]]+)|\[([0-9]+)\]")


def parse_field(name: str) -> tuple[str | int, ...]:
    """Split ``passengers[0].identification.type`` into its steps.

    Raises ValueError if the name is empty.
    """
    steps = tuple(int(index) if index else key for key, index in _STEP.findall(name))
    if not steps:
        raise ValueError(f"{name!r} names no field")
    return steps


def with_field(body: Any, name: str, value: Any) -> Any:
    """Return a body with one field set, or without it (`MISSING`). Raises LookupError if its parent is not there."""
    return with_change(body, parse_field(name), value)


@dataclass(frozen=True, slots=True)
class RequestDraft:
    """A request of one operation, complete and valid until it is changed.

    ``path`` is relative to the base URL and begins with the version. ``raw`` replaces the JSON body where it is set.
    """

    operation: str
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    raw: bytes | None = None

    def with_value(self, name: str, value: Any) -> "RequestDraft":
        """Return the draft with one field of its body set."""
        return replace(self, body=with_field(self.body, name, value))

    def without(self, name: str) -> "RequestDraft":
        """Return the draft without one field of its body."""
        return replace(self, body=with_field(self.body, name, MISSING))

    def with_query(self, **query: str | None) -> "RequestDraft":
        """Return the draft with other query parameters; None leaves one out."""
        merged = {**self.query, **query}
        return replace(self, query={name: value for name, value in merged.items() if value is not None})
