"""HTTP transport with a total deadline per exchange, and one-line explanations of its errors."""

import http.client
import math
import os
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, Literal, Self

import requests
import urllib3
from requests.adapters import HTTPAdapter

from airworthy.contract.http.exchange import Exchange
from airworthy.errors import TargetError

ExchangeErrorKind = Literal[
    "down", "dns", "not TLS", "untrusted", "timeout", "closed", "too large", "undecodable", "HTML", "key"
]


# These responses precede the final one. 101 Switching Protocols is final.
_INFORMATIONAL: Final = range(102, 200)


class ExchangeError(TargetError):
    """The target did not send a complete response, or cannot be examined.

    ``exchange`` is the request with what was received; None if nothing was sent. The message is one line.
    """

    def __init__(self, kind: ExchangeErrorKind, message: str, exchange: Exchange | None = None) -> None:
        super().__init__(message)
        self.kind: ExchangeErrorKind = kind
        self.exchange = exchange


class _DeadlineWatch(threading.Thread):
    """Expires deadlines, in one thread for all: a timer for each would cost a third of a short exchange."""

    def __init__(self) -> None:
        super().__init__(daemon=True, name="deadlines")
        self._running: set[Deadline] = set()
        self._wakes_at = math.inf
        self._changed = threading.Condition()
        self._is_started = False

    def add(self, deadline: "Deadline") -> None:
        """Watch a deadline."""
        with self._changed:
            self._running.add(deadline)
            if not self._is_started:
                self._is_started = True
                self.start()
            elif deadline.expires_at < self._wakes_at:
                self._changed.notify()

    def remove(self, deadline: "Deadline") -> None:
        """Forget a deadline."""
        with self._changed:
            self._running.discard(deadline)

    def run(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                for each in [deadline for deadline in self._running if deadline.expires_at <= now]:
                    self._running.discard(each)
                    each.expire()
                self._wakes_at = min((each.expires_at for each in self._running), default=math.inf)
                self._changed.wait(None if self._wakes_at == math.inf else self._wakes_at - now)


class Deadline:
    """Bounds the exchange of a ``with`` block: when the time is up, the connection is shut down.

    A timeout of `requests` bounds a single read, so a server that sends one byte at a time could hold a run forever.
    """

    _of_thread = threading.local()
    _watch = _DeadlineWatch()

    def __init__(self, seconds: float) -> None:
        self.expired = False
        self.expires_at = time.monotonic() + seconds
        self.reuses_connection = False
        self._connection: _BoundedConnection | None = None
        self._socket: socket.socket | None = None

    @classmethod
    def current(cls) -> "Deadline | None":
        """Return the deadline of the exchange that this thread is making."""
        return getattr(cls._of_thread, "deadline", None)

    @classmethod
    def restart(cls) -> None:
        """Start a new watch thread in a forked process, which does not inherit threads."""
        cls._watch = _DeadlineWatch()

    def __enter__(self) -> Self:
        self._of_thread.deadline = self
        self._watch.add(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._watch.remove(self)
        del self._of_thread.deadline

    def watch(self, connection: "_BoundedConnection") -> None:
        """Set the connection that is shut down. Raise TimeoutError if the time is already up."""
        # http.client forgets the socket of a response that ends with the connection.
        self._connection, self._socket = connection, connection.sock
        self.check()

    def check(self) -> None:
        """Raise TimeoutError if the time is up."""
        if self.expired:
            raise TimeoutError("the time for the exchange is up")

    def is_stale(self, error: Exception) -> bool:
        """Return whether the target closed a connection that it had kept open, rather than respond on it.

        It may do so at any time between two exchanges, so the request can be sent again on another connection.
        """
        is_closed = any(isinstance(each, ConnectionError | ssl.SSLEOFError) for each in _causes(error))
        return self.reuses_connection and is_closed and not self.expired

    def expire(self) -> None:
        """End the exchange: its time is up."""
        self.expired = True
        # By now a connection that is kept open may serve another exchange.
        if self._connection and self._socket and self._connection.deadline is self:
            with suppress(OSError):
                # Not SSLSocket.shutdown(), which must not be called while another thread reads.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


os.register_at_fork(after_in_child=Deadline.restart)


class _FinalResponse(http.client.HTTPResponse):
    """A response without the informational ones before it, of which `http.client` only skips 100 Continue."""

    def begin(self) -> None:
        super().begin()
        while self.status in _INFORMATIONAL:
            # A response with headers has begun.
            self.headers = None  # type: ignore[assignment]
            super().begin()


class _BoundedConnection(urllib3.connection.HTTPConnection):
    """A connection that the current deadline can shut down."""

    response_class = _FinalResponse
    deadline: Deadline | None = None
    _is_kept = False

    def connect(self) -> None:
        super().connect()
        self._is_kept = False

    def request(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  as in the base class
        self.deadline = Deadline.current()
        if self.deadline:
            self.deadline.reuses_connection = self._is_kept
        self._is_kept = True
        super().request(*args, **kwargs)
        if self.deadline:
            self.deadline.watch(self)


class _BoundedTLSConnection(_BoundedConnection, urllib3.connection.HTTPSConnection):
    pass


class _HTTPPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _BoundedConnection


class _HTTPSPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _BoundedTLSConnection


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  as in the base class
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _HTTPPool, "https": _HTTPSPool}


class _Session(requests.Session):
    """A session that ignores redirects: to prepare the next request, `requests` would read a body of any size."""

    def get_redirect_target(self, resp: requests.Response) -> None:  # noqa: ARG002  as in the base class
        """Return None."""
        return


def open_session(ca_bundle: str | None) -> requests.Session:
    """Return a session that reuses connections and ignores the environment (proxies, netrc, CA bundles).

    It trusts the authorities in ``ca_bundle``, or the default ones.
    """
    session = _Session()
    session.trust_env = False
    session.verify = ca_bundle or True
    session.headers.clear()
    for scheme in ("https://", "http://"):
        session.mount(scheme, _Adapter(pool_connections=4, pool_maxsize=16))
    return session


def explain(error: Exception, host: str, address_key: str, timeout: float) -> tuple[ExchangeErrorKind, str]:
    """Return the kind of a failure, and an explanation that continues a line with method and URL.

    It names the key to change: ``address_key`` of the profile has the URL, ``timeout_seconds`` the ``timeout``.
    """
    causes = list(_causes(error))
    values = {"host": host, "key": address_key}
    untrusted = next((each for each in causes if isinstance(each, ssl.SSLCertVerificationError)), None)
    if untrusted:
        line = _CERTIFICATE_PROBLEMS.get(untrusted.verify_code, _NOT_TRUSTED)
        return "untrusted", line.format(reason=untrusted.verify_message, **values)
    for error_type, kind, line in _EXPLANATIONS:
        if any(isinstance(each, error_type) for each in causes):
            return kind, line.format(**values)
    if any(isinstance(each, TimeoutError | urllib3.exceptions.TimeoutError) for each in causes):
        return "timeout", timed_out(timeout)
    is_malformed = any(isinstance(each, ValueError | LookupError) for each in causes)
    return "closed", "the response is not valid HTTP" if is_malformed else CLOSED


def timed_out(seconds: float) -> str:
    """Return the explanation for an exchange that took longer than ``timeout_seconds`` in the profile."""
    return f"the target did not send a complete response in time (timeout_seconds = {seconds:g})"


BASE_URL: Final = "base_url (or --target)"
CLOSED: Final = "the target closed the connection before the response was complete"
_DNS: Final = "the host name {host} cannot be resolved; correct it in {key}"
_UNREACHABLE: Final = "the target cannot be reached; check the host and the port in {key}, and the network"
_NOT_TRUSTED: Final = (
    "the certificate is not trusted ({reason}); ca_bundle (or --ca-bundle) must name a file with its authority"
)
_OTHER_HOST: Final = "the certificate is for another host ({reason}); {key} must have a host of the certificate"
# By the codes of OpenSSL.
_CERTIFICATE_PROBLEMS: Final = {
    9: "the certificate is not valid yet; check the clocks of both machines",
    10: "the certificate has expired; the target needs a new one",
    62: _OTHER_HOST,
    64: _OTHER_HOST,
}
_EXPLANATIONS: Final[tuple[tuple[type[Exception], ExchangeErrorKind, str], ...]] = (
    (ssl.SSLEOFError, "closed", CLOSED),
    (ssl.SSLError, "not TLS", "the target does not speak TLS on this port; check the port in {key}"),
    (socket.gaierror, "dns", _DNS),
    (urllib3.exceptions.NameResolutionError, "dns", _DNS),
    (
        ConnectionRefusedError,
        "down",
        "nothing listens on this port (connection refused); start the service, or correct the port in {key}",
    ),
    # urllib3 also reports a connection that cannot be established as a timeout, so these come first.
    (urllib3.exceptions.NewConnectionError, "down", _UNREACHABLE),
    (urllib3.exceptions.ConnectTimeoutError, "down", _UNREACHABLE),
    (http.client.IncompleteRead, "closed", CLOSED),
    (http.client.RemoteDisconnected, "closed", CLOSED),
    (http.client.HTTPException, "closed", "the response is not valid HTTP"),
    (urllib3.exceptions.DecodeError, "undecodable", "the body cannot be decoded as its Content-Encoding says"),
)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and everything that requests and urllib3 wrapped in it."""
    found: list[BaseException] = [error]
    for each in found:
        yield each
        inner = (getattr(each, "reason", None), *each.args, each.__cause__, each.__context__)
        found += [cause for cause in inner if isinstance(cause, BaseException) and cause not in found]
