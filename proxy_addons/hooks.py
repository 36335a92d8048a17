"""The event that the judge has found something in a flow; any addon can handle it."""

from dataclasses import dataclass

from mitmproxy import hooks, http

from airworthy.proxy.messages import JudgeResult


@dataclass
class AirworthyJudgedHook(hooks.Hook):
    """A flow has findings, or advanced the go-live list. Its response may already have been forwarded."""

    name = "airworthy_judged"
    flow: http.HTTPFlow
    result: JudgeResult
