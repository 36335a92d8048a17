"""What a fault is, and where those that are switched on get at the service."""

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal

from airworthy.sandbox.mending import mended
from airworthy.sandbox.refusals import Refused

if TYPE_CHECKING:
    from airworthy.sandbox.export.files import ExportFile
    from airworthy.sandbox.service import Answer, Call

Wording = Callable[[Refused], Refused]
Objection = Callable[["Call"], bool]
Rewrite = Callable[["Call", "Answer"], "Answer"]
Redrop = Callable[[tuple["ExportFile", ...]], tuple["ExportFile", ...]]


@dataclass(frozen=True, slots=True)
class Fault:
    """One deliberate violation of one rule.

    ``rule`` is the id of the rule, and ``description`` says what the service does. ``verdict`` is what the suite gives
    the rule; where that is not ``failed``, ``reason`` says why the documents leave room, with the open question.

    One of the others says what changes. ``tolerates`` holds names of error responses (with ``*``) that are not given;
    ``rewords`` changes those whose names match; ``rejects`` chooses valid requests that are rejected, with the status
    ``rejects_with``; ``rewrite`` changes finished responses; ``export`` changes the files of the content export;
    ``policy`` replaces members of `Policy`.
    """

    name: str
    rule: str
    description: str
    tolerates: tuple[str, ...] = ()
    rewords: Mapping[str, Wording] = field(default_factory=dict)
    rejects: Objection | None = None
    rejects_with: int = 400
    rewrite: Rewrite | None = None
    export: Redrop | None = None
    policy: Mapping[str, Any] = field(default_factory=dict)
    verdict: Literal["failed", "warning", "passed"] = "failed"
    reason: str = ""


def with_status(status: int) -> Wording:
    """Change the status of an error response, also in its body."""

    def wording(refused: Refused) -> Refused:
        body = refused.body | {"statusCode": status, "error": HTTPStatus(status).phrase}
        return Refused(refused.name, status, body)

    return wording


class Seams:
    """Where the faults that are switched on get at the service."""

    def __init__(self, faults: tuple[Fault, ...] = ()) -> None:
        self.faults = faults
        self.policy: dict[str, Any] = {name: value for fault in faults for name, value in fault.policy.items()}

    def tolerates(self, name: str) -> bool:
        """Say whether a refusal does not happen."""
        return any(fnmatchcase(name, pattern) for fault in self.faults for pattern in fault.tolerates)

    def _wordings(self, name: str) -> Iterator[Wording]:
        for fault in self.faults:
            if name == f"objection:{fault.name}":
                yield with_status(fault.rejects_with)
            for pattern, wording in fault.rewords.items():
                if fnmatchcase(name, pattern):
                    yield wording

    def rewords(self, name: str) -> bool:
        """Say whether a refusal is reworded."""
        return any(True for _ in self._wordings(name))

    def reworded(self, refused: Refused) -> Refused:
        """Return a refusal in the words of the faults."""
        for wording in self._wordings(refused.name):
            refused = wording(refused)
        return refused

    def objections(self, call: "Call") -> Iterator[str]:
        """Yield the names of the faults that refuse a call which nothing is wrong with."""
        for fault in self.faults:
            if fault.rejects is not None and fault.rejects(call):
                yield fault.name

    def mended(self, operation: str, body: Any, pointer: str) -> Any:  # noqa: ANN401 - any JSON
        """Return a body whose breach at a pointer was tolerated, with a value there that fits."""
        return mended(operation, copy.deepcopy(body), pointer)

    def rewrite(self, call: "Call", answer: "Answer") -> "Answer":
        """Return an answer as it goes out."""
        for fault in self.faults:
            if fault.rewrite is not None:
                answer = fault.rewrite(call, answer)
        return answer

    def export(self, files: tuple["ExportFile", ...]) -> tuple["ExportFile", ...]:
        """Return the files of the content export as they are dropped."""
        for fault in self.faults:
            if fault.export is not None:
                files = fault.export(files)
        return files
