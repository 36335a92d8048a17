"""The HTTP routes of the payment provider: its operations, idempotency keys, and the page of a 3-D Secure challenge."""

import base64
import binascii
import hashlib
import secrets
import threading
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from airworthy.sandbox.http.templating import render
from airworthy.sandbox.http.wire import any_method
from airworthy.sandbox.model.tables import BoundedTable
from airworthy.sandbox.payment_provider.operations import OPERATIONS, ProviderOperation, ProviderRequest
from airworthy.sandbox.payment_provider.provider import PaymentProvider
from airworthy.sandbox.payment_provider.records import PaymentIntent, ProviderError

_MAX_FORM = 16_384
_LONGEST_KEY = 255
_MOST_KEYS = 2_000
# The results that the buttons of the challenge page send, and whether the authentication has succeeded.
_RESULTS = {"authenticated": True, "failed": False}
Result = tuple[int, Mapping[str, Any]]
"""The status and the document of a response."""


def provider_app(provider: PaymentProvider) -> Starlette:
    """Return the provider as an application."""
    keys = IdempotencyKeys()
    documented = [any_method(path, partial(_respond, provider, keys, each)) for path, each in OPERATIONS.items()]
    challenge = any_method("/3d-secure/{challenge}", partial(_respond_to_challenge, provider))
    routes = [*documented, challenge, any_method("/{path:path}", _reject_unknown_path)]
    return Starlette(routes=routes, exception_handlers={ProviderError: _respond_with_error})


class IdempotencyKeys:
    """The responses to the last requests with an idempotency key, which repeated requests get without other effects.

    A response is kept if the request had an effect: a success, or a payment that failed. So a client can correct an
    invalid request and send it with the same key. Requests are compared by a digest, as they may contain cards.
    """

    def __init__(self) -> None:
        self._results: BoundedTable[tuple[str, bytes, Result]] = BoundedTable(_MOST_KEYS)
        self._secret = secrets.token_bytes(32)
        self._lock = threading.Lock()

    def respond(
        self, account: str, key: str, path: str, parameters: Mapping[str, str], handle: Callable[[], Result]
    ) -> JSONResponse:
        """Return the kept response to a request with this key, or else the result of ``handle``.

        Raises `ProviderError` if the key belongs to another request.
        """
        if len(key) > _LONGEST_KEY:
            message = f"Idempotency keys must have at most {_LONGEST_KEY} characters"
            raise ProviderError(400, "parameter_invalid", message)
        digest = hashlib.blake2b(repr(sorted(parameters.items())).encode(), key=self._secret).digest()
        # The lock makes a request wait for an earlier one with the same key.
        with self._lock:
            kept = self._results.get((account, key))
            if kept is None:
                result = handle()
                if result[0] in (HTTPStatus.OK, HTTPStatus.PAYMENT_REQUIRED):
                    self._results.put((account, key), (path, digest, result))
                return _json(*result)
        first_path, first_digest, result = kept
        if path != first_path:
            raise _reused("for the same endpoint that they were first used for")
        if digest != first_digest:
            raise _reused("with the same parameters that they were first used with")
        return _json(*result, {"idempotent-replayed": "true"})


def _reused(how: str) -> ProviderError:
    message = f"Keys for idempotent requests can only be used {how}. Use another key for another request."
    return ProviderError(400, "", message, kind="idempotency_error")


async def _respond(
    provider: PaymentProvider, keys: IdempotencyKeys, operations: Mapping[str, ProviderOperation], request: Request
) -> Response:
    """Respond with the provider's object; ``operations`` are those of the path, by method."""
    operation = operations.get("GET" if request.method == "HEAD" else request.method)
    if operation is None:
        raise _not_allowed(request, *operations)
    url, is_post = _url(request), request.method == "POST"
    account = _account(provider, request.headers.get("authorization", ""))
    parameters = await _form(request) if is_post else dict(request.query_params)
    received = ProviderRequest(account, parameters, url, request.path_params.get("id", ""))

    def handled() -> Result:
        try:
            found = operation(provider, received)
            return HTTPStatus.OK, found if isinstance(found, dict) else found.document(url)
        except ProviderError as error:
            return _rejection(error, url)

    key = request.headers.get("idempotency-key", "") if is_post else ""
    return keys.respond(account, key, _path(request), parameters, handled) if key else _json(*handled())


async def _respond_with_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ProviderError)
    return _json(*_rejection(error, _url(request)), {"allow": ", ".join(error.allow)} if error.allow else {})


