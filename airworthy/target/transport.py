"""HTTP that ends: a `requests` adapter whose reads share one deadline, and what its failures mean in plain words."""

import io
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from typing import Any, Final, Literal

import requests
import urllib3
from requests.adapters import HTTPAdapter

from airworthy.contract.exchange import Exchange
from airworthy.errors import TargetError

Trouble = Literal["down", "dns", "not TLS", "untrusted", "timeout", "closed", "too large", "undecodable", "HTML", "key"]


class NoAnswer(TargetError):  # noqa: N818  it says what there was not
    """The target gave no whole answer.

    ``trouble`` is the kind; ``exchange`` what there is of it (None where nothing was sent). The message is one line.
    """

    def __init__(self, trouble: Trouble, message: str, exchange: Exchange | None = None) -> None:
        super().__init__(message)
        self.trouble: Trouble = trouble
        self.exchange = exchange


class _Deadline(threading.local):
    at: float = float("inf")


_deadline: Final = _Deadline()


def begin(seconds: float) -> None:
    """Give the exchange that this thread now makes so many seconds, to the last byte of its answer."""
    _deadline.at = time.monotonic() + seconds


def session(ca_bundle: str | None) -> requests.Session:
    """Return a session that keeps connections, trusts ``ca_bundle`` (or the usual authorities) and no environment."""
    made = requests.Session()
    made.trust_env = False
    made.verify = ca_bundle or True
    made.headers.clear()
    for scheme in ("https://", "http://"):
        made.mount(scheme, _Adapter(pool_connections=4, pool_maxsize=16))
    return made


def trouble_of(error: Exception, host: str) -> tuple[Trouble, str]:
    """Say what a failed exchange means, as a kind and as the end of the line that starts with the URL."""
    causes = list(_causes(error))
    untrusted = next((each for each in causes if isinstance(each, ssl.SSLCertVerificationError)), None)
    if untrusted:
        why = untrusted.verify_message
        return "untrusted", f"its certificate is not trusted ({why}); name its authority with --ca-bundle"
    for kind, trouble, line in _TROUBLES:
        if any(isinstance(each, kind) for each in causes):
            return trouble, line.format(host=host)
    return "closed", "it closed the connection before its answer was whole"


_TROUBLES: Final[tuple[tuple[type[Exception], Trouble, str], ...]] = (
    (ssl.SSLEOFError, "closed", "it closed the connection in the middle"),
    (ssl.SSLError, "not TLS", "it does not speak TLS on this port"),
    (socket.gaierror, "dns", "the name {host} cannot be resolved"),
    (urllib3.exceptions.NameResolutionError, "dns", "the name {host} cannot be resolved"),
    (ConnectionRefusedError, "down", "nothing listens there (connection refused)"),
    (urllib3.exceptions.NewConnectionError, "down", "it cannot be reached"),
    # For urllib3 a connection that could not be made at all is a timeout, too: that stands before these.
    (TimeoutError, "timeout", "it gave no whole answer in time"),
    (urllib3.exceptions.TimeoutError, "timeout", "it gave no whole answer in time"),
    (urllib3.exceptions.DecodeError, "undecodable", "its answer does not decode by its own Content-Encoding"),
)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Walk through the wrappers of requests and urllib3 down to what the operating system said."""
    seen: list[BaseException] = [error]
    for each in seen:
        yield each
        inner = (getattr(each, "reason", None), *each.args, each.__cause__, each.__context__)
        seen += [found for found in inner if isinstance(found, BaseException) and found not in seen]


class _TimedReads(io.RawIOBase):
    """Reads of a socket, each with no more time than the exchange has left: a dripping server cannot hold a run."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._raw = connection.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:  # noqa: ANN401  any writable buffer
        left = _deadline.at - time.monotonic()
        if left <= 0:
            raise TimeoutError("the exchange's time is over")
        self._connection.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedSocket:
    """A socket in everything but what `http.client` reads from."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def makefile(self, *_: object, **__: object) -> io.BufferedReader:
        return io.BufferedReader(_TimedReads(self._connection))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever a socket has
        return getattr(self._connection, name)


class _TimedHTTP(urllib3.connection.HTTPConnection):
    def connect(self) -> None:
        super().connect()
        self.sock = _TimedSocket(self.sock)


class _TimedHTTPS(urllib3.connection.HTTPSConnection):
    def connect(self) -> None:
        super().connect()
        self.sock = _TimedSocket(self.sock)


class _HTTPPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _TimedHTTP


class _HTTPSPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _TimedHTTPS


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  as the base class has it
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _HTTPPool, "https": _HTTPSPool}
