"""Log findings, exchanges and failed connections, one line each, without what is private in them."""

import logging
import os
import re
from collections import Counter
from typing import Final

from mitmproxy import connection, ctx, http, tls
from mitmproxy.log import ALERT
from mitmproxy.proxy.server_hooks import ServerConnectionHookData
from mitmproxy.utils import human

from airworthy.contract import Contract
from airworthy.contract.http.exchange import three_digits
from airworthy.contract.http.operations import SERVED
from airworthy.proxy.flows import raw_exchange
from airworthy.proxy.messages import JudgeResult
from airworthy.text import printable
from airworthy.traffic.naming import operation_name
from proxy_addons.judge_control import ControlledAddon

ALWAYS: Final = 3
MOST_KINDS: Final = 10_000
_OTHER_KINDS: Final = ("", "", "", "")
_ERROR_NUMBER: Final = re.compile(r"\[Errno (\d+)\]")

logger = logging.getLogger(__name__)


class LogFindings:
    """Logs each kind of finding the first three times, then the 10th, 100th, 1000th time, and so on."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str, str, str]] = Counter()

    def airworthy_judged(self, flow: http.HTTPFlow, result: JudgeResult) -> None:
        for finding, line in zip(result.findings, result.lines, strict=True):
            known = finding.key in self._counts or len(self._counts) < MOST_KINDS
            key = finding.key if known else _OTHER_KINDS
            self._counts[key] += 1
            if is_logged(self._counts[key]):
                serious = finding.kind == "violation" and not finding.soft
                logger.log(logging.WARNING if serious else logging.INFO, line + _repetition(self._counts[key]))
        if result.progress:
            logger.log(ALERT, result.progress)


def is_logged(count: int) -> bool:
    """Return whether the log shows a finding that occurs for the ``count``-th time."""
    return count <= ALWAYS or str(count).rstrip("0") == "1"


def _repetition(count: int) -> str:
    if count < ALWAYS:
        return ""
    return f" ({count} times so far; logged again at {10 ** len(str(count))})"


class LogFlows(ControlledAddon):
    """Replaces mitmdump's lines about exchanges, which show whole URLs: keys, names and card numbers included.

    mitmdump's option flow_detail turns the lines off (0) or on.
    """

    def running(self) -> None:
        if dumper := ctx.master.addons.get("dumper"):
            ctx.master.addons.remove(dumper)

    def response(self, flow: http.HTTPFlow) -> None:
        if _is_on() and flow.response:
            size = human.pretty_size(len(flow.response.raw_content or b""))
            logger.info(f"{self._operation(flow)} {three_digits(flow.response.status_code)}, {size}")

    def error(self, flow: http.HTTPFlow) -> None:
        if _is_on():
            logger.info(f"{self._operation(flow)} without a response")

    def _operation(self, flow: http.HTTPFlow) -> str:
        exchange = raw_exchange(flow, with_response=False)
        resolved = Contract.load(SERVED, self._control.settings.service).resolve(exchange.method, exchange.url)
        return operation_name(resolved) if resolved else f"another service: {printable(flow.request.host)}"


def _is_on() -> bool:
    # Only mitmdump has the option.
    return "flow_detail" in ctx.options and ctx.options.flow_detail > 0


class LogConnections:
    """Logs why the service or the payment provider cannot be reached; a client sees only a closed connection.

    It logs each reason as often as `LogFindings` logs a finding, because clients try again."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def server_connect_error(self, data: ServerConnectionHookData) -> None:
        error = data.server.error or ""
        number = _ERROR_NUMBER.search(error)
        reason = os.strerror(int(number[1])) if number else error
        self._log(data.server, f"cannot be reached ({reason}); start the service, or correct the URL")

    def tls_failed_server(self, data: tls.TlsData) -> None:
        self._log(
            data.conn,
            f"cannot be reached by TLS ({data.conn.error}); correct the URL, or name its authority with --ca-bundle",
        )

    def _log(self, server: connection.Connection, problem: str) -> None:
        address = server.address if isinstance(server, connection.Server) else None
        line = printable(f"{human.format_address(address)} {problem}")
        self._counts[line] += 1
        if is_logged(self._counts[line]):
            logger.warning(line)
