"""Open the location of an export: a folder, a file, or a URL on an FTP server, which is read as bounded streams."""

import contextlib
import ftplib
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, Literal
from urllib.parse import SplitResult, unquote, urlsplit

from airworthy.errors import TargetError, UsageError, reading
from airworthy.export.check import ExportLocation
from airworthy.export.report import shown
from airworthy.export.rows import ByteStream
from airworthy.target.secret import Secret

_PORT, _PORT_OF_IMPLICIT_TLS = 21, 990
_BLOCK: Final = 1 << 16
_LONGEST_LISTING: Final = 1 << 24
_LONGEST_REPLY: Final = 1_000
_SIZE: Final = re.compile(r"[0-9]{1,15}")
_UNKNOWN_COMMAND: Final = ("500", "501", "502", "504")
# Errors of the protocol and the network, a closed connection, and a server that does not speak FTP.
_FAILURES: Final = (ftplib.Error, OSError, EOFError, ValueError)


@dataclass(frozen=True, slots=True)
class FtpAccess:
    """How to connect to a server.

    Without ``user`` the login is anonymous. TLS trusts the authorities in ``ca_bundle``, or the system's if it is None.
    ``timeout`` limits how long the server may send nothing, ``max_time`` the time for everything, both in seconds.
    """

    user: Secret | None = None
    password: Secret | None = None
    ca_bundle: Path | None = None
    timeout: float = 30.0
    max_time: float | None = None


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
    path: Path
    is_folder: bool

    @property
    def name(self) -> str:
        return shown(str(self.path))

    def names(self) -> Sequence[str]:
        if not self.is_folder:
            return [self.path.name]
        with reading(self.name):
            return [each.name for each in self.path.iterdir() if each.is_file()]

    def size(self, name: str) -> int:
        return self._file(name).stat().st_size

    def open(self, name: str) -> BinaryIO:
        return self._file(name).open("rb")

    def _file(self, name: str) -> Path:
        return self.path / name if self.is_folder else self.path


