"""Keep large bodies out of memory."""

from mitmproxy import ctx
from mitmproxy.utils import human

from airworthy.contract.bodies.body import LARGEST
from proxy_addons.judge_control import ControlledAddon


class BodyLimits(ControlledAddon):
    """Streams bodies that are too large to be judged, unless the user has chosen another limit.

    Streaming forwards a request before it is judged. So in mode enforce with airworthy_on_error=block, nothing is
    streamed, and mitmproxy rejects what is too large: requests with status 413, responses with status 502.
    """

    _is_running = False

    def running(self) -> None:
        self._is_running = True
        self._limit()

    def configure(self, updated: set[str]) -> None:
        if self._is_running and updated & {"airworthy_mode", "airworthy_on_error"}:
            self._limit()

    def _limit(self) -> None:
        if self._control.blocks:
            chosen = human.parse_size(ctx.options.body_size_limit) or LARGEST
            ctx.options.update(stream_large_bodies=None, body_size_limit=str(min(chosen, LARGEST)))
        elif ctx.options.stream_large_bodies is None:
            ctx.options.stream_large_bodies = str(LARGEST)
