"""Puts each exchange to the judge and forwards it at once; what cannot be judged is counted."""

from mitmproxy import http, tcp, udp

from airworthy.proxy.flows import wire_of
from proxy_addons.enforcing import BLOCKED
from proxy_addons.judging import Judging

WEBSOCKET = "a WebSocket, which is no exchange of the service"
TCP = "a TCP connection that is not HTTP"
UDP = "UDP that is not HTTP"


class Observing:
    """Sees everything and touches nothing."""

    def __init__(self, judging: Judging) -> None:
        self._judging = judging

    async def response(self, flow: http.HTTPFlow) -> None:
        if self._judging.mode != "annotate" and not flow.websocket and BLOCKED not in flow.metadata:
            await self._judging.judge.see(wire_of(flow), flow)

    async def error(self, flow: http.HTTPFlow) -> None:
        # An answer that broke off is none.
        if BLOCKED not in flow.metadata and not flow.websocket:
            await self._judging.judge.see(wire_of(flow, answered=False), flow)

    def websocket_start(self, flow: http.HTTPFlow) -> None:
        self._judging.judge.summary.count_unreadable(WEBSOCKET)

    def tcp_start(self, flow: tcp.TCPFlow) -> None:
        self._judging.judge.summary.count_unreadable(TCP)

    def udp_start(self, flow: udp.UDPFlow) -> None:
        self._judging.judge.summary.count_unreadable(UDP)
