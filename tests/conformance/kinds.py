"""Kinds of orders and booking requests, used in turn by the scenarios to which any of them will do."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from airworthy.suite.outcomes import Outcome
from conformance.capabilities import CapabilityRequirements

Kind = TypeVar("Kind")
Made = TypeVar("Made")


class Kinds(Generic[Kind]):
    """Kinds that are used in turn, because a service may treat only the plainest one well."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self._left = deque(kinds)

    def make(self, create: Callable[[Kind], Made | None], needs: CapabilityRequirements) -> Made | None:
        """Return what ``create`` makes of the next kind, or None if the service does not accept it.

        Such a kind is not tried again: other scenarios are about it, and they need what is special about it.
        """
        if not self._left:
            return None
        kind = self._left.popleft()
        made = if_sold(lambda: create(kind), needs)
        if made is not None:
            self._left.append(kind)
        return made


def if_sold(create: Callable[[], Made | None], needs: CapabilityRequirements) -> Made | None:
    """Return what ``create`` makes, or None if the service does not accept it: other scenarios are about that."""
    before = len(needs.noted())
    try:
        return create()
    except (Outcome, AssertionError):
        return None
    finally:
        del needs.noted()[before:]
