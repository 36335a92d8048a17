"""The HTTP client of the suite: it makes an `Exchange` of every request and passes it to its listeners."""

import itertools
import json as json_text
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, InitVar, dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlencode, urlsplit

import requests
from requests.structures import CaseInsensitiveDict

from airworthy import __version__
from airworthy.contract.bodies.body import has_many_values, skim, too_many_values
from airworthy.contract.http.exchange import Exchange, Headers, Request, Response
from airworthy.contract.http.transaction import member
from airworthy.errors import AirworthyError
from airworthy.target.ledger import created_kind
from airworthy.target.rate_limiter import RateLimiter
from airworthy.target.retries import Retries, RunBudget, is_rejected_by_throttling, is_throttled
from airworthy.target.secret import Secret
from airworthy.target.transport import (
    BASE_URL,
    Deadline,
    ExchangeError,
    ExchangeErrorKind,
    explain,
    open_session,
    timed_out,
)

Listener = Callable[[Exchange], None]
T = TypeVar("T")

BODY_LIMIT: Final = 5 * 1024 * 1024
_CONNECT_SECONDS: Final = 10.0
_MAX_FAILURES: Final = 3
_IDENTIFIER: Final = re.compile(r"/(?!v[0-9](?:/|$))[^/]*[0-9][^/]*(?=/|$)")


class InconclusiveError(AirworthyError):
    """A scenario has no result, for example because the target keeps throttling."""


class NotGiven:
    """The type of `NOT_GIVEN`, the default of an argument for which None is a value."""


NOT_GIVEN: Final = NotGiven()


def sequential_ids(prefix: str = "x") -> Callable[[], str]:
    """Return a function that returns x0001, x0002, …"""
    count = itertools.count(1)
    return lambda: f"{prefix}{next(count):04d}"


