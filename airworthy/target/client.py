"""Talks to the target: every call ends, becomes an `Exchange`, and is handed to whoever listens."""

import itertools
import json as json_text
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlencode, urlsplit

import requests
import urllib3

from airworthy import __version__
from airworthy.contract.exchange import Exchange, Headers, Request, Response, header
from airworthy.errors import AirworthyError
from airworthy.target.secret import Secret
from airworthy.target.transport import NoAnswer, begin, session, trouble_of

Listener = Callable[[Exchange], None]
T = TypeVar("T")

BODY_LIMIT: Final = 5 * 1024 * 1024
_CONNECT_SECONDS: Final = 10.0
_LONGEST_BACK_OFF: Final = 30.0
_UNANSWERED: Final = 3
_TOO_MANY_REQUESTS: Final = 429
_SERVICE_UNAVAILABLE: Final = 503
_IDENTIFIER: Final = re.compile(r"/(?!v[0-9](?:/|$))[^/]*[0-9][^/]*(?=/|$)")


class Inconclusive(AirworthyError):  # noqa: N818  it is no error
    """The target throttled until patience ended: nothing can be concluded from that."""


class Unset:
    """Marks an argument that was not given, where None means something."""


UNSET: Final = Unset()


class Pace:
    """Lets calls through at no more than ``rate`` a second (None: at once), whatever thread they come from."""

    def __init__(self, rate: float | None, pause: Callable[[float], None] = time.sleep) -> None:
        self._gap = 1 / rate if rate else 0.0
        self._free_at = 0.0
        self._lock = threading.Lock()
        self._pause = pause

    def wait(self) -> None:
        """Return when the next call may be made."""
        if not self._gap:
            return
        with self._lock:
            now = time.monotonic()
            mine = max(now, self._free_at)
            self._free_at = mine + self._gap
        if mine > now:
            self._pause(mine - now)


