"""The ages at which scenarios use resources that must age, by the step that needs them.

Each age leaves a margin on both sides for an inaccurate clock. The lifetimes come from the profile.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from airworthy.contract.limits import Lifetimes
from airworthy.target.ageing import AgedItem

# The tag of scenarios that need a resource of some age, and so may advance the clock or wait.
AGES: Final = "ages"


@dataclass(frozen=True, slots=True)
class Age:
    """The fraction of a lifetime after which a resource is used, and before which it must be used (None: no limit).

    ``is_known`` returns whether the profile gives the lifetime. If it does not, a run with a shorter ``--max-wait``
    uses the resource before that age.
    """

    lifetime: Callable[[Lifetimes], float]
    part: float
    latest: float | None = None
    is_known: Callable[[Lifetimes], bool] = lambda _: True

    def due(self, lifetimes: Lifetimes) -> float:
        """Return the seconds after which the resource is used."""
        return self.lifetime(lifetimes) * self.part

    def item(self, start: Callable[[], object], lifetimes: Lifetimes) -> AgedItem:
        """Return the item that ``start`` creates and that is used at this age."""
        latest = None if self.latest is None else self.lifetime(lifetimes) * self.latest
        return AgedItem(start, self.due(lifetimes), latest, required=self.is_known(lifetimes))


def _offer(lifetimes: Lifetimes) -> float:
    return lifetimes.offer_seconds


def _request_shortest(lifetimes: Lifetimes) -> float:
    return lifetimes.request_seconds_min


def _request_longest(lifetimes: Lifetimes) -> float:
    return lifetimes.request_seconds_max


def _locator(lifetimes: Lifetimes) -> float:
    return lifetimes.locator_seconds


def _schedule_change(lifetimes: Lifetimes) -> float:
    # Without this time in the profile, the suite checks when the record locator is due, for which it waits anyway.
    return lifetimes.schedule_change_seconds or lifetimes.locator_seconds


def _is_schedule_change_known(lifetimes: Lifetimes) -> bool:
    return lifetimes.schedule_change_seconds is not None


_REQUESTS: Final = {
    f"a booking request in {interface} made {when}": age
    for interface in ("v2", "v3")
    for when, age in (
        ("almost 3 minutes ago", Age(_request_shortest, 0.9, 0.98)),
        ("more than 5 minutes ago", Age(_request_longest, 1.05)),
    )
}
_BOOKINGS: Final = {
    f"a booking in {interface} made more than two hours ago": Age(_locator, 1.02) for interface in ("v2", "v3")
}
_SCHEDULE_CHANGES: Final = {
    f"a booking in {interface} whose schedule changed a while ago": Age(
        _schedule_change, 1.02, is_known=_is_schedule_change_known
    )
    for interface in ("v2", "v3")
}
BY_STEP: Final[Mapping[str, Age]] = MappingProxyType(
    {
        "an offer stored almost 30 minutes ago": Age(_offer, 0.95, 0.99),
        "an offer stored more than 30 minutes ago": Age(_offer, 1.03),
        "an order created in time from an offer stored more than 30 minutes ago": Age(_offer, 1.03),
        **_REQUESTS,
        **_BOOKINGS,
        **_SCHEDULE_CHANGES,
    }
)


def due(step: str, lifetimes: Lifetimes) -> float:
    """Return the seconds after which the resource of a step is used; 0 for a step that needs no age."""
    age = BY_STEP.get(step)
    return age.due(lifetimes) if age else 0.0
