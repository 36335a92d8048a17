"""Capabilities that a profile can declare absent: scenarios that need one are then not applicable."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from airworthy.suite.outcomes import NotApplicable
from airworthy.target.profile import Profile

# How the profile declares a missing capability. An organisation's own credentials say the same of `balance` and
# `self_psp`, which one may have and another not.
LACKING: Final[Mapping[str, str]] = {
    "card": "takes no cards",
    "payment_intents": "takes no payment intents",
    "three_d_secure": "takes no 3D Secure results",
    "round_trips": "sells no round trips",
    "cities": "searches no cities",
    "connecting": "sells no connecting flights",
    "baggage": "sells no paid baggage",
    "checked_bags": "sells no checked bags",
    "cabin_bags": "sells no cabin bags",
    "identification": "lists no identification types",
    "children": "sells nothing to children",
    "infants": "sells nothing to infants",
    "round_trip_fares": "has no round-trip fares",
    "verify": "no longer has the verification",
}


@dataclass(frozen=True, slots=True)
class CapabilityRequirements:
    """Checks the capabilities that scenarios need against the profile, and records them for the results.

    ``noted`` returns the running scenario's list.
    """

    profile: Profile
    noted: Callable[[], list[str]]

    def __call__(self, *capabilities: str) -> None:
        """Continue if the target has all of them. Raises NotApplicable for the first that it is declared to lack."""
        for each in capabilities:
            if not self.profile.has_capability(each):
                raise NotApplicable(f"the profile says that the service {LACKING[each]}: [capabilities] {each}")
            self.note(each)

    def note(self, *capabilities: str) -> None:
        """Note what the target is known to have, by the organisation's credentials or by an earlier scenario."""
        self.noted().extend(capabilities)
