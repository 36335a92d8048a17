"""Serve a page about the traffic while the proxy runs, on the loopback address only."""

import asyncio
import socket
import threading
from collections.abc import Callable
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

HOST: Final = "127.0.0.1"
_HEADERS: Final = {
    "content-security-policy": "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
_PATIENCE: Final = 5.0


class LivePage:
    """A page at ``/`` that ``render`` returns, in the event loop in which this is created; the server has a thread.

    Pages of other sites cannot read it, because it responds only to requests for the loopback address. Raises OSError
    if the port cannot be used.
    """

    def __init__(self, port: int, render: Callable[[], str]) -> None:
        loop = asyncio.get_running_loop()

        async def rendered() -> str:
            return render()

        async def page(_: Request) -> HTMLResponse:
            shown = asyncio.run_coroutine_threadsafe(rendered(), loop)
            return HTMLResponse(await asyncio.wrap_future(shown), headers=_HEADERS)

        self._listener = socket.create_server((HOST, port))
        known = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
        app = Starlette(routes=[Route("/", page)], middleware=[known])
        config = uvicorn.Config(app, log_config=None, log_level="warning", access_log=False, ws="none", lifespan="off")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._listener],), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self._listener.getsockname()[1]}/"

    def close(self) -> None:
        """Stop the server."""
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(_PATIENCE)
        self._listener.close()
