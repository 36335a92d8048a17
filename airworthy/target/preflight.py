"""A check before the first scenario: one cheap request to each interface shows whether the target can be examined."""

import re
import uuid
from contextlib import closing
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from airworthy.contract.http.exchange import Exchange, Response, header
from airworthy.target.client import NOT_GIVEN, Client, InconclusiveError
from airworthy.target.profile import Organisation, Profile
from airworthy.target.secret import Secret
from airworthy.target.transport import BASE_URL, ExchangeError, ExchangeErrorKind
from airworthy.target.urls import origin_of

_Problem = tuple[ExchangeErrorKind, str]

_UNAUTHORIZED: Final = (401, 403)
_REDIRECTS: Final = range(300, 400)
# A service that rejects everything with 404 is examined; web frameworks use these words for a path that does not exist.
_NO_SUCH_PATH: Final = re.compile(rb"not.?found|cannot", re.IGNORECASE)
_OTHER_SECONDS: Final = 5.0
_OTHER_SCHEME: Final = {
    "http": f"this port speaks TLS; {BASE_URL} must start with https://",
    "https": (
        f"this port speaks plain HTTP, not TLS; correct the port in {BASE_URL} or, for a service under development"
        " without TLS, start it with http:// and set allow_plain_http = true (or --allow-plain-http)"
    ),
}
# Without any field, so that not even an unknown route is a reason for 404.
_SEARCHES: Final = {"v4": ("POST", "/v4/search"), "v3": ("GET", "/v3/flights"), "v2": ("GET", "/v2/flights")}


def check_target(profile: Profile) -> list[float]:
    """Check whether the target of a profile can be examined, and return the seconds of each exchange.

    Raises as `preflight`, and if the target has no such path.
    """
    seconds: list[float] = []
    client = Client(profile.base_url, ca_bundle=profile.ca_bundle, timeout=profile.timeout_seconds)
    client.listeners.append(lambda exchange: seconds.append(exchange.elapsed))
    with closing(client):
        preflight(client, profile)
        for version in profile.versions:
            if _has_no_interface(client, version, profile.organisation):
                reason = f"the target has no {version} here (status 404); correct the path in {BASE_URL}"
                raise ExchangeError("down", f"{client.base_url}: {reason}")
    return seconds


def preflight(client: Client, profile: Profile) -> None:
    """Send each examined interface a request for a resource that does not exist.

    A target that responds with anything but the cases below is examined: the scenarios find its violations.

    Raises:
        ExchangeError: the target cannot be reached, does not speak TLS, is not trusted, does not respond, responds with
            HTML, redirects, rejects the key or fails every request. The message is one line.
    """
    for version in profile.versions:
        probe = _probe(client, version, profile.organisation)
        exchange: Exchange | None = None
        try:
            exchange = probe.get(probe.path, probe.key)
            problem = _scheme_problem(client, exchange.response) or probe.problem(exchange)
        except ExchangeError as error:
            exchange, problem = error.exchange, _scheme_problem(client, error.kind)
            if problem is None:
                raise
        if problem:
            kind, reason = problem
            raise ExchangeError(kind, f"{client.base_url}: {reason}", exchange)


def _scheme_problem(client: Client, sign: Response | ExchangeErrorKind | None) -> _Problem | None:
    """Return that the base URL has the wrong scheme, if a response or the kind of an error is a sign of it."""
    scheme = urlsplit(client.base_url).scheme
    if isinstance(sign, Response):
        is_sign = scheme == "http" and sign.status in (HTTPStatus.BAD_REQUEST, *_REDIRECTS)
    else:
        is_sign = sign in ("not TLS", "closed", "timeout")
    return ("not TLS", _OTHER_SCHEME[scheme]) if is_sign and _speaks_other_scheme(client) else None


def _speaks_other_scheme(client: Client) -> bool:
    """Return whether the port of an http:// URL speaks TLS, or that of an https:// URL plain HTTP."""
    scheme, _, address = origin_of(urlsplit(client.base_url)).partition("://")
    other = Client(f"{'http' if scheme == 'https' else 'https'}://{address}", timeout=_OTHER_SECONDS)
    try:
        response = other.send("GET", "/").response
    except ExchangeError as error:
        return scheme == "http" and error.kind == "untrusted"
    except InconclusiveError:
        return True
    finally:
        other.close()
    # A port that speaks TLS rejects plain HTTP with this status, too.
    return response is not None and (scheme == "http" or response.status != HTTPStatus.BAD_REQUEST)


