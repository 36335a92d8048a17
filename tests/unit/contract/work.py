"""Measure work by counting function calls, which does not depend on the machine."""

import sys
from collections.abc import Callable
from types import FrameType

GROWTH = 2.5
"""Twice the input may cost this many times the work."""


def count_calls(action: Callable[[], object]) -> int:
    """Return how many functions an action calls, in Python and in C."""
    count = 0

    def counting(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counting)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


def grows_linearly(action: Callable[[int], object], size: int) -> bool:
    """Return whether an action with an input of twice the size costs at most `GROWTH` times the work."""
    action(1)  # what is computed once is not counted
    return count_calls(lambda: action(2 * size)) <= GROWTH * count_calls(lambda: action(size))
