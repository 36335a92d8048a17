"""The sandbox on a port: TLS by default, started in a thread or in the foreground."""

import contextlib
import signal
import ssl
import tempfile
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import trustme
import uvicorn
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from airworthy.private_files import temporary_folder
from airworthy.sandbox.app import create_app
from airworthy.sandbox.dashboard.control import ServerContext
from airworthy.sandbox.dashboard.profile import profile, summary
from airworthy.sandbox.dashboard.request_log import RequestLog, RequestRecorder
from airworthy.sandbox.export.delivery import ExportDelivery, ExportDestination
from airworthy.sandbox.export.files import ExportFolder
from airworthy.sandbox.export.ftp import FtpServer
from airworthy.sandbox.http.authority import CERTIFICATE, kept_authority, write_certificate
from airworthy.sandbox.http.listening import certificate_names, ip_address, listening_socket, origin
from airworthy.sandbox.service.plain_http_guard import PlainHttpGuard
from airworthy.sandbox.service.service import SandboxService
from airworthy.sandbox.settings import SandboxSettings

_TIMEOUT_SECONDS: Final = 10.0


class SandboxServer:
    """A sandbox that runs during a ``with`` block, on a loopback address unless another is named.

    Arguments: the settings; the IP address and port (0: any free port); further names by which clients reach it, for
    the certificate; the port of the payment provider's own address (None: it is only at ``/payment``); whether to use
    TLS; the folder that keeps the certificate authority (None: a new authority); the file for its certificate (None: in
    that folder, or a temporary file); the FTP port of the content export (None: not served); where to deliver the
    export; where to record requests (None: nowhere). Raises UsageError for an address or a port that cannot be used, an
    authority that cannot be read, or invalid settings.
    """

    def __init__(
        self,
        settings: SandboxSettings | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        names: Iterable[str] = (),
        payment_port: int | None = None,
        tls: bool = True,
        ca_folder: Path | None = None,
        ca_file: Path | None = None,
        ftp_port: int | None = None,
        destination: ExportDestination | None = None,
        log: RequestLog | None = None,
    ) -> None:
        names = certificate_names(names)
        address = ip_address(host)
        # Release the port and the folder if a setting is invalid.
        with contextlib.ExitStack() as stack:
            self._listeners = [
                stack.enter_context(listening_socket(host, each)) for each in (port, payment_port) if each is not None
            ]
            provider: int | None = None if payment_port is None else self._listeners[1].getsockname()[1]
            temporary = tempfile.TemporaryDirectory(
                prefix="airworthy-sandbox-", dir=temporary_folder(), ignore_cleanup_errors=True
            )
            folder = Path(stack.enter_context(temporary))
            requested = settings or SandboxSettings()
            self.outbox = requested.mailer.outbox or folder / "outbox"
            self.settings = replace(requested, mailer=replace(requested.mailer, outbox=self.outbox))
            hosts = (*names, *(() if address.is_unspecified else (str(address),)))
            self._context = ServerContext(hosts=frozenset(hosts), log=log, restart=self.restart, payment_port=provider)
            self.app: Starlette = create_app(self.settings, self._context)
            self.ca_bundle: Path | None = None
            context: ssl.SSLContext | None = None
            leaf: trustme.LeafCert | None = None
            if tls:
                authority = trustme.CA() if ca_folder is None else kept_authority(ca_folder)
                self.ca_bundle = ca_file or (ca_folder or folder) / CERTIFICATE
                write_certificate(authority, self.ca_bundle)
                self._context.authority = authority.cert_pem.bytes()
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                leaf = authority.issue_cert(*dict.fromkeys((*hosts, "127.0.0.1", "::1", "localhost")))
                leaf.configure_cert(context)
            self.base_url = origin("https" if tls else "http", self._listeners[0], names)
            config = uvicorn.Config(
                RequestRecorder(self._application, log, self._context.clock.now) if log else self._application,
                interface="asgi3",
                log_config=None,
                access_log=False,
                date_header=False,
                http="h11",
                ws="none",
                lifespan="off",
                loop="asyncio",
                timeout_keep_alive=60,
            )
            self._server = PlainHttpGuard(config, lambda: self.service, context)
            self._export = ExportFolder(self.service, self.settings.extent, folder / "export")
            self.delivery = self._context.delivery = ExportDelivery(self._export, destination)
            self._ftp = None if ftp_port is None else FtpServer(listening_socket(host, ftp_port), self._export, leaf)
            if self._ftp is not None:
                stack.callback(self._ftp.stop)
                self._context.ftp_port = self._ftp.port
            self._resources = stack.pop_all()

    async def _application(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_provider = scope["server"][1] == self._context.payment_port
        await (self.app.state.payment_provider if is_provider else self.app)(scope, receive, send)

    @property
    def service(self) -> SandboxService:
        """The service behind the port."""
        service: SandboxService = self.app.state.service
        return service

    def restart(self, dialect: str) -> None:
        """Replace the service with a new one in another dialect, without the records of the old one.

        The clock and the faults stay as they are. Raises UsageError for an unknown dialect.
        """
        settings = replace(self.settings, dialect=dialect, faults=tuple(self.service.hooks.names))
        app = create_app(settings, self._context)
        self.settings, self.app = settings, app
        self._export.follow(self.service)

    def profile(self) -> dict[str, Any]:
        """Return the values of a suite profile for this server (as a profile file would hold them)."""
        ports = self._context.ftp_port, self._context.payment_port
        values = profile(self.base_url, self.settings.lifetimes, self.service.choices, *ports)
        return values | ({"ca_bundle": str(self.ca_bundle)} if self.ca_bundle else {"allow_plain_http": True})

    def summary(self) -> str:
        """Return the text that a terminal shows at the start."""
        ca_bundle = str(self.ca_bundle) if self.ca_bundle else None
        return summary(self.profile(), ca_bundle, self.settings.dialect, str(self.outbox))

    def run(self) -> None:
        """Run in the foreground, in the main thread, until interrupted or terminated."""
        self._start_export(write_now=True)
        # uvicorn raises the signal again after its shutdown; the default action of SIGTERM would prevent the cleanup.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        # A closed terminal must not prevent it either, unless it is ignored, such as under nohup.
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
            signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
        with contextlib.suppress(KeyboardInterrupt):
            self._server.run(sockets=self._listeners)
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
        self._thread = threading.Thread(target=self._server.run, args=(self._listeners,), daemon=True)
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                self.close()
                raise RuntimeError("the sandbox did not start")
            threading.Event().wait(0.005)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=_TIMEOUT_SECONDS)
        self.close()
