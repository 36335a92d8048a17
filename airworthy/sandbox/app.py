"""The sandbox as an ASGI application: the interfaces, the payment provider, and the sandbox's own endpoints."""

from starlette.applications import Starlette
from starlette.routing import Mount, Router

from airworthy.sandbox.dashboard.control import ControlEndpoints, ServerContext
from airworthy.sandbox.dialects.named import dialect
from airworthy.sandbox.faults import chosen
from airworthy.sandbox.faults.fault import FaultHooks
from airworthy.sandbox.http import schemas
from airworthy.sandbox.operations import operations_of
from airworthy.sandbox.payment_provider.operations import OPERATIONS
from airworthy.sandbox.payment_provider.routes import provider_routes
from airworthy.sandbox.service.routing import any_method, interface, rejecting
from airworthy.sandbox.service.service import SandboxService
from airworthy.sandbox.settings import SandboxSettings

REMOVED_VERSIONS = ("/v1", "/v1.0", "/v1.1", "/1.0", "/1.1")


def create_app(settings: SandboxSettings | None = None, context: ServerContext | None = None) -> Starlette:
    """Return the sandbox as an ASGI application; ``app.state.service`` is the service behind it.

    ``app.state.payment_provider`` is the payment provider as an application. ``context`` describes the server
    that runs it. Raises UsageError for an unknown dialect, fault or lifetime.
    """
    settings, context = settings or SandboxSettings(), context or ServerContext()
    service = SandboxService(
        dialect(settings.dialect).choices,
        settings.policy(),
        settings.seed,
        FaultHooks(chosen(settings.faults)),
        settings.mailer,
        clock=context.clock,
    )
    payment_provider = Router(provider_routes(service.provider))
    cancel_in_v2 = service.choices.v3.cancel_in_v2 == "works"
    # A payment client that is set to the address of the service.
    elsewhere = [any_method(path, rejecting(service, "payment-elsewhere")) for path in OPERATIONS]
    removed_route = any_method("/{path:path}", rejecting(service, "version-removed"))
    removed = [Mount(path, routes=[removed_route]) for path in REMOVED_VERSIONS]
    app = Starlette(
        routes=[
            *ControlEndpoints(service, settings, context).routes(),
            *(
                interface(service, version, operations_of(version, cancel_in_v2=cancel_in_v2))
                for version in schemas.VERSIONS
            ),
            Mount("/payment", payment_provider),
            *elsewhere,
            *(removed if service.choices.http.removed_versions != "no route" else ()),
        ]
    )
    app.state.service, app.state.payment_provider = service, payment_provider
    return app
