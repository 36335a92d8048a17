"""Keep web pages away from the sandbox's own endpoints: a page must not move its clock or read its credentials.

A browser sends requests of any page to a loopback address. It declares them by ``Origin`` and ``Sec-Fetch-Site``, and
asks before it sends JSON to another origin (a preflight, which is rejected here). A page whose host name was changed to
resolve to an address of the sandbox (DNS rebinding) is revealed by ``Host``, which has to be a loopback address or a
name that the sandbox was started with.
"""

from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from airworthy.sandbox.http.listening import parsed_address

_SAFE: Final = ("GET", "HEAD")
_OWN_SITE: Final = (None, "same-origin", "none")


class OriginGuard:
    """An ASGI application before another one that rejects hosts other than ``hosts`` and the loopback addresses."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] = frozenset()) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with 403 or 415, or let the other application respond."""
        status, problem = _problem(scope["method"], Headers(scope=scope), self._hosts)
        app = JSONResponse({"message": problem}, status) if problem else self._app
        await app(scope, receive, send)


def _problem(method: str, headers: Headers, hosts: frozenset[str]) -> tuple[int, str]:
    """Return the status and the reason why a request is rejected; the reason is empty if it is not."""
    host = headers.get("host", "")
    if len(headers.getlist("host")) != 1 or not _is_known(host, hosts):
        return 403, "expected a Host header with localhost, a loopback address or a --name of the sandbox"
    origins = headers.getlist("origin")
    if any(urlsplit(each).netloc.lower() != host.lower() for each in origins):
        return 403, "expected a request that no page of another origin has sent"
    if method not in _SAFE and headers.get("sec-fetch-site") not in _OWN_SITE:
        return 403, "expected a request that no page of another site has sent"
    media = {each.partition(";")[0].strip().lower() for each in headers.getlist("content-type")}
    # A page can send a request without this header, but not without Origin.
    if method not in _SAFE and not media <= {"application/json"}:
        return 415, "expected Content-Type: application/json"
    return 200, ""


def _is_known(host: str, hosts: frozenset[str]) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    address = parsed_address(name)
    return name == "localhost" or name in hosts or (address is not None and address.is_loopback)