@dataclass(eq=False, repr=False)
class Client:
    """Sends the requests of one organisation to a target.

    Args:
        base_url: without the version.
        key: value of the header ``Authorization``; None to send no such header.
        ca_bundle: PEM file with the authorities to trust.
        timeout: seconds for one exchange, up to the last byte of the response.
        address_key: the key of the profile that has the base URL, for messages.
        rate_limiter: may be shared with other clients.
        run_budget: bounds what the target costs; may be shared with other clients.
        now: returns the target's time, for `Exchange.started`.
        ids: returns the id of the next exchange.
        before: called with the method and the path of each request; may raise an exception to prevent the request.
        pause: sleeps for a number of seconds.
        listeners: receive each exchange.
    """

    base_url: str
    _: KW_ONLY
    key: Secret | None = None
    ca_bundle: InitVar[Path | None] = None
    timeout: float = 30.0
    address_key: str = BASE_URL
    rate_limiter: RateLimiter = field(default_factory=lambda: RateLimiter(None))
    run_budget: RunBudget = field(default_factory=RunBudget)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ids: Callable[[], str] = field(default_factory=sequential_ids)
    before: Callable[[str, str], None] = lambda *_: None
    pause: Callable[[float], None] = time.sleep
    listeners: list[Listener] = field(default_factory=list)
    # How often each operation (method and path without ids) failed in a row.
    _failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    _simultaneous: list[Exchange] | None = None
    _closes_kept_connections: bool = False

    def __post_init__(self, ca_bundle: Path | None) -> None:
        """Prepare the connections."""
        self.base_url = self.base_url.rstrip("/")
        self._session = open_session(str(ca_bundle) if ca_bundle else None)

    def send(
        self,
        method: str,
        path: str,
        *,
        json: object = NOT_GIVEN,
        body: bytes | None = None,
        form: Mapping[str, str] | None = None,
        query: Mapping[str, str] | Sequence[tuple[str, str]] | None = None,
        headers: Mapping[str, str | None] | None = None,
        key: Secret | str | NotGiven | None = NOT_GIVEN,
    ) -> Exchange:
        """Send a request and return the exchange, whatever its status code.

        Give at most one of ``json``, ``form`` and ``body``. A header of None is not sent, nor is ``Authorization`` if
        ``key`` is None; without ``key``, the client's own is sent. Redirects are not followed. A throttled request
        (see `is_throttled`) is sent again, as `Retries` allows; after 503, only if it creates nothing.

        Raises:
            ExchangeError: the response is incomplete at the timeout, or larger than 5 MB, or the operation already
                failed three times in a row. Listeners have received the exchange.
            InconclusiveError: the target still throttles, or has throttled the run too often.
        """
        if self.run_budget.exhausted:
            raise InconclusiveError(self.run_budget.exhausted)
        self.before(method, path)
        operation = (method, _IDENTIFIER.sub("/{id}", path.partition("?")[0]))
        if self._failures[operation] >= _MAX_FAILURES:
            raise ExchangeError(
                "timeout", f"{method} {operation[1]}: not sent, because it failed {_MAX_FAILURES} times"
            )
        content, media = _encoded(json, form, body)
        url = f"{self.base_url}{path}" + (f"?{urlencode(query)}" if query else "")
        request = requests.Request(method, url, self._headers(media, key, headers or {}), data=content).prepare()
        retries = Retries(self.run_budget)
        creates = created_kind(method, path) is not None
        while True:
            exchange = self._exchange(request, operation, creates=creates)
            if exchange.response is None or not is_throttled(exchange.response):
                self.run_budget.responded()
                return exchange
            self.rate_limiter.throttled()
            pause = retries.pause_after(exchange.response)
            if pause is not None:
                # The next request has to wait, too.
                self.pause(pause)
            if pause is None or (creates and not is_rejected_by_throttling(exchange.response)):
                self.run_budget.gave_up()
                raise InconclusiveError(f"{method} {operation[1]}: the target throttles; exchange {exchange.id}")
            self.before(method, path)

    def over_plain_http(
        self, method: str, path: str, *, json: object = NOT_GIVEN, key: Secret | str | None = None
    ) -> Exchange:
        """Send a request without TLS, to port 80 or the port of the base URL, with a timeout of 5 seconds.

        No key is sent unless one is given. If the target does not respond, the exchange has no response.

        Raises:
            InconclusiveError: the base URL itself is plain HTTP, because TLS ends in front of the target.
        """
        parts = urlsplit(self.base_url)
        if parts.scheme == "http":
            raise InconclusiveError("the target is tested without TLS (allow_plain_http)")
        url = parts._replace(scheme="http", netloc=parts.netloc.removesuffix(":443")).geturl()
        plain = replace(self, base_url=url, key=None, timeout=min(self.timeout, 5.0), _failures=Counter())
        try:
            return plain.send(method, path, json=json, key=key)
        except ExchangeError as error:
            if error.exchange is None:
                raise
            return error.exchange
        finally:
            plain.close()

    def send_at_once(self, functions: Sequence[Callable[[], T]], *, apart: float = 0.0) -> list[T]:
        """Call functions that send requests, each in its own thread at the same moment; return their results in order.

        With ``apart``, each starts that many seconds after the one before, so that it arrives in the middle of it.

        The listeners receive the exchanges once all have ended, successes first. A target may have processed the
        requests in that order, whatever order the responses arrive in.
        """
        self._simultaneous = exchanges = list[Exchange]()
        try:
            return run_concurrently(functions, apart=apart)
        finally:
            self._simultaneous = None
            for exchange in sorted(exchanges, key=_is_refused):
                self._notify(exchange)

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def _notify(self, exchange: Exchange) -> None:
        for listen in self.listeners:
            listen(exchange)

    def _headers(
        self, media: str | None, key: Secret | str | NotGiven | None, others: Mapping[str, str | None]
    ) -> dict[str, str]:
        authorization = self.key if isinstance(key, NotGiven) else key
        sent = CaseInsensitiveDict[str | None](
            {
                "User-Agent": f"airworthy/{__version__}",
                "Accept": "application/json",
                "Accept-Encoding": "gzip, deflate",
                "Authorization": authorization.reveal() if isinstance(authorization, Secret) else authorization,
                "Content-Type": media,
            }
        )
        sent.update(others)
        return {name: value for name, value in sent.items() if value is not None}

    def _exchange(self, prepared: requests.PreparedRequest, operation: tuple[str, str], *, creates: bool) -> Exchange:
        self.rate_limiter.wait()
        identifier, started = self.ids(), self.now()
        request = Request(
            method=str(prepared.method),
            url=str(prepared.url),
            headers=tuple((str(name), str(value)) for name, value in prepared.headers.items()),
            body=prepared.body if isinstance(prepared.body, bytes) else b"",
        )
        before = time.perf_counter()

        def tell(response: Response | None) -> Exchange:
            exchange = Exchange(identifier, started, time.perf_counter() - before, request, response)
            if self._simultaneous is None:
                self._notify(exchange)
            else:
                self._simultaneous.append(exchange)
            return exchange

        try:
            response, failure = self._receive(prepared, creates=creates)
        except KeyboardInterrupt:
            # The target may have received the request, so what it creates must not be forgotten.
            tell(None)
            raise
        exchange = tell(response)
        if failure:
            self._failures[operation] += 1
            kind, reason = failure
            # Without ids, the same cause has the same text.
            raise ExchangeError(kind, f"{operation[0]} {self.base_url}{operation[1]}: {reason}", exchange)
        self._failures.pop(operation, None)
        return exchange

    def _receive(
        self, prepared: requests.PreparedRequest, *, creates: bool
    ) -> tuple[Response | None, tuple[ExchangeErrorKind, str] | None]:
        """Send a request; return as much of the response as was received, and why it is not complete."""
        response: Response | None = None
        with Deadline(self.timeout) as deadline:
            try:
                received = self._sent(prepared, deadline, creates=creates)
                headers: Headers = tuple((name, value) for name, value in received.raw.headers.iteritems())
                response = Response(received.status_code, headers, None)
                body = None
                try:
                    body = _bounded_body(received)
                finally:
                    # The rest of an incomplete response must not be read as the next one.
                    is_complete = body is not None and not deadline.expired and received.status_code >= HTTPStatus.OK
                    received.raw.release_conn() if is_complete else received.close()
                deadline.check()
            except Exception as error:  # noqa: BLE001  whatever a response makes a library raise is the target's fault
                if deadline.expired:
                    return response, ("timeout", timed_out(self.timeout))
                return response, explain(error, str(urlsplit(prepared.url).hostname), self.address_key, self.timeout)
        if body is None:
            return response, ("too large", f"the response body exceeds {BODY_LIMIT // 1024 // 1024} MB")
        if has_many_values(body, BODY_LIMIT):
            return response, ("too large", f"the response body {too_many_values(BODY_LIMIT)}")
        return Response(response.status, response.headers, body), None

    def _sent(self, prepared: requests.PreparedRequest, deadline: Deadline, *, creates: bool) -> requests.Response:
        """Send a request, once more if it creates nothing and the connection was closed before.

        From then on, what creates something is sent on a connection of its own.
        """
        timeout = (_CONNECT_SECONDS, self.timeout)
        if creates and self._closes_kept_connections:
            self._session.close()
        try:
            return self._session.send(prepared, stream=True, timeout=timeout)
        except requests.ConnectionError as error:
            self._closes_kept_connections |= deadline.is_stale(error)
            if creates or not deadline.is_stale(error):
                raise
            return self._session.send(prepared, stream=True, timeout=timeout)


