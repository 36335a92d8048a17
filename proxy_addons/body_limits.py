"""Keep large bodies out of memory."""

from collections.abc import Generator
from typing import Any

from mitmproxy import addonmanager, ctx
from mitmproxy.proxy.layers.http import HttpStream
from mitmproxy.utils import human

from airworthy.contract.body import LARGEST
from proxy_addons.judge_control import JudgeControl

_check_body_size = HttpStream.check_body_size


class BodyLimits:
    """Streams bodies that are too large to be judged, unless the user has chosen another limit.

    Streaming forwards a request before it is judged. So in mode enforce with airworthy_on_error=block, a larger request
    gets status 413 instead. mitmproxy's option body_size_limit does that, but for responses as well, so the limit is
    set while mitmproxy checks a request.
    """

    def __init__(self, control: JudgeControl) -> None:
        self._control = control

    def load(self, loader: addonmanager.Loader) -> None:
        if ctx.options.stream_large_bodies is None:
            ctx.options.stream_large_bodies = str(LARGEST)
        control = self._control

        def check(stream: HttpStream, request: bool) -> Generator[Any, Any, bool]:
            options = stream.context.options
            if not (request and control.blocks):
                return (yield from _check_body_size(stream, request))
            stream.context.options = _RequestOptions(options)  # type: ignore[assignment]
            try:
                return (yield from _check_body_size(stream, request))
            finally:
                stream.context.options = options

        HttpStream.check_body_size = check  # type: ignore[method-assign, assignment]

    def done(self) -> None:
        HttpStream.check_body_size = _check_body_size  # type: ignore[method-assign]


class _RequestOptions:
    """mitmproxy's options, except that a request is not streamed and has at most the size that can be judged."""

    stream_large_bodies = None

    def __init__(self, options: Any) -> None:  # noqa: ANN401  mitmproxy's options are not typed
        self._options = options
        chosen = human.parse_size(options.body_size_limit)
        self.body_size_limit = str(min(LARGEST, chosen or LARGEST))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._options, name)
