"""FTP servers in this process: pyftpdlib with and without TLS, and a scripted server."""

import contextlib
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import trustme
from OpenSSL import SSL
from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import DTPHandler, FTPHandler, TLS_FTPHandler
from pyftpdlib.ioloop import IOLoop
from pyftpdlib.servers import FTPServer

USER, PASSWORD = "export", "s3cret-of-the-drop"


# pyftpdlib has no type annotations.


class ImplicitTls(TLS_FTPHandler):  # type: ignore[misc]
    def handle(self) -> None:
        self.secure_connection(self.ssl_context)

    def handle_ssl_established(self) -> None:
        FTPHandler.handle(self)


class CutOff(DTPHandler):  # type: ignore[misc]
    """Closes both connections in the middle of a transfer, like a server that crashes."""

    def send(self, data: bytes) -> int:
        if self.cmd != "RETR":
            return int(super().send(data))
        sent = int(super().send(data[:1000]))
        self.cmd_channel.close()
        self.close()
        return sent


@contextmanager
def serving(folder: Path, handler: type[Any] = FTPHandler, may: str = "elr", **settings: object) -> Iterator[int]:
    """Serve a folder on a loopback port; ``settings`` are those of pyftpdlib's handler."""
    logging.getLogger("pyftpdlib").addHandler(logging.NullHandler())
    authorizer = DummyAuthorizer()
    authorizer.add_user(USER, PASSWORD, str(folder), perm=may)
    authorizer.add_anonymous(str(folder), perm="elr")
    own = type("Handler", (handler,), {"authorizer": authorizer, "auth_failed_timeout": 0, **settings})
    loop = IOLoop()
    server = FTPServer(("127.0.0.1", 0), own, ioloop=loop)
    ending = threading.Event()

    def run() -> None:
        while not ending.is_set():
            loop.loop(0.02, blocking=False)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield server.address[1]
    finally:
        ending.set()
        thread.join()
        server.close_all()


def with_tls(certificate: trustme.LeafCert) -> dict[str, Any]:
    """Return the settings of a handler that requires TLS on both connections."""
    context = SSL.Context(SSL.TLS_SERVER_METHOD)
    certificate.configure_cert(context)
    return {"ssl_context": context, "tls_control_required": True, "tls_data_required": True}


@contextmanager
def replying(reply_to: Callable[[str], bytes | None], greeting: bytes = b"220 at your service\r\n") -> Iterator[int]:
    """Reply to each command with what ``reply_to`` returns; None closes the connection."""
    listener = socket.create_server(("127.0.0.1", 0))

    def talk() -> None:
        connection, _ = listener.accept()
        # The client may close the connection at any time.
        with contextlib.suppress(ConnectionError), connection, connection.makefile("rb") as commands:
            connection.sendall(greeting)
            for command in commands:
                reply = reply_to(command.decode().strip())
                if reply is None:
                    return
                connection.sendall(reply)

    thread = threading.Thread(target=talk, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()
        thread.join(timeout=60)
