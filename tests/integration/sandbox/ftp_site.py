"""A partner's FTP server, real and in this process: what the sandbox drops its export on."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trustme
from pyftpdlib.handlers import FTPHandler, TLS_FTPHandler

from integration.export.servers import serving, with_tls


@dataclass
class FtpSite:
    """A running server: where it is, and the commands that it was sent (their arguments as base names)."""

    address: str
    commands: list[str] = field(default_factory=list)


@contextmanager
def ftp_site(
    folder: Path, *, certificate: trustme.LeafCert | None = None, may: str = "elradfmw", **settings: object
) -> Iterator[FtpSite]:
    """Run a server over a folder; with a ``certificate`` it takes nothing without TLS."""
    commands: list[str] = []

    def log_cmd(_: object, command: str, argument: str, *__: object) -> None:
        commands.append(f"{command} {Path(argument).name}")

    tls = with_tls(certificate) if certificate else {}
    handler = TLS_FTPHandler if certificate else FTPHandler
    with serving(folder, handler, may, log_cmd=log_cmd, **tls, **settings) as port:
        yield FtpSite(f"127.0.0.1:{port}", commands)
