"""Strategies of random conversations, and the function that draws from them."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies

T = TypeVar("T")
Draw = Callable[[strategies.SearchStrategy[Any]], Any]
"""Draws a value of a strategy."""


def one_of(found: Sequence[T], state: Callable[[T], object]) -> strategies.SearchStrategy[T]:
    """Return a strategy that draws a state, and with it the newest resource of a conversation in that state."""
    return strategies.sampled_from(newest(found, state))


def newest(found: Sequence[T], state: Callable[[T], object]) -> list[T]:
    """Return the newest resource in each state, the newest of all first."""
    return list({state(each): each for each in found}.values())[::-1]


def mostly(usual: Any, *others: Any, times: int = 3) -> strategies.SearchStrategy[Any]:
    """Return a strategy that draws the usual value so many times as often as any other."""
    return strategies.sampled_from([*[usual] * times, *others])
