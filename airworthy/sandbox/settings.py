"""The settings of a sandbox."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from airworthy.errors import UsageError
from airworthy.sandbox.dialects.named import DOCUMENTED
from airworthy.sandbox.export.files import ExportExtent
from airworthy.sandbox.model.policy import Policy
from airworthy.sandbox.resources.v3.confirmation_email import ConfirmationMailer

# The names of lifetimes, the member of `Policy` that each replaces, and its keys in a profile.
LIFETIMES = {
    "offer": ("offer_lifetime", "offer_seconds"),
    "request": ("request_lifetime", "request_seconds_min", "request_seconds_max"),
    "locator": ("locator_delay", "locator_seconds"),
    "schedule_change": ("schedule_change_delay", "schedule_change_seconds"),
}


@dataclass(frozen=True, slots=True)
class SandboxSettings:
    """The settings of a sandbox.

    ``lifetimes`` are in seconds, by name (see `LIFETIMES`); ``faults`` are names of faults. ``mailer`` sends the
    confirmation e-mails, ``extent`` says how much the content export contains.
    """

    dialect: str = DOCUMENTED
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
        times: dict[str, Any] = {LIFETIMES[name][0]: timedelta(seconds=each) for name, each in self.lifetimes.items()}
        return replace(Policy(), **times)