def _rejection(error: ProviderError, url: str) -> Result:
    about = {"payment_intent": error.intent.document(url)} if error.intent else {}
    return error.status, {"error": error.body["error"] | about}


def _json(status: int, document: Mapping[str, Any], headers: Mapping[str, str] = MappingProxyType({})) -> JSONResponse:
    return JSONResponse(document, status, {"request-id": f"req_{secrets.token_hex(7)}", **headers})


async def _reject_unknown_path(request: Request) -> Response:
    raise ProviderError(404, "", f"Unrecognized request URL ({request.method[:10]}: {_path(request)}).")


def _not_allowed(request: Request, *methods: str) -> ProviderError:
    message = f"Method not allowed for {_path(request)}: use {' or '.join(methods)}."
    return ProviderError(405, "", message, allow=(*methods, *(["HEAD"] if "GET" in methods else [])))


def _account(provider: PaymentProvider, header: str) -> str:
    """Return the restricted token: the user name of basic authentication, or a bearer token."""
    scheme, _, credentials = header.partition(" ")
    token = credentials
    if scheme.lower() == "basic":
        try:
            token = base64.b64decode(credentials, validate=True).decode().partition(":")[0]
        except (binascii.Error, UnicodeDecodeError):
            token = ""
    if token not in provider.tokens:
        raise ProviderError(401, "api_key_invalid", "Invalid API Key provided")
    return token


# The page of a 3-D Secure challenge


async def _respond_to_challenge(provider: PaymentProvider, request: Request) -> Response:
    """Respond with the page, or after its form with a redirect to the client's address, if there is one.

    Whoever knows the address of the page may use it, as the cardholder has no token.
    """
    if request.method not in ("GET", "HEAD", "POST"):
        raise _not_allowed(request, "GET", "POST")
    challenge = request.path_params["challenge"]
    intent = provider.challenged(challenge)
    status = HTTPStatus.OK if intent else HTTPStatus.NOT_FOUND
    if intent is not None and request.method == "POST":
        result = (await _form(request)).get("result", "")
        if result not in _RESULTS:
            status = HTTPStatus.BAD_REQUEST
        elif completed := provider.complete_challenge(challenge, succeeded=_RESULTS[result]):
            intent = completed
            if intent.return_url:
                return RedirectResponse(_return_address(intent), HTTPStatus.SEE_OTHER, _challenge_headers(intent))
        else:
            status = HTTPStatus.CONFLICT
    page = render("challenge.html", intent=intent, is_open=intent is not None and intent.challenge == challenge)
    return HTMLResponse(page, status, _challenge_headers(intent))


def _challenge_headers(intent: PaymentIntent | None) -> dict[str, str]:
    """Return the headers of the page: it runs no scripts, cannot be framed, and sends no referrer."""
    targets = ["'self'"]
    if intent is not None and intent.return_url:
        # Browsers apply form-action to the redirect after the form, too.
        parts = urlsplit(intent.return_url)
        targets.append(f"{parts.scheme}://{parts.netloc}")
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; form-action "
    allowed = policy + " ".join(targets)
    return {"content-security-policy": allowed, "referrer-policy": "no-referrer", "cache-control": "no-store"}


def _return_address(intent: PaymentIntent) -> str:
    """Return the address where the browser continues after the challenge, with the result in its query."""
    result = {
        "payment_intent": intent.id,
        "payment_intent_client_secret": intent.secret,
        "redirect_status": "failed" if intent.failure else "succeeded",
    }
    url, _, fragment = (intent.return_url or "").partition("#")
    joined = f"{url}{'&' if '?' in url else '?'}{urlencode(result)}"
    return f"{joined}#{fragment}" if fragment else joined


def _url(request: Request) -> str:
    return str(request.url.replace(path=request.scope.get("root_path", ""), query="")).rstrip("/?")


def _path(request: Request) -> str:
    """Return the path of a request for a message, relative to the provider's URL and cut off if it is long."""
    return request.url.path.removeprefix(request.scope.get("root_path", ""))[:100]


async def _form(request: Request) -> dict[str, str]:
    raw = b""
    async for part in request.stream():
        raw += part
        if len(raw) > _MAX_FORM:
            raise ProviderError(413, "request_too_large", "The form is too large")
    try:
        return dict(parse_qsl(raw.decode(), keep_blank_values=True, max_num_fields=100))
    except ValueError:
        raise ProviderError(400, "parameter_invalid", "The form is not valid") from None
