"""A partner's FTP server, real and in this process: what the sandbox drops its export on."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trustme
from OpenSSL import SSL
from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler, TLS_FTPHandler
from pyftpdlib.ioloop import IOLoop
from pyftpdlib.servers import FTPServer

USER, PASSWORD = "acme", "canary-ftp-77c0"


@dataclass
class FtpSite:
    """A running server: where it is, its folder, and the commands that it was sent (their arguments as base names)."""

    address: str
    folder: Path
    commands: list[str] = field(default_factory=list)


@contextmanager
def ftp_site(
    folder: Path, *, certificate: trustme.LeafCert | None = None, may: str = "elradfmw", **settings: object
) -> Iterator[FtpSite]:
    """Run a server over a folder; with a ``certificate`` it takes nothing without TLS."""
    logging.getLogger("pyftpdlib").addHandler(logging.NullHandler())
    authorizer = DummyAuthorizer()
    authorizer.add_user(USER, PASSWORD, str(folder), perm=may)
    site = FtpSite("", folder)

    def log_cmd(_: object, command: str, argument: str, *__: object) -> None:
        site.commands.append(f"{command} {Path(argument).name}")

    members: dict[str, Any] = {"authorizer": authorizer, "auth_failed_timeout": 0, "log_cmd": log_cmd, **settings}
    base = FTPHandler
    if certificate is not None:
        context = SSL.Context(SSL.TLS_SERVER_METHOD)
        certificate.configure_cert(context)
        base = TLS_FTPHandler
        members |= {"ssl_context": context, "tls_control_required": True, "tls_data_required": True}
    loop = IOLoop()
    server = FTPServer(("127.0.0.1", 0), type("Handler", (base,), members), ioloop=loop)
    site.address = f"127.0.0.1:{server.address[1]}"
    stopping = threading.Event()

    def serve() -> None:
        while not stopping.is_set():
            loop.loop(0.02, blocking=False)
        server.close_all()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield site
    finally:
        stopping.set()
        thread.join()
