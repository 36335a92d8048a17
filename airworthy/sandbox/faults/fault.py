"""What a fault is, and where those that are switched on get at the service."""

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from airworthy.sandbox.mending import mended
from airworthy.sandbox.rejections import Rejected

if TYPE_CHECKING:
    from airworthy.sandbox.export.files import ExportFile
    from airworthy.sandbox.service import SandboxRequest, SandboxResponse

Wording = Callable[[Rejected], Rejected]
Objection = Callable[["SandboxRequest"], bool]
Rewrite = Callable[["SandboxRequest", "SandboxResponse"], "SandboxResponse"]
ExportEdit = Callable[[tuple["ExportFile", ...]], tuple["ExportFile", ...]]


@dataclass(frozen=True, slots=True)
class Fault:
    """One small breach of one rule.

    ``rule`` is the id of the rule that it breaks. ``tolerates`` are names of refusals (with ``*``) that do not happen;
    ``rewords`` changes those whose names fit; ``objects`` says what is refused though it is right; ``rewrite`` changes
    answers on their way out; ``export`` changes the files of the content export; ``policy`` holds replaced members of
    `Policy`.
    """

    name: str
    rule: str
    description: str
    tolerates: tuple[str, ...] = ()
    rewords: Mapping[str, Wording] = field(default_factory=dict)
    objects: Objection | None = None
    rewrite: Rewrite | None = None
    export: ExportEdit | None = None
    policy: Mapping[str, Any] = field(default_factory=dict)

    @property
    def generated(self) -> bool:
        """Whether a schema suggested the fault: there is one for each of its fields."""
        return ":" in self.name


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
            for pattern, wording in fault.rewords.items():
                if fnmatchcase(name, pattern):
                    yield wording

    def rewords(self, name: str) -> bool:
        """Say whether a refusal is reworded."""
        return any(True for _ in self._wordings(name))

    def reworded(self, refused: Rejected) -> Rejected:
        """Return a refusal in the words of the faults."""
        for wording in self._wordings(refused.name):
            refused = wording(refused)
        return refused

    def objections(self, call: "SandboxRequest") -> Iterator[str]:
        """Yield the names of the faults that refuse a call which nothing is wrong with."""
        for fault in self.faults:
            if fault.objects is not None and fault.objects(call):
                yield fault.name

    def mended(self, operation: str, body: Any, pointer: str) -> Any:  # noqa: ANN401 - any JSON
        """Return a body whose breach at a pointer was tolerated, with a value there that fits."""
        return mended(operation, copy.deepcopy(body), pointer)

    def rewrite(self, call: "SandboxRequest", answer: "SandboxResponse") -> "SandboxResponse":
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