def _has_no_interface(client: Client, version: str, organisation: Organisation) -> bool:
    """Return whether operations get the same 404 response as a path that never exists."""
    probe = _probe(client, version, organisation)
    for method, known in (_SEARCHES[version], ("GET", probe.path)):
        body = _not_found(client, method, known, probe.key)
        if body is None or body != _not_found(client, method, f"/{version}/{uuid.uuid4()}", probe.key):
            return False
    return True


def _not_found(client: Client, method: str, path: str, key: str) -> bytes | None:
    """Return the body of a 404 response that looks like that of a server without such a path; None for any other.

    What depends on the request is left out.
    """
    try:
        response = client.send(method, path, json={} if method == "POST" else NOT_GIVEN, key=key).response
    except (ExchangeError, InconclusiveError):
        return None
    if response is None or response.status != HTTPStatus.NOT_FOUND:
        return None
    body = response.body or b""
    rest = re.sub(rb"[0-9]", b"", body.replace(path.encode(), b""))
    return rest if path.encode() in body or not rest.strip() or _NO_SUCH_PATH.search(rest) else None


def _probe(client: Client, version: str, organisation: Organisation) -> "_Probe":
    unknown = uuid.uuid4()
    if version == "v4":
        assert organisation.v4 is not None
        secret = organisation.v4.key
        offer, key = f"/v4/offer/{unknown}", secret.reveal()
        return _Probe(client, f"{offer}/fares", f"{offer}/baggage", key, f"Bearer {key}", secret)
    credentials = organisation.tokens[version]
    key, token = credentials.authorization("GET"), credentials.token
    other = token.reveal() if key != token.reveal() else f"Bearer {key}"
    booking = f"/{version}/bookings?cp_reference={unknown.hex[:8].upper()}"
    return _Probe(client, booking, f"/{version}/flights?origin=MAD&destination=BCN", key, other, token)


@dataclass(frozen=True)
class _Probe:
    """Two cheap requests to an interface, and the key for them."""

    client: Client
    path: str
    second_path: str
    key: str = field(repr=False)
    key_in_other_form: str = field(repr=False)
    secret: Secret

    def problem(self, exchange: Exchange) -> _Problem | None:
        response = exchange.response
        if response is None:
            return "closed", "the target does not respond"
        status = f"status {response.status}"
        if _is_html(response) and self._is_website():
            return "HTML", f"the target responds with HTML ({status}); correct {BASE_URL}"
        if response.status in _REDIRECTS:
            where = _redirection(response)
            return "down", f"the target redirects ({status}){where}; {BASE_URL} must be the URL that it redirects to"
        if response.status in _UNAUTHORIZED and not self._accepts_other_form():
            version = self.path.split("/")[1]
            name = f"[{version}] {'key' if version == 'v4' else 'token'}"
            variable = f" ({self.secret.name})" * self.secret.from_environment
            return "key", f"the target rejects the {version} key ({status}); correct {name}{variable}"
        if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            second = self.get(self.second_path, self.key).response
            if second is None or second.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                return "down", f"the target fails every request ({status})"
        return None

    def _is_website(self) -> bool:
        """Return whether a second path is HTML, too. A single error of v3 or v2 may be HTML (OPEN-14)."""
        response = self.get(self.second_path, self.key).response
        return response is None or _is_html(response)

    def _accepts_other_form(self) -> bool:
        """Return whether only this form of the key is rejected: a violation, which the scenarios report."""
        response = self.get(self.path, self.key_in_other_form).response
        return response is not None and response.status not in _UNAUTHORIZED

    def get(self, path: str, key: str) -> Exchange:
        try:
            return self.client.send("GET", path, key=key)
        except InconclusiveError as error:
            raise ExchangeError("down", f"{self.client.base_url}: {error}") from None


def _redirection(response: Response) -> str:
    """Return where a response redirects to, without the path; an empty string if it is not an address."""
    location = header(response.headers, "Location") or ""
    found = re.match(r"https?://[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?(?=/|$)", location)
    return f" to {found[0]}" if found else ""


def _is_html(response: Response) -> bool:
    start = (response.body or b"")[:200].lstrip().lower()
    declared = "html" in (header(response.headers, "Content-Type") or "").lower()
    return start.startswith((b"<!doctype", b"<html")) or (declared and not start.startswith((b"{", b"[")))
