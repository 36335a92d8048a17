"""Shows mitmproxy several addons as one."""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from mitmproxy import hooks

Visit = Callable[..., Any]


class Together:
    """Has the hooks and commands of its parts, and passes each event to those that listen to it, in their order.

    mitmproxy looks into every addon for every event, and there are eight in an exchange: nine addons cost 0.04 ms of
    it, most of them for events that they do not listen to.
    """

    def __init__(self, *parts: object) -> None:
        for name in hooks.all_hooks:
            if visits := [visit for part in parts if (visit := getattr(part, name, None))]:
                setattr(self, name, visits[0] if len(visits) == 1 else _one_after_the_other(visits))
        for part in parts:
            for name, member in inspect.getmembers(part, lambda each: hasattr(each, "command_name")):
                setattr(self, name, member)


def _one_after_the_other(visits: Sequence[Visit]) -> Visit:
    def together(*event: Any) -> None:  # noqa: ANN401  whatever the event tells
        for visit in visits:
            visit(*event)

    async def together_in_time(*event: Any) -> None:  # noqa: ANN401
        for visit in visits:
            told = visit(*event)
            if isinstance(told, Awaitable):
                await told

    # mitmproxy refuses what has to be awaited where it cannot wait.
    return together_in_time if any(inspect.iscoroutinefunction(visit) for visit in visits) else together