class Client:
    """One organisation's connection to a target.

    ``base_url`` has no version; ``key`` is the value of ``Authorization`` (None: none is sent). ``timeout`` bounds
    one whole answer, in seconds. ``before`` sees the method and the path of each call and may raise to forbid it.
    ``now`` is the target's time, for `Exchange.started`. ``identifiers`` gives each exchange its id.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key: Secret | None = None,
        ca_bundle: Path | None = None,
        timeout: float = 30.0,
        pace: Pace | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        identifiers: Callable[[], str] | None = None,
        before: Callable[[str, str], None] | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.key = key
        self.listeners: list[Listener] = []
        self._timeout = timeout
        self._pace = pace or Pace(None)
        self._now = now
        self._identifiers = identifiers or numbered()
        self._before = before
        self._pause = pause
        self._session = session(str(ca_bundle) if ca_bundle else None)
        self._unanswered: dict[tuple[str, str], int] = {}

    def send(
        self,
        method: str,
        path: str,
        *,
        json: object = UNSET,
        body: bytes | None = None,
        form: Mapping[str, str] | None = None,
        query: Mapping[str, str] | Sequence[tuple[str, str]] | None = None,
        headers: Mapping[str, str | None] | None = None,
        key: Secret | str | Unset | None = UNSET,
    ) -> Exchange:
        """Make one call and return it with its answer, whatever its status.

        Of ``json``, ``form`` and raw ``body`` one is given at most; a header of None is left out, and so is
        ``Authorization`` for a ``key`` of None. Redirects are not followed. A throttled call (429, or 503 with a
        Retry-After) is made again when the time that the target asks for (30 s in all, at most) has passed.

        Raises:
            NoAnswer: no whole answer came in time, or it is larger than 5 MB. Listeners have seen the exchange.
            Inconclusive: the target throttled until patience ended.
        """
        if self._before:
            self._before(method, path)
        shape = (method, _IDENTIFIER.sub("/{id}", path.partition("?")[0]))
        if self._unanswered.get(shape, 0) >= _UNANSWERED:
            raise NoAnswer("timeout", f"{method} {shape[1]} was left unanswered {_UNANSWERED} times: not tried again")
        request = self._request(method, path, json=json, body=body, form=form, query=query, headers=headers, key=key)
        patience = _LONGEST_BACK_OFF
        while True:
            exchange = self._exchange(request, shape)
            if not _throttled(exchange):
                return exchange
            back_off = _retry_after(exchange)
            if back_off > patience:
                raise Inconclusive(f"{method} {shape[1]}: the target throttles; exchange {exchange.id}")
            patience -= back_off
            self._pause(back_off)

    def over_plain_http(
        self, method: str, path: str, *, json: object = UNSET, key: Secret | str | None = None
    ) -> Exchange:
        """Make a call without TLS: on port 80, or on the port that the base URL names; it has 5 seconds.

        No key is sent unless one is given. The exchange has no response where none came.

        Raises:
            Inconclusive: the base URL itself is plain HTTP, because TLS ends elsewhere.
        """
        parts = urlsplit(self.base_url)
        if parts.scheme == "http":
            raise Inconclusive("the profile allows plain HTTP (allow_plain_http): TLS ends elsewhere")
        port = f":{parts.port}" if parts.port not in (None, 443) else ""
        plain = Client(
            f"http://{parts.hostname}{port}{parts.path}",
            timeout=min(self._timeout, 5.0),
            pace=self._pace,
            now=self._now,
            identifiers=self._identifiers,
            before=self._before,
        )
        plain.listeners = self.listeners
        try:
            return plain.send(method, path, json=json, key=key)
        except NoAnswer as error:
            if error.exchange is None:
                raise
            return error.exchange
        finally:
            plain.close()

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def _request(
        self,
        method: str,
        path: str,
        *,
        json: object,
        body: bytes | None,
        form: Mapping[str, str] | None,
        query: Mapping[str, str] | Sequence[tuple[str, str]] | None,
        headers: Mapping[str, str | None] | None,
        key: Secret | str | Unset | None,
    ) -> requests.PreparedRequest:
        sent: dict[str, str | None] = {
            "User-Agent": f"airworthy/{__version__}",
            "Accept": "application/json",
            "Accept-Encoding": "gzip, deflate",
        }
        authorization = self.key if isinstance(key, Unset) else key
        if authorization is not None:
            sent["Authorization"] = authorization.reveal() if isinstance(authorization, Secret) else authorization
        if not isinstance(json, Unset):
            body = json_text.dumps(json).encode()
            sent["Content-Type"] = "application/json"
        elif form is not None:
            body = urlencode(form).encode()
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        for name, value in (headers or {}).items():
            sent = {each: kept for each, kept in sent.items() if each.lower() != name.lower()} | {name: value}
        # requests leaves out what is None.
        kept_headers = {name: value for name, value in sent.items() if value is not None}
        url = f"{self.base_url}{path}" + (f"?{urlencode(query)}" if query else "")
        return requests.Request(method, url, headers=kept_headers, data=body).prepare()

    def _exchange(self, prepared: requests.PreparedRequest, shape: tuple[str, str]) -> Exchange:
        self._pace.wait()
        identifier, started = self._identifiers(), self._now()
        sent = Request(
            method=str(prepared.method),
            url=str(prepared.url),
            headers=tuple((str(name), str(value)) for name, value in prepared.headers.items()),
            body=prepared.body if isinstance(prepared.body, bytes) else b"",
        )
        begin(self._timeout)
        clock = time.perf_counter()
        got: Headers = ()
        status, body, failure = 0, None, None
        try:
            answer = self._session.send(
                prepared, stream=True, allow_redirects=False, timeout=(_CONNECT_SECONDS, self._timeout)
            )
            status, got = answer.status_code, _headers(answer)
            try:
                body = _bounded_body(answer)
            finally:
                answer.close() if body is None else answer.raw.release_conn()
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            failure = error
        elapsed = time.perf_counter() - clock
        response = Response(status, got, body) if status else None
        exchange = Exchange(identifier, started, elapsed, sent, response)
        for listen in self.listeners:
            listen(exchange)
        if failure is not None or body is None:
            self._unanswered[shape] = self._unanswered.get(shape, 0) + 1
        if failure is not None:
            trouble, line = trouble_of(failure, str(urlsplit(sent.url).hostname))
            raise NoAnswer(trouble, f"{sent.method} {_without_query(sent.url)}: {line}", exchange) from None
        if body is None:
            limit = f"{BODY_LIMIT // 1024 // 1024} MB"
            raise NoAnswer(
                "too large", f"{sent.method} {_without_query(sent.url)}: its answer exceeds {limit}", exchange
            )
        self._unanswered.pop(shape, None)
        return exchange


def numbered(prefix: str = "x") -> Callable[[], str]:
    """Return a source of ids: x0001, x0002, …"""
    count = itertools.count(1)
    return lambda: f"{prefix}{next(count):04d}"


def together(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Make calls at the same moment, each in a thread of its own; return what they return, in their order."""
    start = threading.Barrier(len(calls))

    def at_once(call: Callable[[], T]) -> T:
        start.wait(timeout=10)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(at_once, calls))


def _without_query(url: str) -> str:
    return url.partition("?")[0]


def _headers(answer: requests.Response) -> Headers:
    return tuple((name, value) for name, value in answer.raw.headers.iteritems())


def _bounded_body(answer: requests.Response) -> bytes | None:
    """Read the whole body, or return None as soon as it exceeds the limit."""
    pieces: list[bytes] = []
    size = 0
    for piece in answer.raw.stream(64 * 1024, decode_content=True):
        size += len(piece)
        if size > BODY_LIMIT:
            return None
        pieces.append(piece)
    return b"".join(pieces)


def _throttled(exchange: Exchange) -> bool:
    """Say whether the target asks for patience: by 429, or by 503 with a Retry-After (OPEN-09)."""
    if exchange.response is None:
        return False
    asks_to_wait = header(exchange.response.headers, "Retry-After") is not None
    status = exchange.response.status
    return status == _TOO_MANY_REQUESTS or (status == _SERVICE_UNAVAILABLE and asks_to_wait)


def _retry_after(exchange: Exchange) -> float:
    """Return the seconds that a throttled call is asked to wait: 1 where the answer does not say."""
    value = header(exchange.response.headers, "Retry-After") if exchange.response else None
    if value is None:
        return 1.0
    if value.strip().isdigit():
        return max(0.1, float(value))
    try:
        return max(0.1, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return 1.0
