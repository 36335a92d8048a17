"""The way in and out of the service: which paths lead to which operation, and how answers go out."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from airworthy.sandbox.service import LARGEST_BODY, Handler, SandboxRequest, SandboxResponse, SandboxService

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True, slots=True)
class SandboxOperation:
    """A documented operation: its id in the OpenAPI document, where it is, and what answers it."""

    id: str
    method: str
    path: str
    handler: Handler


def interface(service: SandboxService, version: str, operations: Iterable[SandboxOperation]) -> Mount:
    """Return the routes of ``{base_url}/{version}``: what is documented, then what is refused."""
    documented = [Route(each.path, _endpoint(service, version, each), methods=[each.method]) for each in operations]
    other_methods = [
        Route(path, refusing(service, "method-unknown", version), methods=_METHODS)
        for path in dict.fromkeys(route.path for route in documented)
    ]
    others = Route("/{path:path}", refusing(service, "path-unknown", version), methods=_METHODS)
    return Mount(f"/{version}", routes=[*documented, *other_methods, others])


def refusing(service: SandboxService, name: str, version: str = "v4") -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that refuses all requests by a name, as a version does."""

    async def endpoint(_: Request) -> Response:
        return respond(service.reject_path(name, version))

    return endpoint


def _endpoint(
    service: SandboxService, version: str, operation: SandboxOperation
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        call = SandboxRequest(
            service=service,
            version=version,
            operation=operation.id,
            path=request.path_params,
            query=request.query_params,
            headers=request.headers,
            raw=await _body(request),
        )
        return respond(await run_in_threadpool(service.answer, operation.handler, call))

    return endpoint


async def _body(request: Request) -> bytes:
    """Read a body as far as is needed to see that it is too large."""
    raw = bytearray()
    async for part in request.stream():
        raw += part
        if len(raw) > LARGEST_BODY:
            break
    return bytes(raw)


def respond(answer: SandboxResponse) -> Response:
    """Return an answer as it goes out."""
    if isinstance(answer.body, bytes):
        return Response(answer.body, answer.status, {"content-type": "text/plain"} | dict(answer.headers))
    headers = {"content-type": "application/json"} | dict(answer.headers)
    return Response(orjson.dumps(answer.body), answer.status, headers)
