"""Show the go-live list on a page while the proxy runs."""

import logging

from mitmproxy import addonmanager, ctx
from mitmproxy.log import ALERT

from airworthy.proxy.live_page import LivePage
from airworthy.traffic.page import render_live
from proxy_addons.judge_control import JudgeControl

logger = logging.getLogger(__name__)


class GoLivePage:
    """Serves the page on a port of the loopback address."""

    def __init__(self, control: JudgeControl) -> None:
        self._control = control
        self._page: LivePage | None = None

    def load(self, loader: addonmanager.Loader) -> None:
        loader.add_option(
            "airworthy_golive_port",
            int,
            0,
            "Port of the loopback address for a page with the progress on the go-live list; 0 for none.",
        )

    def running(self) -> None:
        port = ctx.options.airworthy_golive_port
        if not port:
            return
        try:
            self._page = LivePage(port, lambda: render_live(self._control.judge.summary.golive, self._control.subject))
        except (OSError, OverflowError) as error:
            logger.error(f"airworthy_golive_port: {port}: {getattr(error, 'strerror', None) or error}")  # noqa: TRY400 - one line
        else:
            logger.log(ALERT, f"Go-live list at {self._page.url}")

    def done(self) -> None:
        if self._page:
            self._page.close()
