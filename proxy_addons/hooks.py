"""The event that the judge has found something in a flow; any addon can listen to it."""

from dataclasses import dataclass

from mitmproxy import hooks, http

from airworthy.proxy.wire import Verdict


@dataclass
class AirworthyVerdictHook(hooks.Hook):
    """The judge has something to say of a flow. Its response may have been forwarded long ago."""

    name = "airworthy_verdict"
    flow: http.HTTPFlow
    verdict: Verdict
