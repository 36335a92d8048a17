"""Run addons in a context of mitmproxy, with a judge that needs no process."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from mitmproxy import http
from mitmproxy.test import taddons

from airworthy.contract import Exchange
from airworthy.proxy.judge_process import NotJudgedError
from airworthy.proxy.messages import Action, JudgeResult, JudgeTask, RawExchange
from airworthy.proxy.traffic_judge import TrafficJudge
from airworthy.traffic import Summary
from proxy_addons.judge_control import AirworthyJudgedHook, JudgeControl

from ..material import SETTINGS, flow, raw


class InProcessJudge:
    """Judges like the judge process, but at once; ``failing`` is the reason why it does not."""

    def __init__(self) -> None:
        self._judge = TrafficJudge(SETTINGS)
        self.exchanges: list[RawExchange] = []
        self.failing = ""

    @property
    def summary(self) -> Summary:
        return self._judge.monitor.summary

    async def observe(self, exchange: RawExchange, _: http.HTTPFlow) -> None:
        self._judged("observe", exchange)

    async def judge(self, exchange: RawExchange, _: http.HTTPFlow) -> JudgeResult:
        return self._judged("judge", exchange)

    async def screen(self, exchange: RawExchange, _: http.HTTPFlow) -> JudgeResult:
        return self._judged("screen", exchange)

    def _judged(self, action: Action, exchange: RawExchange) -> JudgeResult:
        self.exchanges.append(exchange)
        if self.failing:
            raise NotJudgedError(self.failing)
        return self._judge.judge(JudgeTask(1, action, exchange))


@contextmanager
def context(*addons: object, **options: object) -> Iterator[taddons.context]:
    """Yield a context with configured addons."""
    made = taddons.context(*addons)
    try:
        made.options.update(**options)
        yield made
    finally:
        # The context created an event loop and a log handler.
        made.master._legacy_log_events.uninstall()
        made.master.event_loop.close()


def controlled() -> tuple[JudgeControl, InProcessJudge]:
    """Return the addon that controls the judge, and the judge that it controls."""
    control, judge = JudgeControl(), InProcessJudge()
    control.judge = judge  # type: ignore[assignment]
    return control, judge


def judged_event(exchange: Exchange, *, as_seen: RawExchange | None = None) -> AirworthyJudgedHook:
    """Return the event that reports what the judge found in an exchange, or in what it saw of that."""
    task = JudgeTask(1, "observe", as_seen or raw(exchange))
    return AirworthyJudgedHook(flow(exchange), TrafficJudge(SETTINGS).judge(task))


def reported(exchange: Exchange, *addons: object, as_seen: RawExchange | None = None) -> http.HTTPFlow:
    """Return the flow of an exchange after addons have received what the judge found in it."""
    event = judged_event(exchange, as_seen=as_seen)
    with context(*addons) as made:
        made.master.addons.trigger(event)
    return event.flow


def run(hook: Coroutine[Any, Any, None]) -> None:
    asyncio.run(hook)
