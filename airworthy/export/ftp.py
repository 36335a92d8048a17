"""An export on an FTP server, read as streams: passive, over TLS where the URL says so, bounded in time and size."""

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
from typing import Final, Literal
from urllib.parse import SplitResult, unquote

from airworthy.errors import TargetError, UsageError
from airworthy.export.report import shown
from airworthy.export.rows import Stream
from airworthy.target.secret import Secret

_PORT, _PORT_OF_IMPLICIT_TLS = 21, 990
_BLOCK: Final = 1 << 16
_LONGEST_LISTING: Final = 1 << 24
_LONGEST_REPLY: Final = 1_000
_SIZE: Final = re.compile(r"[0-9]{1,15}")
_UNKNOWN_COMMAND: Final = ("500", "501", "502", "504")
# FTP's own errors, those of the network, a connection that is closed, and what is no FTP.
_FAILURES: Final = (ftplib.Error, OSError, EOFError, ValueError)


@dataclass(frozen=True, slots=True)
class Access:
    """How a server is reached.

    ``user`` and ``password`` log in (anonymously, without a user); TLS trusts ``ca_bundle`` (the system's authorities,
    without one). ``silence`` is how long the server may say nothing, ``at_most`` how long all may take, in seconds.
    """

    user: Secret | None = None
    password: Secret | None = None
    ca_bundle: Path | None = None
    silence: float = 30.0
    at_most: float | None = None


