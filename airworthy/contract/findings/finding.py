"""What is wrong with an exchange: a value that the suite, the proxy and the audit all show in the same words."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["violation", "drift", "deprecated", "unreadable"]
Side = Literal["request", "response"]
DriftClass = Literal[
    "earlier-revision",
    "other-version",
    "unknown-field",
    "unknown-value",
    "unknown-operation",
    "unknown-version",
    "retyped",
]


@dataclass(frozen=True, slots=True)
class Finding:
    """One root cause in one exchange.

    ``pointer`` is a JSON Pointer into the body, or ``query:NAME``, ``header:NAME``, ``path``, ``status``.
    ``expected`` and ``actual`` are short and already redacted. ``drift`` and ``provenance`` are set for drift only.
    A ``soft`` finding can warn and never fails a run. ``earlier`` is the id of the exchange that showed what this one
    contradicts, if a rule on several exchanges is violated.
    """

    rule: str
    kind: Kind
    side: Side
    pointer: str
    message: str
    expected: str
    actual: str
    exchange: str
    drift: DriftClass | None = None
    provenance: str = ""
    soft: bool = False
    earlier: str = ""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Identifies a root cause across exchanges: array indices do not count."""
        place = "/".join("*" if part.isdigit() else part for part in self.pointer.split("/"))
        return (self.rule, self.kind, self.side, place)
