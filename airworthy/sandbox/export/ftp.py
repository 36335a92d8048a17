"""An FTP and FTPS server for the content export on a loopback port."""

import contextlib
import logging
import select
import socket
import threading
from typing import TYPE_CHECKING, Any, Final

from airworthy.sandbox.export.files import ExportFolder

if TYPE_CHECKING:
    from trustme import LeafCert

USER: Final = "export"
PASSWORD: Final = "test-export-3e81b6d0"  # noqa: S105 - published, valid in the sandbox only
_PERMISSIONS: Final = "elr"
_POLL_SECONDS: Final = 60.0


class FtpServer:
    """Serves an export read-only to clients that log in.

    ``listener`` is a listening socket. With a ``certificate`` clients may use TLS (FTPS). The server loads its
    libraries and writes the export when the first client connects.
    """

    def __init__(self, listener: socket.socket, export: ExportFolder, certificate: "LeafCert | None" = None) -> None:
        self._listener = listener
        self._export = export
        self._certificate = certificate
        self._stopping = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def port(self) -> int:
        """The port of the server."""
        port: int = self._listener.getsockname()[1]
        return port

    def start(self) -> None:
        """Serve in a background thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop immediately and close open connections."""
        self._stopping = True
        if self._thread.is_alive():
            # A connection wakes the thread that waits for one.
            with contextlib.suppress(OSError), socket.create_connection(self._listener.getsockname()[:2], timeout=1):
                self._thread.join(timeout=10)
        self._listener.close()

    def _run(self) -> None:
        select.select([self._listener], [], [])
        if self._stopping:
            return
        from pyftpdlib.ioloop import IOLoop  # noqa: PLC0415 - most sandboxes never serve their export
        from pyftpdlib.servers import FTPServer  # noqa: PLC0415 - only with --ftp

        logging.getLogger("pyftpdlib").addHandler(logging.NullHandler())
        loop = IOLoop()
        server = FTPServer(self._listener, self._handler(), ioloop=loop)
        due: float | None = None
        try:
            while not self._stopping:
                due = loop.loop(min(_POLL_SECONDS if due is None else due, _POLL_SECONDS), blocking=False)
        finally:
            server.close_all()

    def _handler(self) -> type[Any]:
        """Return a handler class for clients; pyftpdlib reads its settings from class attributes."""
        from pyftpdlib.authorizers import DummyAuthorizer  # noqa: PLC0415 - only with --ftp
        from pyftpdlib.handlers import FTPHandler, TLS_FTPHandler  # noqa: PLC0415 - only with --ftp

        authorizer = DummyAuthorizer()
        self._export.folder.mkdir(parents=True, exist_ok=True)
        authorizer.add_user(USER, PASSWORD, str(self._export.folder), perm=_PERMISSIONS)
        settings = {
            "authorizer": authorizer,
            "banner": "Flight Booking Service, sandbox: content export",
            "auth_failed_timeout": 0,
            "on_login": lambda _, __: self._export.refresh(),
        }
        if self._certificate is None:
            return type("Handler", (FTPHandler,), settings)
        from OpenSSL import SSL  # noqa: PLC0415 - only with --ftp

        context = SSL.Context(SSL.TLS_SERVER_METHOD)
        self._certificate.configure_cert(context)
        return type("Handler", (TLS_FTPHandler,), settings | {"ssl_context": context})
