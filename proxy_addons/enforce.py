"""Reject requests that violate the contract before they reach the service."""

import logging

from mitmproxy import addonmanager, http

from airworthy.proxy import responses
from airworthy.proxy.flows import raw_exchange
from airworthy.proxy.judge_process import NotJudgedError
from proxy_addons.judge_control import JudgeControl, validated_choice

BLOCKED = "airworthy_blocked"
ON_ERROR = {
    "pass": "If the judge fails, requests are forwarded without being judged (airworthy_on_error=pass)",
    "block": "If the judge fails, the proxy rejects requests with status 503 (airworthy_on_error=block)",
}

logger = logging.getLogger(__name__)


class Enforce:
    """In mode enforce, rejects a request that violates the contract with a problem document (RFC 9457)."""

    def __init__(self, control: JudgeControl) -> None:
        self._control = control
        self._on_error = "pass"

    def load(self, loader: addonmanager.Loader) -> None:
        loader.add_option(
            "airworthy_on_error",
            str,
            "pass",
            """
            What happens to a request in mode enforce if the judge fails. pass: it is forwarded without being judged.
            block: the proxy rejects it with status 503.
            """,
            choices=list(ON_ERROR),
        )

    def configure(self, updated: set[str]) -> None:
        self._on_error = validated_choice("airworthy_on_error", ON_ERROR)

    def running(self) -> None:
        if self._control.mode == "enforce":
            logger.info(ON_ERROR[self._on_error])

    async def request(self, flow: http.HTTPFlow) -> None:
        if self._control.mode != "enforce" or flow.response or flow.error or not flow.live:
            return
        if flow.request.stream:
            # It has already been forwarded.
            return
        try:
            result = await self._control.judge.screen(raw_exchange(flow, with_response=False), flow)
        except NotJudgedError as error:
            if self._on_error == "block":
                self._control.judge.summary.count_unreadable(f"rejected without being judged: {error}")
                problem = responses.not_judged_problem(str(error), flow.id)
                _respond(flow, responses.UNAVAILABLE, problem, responses.NOT_JUDGED)
            return
        if result.blocked:
            header = responses.header_value(result.findings)
            _respond(flow, responses.BAD_REQUEST, responses.violation_problem(result.findings, flow.id), header)


def _respond(flow: http.HTTPFlow, status: int, problem: bytes, header: str) -> None:
    flow.metadata[BLOCKED] = True
    flow.response = http.Response.make(
        status, problem, {"Content-Type": responses.PROBLEM, "Cache-Control": "no-store", responses.HEADER: header}
    )
