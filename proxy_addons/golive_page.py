"""Show the go-live list on a page while the proxy runs."""

import logging
from collections.abc import Collection, Iterator
from urllib.parse import urlsplit

from mitmproxy import addonmanager, ctx
from mitmproxy.log import ALERT
from mitmproxy.utils import human

from airworthy.proxy.live_page import HOST, LivePage
from airworthy.target.urls import origin_of, send_to
from airworthy.traffic.page import render_live
from proxy_addons.judge_control import ControlledAddon

_EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 - nothing listens because of it

logger = logging.getLogger(__name__)


class GoLivePage(ControlledAddon):
    """Serves the page on a port of the loopback address."""

    _page: LivePage | None = None

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
            self._page = LivePage(port, self._rendered)
        except (OSError, OverflowError) as error:
            logger.error(f"airworthy_golive_port: {port}: {getattr(error, 'strerror', None) or error}")  # noqa: TRY400 - one line
        else:
            logger.log(ALERT, f"Go-live list at {self._page.url}")

    def done(self) -> None:
        if self._page:
            self._page.close()

    def _rendered(self) -> str:
        control = self._control
        entrances = list(_entrances(control.settings.service.base_urls))
        return render_live(control.judge.summary.golive, control.subject, entrances)


def _entrances(base_urls: Collection[str]) -> Iterator[str]:
    """Yield where a client sends its requests, for each mode of the proxy."""
    for server in ctx.master.addons.get("proxyserver").servers:
        mode = server.mode
        host, port, *_ = server.listen_addrs[0] if server.listen_addrs else (HOST, 0)
        address = human.format_address((HOST if host in _EVERYWHERE else host, port))
        if mode.type_name == "reverse":
            yield send_to(origin_of(urlsplit(mode.data)), address, base_urls)
        elif mode.type_name in ("regular", "upstream"):
            yield f"Set http://{address} as the HTTP proxy of your client"
        else:
            yield f"Send the traffic of your client through mitmproxy ({mode.full_spec})"
