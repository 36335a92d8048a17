"""Log one line for each exchange that contains nothing of its URL or bodies."""

import logging

from mitmproxy import ctx, http
from mitmproxy.utils import human

from airworthy.contract import Contract
from airworthy.contract.http.exchange import three_digits
from airworthy.contract.http.operations import SERVED
from airworthy.proxy.flows import raw_exchange
from airworthy.text import printable
from airworthy.traffic.naming import operation_name
from proxy_addons.judge_control import JudgeControl

logger = logging.getLogger(__name__)


class LogFlows:
    """Replaces mitmdump's lines about exchanges, which show whole URLs: keys, names and card numbers included.

    mitmdump's option flow_detail turns the lines off (0) or on.
    """

    def __init__(self, control: JudgeControl) -> None:
        self._control = control

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
        resolved = Contract.load(SERVED, self._control.service).resolve(exchange.method, exchange.url)
        return operation_name(resolved) if resolved else f"another service: {printable(flow.request.host)}"


def _is_on() -> bool:
    # Only mitmdump has the option.
    return "flow_detail" in ctx.options and ctx.options.flow_detail > 0
