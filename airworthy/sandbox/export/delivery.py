"""The drop: the export's files brought to where a partner's importer looks for them, by FTP, FTPS or into a folder."""

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
_PATIENCE: Final = 20.0
_UNFINISHED: Final = ".part"


class ExportDeliveryError(Exception):
    """The files could not be brought there."""


@dataclass(frozen=True, slots=True)
class ExportDestination:
    """Where files are dropped: a folder, or ``ftp://host:port/folder`` (with TLS ``ftps://``), for a user."""

    location: str
    user: str = "anonymous"
    password: str = field(default="", repr=False)

    @classmethod
    def at(cls, location: str, environ: Mapping[str, str]) -> "ExportDestination":
        """Return a drop at a location, with user and password from the environment.

        Raises UsageError for a URL that is no FTP server's, or that has credentials in it.
        """
        if "://" not in location:
            return cls(location)
        if "@" in location:
            raise UsageError(f"--drop: user and password come from {USER} and {PASSWORD}, not from the URL")
        try:
            url = urlsplit(location)
            is_place = url.scheme in _SCHEMES and url.hostname and url.port != 0 and not (url.query or url.fragment)
        except ValueError:
            is_place = False
        if not is_place:
            raise UsageError(f"--drop {location}: expected ftp://HOST:PORT/FOLDER, ftps://HOST:PORT/FOLDER or a folder")
        return cls(location, environ.get(USER) or "anonymous", environ.get(PASSWORD, ""))

    def deliver(self, files: Sequence[Path]) -> None:
        """Bring files there: each whole or not at all, under its name only once it is complete.

        Raises DropFailed, in one line, where that cannot be done.
        """
        try:
            if "://" in self.location:
                self._upload(urlsplit(self.location), files)
            else:
                _copy(Path(self.location), files)
        except (OSError, EOFError, ValueError, ftplib.Error) as error:
            said = _said(error).replace(self.password, "***") if self.password else _said(error)
            raise ExportDeliveryError(f"{self.location}: {said}") from None

    def _upload(self, url: SplitResult, files: Sequence[Path]) -> None:
        with self._connected(url) as server:
            folder = unquote(url.path).strip("/")
            if folder:
                server.cwd(folder)
            for file in files:
                unfinished = f"{file.name}{_UNFINISHED}"
                with file.open("rb") as content:
                    server.storbinary(f"STOR {unfinished}", content)
                _rename(server, unfinished, file.name)

    def _connected(self, url: SplitResult) -> ftplib.FTP:
        is_secure = url.scheme == "ftps"
        server = ftplib.FTP_TLS(context=ssl.create_default_context()) if is_secure else ftplib.FTP()  # noqa: S321
        try:
            server.connect(url.hostname or "", url.port or ftplib.FTP_PORT, timeout=_PATIENCE)
            server.login(self.user, self.password)
            if isinstance(server, ftplib.FTP_TLS):
                server.prot_p()
        except BaseException:
            server.close()
            raise
        return server


@dataclass(frozen=True, slots=True)
class ExportDeliveryResult:
    """The names of the files that were made, and what kept them from being dropped ("": nothing)."""

    files: tuple[str, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ExportDelivery:
    """Makes the export, and drops it where a place is named; whoever runs the sandbox reads how it went.

    However often it is asked for at once, one delivery follows the other.
    """

    export: ExportFolder
    drop: ExportDestination | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def deliver(self) -> ExportDeliveryResult:
        """Do both; never raises, for nothing stops where a server elsewhere cannot be reached."""
        with self._lock:
            return self._delivered()

    def _delivered(self) -> ExportDeliveryResult:
        files: list[Path] = []
        problem = ""
        try:
            files = self.export.refresh()
            if self.drop is not None:
                self.drop.deliver(files)
                sys.stderr.write(f"airworthy: dropped {len(files)} files into {self.drop.location}\n")
        except (OSError, ExportDeliveryError) as error:
            problem = str(error)
            sys.stderr.write(f"airworthy: the content export was not dropped: {problem}\n")
        return ExportDeliveryResult(tuple(each.name for each in files), problem)


def _rename(server: ftplib.FTP, unfinished: str, name: str) -> None:
    """Give a complete file its name, also where a server does not replace the one that is there."""
    try:
        server.rename(unfinished, name)
    except ftplib.error_perm:
        server.delete(name)
        server.rename(unfinished, name)


def _copy(folder: Path, files: Sequence[Path]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        unfinished = folder / f"{file.name}{_UNFINISHED}"
        shutil.copyfile(file, unfinished)
        unfinished.replace(folder / file.name)


def _said(error: Exception) -> str:
    """Return what went wrong in a few words on one line: a server may say anything."""
    if isinstance(error, EOFError):
        return "the server has closed the connection"
    text = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return "".join(each for each in " ".join(text.split()) if each.isprintable())[:200]
