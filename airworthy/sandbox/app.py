"""The sandbox as an ASGI application: the interfaces, the payment provider, and the sandbox's own endpoints."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from airworthy.errors import UsageError
from airworthy.sandbox import schemas
from airworthy.sandbox.dialects.named import DOCUMENTED, dialect
from airworthy.sandbox.export.files import ExportExtent
from airworthy.sandbox.faults import chosen
from airworthy.sandbox.faults.fault import Seams
from airworthy.sandbox.origin_guard import OriginGuard
from airworthy.sandbox.page import page
from airworthy.sandbox.payment_provider.routes import provider_routes
from airworthy.sandbox.policy import Policy
from airworthy.sandbox.profile import profile
from airworthy.sandbox.routing import METHODS, SandboxOperation, interface, rejecting
from airworthy.sandbox.service import SandboxService
from airworthy.sandbox.v3 import operations_v2, operations_v3
from airworthy.sandbox.v3.confirmation_email import ConfirmationMailer
from airworthy.sandbox.v3.passenger_page import passenger_page
from airworthy.sandbox.v4 import operations

# The names of lifetimes, and the member of `Policy` that each replaces.
LIFETIMES = {
    "offer": "offer_lifetime",
    "request": "request_lifetime",
    "locator": "locator_delay",
    "schedule_change": "schedule_change_delay",
}
REMOVED_VERSIONS = ("/v1", "/v1.0", "/v1.1", "/1.0", "/1.1")


@dataclass(frozen=True, slots=True)
class SandboxSettings:
    """The settings of a sandbox.

    ``lifetimes`` are in seconds, by name (see `LIFETIMES`); ``faults`` are names of faults. ``mailer`` sends the
    confirmation e-mails, ``extent`` says how much the content export contains.
    """

    dialect: str = DOCUMENTED.name
    faults: tuple[str, ...] = ()
    seed: int = 0
    lifetimes: Mapping[str, float] = field(default_factory=dict)
    mailer: ConfirmationMailer = ConfirmationMailer()  # noqa: RUF009 - it is immutable
    extent: ExportExtent = ExportExtent()  # noqa: RUF009 - likewise

    def policy(self) -> Policy:
        """Return the fixed rules with these lifetimes; raises UsageError for an unknown lifetime."""
        for name, each in self.lifetimes.items():
            if name not in LIFETIMES or not 0 < each < timedelta.max.total_seconds():
                raise UsageError(f"lifetime {name}={each}: expected positive seconds for {', '.join(LIFETIMES)}")
        times: dict[str, Any] = {LIFETIMES[name]: timedelta(seconds=each) for name, each in self.lifetimes.items()}
        return replace(Policy(), **times)


def create_app(settings: SandboxSettings | None = None) -> Starlette:
    """Return the sandbox as an ASGI application; ``app.state.service`` is the service behind it.

    Raises UsageError for an unknown dialect, fault or lifetime.
    """
    settings = settings or SandboxSettings()
    seams = Seams(chosen(settings.faults))
    service = SandboxService(
        dialect(settings.dialect).choices, settings.policy(), settings.seed, seams, settings.mailer
    )
    control = ControlEndpoints(service, settings, seams)
    removed = [Mount(path, routes=[_any(service, "version-removed")]) for path in REMOVED_VERSIONS]
    app = Starlette(
        routes=[
            *control.routes(),
            *(interface(service, version, operations) for version, operations in versions(service).items()),
            Mount("/payment", routes=provider_routes(service.provider)),
            *(removed if service.choices.removed_versions != "no route" else ()),
        ]
    )
    app.state.service = service
    return app


def versions(service: SandboxService) -> dict[str, Sequence[SandboxOperation]]:
    """Return the operations of each interface, by version."""
    cancellation = (operations_v2.CANCELLATION,) if service.choices.cancel_in_v2 == "works" else ()
    return {
        "v4": operations.OPERATIONS,
        "v3": operations_v3.OPERATIONS,
        "v2": (*operations_v2.OPERATIONS, *cancellation),
    }


def _any(service: SandboxService, name: str) -> Route:
    return Route("/{path:path}", rejecting(service, name), methods=METHODS)


class ControlEndpoints:
    """The sandbox's own endpoints: start page, passenger page, profile, clock, faults and content export."""

    def __init__(self, service: SandboxService, settings: SandboxSettings, seams: Seams) -> None:
        self._service = service
        self._seams = seams
        self._settings = settings

    def routes(self) -> list[BaseRoute]:
        """Return the routes, absolute. Web pages of other origins cannot use them."""
        routes: list[BaseRoute] = [
            Route("/", self._page),
            *(Route(f"/{version}/openapi.json", self._openapi) for version in schemas.VERSIONS),
            Route("/lookup", self._lookup),
            Route("/sandbox/ca.pem", self._authority),
            Route("/sandbox/profile", self._profile),
            Route("/sandbox/clock", self._clock, methods=["GET", "POST"]),
            Route("/sandbox/faults", self._faults, methods=["GET", "POST"]),
            Route("/sandbox/export", self._export, methods=["POST"]),
        ]
        for route in routes:
            assert isinstance(route, Route)
            route.app = OriginGuard(route.app)
        return routes

    def _values(self, request: Request) -> dict[str, object]:
        origin = str(request.base_url).rstrip("/")
        export = getattr(request.app.state, "export", None)
        return profile(origin, self._settings.lifetimes, self._service.choices, export)

    async def _page(self, request: Request) -> Response:
        return HTMLResponse(page(self._values(request), self._settings.dialect, self._service.clock.now().date()))

    async def _openapi(self, request: Request) -> Response:
        version = request.url.path.split("/")[1]
        servers = [{"url": f"{str(request.base_url).rstrip('/')}/{version}", "description": "This sandbox"}]
        return Response(orjson.dumps(schemas.openapi(version) | {"servers": servers}), media_type="application/json")

    async def _lookup(self, request: Request) -> Response:
        service, reference = self._service, request.query_params.get("reference", "")
        bookings = service.store.bookings.get(("v3", reference)) or service.store.bookings.get(("v2", reference)) or ()
        html = passenger_page(reference, bookings, service.v3_resources, service.clock.now())
        policy = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'"}
        return HTMLResponse(html, 404 if reference and not bookings else 200, policy)

    async def _authority(self, request: Request) -> Response:
        return Response(getattr(request.app.state, "ca", b""), media_type="application/x-pem-file")

    async def _profile(self, request: Request) -> Response:
        return JSONResponse(self._values(request))

    async def _clock(self, request: Request) -> Response:
        clock = self._service.clock
        if request.method == "POST":
            try:
                clock.advance(float(json.loads(await request.body())["seconds"]))
            except (ValueError, KeyError, TypeError):
                return JSONResponse({"message": 'expected {"seconds": n} with n from 0 to 31622400'}, 400)
        return JSONResponse({"now": clock.now().isoformat(), "moved": clock.moved})

    async def _faults(self, request: Request) -> Response:
        if request.method == "POST":
            try:
                self._seams = self._service.hooks = Seams(chosen(json.loads(await request.body())["names"]))
            except UsageError as error:
                return JSONResponse({"message": str(error)}, 400)
            except (ValueError, KeyError, TypeError):
                return JSONResponse({"message": 'expected {"names": ["name of a fault"]}'}, 400)
        return JSONResponse({"names": [fault.name for fault in self._seams.faults]})

    async def _export(self, request: Request) -> Response:
        delivered = await run_in_threadpool(request.app.state.delivery.deliver)
        status = 502 if delivered.problem else 200
        return JSONResponse({"files": list(delivered.files), "problem": delivered.problem}, status)
