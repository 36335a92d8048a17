"""The places at which the behaviour of the service can be changed from outside."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.model.export_file import ExportFile

Service = TypeVar("Service")
Handler = Callable[[Service, SandboxRequest], Json | SandboxResponse]


class Hooks(Generic[Service]):
    """Hooks that change nothing; a subclass overrides those that it needs.

    ``policy`` holds replaced members of `airworthy.sandbox.policy.Policy`.
    """

    policy: Mapping[str, Any] = MappingProxyType({})

    def tolerates(self, name: str) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether a request passes the check that rejects it under ``name``."""
        return False

    def reworded(self, rejected: Rejected) -> Rejected:
        """Return the rejection that takes the place of another."""
        return rejected

    def accepted_body(self, operation: str, body: Any) -> Any:  # noqa: ANN401, ARG002 - any JSON
        """Return the body that takes the place of the one a client sent."""
        return body

    def handle(self, handler: Handler[Service], service: Service, request: SandboxRequest) -> Json | SandboxResponse:
        """Run the handler of an operation."""
        return handler(service, request)

    def repair(self, service: Service, request: SandboxRequest, rejected: Rejected) -> bool:  # noqa: ARG002 - for subclasses
        """Change a rejected request so that it can be handled again; return False if it stays rejected."""
        return False

    def rewrite(self, request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:  # noqa: ARG002 - for subclasses
        """Return the response that takes the place of another."""
        return response

    def export(self, files: tuple[ExportFile, ...]) -> tuple[ExportFile, ...]:
        """Return the files of the content export that take the place of others."""
        return files
