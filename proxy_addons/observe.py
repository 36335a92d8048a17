"""Have each exchange judged, without holding it unless its response shall show the findings."""

from mitmproxy import http, tcp, udp

from airworthy.proxy import responses
from airworthy.proxy.flows import raw_exchange
from airworthy.proxy.judge_process import NotJudgedError
from proxy_addons.enforce import BLOCKED
from proxy_addons.judge_control import ControlledAddon

WEBSOCKET = "a WebSocket connection"
TCP = "a TCP connection without HTTP"
UDP = "a UDP connection without HTTP"


class ObserveTraffic(ControlledAddon):
    """Hands every exchange to the judge and changes nothing; counts what cannot be judged."""

    async def response(self, flow: http.HTTPFlow) -> None:
        if self._control.mode != "annotate" and not flow.websocket and BLOCKED not in flow.metadata:
            await self._control.judge.observe(raw_exchange(flow), flow)

    async def error(self, flow: http.HTTPFlow) -> None:
        # An incomplete response is not judged, its request is.
        if BLOCKED not in flow.metadata and not flow.websocket:
            await self._control.judge.observe(raw_exchange(flow, with_response=False), flow)

    def websocket_start(self, flow: http.HTTPFlow) -> None:
        self._control.judge.summary.count_unreadable(WEBSOCKET)

    def tcp_start(self, flow: tcp.TCPFlow) -> None:
        self._control.judge.summary.count_unreadable(TCP)

    def udp_start(self, flow: udp.UDPFlow) -> None:
        self._control.judge.summary.count_unreadable(UDP)


class Annotate(ControlledAddon):
    """In mode annotate, holds each response until it is judged and adds a header to it; foreign traffic gets none."""

    async def response(self, flow: http.HTTPFlow) -> None:
        if self._control.mode != "annotate" or flow.websocket or flow.response is None:
            return
        try:
            result = await self._control.judge.judge(raw_exchange(flow), flow)
        except NotJudgedError:
            flow.response.headers[responses.HEADER] = responses.NOT_JUDGED
            return
        if not result.foreign:
            flow.response.headers[responses.HEADER] = responses.header_value(result.findings)
