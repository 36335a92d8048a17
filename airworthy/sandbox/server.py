"""The sandbox on a loopback port: TLS by default, started in a thread or in the foreground."""

import asyncio
import contextlib
import ipaddress
import signal
import socket
import ssl
import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import trustme
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from airworthy.errors import UsageError
from airworthy.sandbox.app import SandboxSettings, create_app
from airworthy.sandbox.export.delivery import ExportDelivery, ExportDestination
from airworthy.sandbox.export.files import ExportFolder, customers, versions
from airworthy.sandbox.export.ftp import PASSWORD, USER, FtpServer
from airworthy.sandbox.page import summary
from airworthy.sandbox.profile import ServedExport, profile
from airworthy.sandbox.service import SandboxService

_TLS_HANDSHAKE = 0x16
_TIMEOUT_SECONDS = 10.0
_PLAIN_RESPONSES = {
    400: b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    "redirect": b"HTTP/1.1 308 Permanent Redirect\r\nLocation: %b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
}


class PlainHttpGuard(uvicorn.Server):
    """A server that reads the first byte of each connection before the TLS handshake.

    The documents say that plain HTTP fails; the dialect decides how. Without a TLS context the server speaks plain
    HTTP only.
    """

    def __init__(self, config: uvicorn.Config, service: SandboxService, context: ssl.SSLContext | None) -> None:
        super().__init__(config)
        self._service = service
        self._context = context
        self._connections: set[asyncio.Task[None]] = set()
        self._accepting: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections on the one listening socket."""
        await self.lifespan.startup()
        self.servers = []
        for listener in sockets or ():
            listener.setblocking(False)
            self._accepting = asyncio.create_task(self._accept(listener))
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop immediately and close open connections."""
        tasks = [task for task in (self._accepting, *self._connections) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for listener in sockets or ():
            listener.close()
        # Let the aborted connections finish.
        await asyncio.sleep(0)

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            connection, _ = await loop.sock_accept(listener)
            task = asyncio.create_task(self._admit(connection))
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)

    async def _admit(self, connection: socket.socket) -> None:
        """Pass a connection to the HTTP protocol, through TLS, and reject plain HTTP."""
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            first = await asyncio.wait_for(_first_byte(connection), _TIMEOUT_SECONDS)
            context = self._context if first == _TLS_HANDSHAKE else None
            if context is not self._context and not self._service.policy.plain_http_served:
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
        """Make plain HTTP fail in the dialect's way."""
        manner = self._service.choices.plain_http
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
    """Return the first byte of a connection without consuming it, None if the client sends nothing."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(connection, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(connection)
    return next(iter(connection.recv(1, socket.MSG_PEEK)), None)


class SandboxServer:
    """A sandbox that runs during a ``with`` block, on a loopback address.

    Arguments: the settings; the address and port (0: any free port); whether to use TLS; the FTP port of the content
    export (None: not served); where to deliver the export. Raises UsageError for an address that is not a loopback
    address, a port in use, or invalid settings.
    """

    def __init__(
        self,
        settings: SandboxSettings | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        tls: bool = True,
        ftp_port: int | None = None,
        destination: ExportDestination | None = None,
    ) -> None:
        # Release the port and the folder if a setting is invalid.
        with contextlib.ExitStack() as stack:
            self._listener = stack.enter_context(_listen(host, port))
            folder = Path(
                stack.enter_context(
                    tempfile.TemporaryDirectory(prefix="airworthy-sandbox-", ignore_cleanup_errors=True)
                )
            )
            requested = settings or SandboxSettings()
            self.outbox = requested.mailer.outbox or folder / "outbox"
            self.settings = replace(requested, mailer=replace(requested.mailer, outbox=self.outbox))
            self.app: Starlette = create_app(self.settings)
            self.ca_bundle: Path | None = None
            context: ssl.SSLContext | None = None
            certificate: trustme.LeafCert | None = None
            if tls:
                authority = trustme.CA()
                self.ca_bundle = folder / "ca.pem"
                authority.cert_pem.write_to_path(str(self.ca_bundle))
                self.app.state.ca = authority.cert_pem.bytes()
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                certificate = authority.issue_cert(host, "localhost")
                certificate.configure_cert(context)
            bound, bound_port = self._listener.getsockname()[:2]
            self.base_url = f"{'https' if tls else 'http'}://{f'[{bound}]' if ':' in bound else bound}:{bound_port}"
            config = uvicorn.Config(
                self.app,
                log_config=None,
                access_log=False,
                date_header=False,
                http="h11",
                ws="none",
                lifespan="off",
                loop="asyncio",
                timeout_keep_alive=60,
            )
            self._server = PlainHttpGuard(config, self.service, context)
            export = ExportFolder(self.service, self.settings.extent, folder / "export")
            self.delivery = self.app.state.delivery = ExportDelivery(export, destination)
            self._ftp = None if ftp_port is None else FtpServer(_listen(host, ftp_port), export, certificate)
            if self._ftp is not None:
                stack.callback(self._ftp.stop)
            self.app.state.export = self._published()
            self._resources = stack.pop_all()

    @property
    def service(self) -> SandboxService:
        """The service behind the port."""
        service: SandboxService = self.app.state.service
        return service

    def profile(self) -> dict[str, Any]:
        """Return the values of a suite profile for this server (as a profile file would hold them)."""
        values = profile(self.base_url, self.settings.lifetimes, self.service.choices, self._published())
        return values | ({"ca_bundle": str(self.ca_bundle)} if self.ca_bundle else {"allow_plain_http": True})

    def _published(self) -> ServedExport | None:
        """Return how clients reach the content export, None if it is not served."""
        if self._ftp is None:
            return None
        choices = self.service.choices
        return ServedExport(self._ftp.port, USER, PASSWORD, customers(choices), versions(choices))

    def summary(self) -> str:
        """Return the text that a terminal shows at the start."""
        ca_bundle = str(self.ca_bundle) if self.ca_bundle else None
        return summary(self.profile(), ca_bundle, self.settings.dialect, str(self.outbox))

    def run(self) -> None:
        """Run in the foreground, in the main thread, until interrupted or terminated."""
        self._start_export(write_now=True)
        # uvicorn raises the signal again after its shutdown; the default action of SIGTERM would prevent the cleanup.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            self._server.run(sockets=[self._listener])
        self.close()

    def _start_export(self, *, write_now: bool = False) -> None:
        """Serve and deliver the content export; with ``write_now`` write it before a client connects."""
        if self._ftp is not None:
            self._ftp.start()
        if self.delivery.destination is not None or (self._ftp is not None and write_now):
            # A slow server or a large export must not delay the start.
            threading.Thread(target=self.delivery.deliver, daemon=True).start()

    def close(self) -> None:
        """Release the ports and delete temporary files."""
        self._resources.close()

    def __enter__(self) -> "SandboxServer":
        self._start_export()
        self._thread = threading.Thread(target=self._server.run, args=([self._listener],), daemon=True)
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                self.close()
                raise RuntimeError("the sandbox did not start")
            threading.Event().wait(0.005)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=_TIMEOUT_SECONDS)
        self.close()


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a loopback address."""
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise UsageError(f"host {host!r}: expected a loopback address such as 127.0.0.1") from None
    if not address.is_loopback:
        raise UsageError(f"host {host!r}: the sandbox listens on loopback addresses only")
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET  # noqa: PLR2004
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((str(address), port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise UsageError(f"port {port} on {host}: {getattr(error, 'strerror', None) or error}") from None
    listener.listen(128)
    return listener