@dataclass(slots=True)
class FtpFolder:
    """A folder of a server, or one CSV file in it. The listing and each file have a connection of their own."""

    url: SplitResult
    access: Access
    _sizes: dict[str, int] = field(default_factory=dict)
    _until: float = field(init=False)

    def __post_init__(self) -> None:
        self._until = time.monotonic() + self.access.at_most if self.access.at_most else float("inf")

    @property
    def name(self) -> str:
        """The URL."""
        return shown(self.url.geturl())

    @property
    def is_folder(self) -> bool:
        """Whether the URL is of a folder."""
        return not self._place[1]

    def names(self) -> Sequence[str]:
        """Return the names of the folder's files. Raises UsageError where it is not there, TargetError."""
        if file := self._place[1]:
            return [file]
        with self._connected() as ftp, self._speaking():
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
        """Return the size of a file in bytes, None where no listing said it."""
        return self._sizes.get(name)

    @contextmanager
    def open(self, name: str) -> Iterator[Stream]:
        """Open a file. Raises OSError where the server does not give this one, TargetError where it gives none."""
        with self._connected() as ftp:
            refused = ""
            with self._speaking():
                try:
                    transfer = self._transfer(ftp, f"RETR {_on_the_wire(name)}", "I")
                except ftplib.error_perm as error:
                    refused = self._said(error)
            if refused:
                raise OSError(f"the server does not give it: {refused}")
            with contextlib.closing(transfer):
                yield transfer

    @property
    def _place(self) -> tuple[str, str]:
        """The folder of the URL, and its file where it is of one."""
        path = unquote(self.url.path, encoding="utf-8", errors="surrogateescape").removeprefix("/")
        folder, _, last = path.rpartition("/")
        return (folder, last) if last.lower().endswith(".csv") else (path, "")

    # A connection

    @contextmanager
    def _connected(self) -> Iterator[ftplib.FTP]:
        ftp = self._client()
        try:
            with self._speaking():
                ftp.connect(self.url.hostname or "", self.url.port or _PORT, self.access.silence)
                self._log_in(ftp)
                self._go_to_folder(ftp)
            yield ftp
        finally:
            ftp.close()

    def _client(self) -> ftplib.FTP:
        # Names and replies are bytes in an encoding that nobody says: in this one each byte is a character.
        if self.url.scheme == "ftp":
            return _Ftp(encoding="latin-1")
        try:
            context = ssl.create_default_context(cafile=self.access.ca_bundle)
        except OSError:
            raise UsageError(f"{self.access.ca_bundle}: expected a PEM file with authorities") from None
        kind = _ImplicitTls if self.url.port == _PORT_OF_IMPLICIT_TLS else _ExplicitTls
        return kind(context=context, encoding="latin-1")

    def _log_in(self, ftp: ftplib.FTP) -> None:
        user, password = self.access.user, self.access.password
        try:
            ftp.login(user.reveal() if user else "", password.reveal() if password else "")
        except ftplib.error_perm as error:
            raise TargetError(f"{self.name}: the server refuses the login: {self._said(error)}") from None
        if isinstance(ftp, ftplib.FTP_TLS):
            ftp.prot_p()

    def _go_to_folder(self, ftp: ftplib.FTP) -> None:
        folder, _ = self._place
        if not folder:
            return
        try:
            ftp.cwd(_on_the_wire(folder))
        except ftplib.error_perm as error:
            raise UsageError(f"{self.name}: the server has no such folder: {self._said(error)}") from None

    def _transfer(self, ftp: ftplib.FTP, command: str, kind: Literal["A", "I"]) -> "_Transfer":
        ftp.voidcmd(f"TYPE {kind}")
        return _Transfer(ftp, ftp.transfercmd(command), self._speaking, self._until)

    def _lines(self, ftp: ftplib.FTP, command: str) -> list[str]:
        try:
            transfer = self._transfer(ftp, command, "A")
        except ftplib.error_perm as error:
            # So do some servers say that a folder is empty.
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
    def _speaking(self) -> Iterator[None]:
        """Say in one line what goes wrong with the server."""
        try:
            yield
        except ssl.SSLCertVerificationError as error:
            why = f"its certificate is not trusted: {error.verify_message} (--ca-bundle names an authority)"
            raise TargetError(f"{self.name}: {why}") from None
        except TimeoutError:
            raise TargetError(f"{self.name}: the server says nothing for {self.access.silence:g} s") from None
        except EOFError:
            raise TargetError(f"{self.name}: the server is gone") from None
        except _FAILURES as error:
            raise TargetError(f"{self.name}: {self._said(error)}") from None

    def _said(self, error: Exception) -> str:
        """Return what a server said, or the system; a server may repeat what it was sent."""
        text = (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
        for secret in (self.access.password, self.access.user):
            if secret and secret.reveal():
                text = text.replace(secret.reveal(), str(secret))
        return shown(text)


class _Transfer:
    """The bytes of a file: they end only when the server has said that they are all."""

    def __init__(
        self,
        ftp: ftplib.FTP,
        connection: socket.socket,
        speaking: Callable[[], AbstractContextManager[None]],
        until: float,
    ) -> None:
        self._ftp = ftp
        self._connection = connection
        self._speaking = speaking
        self._until = until
        self._ended = False

    def read(self, size: int) -> bytes:
        """Read so many bytes; fewer are left at the end only. Raises TargetError where the transfer breaks off."""
        pieces: list[bytes] = []
        missing = size
        while missing and not self._ended:
            with self._speaking():
                if time.monotonic() > self._until:
                    raise OSError("the transfer takes longer than it may")
                piece = self._connection.recv(min(missing, _BLOCK))
                if not piece:
                    self._ended = True
                    self._connection.close()
                    self._ftp.voidresp()
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()


class _Ftp(ftplib.FTP):
    """A client that bounds what a server may say in one reply."""

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
    """TLS from the login on; data connections take its session along, as many servers demand."""

    def ntransfercmd(self, cmd: str, rest: int | str | None = None) -> tuple[socket.socket, int | None]:
        connection, size = super(ftplib.FTP_TLS, self).ntransfercmd(cmd, rest)
        session = self.sock.session if isinstance(self.sock, ssl.SSLSocket) else None
        return self.context.wrap_socket(connection, server_hostname=self.host, session=session), size


class _ImplicitTls(_ExplicitTls):
    """TLS from the first byte on."""

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
    """Return the name and the facts in a line of a listing."""
    facts, _, name = line.partition(" ")
    pairs = (fact.partition("=") for fact in facts.split(";") if fact)
    return name, {key.lower(): value for key, _, value in pairs}


def _on_the_wire(name: str) -> str:
    """Return a name as the client's encoding sends its bytes."""
    return name.encode("utf-8", "surrogateescape").decode("latin-1")
