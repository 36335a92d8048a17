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
from airworthy.sandbox.export.files import ExportFolder, customers
from airworthy.sandbox.export.ftp import PASSWORD, USER, FtpServer
from airworthy.sandbox.page import summary
from airworthy.sandbox.profile import ServedExport, profile
from airworthy.sandbox.service import SandboxService

_TLS_HANDSHAKE = 0x16
_PATIENCE = 10.0
_PLAIN_ANSWERS = {
    400: b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    "redirect": b"HTTP/1.1 308 Permanent Redirect\r\nLocation: %b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
}


class PlainHttpGuard(uvicorn.Server):
    """A server that looks at the first byte of each connection, before TLS begins.

    What is not a TLS handshake is plain HTTP, which the documents say fails; how it fails is the dialect's choice.
    Without a context plain HTTP is all that is spoken.
    """

    def __init__(self, config: uvicorn.Config, service: SandboxService, context: ssl.SSLContext | None) -> None:
        super().__init__(config)
        self._service = service
        self._context = context
        self._visitors: set[asyncio.Task[None]] = set()
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
        """Stop at once: whoever is still connected is cut off."""
        visitors = [task for task in (self._accepting, *self._visitors) if task is not None]
        for task in visitors:
            task.cancel()
        await asyncio.gather(*visitors, return_exceptions=True)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for listener in sockets or ():
            listener.close()
        # Connections learn in the loop's next round that they are lost.
        await asyncio.sleep(0)

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            connection, _ = await loop.sock_accept(listener)
            visitor = asyncio.create_task(self._admit(connection))
            self._visitors.add(visitor)
            visitor.add_done_callback(self._visitors.discard)

    async def _admit(self, connection: socket.socket) -> None:
        """Hand a connection to the HTTP protocol, through TLS; turn plain HTTP away."""
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            first = await asyncio.wait_for(_first_byte(connection), _PATIENCE)
            context = self._context if first == _TLS_HANDSHAKE else None
            if context is not self._context and not self._service.policy.plain_http_served:
                await self._turn_away(connection)
                return
            await asyncio.get_running_loop().connect_accepted_socket(self._protocol, connection, ssl=context)
        except (TimeoutError, OSError):
            connection.close()
        except asyncio.CancelledError:
            connection.close()
            raise

    def _protocol(self) -> asyncio.Protocol:
        return H11Protocol(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    async def _turn_away(self, connection: socket.socket) -> None:
        """Let plain HTTP fail as the dialect has it."""
        manner = self._service.choices.plain_http
        with connection:
            if manner == "reset":
                # With no time to linger, closing resets.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            elif manner == "no answer":
                await asyncio.sleep(_PATIENCE)
            elif manner in _PLAIN_ANSWERS:
                loop = asyncio.get_running_loop()
                await loop.sock_recv(connection, 65_536)
                host, port = connection.getsockname()[:2]
                answer = _PLAIN_ANSWERS[manner].replace(b"%b", f"https://{host}:{port}/".encode())
                await loop.sock_sendall(connection, answer)


async def _first_byte(connection: socket.socket) -> int | None:
    """Return the first byte that a client sends, and leave it where it is; None where it sends nothing."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(connection, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(connection)
    return next(iter(connection.recv(1, socket.MSG_PEEK)), None)


class SandboxServer:
    """A sandbox that answers while the ``with`` block runs, on a loopback address.

    Arguments: what to start with, the address (loopback only) and port (0: any that is free), whether to speak TLS, a
    port for the content export by FTP (None: not served), and where to drop it. Raises UsageError for an address that
    is not loopback, a port that is taken, or wrong settings.
    """

    def __init__(
        self,
        settings: SandboxSettings | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        tls: bool = True,
        ftp_port: int | None = None,
        drop: ExportDestination | None = None,
    ) -> None:
        # What was taken is given back where a setting is refused.
        with contextlib.ExitStack() as stack:
            self._listener = stack.enter_context(_listen(host, port))
            folder = Path(
                stack.enter_context(
                    tempfile.TemporaryDirectory(prefix="airworthy-sandbox-", ignore_cleanup_errors=True)
                )
            )
            asked = settings or SandboxSettings()
            self.outbox = asked.post.outbox or folder / "outbox"
            self.settings = replace(asked, post=replace(asked.post, outbox=self.outbox))
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
                http="h11",
                ws="none",
                lifespan="off",
                loop="asyncio",
                timeout_keep_alive=60,
            )
            self._server = PlainHttpGuard(config, self.service, context)
            export = ExportFolder(self.service, self.settings.extent, folder / "export")
            self.delivery = self.app.state.delivery = ExportDelivery(export, drop)
            self._ftp = None if ftp_port is None else FtpServer(_listen(host, ftp_port), export, certificate)
            if self._ftp is not None:
                stack.callback(self._ftp.stop)
            self.app.state.export = self._published()
            self._taken = stack.pop_all()

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
        """Return what a client has to know of the content export, None where it is not served."""
        if self._ftp is None:
            return None
        return ServedExport(self._ftp.port, USER, PASSWORD, customers(self.service.choices))

    def summary(self) -> str:
        """Return the text that tells on a terminal what runs and how to use it."""
        ca_bundle = str(self.ca_bundle) if self.ca_bundle else None
        return summary(self.profile(), ca_bundle, self.settings.dialect, str(self.outbox))

    def run(self) -> None:
        """Answer in the foreground until interrupted or terminated; belongs to the main thread."""
        self._start_export(at_once=True)
        # What the server has heard it raises again when it is down: by default that ends all before it is cleared up.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            self._server.run(sockets=[self._listener])
        self.close()

    def _start_export(self, *, at_once: bool = False) -> None:
        """Serve the content export and drop it; write it ``at_once``, or when it is asked for."""
        if self._ftp is not None:
            self._ftp.start()
        if self.delivery.drop is not None or (self._ftp is not None and at_once):
            # Nobody waits for a server elsewhere, or for a large export.
            threading.Thread(target=self.delivery.deliver, daemon=True).start()

    def close(self) -> None:
        """Free the ports and what was written to disk."""
        self._taken.close()

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
        self._thread.join(timeout=_PATIENCE)
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
