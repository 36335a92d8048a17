"""Keeps requests that break the contract from the service."""

import logging

from mitmproxy import addonmanager, http

from airworthy.proxy import words
from airworthy.proxy.flows import wire_of
from airworthy.proxy.process import NoVerdictError
from proxy_addons.judging import Judging, chosen

BLOCKED = "airworthy_blocked"
ON_ERROR = {
    "pass": "where the judge fails, requests go on unjudged (airworthy_on_error=pass)",
    "block": "where the judge fails, requests are answered 503 here (airworthy_on_error=block)",
}


class Enforcing:
    """Answers a request that surely breaks the contract with a problem document (RFC 9457)."""

    def __init__(self, judging: Judging) -> None:
        self._judging = judging
        self._on_error = "pass"

    def load(self, loader: addonmanager.Loader) -> None:
        loader.add_option(
            "airworthy_on_error",
            str,
            "pass",
            """
            What becomes of a request in mode enforce when the judge itself fails. pass: it goes on unjudged. block: it
            is answered 503 by the proxy.
            """,
            choices=list(ON_ERROR),
        )

    def configure(self, updated: set[str]) -> None:
        self._on_error = chosen("airworthy_on_error", ON_ERROR)

    def running(self) -> None:
        if self._judging.mode == "enforce":
            logging.info(ON_ERROR[self._on_error])

    async def request(self, flow: http.HTTPFlow) -> None:
        if self._judging.mode != "enforce" or flow.response or flow.error or not flow.live:
            return
        if flow.request.stream:
            # It has gone on already.
            return
        try:
            verdict = await self._judging.judge.weigh(wire_of(flow, answered=False), flow)
        except NoVerdictError as error:
            if self._on_error == "block":
                self._judging.judge.summary.count_unreadable(f"blocked unjudged: {error}")
                _answer(flow, words.UNAVAILABLE, words.unjudged(str(error), flow.id), words.NOT_JUDGED)
            return
        if verdict.blocked:
            header = words.header_value(verdict.findings)
            _answer(flow, words.BAD_REQUEST, words.refusal(verdict.findings, flow.id), header)


def _answer(flow: http.HTTPFlow, status: int, problem: bytes, header: str) -> None:
    flow.metadata[BLOCKED] = True
    flow.response = http.Response.make(
        status, problem, {"Content-Type": words.PROBLEM, "Cache-Control": "no-store", words.HEADER: header}
    )
