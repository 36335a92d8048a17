"""Open the location of an export: a folder, a single file, or a URL on an FTP server."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import SplitResult, urlsplit

from airworthy.errors import UsageError
from airworthy.export.check import ExportLocation
from airworthy.export.ftp import FtpAccess, FtpFolder
from airworthy.export.report import shown


def open_location(text: str, access: FtpAccess | None = None) -> ExportLocation:
    """Open a folder, a file, or an ``ftp://`` or ``ftps://`` URL of either.

    A URL that ends in ``.csv`` is the URL of a file. ``ftps://`` uses explicit TLS, and implicit TLS on port 990.
    Raises UsageError if ``text`` is not a location, or if the URL contains credentials (the message does not repeat
    them).
    """
    if "://" in text:
        return FtpFolder(_url(text), access or FtpAccess())
    path = Path(text)
    if not path.exists():
        raise UsageError(f"{shown(text)}: no such folder or file")
    return _LocalLocation(path, path.is_dir())


def _url(text: str) -> SplitResult:
    if "@" in text:
        raise UsageError("the location must not contain credentials or an @: set environment variables instead")
    try:
        url = urlsplit(text)
        is_one = url.scheme in ("ftp", "ftps") and url.hostname and url.port != 0
    except ValueError:
        is_one = False
    if not is_one or url.query or url.fragment:
        raise UsageError(f"{shown(text)}: expected a folder, a file, ftp://HOST:PORT/FOLDER or ftps://HOST:PORT/FOLDER")
    return url


@dataclass(frozen=True, slots=True)
class _LocalLocation:
    """A folder on this machine, or one file."""

    path: Path
    is_folder: bool

    @property
    def name(self) -> str:
        return shown(str(self.path))

    def names(self) -> Sequence[str]:
        if not self.is_folder:
            return [self.path.name]
        try:
            return [each.name for each in self.path.iterdir() if each.is_file()]
        except OSError as error:
            raise UsageError(f"{self.name}: {error.strerror}") from None

    def size(self, name: str) -> int:
        return self._file(name).stat().st_size

    def open(self, name: str) -> BinaryIO:
        return self._file(name).open("rb")

    def _file(self, name: str) -> Path:
        return self.path / name if self.is_folder else self.path