def _encoded(json: object, form: Mapping[str, str] | None, body: bytes | None) -> tuple[bytes | None, str | None]:
    """Return the body of a request, and its media type if the client chooses it."""
    if not isinstance(json, NotGiven):
        return json_text.dumps(json).encode(), "application/json"
    if form is not None:
        return urlencode(form).encode(), "application/x-www-form-urlencoded"
    return body, None


def _is_refused(exchange: Exchange) -> bool:
    response = exchange.response
    if response is None or response.status >= HTTPStatus.BAD_REQUEST:
        return True
    # v2 and v3 report some refusals with status 200.
    return member(skim(response.body), "success") is False


def run_concurrently(functions: Sequence[Callable[[], T]], *, apart: float = 0.0) -> list[T]:
    """Call functions, each in its own thread, ``apart`` seconds after one another; return their results in order."""
    start = threading.Barrier(len(functions))

    def run(position: int, function: Callable[[], T]) -> T:
        start.wait(timeout=60)
        time.sleep(position * apart)
        return function()

    with ThreadPoolExecutor(len(functions)) as pool:
        return list(pool.map(run, range(len(functions)), functions))


def _bounded_body(response: requests.Response) -> bytes | None:
    pieces: list[bytes] = []
    size = 0
    for piece in response.raw.stream(64 * 1024, decode_content=True):
        size += len(piece)
        if size > BODY_LIMIT:
            return None
        pieces.append(piece)
    return b"".join(pieces)
