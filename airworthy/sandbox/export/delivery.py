"""Delivery of the content export to a partner's server, by FTP or FTPS, or to a folder."""

import ftplib
import shutil
import ssl
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from airworthy.errors import UsageError
from airworthy.sandbox.export.files import ExportFolder

USER: Final = "AIRWORTHY_FTP_USER"
PASSWORD: Final = "AIRWORTHY_FTP_PASSWORD"  # noqa: S105 - the name of a variable
_SCHEMES: Final = ("ftp", "ftps")
_TIMEOUT_SECONDS: Final = 20.0
_PARTIAL_SUFFIX: Final = ".part"


class ExportDeliveryError(Exception):
    """The files could not be delivered."""


@dataclass(frozen=True, slots=True)
class ExportDestination:
    """A destination for files: a folder, or ``ftp://host:port/folder`` (``ftps://`` with TLS) and a login."""

    location: str
    user: str = "anonymous"
    password: str = field(default="", repr=False)

    @classmethod
    def at(cls, location: str, environ: Mapping[str, str]) -> "ExportDestination":
        """Return the destination at a location, with user and password from the environment.

        Raises UsageError for a URL that is not an FTP or FTPS URL, or that contains credentials.
        """
        if "://" not in location:
            return cls(location)
        if "@" in location:
            raise UsageError(f"--drop: user and password come from {USER} and {PASSWORD}, not from the URL")
        try:
            url = urlsplit(location)
            is_valid = url.scheme in _SCHEMES and url.hostname and url.port != 0 and not (url.query or url.fragment)
        except ValueError:
            is_valid = False
        if not is_valid:
            raise UsageError(f"--drop {location}: expected ftp://HOST:PORT/FOLDER, ftps://HOST:PORT/FOLDER or a folder")
        return cls(location, environ.get(USER) or "anonymous", environ.get(PASSWORD, ""))

    def deliver(self, files: Sequence[Path]) -> None:
        """Deliver files; each gets its name only after it is complete.

        Raises ExportDeliveryError, with a message of one line.
        """
        try:
            if "://" in self.location:
                self._upload(urlsplit(self.location), files)
            else:
                _copy(Path(self.location), files)
        except (OSError, EOFError, ValueError, ftplib.Error) as error:
            message = _message(error).replace(self.password, "***") if self.password else _message(error)
            raise ExportDeliveryError(f"{self.location}: {message}") from None

    def _upload(self, url: SplitResult, files: Sequence[Path]) -> None:
        with self._connected(url) as server:
            folder = unquote(url.path).strip("/")
            if folder:
                server.cwd(folder)
            for file in files:
                partial = f"{file.name}{_PARTIAL_SUFFIX}"
                with file.open("rb") as content:
                    server.storbinary(f"STOR {partial}", content)
                _rename(server, partial, file.name)

    def _connected(self, url: SplitResult) -> ftplib.FTP:
        is_secure = url.scheme == "ftps"
        server = ftplib.FTP_TLS(context=ssl.create_default_context()) if is_secure else ftplib.FTP()  # noqa: S321 - as documented
        try:
            server.connect(url.hostname or "", url.port or ftplib.FTP_PORT, timeout=_TIMEOUT_SECONDS)
            server.login(self.user, self.password)
            if isinstance(server, ftplib.FTP_TLS):
                server.prot_p()
        except BaseException:
            server.close()
            raise
        return server


@dataclass(frozen=True, slots=True)
class ExportDelivery:
    """Writes the export, delivers it to the destination, if there is one, and logs the result to stderr.

    Simultaneous deliveries run one after the other.
    """

    export: ExportFolder
    destination: ExportDestination | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def deliver(self) -> tuple[list[str], str]:
        """Write and deliver the export; return the names of its files and why they are not delivered ("" if they are).

        Never raises, because the sandbox works without the other server.
        """
        files: list[Path] = []
        problem = ""
        with self._lock:
            try:
                files = self.export.refresh()
                if self.destination is not None:
                    self.destination.deliver(files)
                    sys.stderr.write(f"airworthy: delivered {len(files)} files to {self.destination.location}\n")
            except (OSError, ExportDeliveryError) as error:
                problem = str(error)
                sys.stderr.write(f"airworthy: the content export was not delivered: {problem}\n")
        return [each.name for each in files], problem


def _rename(server: ftplib.FTP, partial: str, name: str) -> None:
    """Give a complete file its name, even if the server does not replace an existing file."""
    try:
        server.rename(partial, name)
    except ftplib.error_perm:
        server.delete(name)
        server.rename(partial, name)


def _copy(folder: Path, files: Sequence[Path]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        partial = folder / f"{file.name}{_PARTIAL_SUFFIX}"
        shutil.copyfile(file, partial)
        partial.replace(folder / file.name)


def _message(error: Exception) -> str:
    """Return a message of one line for an error; a server may send any text."""
    if isinstance(error, EOFError):
        return "the server has closed the connection"
    text = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return "".join(each for each in " ".join(text.split()) if each.isprintable())[:200]
