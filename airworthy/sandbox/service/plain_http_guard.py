"""An HTTP server that makes plain HTTP fail as the dialect chooses, on the port that serves TLS."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from airworthy.sandbox.service.service import SandboxService

_TLS_HANDSHAKE = 0x16
_TIMEOUT_SECONDS = 10.0
_PLAIN_RESPONSES = {
    400: b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    "redirect": b"HTTP/1.1 308 Permanent Redirect\r\nLocation: %b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
}


class PlainHttpGuard(uvicorn.Server):
    """A server that reads the first byte of each connection before the TLS handshake.

    The documents say that plain HTTP fails; the dialect of the service that ``service`` returns decides how. Without a
    TLS context the server speaks plain HTTP only.
    """

    def __init__(
        self, config: uvicorn.Config, service: Callable[[], SandboxService], context: ssl.SSLContext | None
    ) -> None:
        super().__init__(config)
        self._service = service
        self._context = context
        self._connections: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections on the listening sockets."""
        await self.lifespan.startup()
        self.servers = []
        for listener in sockets or ():
            listener.setblocking(False)
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all connections, and let the requests in progress end without a client."""
        for listener in sockets or ():
            asyncio.get_running_loop().remove_reader(listener)
            listener.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        # Aborted connections end in the next turn of the loop; a request that is cancelled would show a traceback.
        await asyncio.sleep(0)
        await asyncio.gather(*self.server_state.tasks, return_exceptions=True)

    def _accept(self, listener: socket.socket) -> None:
        # A client may be gone already.
        with contextlib.suppress(OSError):
            connection, _ = listener.accept()
            task = asyncio.create_task(self._admit(connection))
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)

    async def _admit(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            first = await asyncio.wait_for(_first_byte(connection), _TIMEOUT_SECONDS)
            context = self._context if first == _TLS_HANDSHAKE else None
            if context is not self._context and not self._service().policy.plain_http_served:
                await self._reject_plain_http(connection)
                return
            await asyncio.get_running_loop().connect_accepted_socket(self._protocol, connection, ssl=context)
        except (TimeoutError, OSError):
            connection.close()
        except asyncio.CancelledError:
            connection.close()
            raise

    def _protocol(self) -> asyncio.Protocol:
        return H11Protocol(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    async def _reject_plain_http(self, connection: socket.socket) -> None:
        manner = self._service().choices.http.plain_http
        with connection:
            if manner == "reset":
                # With a linger time of 0, closing the socket resets the connection.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            elif manner == "no response":
                await asyncio.sleep(_TIMEOUT_SECONDS)
            elif manner in _PLAIN_RESPONSES:
                loop = asyncio.get_running_loop()
                await loop.sock_recv(connection, 65_536)
                host, port = connection.getsockname()[:2]
                response = _PLAIN_RESPONSES[manner].replace(b"%b", f"https://{host}:{port}/".encode())
                await loop.sock_sendall(connection, response)


async def _first_byte(connection: socket.socket) -> int | None:
    """Return the first byte of a connection without consuming it, or None if the client sends nothing."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(connection, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(connection)
    return next(iter(connection.recv(1, socket.MSG_PEEK)), None)