@dataclass(slots=True)
class FtpFolder:
    """A folder on a server, or one CSV file in it. The listing and each file use a connection of their own."""

    url: SplitResult
    access: FtpAccess
    _sizes: dict[str, int] = field(default_factory=dict)
    _until: float = field(init=False)

    def __post_init__(self) -> None:
        self._until = time.monotonic() + self.access.max_time if self.access.max_time else float("inf")

    @property
    def name(self) -> str:
        """The URL."""
        return shown(self.url.geturl())

    @property
    def is_folder(self) -> bool:
        """Whether the URL is the URL of a folder."""
        return not self._place[1]

    def names(self) -> Sequence[str]:
        """Return the file names. Raises UsageError if the folder does not exist, TargetError if it cannot be read."""
        if file := self._place[1]:
            return [file]
        with self._connected() as ftp, self._errors_translated():
            try:
                lines = self._lines(ftp, "MLSD")
            except ftplib.error_perm as error:
                if not str(error).startswith(_UNKNOWN_COMMAND):
                    raise
                return [line.rpartition("/")[2] for line in self._lines(ftp, "NLST")]
        files = {name: facts for name, facts in map(_entry, lines) if facts.get("type", "file").lower() == "file"}
        sizes = {name: facts.get("size", "") for name, facts in files.items()}
        self._sizes = {name: int(size) for name, size in sizes.items() if _SIZE.fullmatch(size)}
        return list(files)

    def size(self, name: str) -> int | None:
        """Return the size of a file in bytes, or None if the listing did not contain it."""
        return self._sizes.get(name)

    @contextmanager
    def open(self, name: str) -> Iterator[ByteStream]:
        """Open a file. Raises OSError if the server does not send this file, TargetError if the connection fails."""
        with self._connected() as ftp:
            error_text = ""
            with self._errors_translated():
                try:
                    transfer = self._transfer(ftp, f"RETR {_wire_name(name)}", "I")
                except ftplib.error_perm as error:
                    error_text = self._error_text(error)
            if error_text:
                raise OSError(f"the server does not send it: {error_text}")
            with contextlib.closing(transfer):
                yield transfer

    @property
    def _place(self) -> tuple[str, str]:
        """The folder and the file of the URL; the file is "" in the URL of a folder."""
        path = unquote(self.url.path, encoding="utf-8", errors="surrogateescape").removeprefix("/")
        folder, _, last = path.rpartition("/")
        return (folder, last) if last.lower().endswith(".csv") else (path, "")

    # A connection

    @contextmanager
    def _connected(self) -> Iterator[ftplib.FTP]:
        with contextlib.closing(self._client()) as ftp:
            with self._errors_translated():
                ftp.connect(self.url.hostname or "", self.url.port or _PORT, self.access.timeout)
                self._log_in(ftp)
                self._go_to_folder(ftp)
            yield ftp

    def _client(self) -> ftplib.FTP:
        # The encoding of names and replies is unknown; in latin-1 every byte is a character.
        if self.url.scheme == "ftp":
            return _Ftp(encoding="latin-1")
        try:
            context = ssl.create_default_context(cafile=self.access.ca_bundle)
        except OSError:
            raise UsageError(f"{self.access.ca_bundle}: expected a PEM file with certificates of authorities") from None
        kind = _ImplicitTls if self.url.port == _PORT_OF_IMPLICIT_TLS else _ExplicitTls
        return kind(context=context, encoding="latin-1")

    def _log_in(self, ftp: ftplib.FTP) -> None:
        user, password = self.access.user, self.access.password
        try:
            ftp.login(user.reveal() if user else "", password.reveal() if password else "")
        except ftplib.error_perm as error:
            raise TargetError(f"{self.name}: the server rejects the login: {self._error_text(error)}") from None
        if isinstance(ftp, ftplib.FTP_TLS):
            ftp.prot_p()

    def _go_to_folder(self, ftp: ftplib.FTP) -> None:
        folder, _ = self._place
        if not folder:
            return
        try:
            ftp.cwd(_wire_name(folder))
        except ftplib.error_perm as error:
            raise UsageError(f"{self.name}: no such folder on the server: {self._error_text(error)}") from None

    def _transfer(self, ftp: ftplib.FTP, command: str, kind: Literal["A", "I"]) -> "_Transfer":
        ftp.voidcmd(f"TYPE {kind}")
        return _Transfer(ftp, ftp.transfercmd(command), self._errors_translated, self._until)

    def _lines(self, ftp: ftplib.FTP, command: str) -> list[str]:
        try:
            transfer = self._transfer(ftp, command, "A")
        except ftplib.error_perm as error:
            # Some servers reply like this to the listing of an empty folder.
            if command == "NLST" and str(error).startswith("550"):
                return []
            raise
        with contextlib.closing(transfer):
            listing = transfer.read(_LONGEST_LISTING)
            if transfer.read(1):
                raise TargetError(f"{self.name}: the listing has more than {_LONGEST_LISTING} bytes")
        lines = listing.decode("utf-8", "surrogateescape").split("\n")
        return [line.rstrip("\r") for line in lines if line.strip()]

    # What goes wrong

    @contextmanager
    def _errors_translated(self) -> Iterator[None]:
        """Raise TargetError with one line for whatever goes wrong with the server."""
        try:
            yield
        except ssl.SSLCertVerificationError as error:
            why = f"its certificate is not trusted: {error.verify_message} (name its authority with --ca-bundle)"
            raise TargetError(f"{self.name}: {why}") from None
        except TimeoutError:
            raise TargetError(f"{self.name}: no response from the server for {self.access.timeout:g} s") from None
        except EOFError:
            raise TargetError(f"{self.name}: the server closed the connection") from None
        except _FAILURES as error:
            raise TargetError(f"{self.name}: {self._error_text(error)}") from None

    def _error_text(self, error: Exception) -> str:
        """Return the text of an error without credentials: a server may repeat what it received."""
        text = (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
        for secret in (self.access.password, self.access.user):
            if secret and secret.reveal():
                text = text.replace(secret.reveal(), str(secret))
        return shown(text)


@dataclass(slots=True)
class _Transfer:
    """The bytes of a file. The end is only reported after the server confirmed that the transfer is complete."""

    _ftp: ftplib.FTP
    _connection: socket.socket
    _errors_translated: Callable[[], AbstractContextManager[None]]
    _until: float
    _ended: bool = False

    def read(self, size: int) -> bytes:
        """Read ``size`` bytes, fewer only at the end. Raises TargetError if the transfer is interrupted."""
        pieces: list[bytes] = []
        missing = size
        while missing and not self._ended:
            with self._errors_translated():
                if time.monotonic() > self._until:
                    raise OSError("the transfer exceeds the maximum time")
                piece = self._connection.recv(min(missing, _BLOCK))
                if not piece:
                    self._ended = True
                    self._connection.close()
                    self._ftp.voidresp()
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """Close the data connection."""
        self._connection.close()


class _Ftp(ftplib.FTP):
    """A client that limits the length of a reply."""

    _lines = 0

    def putline(self, line: str) -> None:
        self._lines = 0
        super().putline(line)

    def getline(self) -> str:
        self._lines += 1
        if self._lines > _LONGEST_REPLY:
            raise EOFError
        return super().getline()


class _ExplicitTls(ftplib.FTP_TLS, _Ftp):
    """Explicit TLS. Data connections reuse the TLS session, which many servers require."""

    def ntransfercmd(self, cmd: str, rest: int | str | None = None) -> tuple[socket.socket, int | None]:
        connection, size = super(ftplib.FTP_TLS, self).ntransfercmd(cmd, rest)
        session = self.sock.session if isinstance(self.sock, ssl.SSLSocket) else None
        return self.context.wrap_socket(connection, server_hostname=self.host, session=session), size


class _ImplicitTls(_ExplicitTls):
    """Implicit TLS: encrypted from the first byte on."""

    _socket: socket.socket | None = None

    @property
    def sock(self) -> socket.socket | None:
        return self._socket

    @sock.setter
    def sock(self, connection: socket.socket | None) -> None:
        if connection and not isinstance(connection, ssl.SSLSocket):
            connection = self.context.wrap_socket(connection, server_hostname=self.host)
        self._socket = connection


def _entry(line: str) -> tuple[str, dict[str, str]]:
    facts, _, name = line.partition(" ")
    pairs = (fact.partition("=") for fact in facts.split(";") if fact)
    return name, {key.lower(): value for key, _, value in pairs}


def _wire_name(name: str) -> str:
    """Return a name that the client's latin-1 encoding turns into the right bytes."""
    return name.encode("utf-8", "surrogateescape").decode("latin-1")
