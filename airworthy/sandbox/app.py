"""The sandbox as an ASGI application: the interfaces, the payment provider, and the sandbox's own endpoints."""

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.routing import Mount, Router

from airworthy.sandbox.dashboard.control import ControlEndpoints, ServerContext
from airworthy.sandbox.dialects.named import dialect
from airworthy.sandbox.faults import chosen
from airworthy.sandbox.faults.fault import FaultHooks
from airworthy.sandbox.payment_provider.routes import provider_routes
from airworthy.sandbox.service.routing import SandboxOperation, any_method, interface, rejecting
from airworthy.sandbox.service.service import SandboxService
from airworthy.sandbox.settings import SandboxSettings
from airworthy.sandbox.v3 import operations_v2, operations_v3
from airworthy.sandbox.v4 import operations

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
    removed_route = any_method("/{path:path}", rejecting(service, "version-removed"))
    removed = [Mount(path, routes=[removed_route]) for path in REMOVED_VERSIONS]
    app = Starlette(
        routes=[
            *ControlEndpoints(service, settings, context).routes(),
            *(interface(service, version, operations) for version, operations in versions(service).items()),
            Mount("/payment", payment_provider),
            *(removed if service.choices.removed_versions != "no route" else ()),
        ]
    )
    app.state.service, app.state.payment_provider = service, payment_provider
    return app


def versions(service: SandboxService) -> dict[str, Sequence[SandboxOperation]]:
    """Return the operations of each interface, by version."""
    cancellation = (operations_v2.CANCELLATION,) if service.choices.cancel_in_v2 == "works" else ()
    return {
        "v4": operations.OPERATIONS,
        "v3": operations_v3.OPERATIONS,
        "v2": (*operations_v2.OPERATIONS, *cancellation),
    }
