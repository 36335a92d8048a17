"""Strategies of random conversations, and the function that draws from them."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies

T = TypeVar("T")
Draw = Callable[[strategies.SearchStrategy[Any]], Any]
"""Draws a value of a strategy."""


def one_of(found: Sequence[T]) -> strategies.SearchStrategy[T]:
    """Return a strategy that draws one of the last resources of a conversation; the simplest choice is the newest."""
    return strategies.sampled_from(found[:-4:-1])


def mostly(usual: Any, *others: Any, times: int = 3) -> strategies.SearchStrategy[Any]:
    """Return a strategy that draws the usual value so many times as often as any other."""
    return strategies.sampled_from([*[usual] * times, *others])
