"""Routes of the interfaces: which path leads to which operation, and how responses are sent."""

from collections.abc import Mapping
from functools import partial
from http import HTTPStatus

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.http.schemas import DocumentedOperation
from airworthy.sandbox.http.wire import Endpoint, any_method, http_response
from airworthy.sandbox.service.credentials import key_holder, token_holder
from airworthy.sandbox.service.request_bodies import MAX_BODY, OPERATIONS, read_body
from airworthy.sandbox.service.service import Handler, SandboxService


def interface(service: SandboxService, version: str, operations: Mapping[DocumentedOperation, Handler]) -> Mount:
    """Return the routes of ``{base_url}/{version}``: the operations with handlers, then rejections of all else."""
    documented = [
        Route(each.path, _endpoint(service, each, handler), methods=[each.method])
        for each, handler in operations.items()
        if each.version == version
    ]
    allowed: dict[str, set[str]] = {}
    for route in documented:
        allowed.setdefault(route.path, set()).update(route.methods or ())
    other_methods = [
        any_method(path, rejecting(service, "method-unknown", version, ", ".join(sorted(allow))))
        for path, allow in allowed.items()
    ]
    other_paths = any_method("/{path:path}", rejecting(service, "path-unknown", version))
    return Mount(f"/{version}", routes=[*documented, *other_methods, other_paths])


def rejecting(service: SandboxService, name: str, version: str = "v4", allow: str = "") -> Endpoint:
    """Return an endpoint that rejects every request; see `SandboxService.reject_path`."""

    async def endpoint(request: Request) -> Response:
        return _response(request, service.reject_path(name, version, allow), service)

    return endpoint


def sandbox_request(
    service: SandboxService,
    operation: DocumentedOperation,
    headers: Mapping[str, str],
    path: Mapping[str, str],
    query: Mapping[str, str],
    *,
    raw: bytes,
) -> SandboxRequest:
    """Return a request to an operation of a service; names of headers are in lower case."""
    holder = key_holder if operation.version == "v4" else token_holder
    checks = partial(holder, service), partial(read_body, service)
    has_body = operation.id in OPERATIONS
    return SandboxRequest(operation.version, operation.id, path, dict(query), dict(headers), raw, has_body, *checks)


def _endpoint(service: SandboxService, operation: DocumentedOperation, handler: Handler) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        try:
            raw = await limited_body(request)
        except ClientDisconnect:
            # Nobody reads the response to a request that was broken off.
            return Response(status_code=HTTPStatus.BAD_REQUEST)
        parts = request.headers, request.path_params, request.query_params
        received = sandbox_request(service, operation, *parts, raw=raw)
        return _response(request, await run_in_threadpool(service.respond, handler, received), service)

    return endpoint


def _response(request: Request, response: SandboxResponse, service: SandboxService) -> Response:
    """Return a response as Starlette sends it, and leave its rejection for the request log."""
    if response.rejected is not None:
        request.state.rejected = response.rejected
    return http_response(response, service.choices, service.clock.now())


async def limited_body(request: Request) -> bytes:
    """Return the body of a request, cut off where it is known to be too large."""
    raw = bytearray()
    async for part in request.stream():
        raw += part
        if len(raw) > MAX_BODY:
            break
    return bytes(raw)
