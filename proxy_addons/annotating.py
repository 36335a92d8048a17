"""Tells the client in a header of each answer what was found."""

from mitmproxy import http

from airworthy.proxy import words
from airworthy.proxy.flows import wire_of
from airworthy.proxy.process import NoVerdictError
from proxy_addons.judging import Judging


class Annotating:
    """Holds an answer until it is judged, and adds a short header; traffic that is not the service's gets none."""

    def __init__(self, judging: Judging) -> None:
        self._judging = judging

    async def response(self, flow: http.HTTPFlow) -> None:
        if self._judging.mode != "annotate" or flow.websocket or flow.response is None:
            return
        try:
            verdict = await self._judging.judge.tell(wire_of(flow), flow)
        except NoVerdictError:
            flow.response.headers[words.HEADER] = words.NOT_JUDGED
            return
        if not verdict.foreign:
            flow.response.headers[words.HEADER] = words.header_value(verdict.findings)
