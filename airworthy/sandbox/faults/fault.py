"""What a fault is, and the hooks through which the faults that are switched on change the service."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from http import HTTPStatus
from typing import Any, Literal

from airworthy.sandbox.faults.repairs import repair, repaired_body
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.model.export_file import ExportFile
from airworthy.sandbox.service.service import Handler, SandboxService

Wording = Callable[[Rejected], Rejected]
Condition = Callable[[SandboxRequest], bool]
Wrapper = Callable[[Handler, SandboxService, SandboxRequest], Json | SandboxResponse]
Rewrite = Callable[[SandboxRequest, SandboxResponse], SandboxResponse]
ExportEdit = Callable[[tuple[ExportFile, ...]], tuple[ExportFile, ...]]


@dataclass(frozen=True, slots=True)
class Fault:
    """One deliberate violation of one rule.

    ``rule`` is the id of the rule, and ``description`` says what the service does. ``verdict`` is what the suite gives
    the rule; where that is not ``failed``, ``reason`` says why the documents leave room, with the open question.

    One of the others says what changes. ``tolerates`` holds names of rejections (with ``*``) that do not happen;
    ``rewords`` changes those whose names match; ``rejects`` chooses valid requests that are rejected, with the status
    ``rejects_with``; ``wraps`` runs in place of the handler, which it receives; ``rewrite`` changes finished responses;
    ``export`` changes the files of the content export; ``policy`` replaces members of `Policy`.
    """

    name: str
    rule: str
    description: str
    tolerates: tuple[str, ...] = ()
    rewords: Mapping[str, Wording] = field(default_factory=dict)
    rejects: Condition | None = None
    rejects_with: int = 400
    wraps: Wrapper | None = None
    rewrite: Rewrite | None = None
    export: ExportEdit | None = None
    policy: Mapping[str, Any] = field(default_factory=dict)
    verdict: Literal["failed", "warning", "passed"] = "failed"
    reason: str = ""


Row = Callable[[str], Fault]
"""A row of a table: returns the fault for the text that is the key of the row."""


def described(verb: str = "", end: str = "", otherwise: str = "", **changes: Any) -> Row:  # noqa: ANN401 - see Fault
    """Return a row whose text is the name of the fault and, after a colon, a part of the sentence that describes it.

    ``otherwise`` describes the fault if its text is the name alone.
    """

    def fault(text: str) -> Fault:
        name, _, what = text.partition(": ")
        return Fault(name, "", f"The service {f'{verb}{what}{end}' if what else otherwise}", **changes)

    return fault


def deed(function: Callable[..., Any]) -> str:
    """Return what a function does, from its docstring: "Cancel all orders." becomes "cancels all orders"."""
    verb, _, rest = (function.__doc__ or "").partition("\n")[0].removesuffix(".").partition(" ")
    return f"{verb.lower()}{'es' if verb.endswith(('s', 'sh', 'ch', 'x', 'o')) else 's'} {rest}"


def with_status(status: int) -> Wording:
    """Change the status of an error response, also in its body."""

    def wording(rejected: Rejected) -> Rejected:
        body = rejected.body | {"statusCode": status, "error": HTTPStatus(status).phrase}
        return Rejected(rejected.name, status, body)

    return wording


def fault_rejection(service: SandboxService, fault: str, status: int) -> Rejected:
    """Return the rejection of a valid request because of a fault, which the request log names as the reason."""
    rejected = with_status(status)(service.rejection(f"fault:{fault}"))
    rejected.reason = rejected.name
    return rejected


class FaultHooks:
    """The faults that are switched on, as hooks of the service; ``policy`` holds replaced members of `Policy`."""

    def __init__(self, faults: tuple[Fault, ...] = ()) -> None:
        self.faults = faults
        self.names = [fault.name for fault in faults]
        self.policy: Mapping[str, Any] = {name: value for fault in faults for name, value in fault.policy.items()}

    def tolerates(self, name: str) -> bool:
        """Return whether a fault prevents a rejection."""
        return any(fnmatchcase(name, pattern) for fault in self.faults for pattern in fault.tolerates)

    def reworded(self, rejected: Rejected) -> Rejected:
        """Return a rejection as the faults change it."""
        for fault in self.faults:
            for pattern, wording in fault.rewords.items():
                if fnmatchcase(rejected.name, pattern):
                    rejected = wording(rejected)
        return rejected

    def accepted_body(self, operation: str, body: Any) -> Any:  # noqa: ANN401 - any JSON
        """Return a body whose tolerated violations are replaced with valid values."""
        return repaired_body(operation, body, self.tolerates)

    def handle(self, handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
        """Run the handler unless a fault rejects the request, or wraps the handler."""
        for fault in self.faults:
            if fault.rejects is not None and fault.rejects(request):
                raise fault_rejection(service, fault.name, fault.rejects_with)
        for fault in self.faults:
            if fault.wraps is not None:
                return fault.wraps(handler, service, request)
        return handler(service, request)

    def repair(self, service: SandboxService, request: SandboxRequest, rejected: Rejected) -> bool:
        """Change a request, or the store, so that a tolerated rejection does not happen again."""
        return self.tolerates(rejected.name) and repair(rejected.name, service, request)

    def rewrite(self, request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        """Return a response as the faults change it."""
        for fault in self.faults:
            if fault.rewrite is not None:
                response = fault.rewrite(request, response)
        return response

    def export(self, files: tuple[ExportFile, ...]) -> tuple[ExportFile, ...]:
        """Return the files of the content export as the faults change them."""
        for fault in self.faults:
            if fault.export is not None:
                files = fault.export(files)
        return files
