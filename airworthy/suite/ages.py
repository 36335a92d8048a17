"""The ages at which scenarios use resources that must age, by the step that needs them.

Each age leaves a margin on both sides for an inaccurate clock. The lifetimes come from the profile.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from airworthy.contract.conversation.limits import Lifetimes
from airworthy.target.ageing import AgedItem, duration

# An offer that lives for a minute more or less than documented is noticed.
_A_MINUTE_OFF: Final = 45.0

# The tag of scenarios that need a resource of some age, and so may advance the clock or wait.
AGES: Final = "ages"


@dataclass(frozen=True, slots=True)
class Age:
    """The fraction of a lifetime after which a resource is used, and before which it must be used (None: no limit).

    ``most`` is the largest distance in seconds between the use and the end of the lifetime.
    ``documented`` is the lifetime in the words of the step, which are those of the documents; None if the step names
    none. ``is_known`` returns whether the profile gives the lifetime. If it does not, a run with a shorter
    ``--max-wait`` uses the resource before that age. ``over_midnight``: with a clock, its age includes midnight.
    """

    lifetime: Callable[[Lifetimes], float]
    documented: str | None
    part: float
    latest: float | None = None
    is_known: Callable[[Lifetimes], bool] = lambda _: True
    most: float = math.inf
    over_midnight: bool = False

    def due(self, lifetimes: Lifetimes) -> float:
        """Return the seconds after which the resource is used."""
        lifetime = self.lifetime(lifetimes)
        distance = min(abs(self.part - 1) * lifetime, self.most)
        return lifetime + math.copysign(distance, self.part - 1)


_OFFER: Final = attrgetter("offer_seconds")
_OF_V4: Final = {
    "an offer stored almost 30 minutes ago": Age(_OFFER, "30 minutes", 0.95, 0.99, most=_A_MINUTE_OFF),
    "a round-trip offer stored almost 30 minutes ago": Age(_OFFER, "30 minutes", 0.95, 0.99, most=_A_MINUTE_OFF),
    "an offer stored more than 30 minutes ago": Age(_OFFER, "30 minutes", 1.03, most=_A_MINUTE_OFF, over_midnight=True),
    "a round-trip offer stored more than 30 minutes ago": Age(_OFFER, "30 minutes", 1.03, most=_A_MINUTE_OFF),
    "an order created in time from an offer stored more than 30 minutes ago": Age(_OFFER, "30 minutes", 1.03),
    "an order booked in time from an offer stored more than 30 minutes ago": Age(_OFFER, "30 minutes", 1.03),
}
_EXPIRED: Final = Age(attrgetter("request_seconds_max"), "5 minutes", 1.05)
_PENDING: Final = Age(attrgetter("request_seconds_min"), "3 minutes", 0.9, 0.98)
_OF_V3_AND_V2: Final = {
    "a booking request in {} made almost 3 minutes ago": _PENDING,
    "another booking request in {} made almost 3 minutes ago": _PENDING,
    "two booking requests in {} made almost 3 minutes ago": _PENDING,
    "a booking request in v3 to be cancelled made almost 3 minutes ago": _PENDING,
    "a booking request in {} made more than 5 minutes ago": replace(_EXPIRED, over_midnight=True),
    "another booking request in v3 made more than 5 minutes ago": _EXPIRED,
    "two booking requests in {} made more than 5 minutes ago": _EXPIRED,
    "booking requests in {} that held all seats of a flight almost 3 minutes ago": _PENDING,
    "booking requests in {} that held all seats of a flight more than 5 minutes ago": _EXPIRED,
    "a booking in {} made more than two hours ago": Age(
        attrgetter("locator_seconds"), "two hours", 1.02, over_midnight=True
    ),
    "a booking in {} whose schedule changed a while ago": Age(
        # Without this time in the profile, the suite checks when the record locator is due, for which it waits anyway.
        lambda lifetimes: lifetimes.schedule_change_seconds or lifetimes.locator_seconds,
        None,
        1.02,
        is_known=lambda lifetimes: lifetimes.schedule_change_seconds is not None,
    ),
}
BY_STEP: Final[Mapping[str, Age]] = _OF_V4 | {
    step.format(each): age for step, age in _OF_V3_AND_V2.items() for each in ("v2", "v3")
}


def item(step: str, start: Callable[[], object], lifetimes: Lifetimes) -> AgedItem:
    """Return the item of a step, which ``start`` creates. Its description has the lifetime of the profile, if set."""
    age = BY_STEP[step]
    lifetime = age.lifetime(lifetimes)
    latest = None if age.latest is None else lifetime * age.latest
    description = step
    if age.documented and lifetime != age.lifetime(Lifetimes()):
        description = step.replace(age.documented, duration(lifetime))
    return AgedItem(start, age.due(lifetimes), latest, age.is_known(lifetimes), age.over_midnight, description)


def due(step: str, lifetimes: Lifetimes) -> float:
    """Return the seconds after which the resource of a step is used; 0 for a step that needs no age."""
    age = BY_STEP.get(step)
    return age.due(lifetimes) if age else 0.0


def steps_of(versions: Collection[str]) -> tuple[str, ...]:
    """Return the steps that need an item of some age in interfaces. Those of v4 do not name their interface."""
    interfaces = {step: next((each for each in ("v2", "v3") if f" in {each} " in step), "v4") for step in BY_STEP}
    return tuple(step for step, interface in interfaces.items() if interface in versions)


def longest_wait(steps: Iterable[str], lifetimes: Lifetimes, max_wait: float | None) -> float:
    """Return how many seconds a run without a clock waits: those of its longest item that ``max_wait`` permits."""
    waits = (due(step, lifetimes) for step in steps)
    return max((wait for wait in waits if max_wait is None or wait <= max_wait), default=0.0)
