"""Report findings in a response header."""

from mitmproxy import http

from airworthy.proxy import responses
from airworthy.proxy.flows import raw_exchange
from airworthy.proxy.judge_process import NotJudgedError
from proxy_addons.judge_control import JudgeControl


class Annotate:
    """In mode annotate, holds each response until it is judged and adds a header to it; foreign traffic gets none."""

    def __init__(self, control: JudgeControl) -> None:
        self._control = control

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
