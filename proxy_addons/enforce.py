"""Reject requests that violate the contract before they reach the service."""

import logging

from mitmproxy import addonmanager, http, tcp, udp

from airworthy.proxy import responses
from airworthy.proxy.flows import raw_exchange
from airworthy.proxy.judge_process import NotJudgedError
from proxy_addons.judge_control import JudgeControl, validated_choice

BLOCKED = "airworthy_blocked"
ON_ERROR = {
    "pass": "Requests that cannot be judged are forwarded (airworthy_on_error=pass)",
    "block": "The proxy rejects requests that cannot be judged (airworthy_on_error=block)",
}

logger = logging.getLogger(__name__)


class Enforce:
    """In mode enforce, rejects a request that violates the contract with a problem document (RFC 9457)."""

    def __init__(self, control: JudgeControl) -> None:
        self._control = control

    def load(self, loader: addonmanager.Loader) -> None:
        loader.add_option(
            "airworthy_on_error",
            str,
            "pass",
            """
            What happens to a request in mode enforce that cannot be judged, because of what it is or because the judge
            fails. pass: it is forwarded. block: the proxy rejects it.
            """,
            choices=list(ON_ERROR),
        )

    def configure(self, updated: set[str]) -> None:
        self._control.on_error = validated_choice("airworthy_on_error", ON_ERROR)

    def running(self) -> None:
        if self._control.mode == "enforce":
            logger.info(ON_ERROR[self._control.on_error])

    def requestheaders(self, flow: http.HTTPFlow) -> None:
        if self._control.blocks:
            # A request that is streamed reaches the service before it is judged.
            flow.request.stream = False

    async def request(self, flow: http.HTTPFlow) -> None:
        if self._control.mode != "enforce" or flow.response or flow.error or not flow.live:
            return
        if flow.request.stream:
            # It has already been forwarded.
            return
        try:
            result = await self._control.judge.screen(raw_exchange(flow, with_response=False), flow)
        except NotJudgedError as error:
            self._reject_if_not_judged(flow, str(error))
            return
        if result.blocked:
            header = responses.header_value(result.findings)
            _respond(flow, responses.BAD_REQUEST, responses.violation_problem(result.findings, flow.id), header)
        elif result.unclear:
            self._reject_if_not_judged(flow, result.unclear)

    def tcp_message(self, flow: tcp.TCPFlow) -> None:
        self._discard(flow)

    def udp_message(self, flow: udp.UDPFlow) -> None:
        self._discard(flow)

    def _reject_if_not_judged(self, flow: http.HTTPFlow, reason: str) -> None:
        if self._control.blocks:
            self._control.judge.summary.count_unreadable(f"rejected without being judged: {reason}")
            problem = responses.not_judged_problem(reason, flow.id)
            _respond(flow, responses.UNAVAILABLE, problem, responses.NOT_JUDGED)

    def _discard(self, flow: tcp.TCPFlow | udp.UDPFlow) -> None:
        """Discard what a connection without HTTP transfers: mitmproxy cannot close one."""
        if self._control.blocks:
            flow.messages[-1].content = b""


def _respond(flow: http.HTTPFlow, status: int, problem: bytes, header: str) -> None:
    flow.metadata[BLOCKED] = True
    flow.response = http.Response.make(
        status, problem, {"Content-Type": responses.PROBLEM, "Cache-Control": "no-store", responses.HEADER: header}
    )
