"""Routes of the interfaces: which path leads to which operation, and how responses are sent."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from airworthy.sandbox.exchange import SandboxRequest
from airworthy.sandbox.request_bodies import MAX_BODY, OPERATIONS, read_body
from airworthy.sandbox.service import Handler, SandboxService
from airworthy.sandbox.v3.tokens import token_holder
from airworthy.sandbox.v4.keys import key_holder
from airworthy.sandbox.wire import http_response

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True, slots=True)
class SandboxOperation:
    """A documented operation: its id in the OpenAPI document, method, path and handler."""

    id: str
    method: str
    path: str
    handler: Handler


def interface(service: SandboxService, version: str, operations: Iterable[SandboxOperation]) -> Mount:
    """Return the routes of ``{base_url}/{version}``: the documented operations, then rejections of everything else."""
    documented = [Route(each.path, _endpoint(service, version, each), methods=[each.method]) for each in operations]
    other_methods = [
        Route(path, rejecting(service, "method-unknown", version), methods=METHODS)
        for path in dict.fromkeys(route.path for route in documented)
    ]
    other_paths = Route("/{path:path}", rejecting(service, "path-unknown", version), methods=METHODS)
    return Mount(f"/{version}", routes=[*documented, *other_methods, other_paths])


def rejecting(service: SandboxService, name: str, version: str = "v4") -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that rejects every request under a name, with the body of a version."""

    async def endpoint(_: Request) -> Response:
        return http_response(service.reject_path(name, version), service.choices, service.clock.now())

    return endpoint


def sandbox_request(
    service: SandboxService,
    version: str,
    operation: str,
    *,
    headers: Mapping[str, str],
    path: Mapping[str, str] | None = None,
    query: Mapping[str, str] | None = None,
    raw: bytes = b"",
) -> SandboxRequest:
    """Return a request to an operation of a service; names of headers are in lower case."""
    return SandboxRequest(
        version=version,
        operation=operation,
        path=path or {},
        query=dict(query or {}),
        headers=dict(headers),
        raw=raw,
        has_body=operation in OPERATIONS,
        authenticate=partial(key_holder if version == "v4" else token_holder, service),
        read_body=partial(read_body, service),
    )


def _endpoint(
    service: SandboxService, version: str, operation: SandboxOperation
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        received = sandbox_request(
            service,
            version,
            operation.id,
            headers=request.headers,
            path=request.path_params,
            query=request.query_params,
            raw=await _body(request),
        )
        response = await run_in_threadpool(service.respond, operation.handler, received)
        return http_response(response, service.choices, service.clock.now())

    return endpoint


async def _body(request: Request) -> bytes:
    """Return the body, cut off where it is known to be too large."""
    raw = bytearray()
    async for part in request.stream():
        raw += part
        if len(raw) > MAX_BODY:
            break
    return bytes(raw)
