"""The HTTP routes of the payment provider."""

import base64
import binascii
import secrets
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from airworthy.sandbox.payment_provider.challenge_page import (
    RESULTS,
    challenge_headers,
    challenge_page,
    return_address,
)
from airworthy.sandbox.payment_provider.idempotency import IdempotencyKeys, ProviderResponse
from airworthy.sandbox.payment_provider.operations import OPERATIONS, ProviderOperation, ProviderRequest
from airworthy.sandbox.payment_provider.provider import PaymentProvider
from airworthy.sandbox.payment_provider.records import ProviderError

MAX_FORM = 16_384
_CHALLENGE = "/3d-secure/{challenge}"


def provider_routes(provider: PaymentProvider) -> list[BaseRoute]:
    """Return the provider's routes, relative to the payment provider's URL."""
    keys = IdempotencyKeys()
    documented = [Route(path, ProviderEndpoint(provider, keys, operations)) for path, operations in OPERATIONS.items()]
    return [*documented, Route(_CHALLENGE, ChallengeEndpoint(provider)), Route("/{path:path}", UnknownEndpoint())]


class ProviderEndpoint:
    """An ASGI application for the operations of one path, by method."""

    def __init__(
        self, provider: PaymentProvider, keys: IdempotencyKeys, operations: Mapping[str, ProviderOperation]
    ) -> None:
        self._provider = provider
        self._keys = keys
        self._operations = operations

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with the provider's object, or with its error."""
        request = Request(scope, receive)
        method = "GET" if request.method == "HEAD" else request.method
        operation = self._operations.get(method)
        if operation is None:
            response = _method_not_allowed(request, self._operations)
        else:
            response = await self._response(request, operation)
        await response(scope, receive, send)

    async def _response(self, request: Request, operation: ProviderOperation) -> Response:
        url = _url(request)
        try:
            account = self._account(request.headers.get("authorization", ""))
            is_post = request.method == "POST"
            parameters = await _form(request) if is_post else dict(request.query_params)
            received = ProviderRequest(account, parameters, url, request.path_params.get("id", ""))
            key = request.headers.get("idempotency-key", "") if is_post else ""
            if not key:
                return _json(self._handled(operation, received))
            path = _path(request)
            return _json(self._keys.respond(account, key, path, parameters, lambda: self._handled(operation, received)))
        except ProviderError as error:
            return _json(_rejection(error, url))

    def _handled(self, operation: ProviderOperation, request: ProviderRequest) -> ProviderResponse:
        try:
            return ProviderResponse(HTTPStatus.OK, operation(self._provider, request))
        except ProviderError as error:
            return _rejection(error, request.url)

    def _account(self, header: str) -> str:
        """Return the restricted token: the user name of basic authentication, or a bearer token."""
        scheme, _, credentials = header.partition(" ")
        token = credentials
        if scheme.lower() == "basic":
            try:
                token = base64.b64decode(credentials, validate=True).decode().partition(":")[0]
            except (binascii.Error, UnicodeDecodeError):
                token = ""
        if token not in self._provider.tokens:
            raise ProviderError(401, "api_key_invalid", "Invalid API Key provided")
        return token


class ChallengeEndpoint:
    """An ASGI application for the page of a 3-D Secure challenge, and for the form on it.

    Whoever knows the address of the page may use it, as the cardholder has no token.
    """

    def __init__(self, provider: PaymentProvider) -> None:
        self._provider = provider

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with the page, or after the form with a redirect to the client's address, if there is one."""
        request = Request(scope, receive)
        if request.method not in ("GET", "HEAD", "POST"):
            response = _method_not_allowed(request, ("GET", "POST"))
        else:
            response = await self._response(request)
        await response(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        challenge = request.path_params["challenge"]
        intent = self._provider.challenged(challenge)
        status = HTTPStatus.OK if intent else HTTPStatus.NOT_FOUND
        if intent is not None and request.method == "POST":
            try:
                result = (await _form(request)).get("result", "")
            except ProviderError as error:
                return _json(_rejection(error, _url(request)))
            if result not in RESULTS:
                status = HTTPStatus.BAD_REQUEST
            elif completed := self._provider.complete_challenge(challenge, succeeded=RESULTS[result]):
                intent = completed
                if intent.return_url:
                    return RedirectResponse(return_address(intent), HTTPStatus.SEE_OTHER, challenge_headers(intent))
            else:
                status = HTTPStatus.CONFLICT
        return HTMLResponse(challenge_page(intent, challenge), status, challenge_headers(intent))


class UnknownEndpoint:
    """An ASGI application for every other path."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with 404."""
        message = f"Unrecognized request URL ({scope['method'][:10]}: {_path(Request(scope))})."
        await _json(_rejection(ProviderError(404, "", message), ""))(scope, receive, send)


def _method_not_allowed(request: Request, methods: Mapping[str, object] | tuple[str, ...]) -> Response:
    allowed = [*methods, *(["HEAD"] if "GET" in methods else [])]
    error = ProviderError(405, "", f"Method not allowed for {_path(request)}: use {' or '.join(methods)}.")
    response = _json(_rejection(error, ""))
    response.headers["allow"] = ", ".join(allowed)
    return response


def _url(request: Request) -> str:
    return str(request.url.replace(path=request.scope.get("root_path", ""), query="")).rstrip("/?")


def _path(request: Request) -> str:
    """Return the path of a request for a message, relative to the provider's URL and cut off if it is long."""
    return request.url.path.removeprefix(request.scope.get("root_path", ""))[:100]


def _rejection(error: ProviderError, url: str) -> ProviderResponse:
    about = {"payment_intent": error.intent.document(url)} if error.intent else {}
    return ProviderResponse(error.status, {"error": error.body["error"] | about})


def _json(response: ProviderResponse) -> JSONResponse:
    headers = {"request-id": f"req_{secrets.token_hex(7)}"}
    if response.replayed:
        headers["idempotent-replayed"] = "true"
    return JSONResponse(response.body, response.status, headers)


async def _form(request: Request) -> dict[str, str]:
    raw = b""
    async for part in request.stream():
        raw += part
        if len(raw) > MAX_FORM:
            raise ProviderError(413, "request_too_large", "The form is too large")
    try:
        return dict(parse_qsl(raw.decode(), keep_blank_values=True, max_num_fields=100))
    except ValueError:
        raise ProviderError(400, "parameter_invalid", "The form is not valid") from None
