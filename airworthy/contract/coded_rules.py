"""The one table of rules that are coded: each a small pure function under the id of its rule.

What JSON Schema can say stands in the schemas with its ``x-rule``; everything else is entered here by the modules
beside this one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

from airworthy.contract.conversation.v4 import Journey
from airworthy.contract.finding import Side
from airworthy.contract.operations import family
from airworthy.contract.shape import Breach
from airworthy.contract.transaction import Message

FAMILIES = ("V4", "V23")

MessageCheck = Callable[[Message], Iterator[Breach]]
JourneyCheck = Callable[[Message, Journey], Iterator[Breach]]
Check = TypeVar("Check")


@dataclass(frozen=True, slots=True)
class Coded(Generic[Check]):
    """A rule with the function that finds its breaches, on the side that breaks it.

    Without ``operations`` it is about every one of its versions.
    """

    id: str
    side: Side
    operations: tuple[str, ...]
    check: Check

    def concerns(self, side: Side, version: str, operation: str) -> bool:
        """Whether this rule is to be asked about an operation."""
        about = operation in self.operations if self.operations else self.id.startswith(f"{family(version)}-")
        return self.side == side and about


MESSAGE_RULES: list[Coded[MessageCheck]] = []
JOURNEY_RULES: list[Coded[JourneyCheck]] = []


def message_rule(rule: str, side: Side, *operations: str) -> Callable[[MessageCheck], MessageCheck]:
    """Enter a rule that one exchange can break."""

    def enter(check: MessageCheck) -> MessageCheck:
        MESSAGE_RULES.append(Coded(rule, side, operations, check))
        return check

    return enter


def every_version_rule(name: str, side: Side) -> Callable[[MessageCheck], MessageCheck]:
    """Enter a rule that every version has under its own id, which is `Message.rule` of the name."""

    def enter(check: MessageCheck) -> MessageCheck:
        MESSAGE_RULES.extend(Coded(f"{each}-{name}", side, (), check) for each in FAMILIES)
        return check

    return enter


def every_version_journey_rule(name: str, side: Side) -> Callable[[JourneyCheck], JourneyCheck]:
    """Enter a rule that every version has under its own id, and that is judged by what was seen before."""

    def enter(check: JourneyCheck) -> JourneyCheck:
        JOURNEY_RULES.extend(Coded(f"{each}-{name}", side, (), check) for each in FAMILIES)
        return check

    return enter


def journey_rule(rule: str, side: Side, *operations: str) -> Callable[[JourneyCheck], JourneyCheck]:
    """Enter a rule that is judged by what was seen before."""

    def enter(check: JourneyCheck) -> JourneyCheck:
        JOURNEY_RULES.append(Coded(rule, side, operations, check))
        return check

    return enter


@cache
def rules_of_message(side: Side, version: str, operation: str) -> tuple[Coded[MessageCheck], ...]:
    """Return the rules on one side of an operation that one exchange can break."""
    return tuple(rule for rule in MESSAGE_RULES if rule.concerns(side, version, operation))


@cache
def rules_of_journey(side: Side, version: str, operation: str) -> tuple[Coded[JourneyCheck], ...]:
    """Return the rules on one side of an operation that are judged by what was seen before."""
    return tuple(rule for rule in JOURNEY_RULES if rule.concerns(side, version, operation))
