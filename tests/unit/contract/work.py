"""Measure work by counting function calls, which does not depend on the machine."""

from collections.abc import Callable
from cProfile import Profile

GROWTH = 2.5
"""Twice the input may cost this many times the work."""


def count_calls(action: Callable[[], object]) -> int:
    """Return how many functions an action calls, in Python and in C."""
    profile = Profile()
    profile.runcall(action)
    return sum(each.callcount for each in profile.getstats())


def grows_linearly(action: Callable[[int], object], size: int) -> bool:
    """Return whether an action with an input of twice the size costs at most `GROWTH` times the work."""
    action(1)  # what is computed once is not counted
    return count_calls(lambda: action(2 * size)) <= GROWTH * count_calls(lambda: action(size))
