"""The exchanges and the operations of a run, as parts of the results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

NO_RESPONSE: Final = "no response"
"""Instead of a status."""


@dataclass(frozen=True, slots=True)
class ExchangeSummary:
    """An exchange that a failure or a finding names.

    ``operation`` is the documented one (``POST /v4/order/{orderId}/confirm``), otherwise the method and the path.
    ``status`` is None without a response. ``message`` is what an error response says, redacted. ``unaccepted`` are the
    fields and values in a rejected request that no accepted request of the operation had. ``earlier`` are the last
    exchanges before it about the same resources (`links`), as ``POST /v4/order: 201 (x12)``.
    """

    id: str
    operation: str
    status: int | None = None
    message: str = ""
    unaccepted: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OperationUse:
    """How often the run used an operation, by status (``200``), or `NO_RESPONSE`."""

    operation: str
    statuses: Mapping[str, int]

    @property
    def succeeded(self) -> int:
        """The number of responses with a 2xx status."""
        return sum(count for status, count in self.statuses.items() if status.startswith("2"))
