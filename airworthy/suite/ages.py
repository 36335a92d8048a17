"""Where the steps say what must age, and for how long, so that it can be started before anything else.

::

    @must_age("an offer stored more than 30 minutes ago", due=lambda lifetimes: lifetimes.offer_seconds * 1.02)
    def _expired_offer(desk: Desk) -> Stored:
        return desk.store(Wanted())

    @given("an offer stored more than 30 minutes ago", target_fixture="stored")
    def _(ageing: Ageing) -> object:
        return ageing.aged("an offer stored more than 30 minutes ago")
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from airworthy.target.ageing import Thing
from airworthy.target.profile import Lifetimes

Seconds = Callable[[Lifetimes], float]
Start = TypeVar("Start", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class Ageing:
    """How something that must age is started (with fixtures of the session), and when it is looked at."""

    start: Callable[..., object]
    due: Seconds
    latest: Seconds | None


_KNOWN: Final[dict[str, Ageing]] = {}


def must_age(step: str, *, due: Seconds, latest: Seconds | None = None) -> Callable[[Start], Start]:
    """Register what makes a thing that the step named ``step`` asks for.

    ``due`` and ``latest`` give seconds after it was made, from the target's lifetimes. The decorated function's
    arguments are fixtures of the session. Its scenarios are tagged ``@ages``.
    """

    def register(start: Start) -> Start:
        _KNOWN[step] = Ageing(start, due, latest)
        return start

    return register


def due_times(lifetimes: Lifetimes) -> dict[str, float]:
    """Return when each known thing is due, in seconds after its start."""
    return {step: ageing.due(lifetimes) for step, ageing in _KNOWN.items()}


def things(steps: Iterable[str], lifetimes: Lifetimes, fixture: Callable[[str], Any]) -> Mapping[str, Thing]:
    """Return the things that some steps ask for, the first due first; ``fixture`` gets a fixture's value."""
    wanted = set(steps)
    made = {
        step: Thing(
            start=_bound(ageing.start, fixture),
            due=ageing.due(lifetimes),
            latest=ageing.latest(lifetimes) if ageing.latest else None,
        )
        for step, ageing in _KNOWN.items()
        if step in wanted
    }
    return dict(sorted(made.items(), key=lambda item: item[1].due))


def _bound(start: Callable[..., object], fixture: Callable[[str], Any]) -> Callable[[], object]:
    return lambda: start(**{name: fixture(name) for name in inspect.signature(start).parameters})
