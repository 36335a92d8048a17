"""Reject requests that violate the contract before they reach the service."""

import logging
from collections.abc import Sequence
from http import HTTPStatus

from mitmproxy import addonmanager, exceptions, http, tcp, udp

from airworthy.contract import Finding
from airworthy.proxy import responses
from airworthy.proxy.flows import raw_exchange
from airworthy.proxy.judge_process import NotJudgedError
from airworthy.proxy.traffic_judge import is_blocking
from proxy_addons.judge_control import ControlledAddon, validated_choice

BLOCKED = "airworthy_blocked"
ON_ERROR = {
    "pass": "Requests that cannot be judged are forwarded (airworthy_on_error=pass)",
    "block": "The proxy forwards only documented requests that conform (airworthy_on_error=block)",
}

logger = logging.getLogger(__name__)


class Enforce(ControlledAddon):
    """In mode enforce, rejects a request that violates the contract with a problem document (RFC 9457)."""

    def load(self, loader: addonmanager.Loader) -> None:
        loader.add_option(
            "airworthy_on_error",
            str,
            "pass",
            """
            What happens to a request in mode enforce that has no violation, but is not documented or cannot be judged.
            pass: it is forwarded. block: the proxy rejects it; airworthy_base_urls must name the service.
            """,
            choices=list(ON_ERROR),
        )

    def configure(self, updated: set[str]) -> None:
        self._control.on_error = validated_choice("airworthy_on_error", ON_ERROR)
        if self._control.blocks and not self._control.settings.service.base_urls:
            raise exceptions.OptionsError(
                "airworthy_on_error: block needs the service; name it with airworthy_base_urls or airworthy_profile"
            )

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
            if self._control.blocks:
                self._control.judge.summary.count_unreadable(f"rejected without being judged: {error}")
                status = HTTPStatus.SERVICE_UNAVAILABLE
                _respond(flow, "The request could not be judged", str(error), status=status)
            return
        if result.blocked:
            first = next(filter(is_blocking, result.findings))
            title, detail = "The request violates the contract", f"{first.message} [{first.rule}]"
            _respond(flow, title, detail, result.findings)
        elif result.refusal and self._control.blocks:
            self._control.judge.summary.count_unreadable(f"rejected: {result.refusal}")
            _respond(flow, "Only documented requests that conform are forwarded", result.refusal)

    def tcp_message(self, flow: tcp.TCPFlow | udp.UDPFlow) -> None:
        """Discard what a connection without HTTP transfers: mitmproxy cannot close one."""
        if self._control.blocks:
            flow.messages[-1].content = b""

    udp_message = tcp_message


def _respond(
    flow: http.HTTPFlow,
    title: str,
    detail: str,
    findings: Sequence[Finding] = (),
    *,
    status: HTTPStatus = HTTPStatus.BAD_REQUEST,
) -> None:
    flow.metadata[BLOCKED] = True
    problem = responses.problem_document(status, title, detail, flow.id, filter(is_blocking, findings))
    header = responses.header_value(findings) if findings else responses.NOT_JUDGED
    headers = {"Content-Type": responses.PROBLEM, "Cache-Control": "no-store", responses.HEADER: header}
    flow.response = http.Response.make(status, problem, headers)
