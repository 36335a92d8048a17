"""What the addons are tested with: a context of mitmproxy's, and a judge without a process."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from mitmproxy import http
from mitmproxy.test import taddons

from airworthy.proxy.judge import Judge
from airworthy.proxy.process import NoVerdictError
from airworthy.proxy.wire import Case, Verdict, Wire
from airworthy.traffic import Summary
from proxy_addons.hooks import AirworthyVerdictHook
from proxy_addons.judging import Judging

from ..material import SETTINGS


class JudgeAtHand:
    """Judges as the process does, at once; ``failing`` is why it does not."""

    def __init__(self) -> None:
        self._judge = Judge(SETTINGS)
        self.wires: list[Wire] = []
        self.failing = ""

    @property
    def summary(self) -> Summary:
        return self._judge.watch.summary

    async def see(self, wire: Wire, _: http.HTTPFlow) -> None:
        self._hear(Case(1, "see", wire))

    async def tell(self, wire: Wire, _: http.HTTPFlow) -> Verdict:
        return self._hear(Case(1, "tell", wire))

    async def weigh(self, wire: Wire, _: http.HTTPFlow) -> Verdict:
        return self._hear(Case(1, "weigh", wire))

    def _hear(self, case: Case) -> Verdict:
        self.wires.append(case.wire)
        if self.failing:
            raise NoVerdictError(self.failing)
        return self._judge.hear(case)


@contextmanager
def context(*addons: object, **options: object) -> Iterator[taddons.context]:
    """A context with addons that are configured."""
    made = taddons.context(*addons)
    try:
        made.options.update(**options)
        yield made
    finally:
        # It has made a loop where none runs, and listens to the log.
        made.master._legacy_log_events.uninstall()
        made.master.event_loop.close()


def judging() -> tuple[Judging, JudgeAtHand]:
    """The addon that has a judge at hand, with one that needs no process."""
    made, judge = Judging(), JudgeAtHand()
    made.judge = judge  # type: ignore[assignment]
    return made, judge


def verdict_on(flow: http.HTTPFlow, wire: Wire) -> AirworthyVerdictHook:
    """The event of what the judge finds."""
    return AirworthyVerdictHook(flow, Judge(SETTINGS).hear(Case(1, "see", wire)))


def run(hook: Coroutine[Any, Any, None]) -> None:
    """Run a hook to its end."""
    asyncio.run(hook)
