"""The sandbox's own endpoints: the dashboard, and what changes the sandbox while it runs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from airworthy.documents.bundles import bundle
from airworthy.errors import UsageError
from airworthy.sandbox.dashboard import page as dashboard
from airworthy.sandbox.dashboard.profile import profile
from airworthy.sandbox.dashboard.request_log import RequestLog
from airworthy.sandbox.dialects.named import dialects
from airworthy.sandbox.export.delivery import ExportDelivery
from airworthy.sandbox.faults import chosen, faults
from airworthy.sandbox.faults.fault import FaultHooks
from airworthy.sandbox.http import schemas
from airworthy.sandbox.http.origin_guard import OriginGuard
from airworthy.sandbox.model.clock import SandboxClock
from airworthy.sandbox.service.routing import limited_body
from airworthy.sandbox.service.service import SandboxService
from airworthy.sandbox.settings import SandboxSettings

Value = TypeVar("Value")
_PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
_LOOKUP_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; "
    "frame-ancestors 'none'"
}


@dataclass(slots=True)
class ServerContext:
    """What surrounds the service and outlives a change of the dialect.

    ``hosts`` are the names and addresses by which clients reach the server besides the loopback addresses,
    ``authority`` is the certificate of its authority (PEM). ``log`` records the requests (None: nothing does), and
    ``restart`` replaces the service with one in another dialect (None: not possible). ``ftp_port`` is that of
    the content export, ``payment_port`` that of the payment provider's own address (None: there is none).
    """

    hosts: frozenset[str] = frozenset()
    clock: SandboxClock = field(default_factory=SandboxClock)
    authority: bytes = b""
    ftp_port: int | None = None
    delivery: ExportDelivery | None = None
    log: RequestLog | None = None
    restart: Callable[[str], None] | None = None
    payment_port: int | None = None


class ControlEndpoints:
    """The start page with the dashboard, the passenger page, the profile, and the clock, dialect, faults and export."""

    def __init__(self, service: SandboxService, settings: SandboxSettings, context: ServerContext) -> None:
        self._service = service
        self._settings = settings
        self._context = context

    def routes(self) -> list[Route]:
        """Return the routes, absolute. Web pages of other origins cannot use them."""
        routes = [
            Route("/", self._page),
            *(Route(f"/{version}/openapi.json", self._openapi) for version in schemas.VERSIONS),
            Route("/lookup", self._lookup),
            *(Route(f"/sandbox/{name}", self._file) for name in dashboard.FILES),
            Route("/sandbox/state", self._state),
            Route("/sandbox/requests/{number:int}", self._request),
            Route("/sandbox/ca.pem", self._authority),
            Route("/sandbox/profile", self._profile),
            Route("/sandbox/clock", self._clock, methods=["GET", "POST"]),
            Route("/sandbox/dialect", self._dialect, methods=["GET", "POST"]),
            Route("/sandbox/faults", self._faults, methods=["GET", "POST"]),
            Route("/sandbox/export", self._export, methods=["POST"]),
        ]
        for route in routes:
            route.app = OriginGuard(route.app, self._context.hosts)
        return routes

    def _values(self, request: Request) -> dict[str, object]:
        origin = str(request.base_url).rstrip("/")
        context = self._context
        return profile(origin, self._settings.lifetimes, self._service.choices, context.ftp_port, context.payment_port)

    # Pages

    async def _page(self, request: Request) -> Response:
        today = self._service.clock.now().date()
        descriptions = {name: each.description for name, each in faults().items()}
        html = dashboard.page(self._values(request), self._settings.dialect, dialects().values(), descriptions, today)
        return Response(html, media_type="text/html", headers=_PAGE_HEADERS)

    async def _file(self, request: Request) -> Response:
        name = request.url.path.rpartition("/")[2]
        return Response(dashboard.file(name), media_type=dashboard.FILES[name], headers=_PAGE_HEADERS)

    async def _state(self, request: Request) -> Response:
        query = request.query_params
        try:
            after = int(query.get("after", "0"))
        except ValueError:
            return JSONResponse({"message": "expected the number of a request in the parameter after"}, 400)
        log, service = self._context.log, self._service
        state = dashboard.records(service) | {
            "dialect": self._settings.dialect,
            "faults": service.hooks.names,
            "log": log and dashboard.summaries(log, after if query.get("log") == log.id else 0),
        }
        return Response(orjson.dumps(state), media_type="application/json", headers={"cache-control": "no-store"})

    async def _request(self, request: Request) -> Response:
        log = self._context.log
        recorded = log.find(request.path_params["number"]) if log else None
        if recorded is None:
            return JSONResponse({"message": "this request is not recorded, or no longer"}, 404)
        return JSONResponse(dashboard.details(recorded))

    async def _openapi(self, request: Request) -> Response:
        version = request.url.path.split("/")[1]
        servers = [{"url": f"{str(request.base_url).rstrip('/')}/{version}", "description": "This sandbox"}]
        return Response(orjson.dumps(bundle(version) | {"servers": servers}), media_type="application/json")

    async def _lookup(self, request: Request) -> Response:
        service, reference = self._service, request.query_params.get("reference", "")
        bookings = service.store.bookings.get(("v3", reference)) or service.store.bookings.get(("v2", reference)) or ()
        html = dashboard.passenger_page(reference, bookings, service.v3_resources, service.clock.now())
        return Response(html, 404 if reference and not bookings else 200, _LOOKUP_HEADERS, "text/html")

    async def _authority(self, _: Request) -> Response:
        return Response(self._context.authority, media_type="application/x-pem-file")

    async def _profile(self, request: Request) -> Response:
        return JSONResponse(self._values(request))

    # Changes

    async def _clock(self, request: Request) -> Response:
        clock = self._service.clock
        if request.method == "POST":
            expected = '{"seconds": n} with n from 0 to 31622400'
            await _read(request, expected, lambda sent: clock.advance(float(sent["seconds"])))
        return JSONResponse({"now": clock.now().isoformat(), "moved": clock.moved})

    async def _dialect(self, request: Request) -> Response:
        name = self._settings.dialect
        if request.method == "POST":
            name = await _read(request, '{"name": "name of a dialect"}', lambda sent: str(sent["name"]))
            if self._context.restart is None:
                return JSONResponse({"message": "this server cannot change the dialect"}, 409)
            await run_in_threadpool(self._context.restart, name)
        return JSONResponse({"name": name})

    async def _faults(self, request: Request) -> Response:
        if request.method == "POST":
            faults = await _read(request, '{"names": ["name of a fault"]}', lambda sent: chosen(sent["names"]))
            self._service.hooks = FaultHooks(faults)
        return JSONResponse({"names": self._service.hooks.names})

    async def _export(self, _: Request) -> Response:
        if self._context.delivery is None:
            return JSONResponse({"message": "this server has no content export"}, 409)
        files, problem = await run_in_threadpool(self._context.delivery.deliver)
        return JSONResponse({"files": files, "problem": problem}, 502 if problem else 200)


async def _read(request: Request, expected: str, read: Callable[[Any], Value]) -> Value:
    """Return what a function reads in the JSON body of a request; raises UsageError if that fails."""
    try:
        return read(orjson.loads(await limited_body(request)))
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"expected {expected}") from None


async def usage_error(_: Request, error: Exception) -> Response:
    """Return the response to a change that a client may not make."""
    return JSONResponse({"message": str(error)}, 400)
