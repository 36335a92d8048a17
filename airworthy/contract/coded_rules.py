"""The one table of rules that are coded: each a small pure function under the id of its rule.

What JSON Schema can say stands in the schemas with its ``x-rule``; everything else is entered here by the modules
beside this one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

from airworthy.contract.compiled_schema import Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.finding import Side
from airworthy.contract.operations import family
from airworthy.contract.transaction import Transaction

FAMILIES = ("V4", "V23")

TransactionCheck = Callable[[Transaction], Iterator[Defect]]
ConversationCheck = Callable[[Transaction, Conversation], Iterator[Defect]]
Check = TypeVar("Check")


@dataclass(frozen=True, slots=True)
class CodedRule(Generic[Check]):
    """A rule with the function that finds its defects, on the side that breaks it.

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


TRANSACTION_RULES: list[CodedRule[TransactionCheck]] = []
CONVERSATION_RULES: list[CodedRule[ConversationCheck]] = []


def transaction_rule(rule: str, side: Side, *operations: str) -> Callable[[TransactionCheck], TransactionCheck]:
    """Enter a rule that one exchange can break."""

    def enter(check: TransactionCheck) -> TransactionCheck:
        TRANSACTION_RULES.append(CodedRule(rule, side, operations, check))
        return check

    return enter


def every_version_transaction_rule(name: str, side: Side) -> Callable[[TransactionCheck], TransactionCheck]:
    """Enter a rule that every version has under its own id, which is `Transaction.rule` of the name."""

    def enter(check: TransactionCheck) -> TransactionCheck:
        TRANSACTION_RULES.extend(CodedRule(f"{each}-{name}", side, (), check) for each in FAMILIES)
        return check

    return enter


def every_version_conversation_rule(name: str, side: Side) -> Callable[[ConversationCheck], ConversationCheck]:
    """Enter a rule that every version has under its own id, and that is judged by what was seen before."""

    def enter(check: ConversationCheck) -> ConversationCheck:
        CONVERSATION_RULES.extend(CodedRule(f"{each}-{name}", side, (), check) for each in FAMILIES)
        return check

    return enter


def conversation_rule(rule: str, side: Side, *operations: str) -> Callable[[ConversationCheck], ConversationCheck]:
    """Enter a rule that is judged by what was seen before."""

    def enter(check: ConversationCheck) -> ConversationCheck:
        CONVERSATION_RULES.append(CodedRule(rule, side, operations, check))
        return check

    return enter


@cache
def transaction_rules_for(side: Side, version: str, operation: str) -> tuple[CodedRule[TransactionCheck], ...]:
    """Return the rules on one side of an operation that one exchange can break."""
    return tuple(rule for rule in TRANSACTION_RULES if rule.concerns(side, version, operation))


@cache
def conversation_rules_for(side: Side, version: str, operation: str) -> tuple[CodedRule[ConversationCheck], ...]:
    """Return the rules on one side of an operation that are judged by what was seen before."""
    return tuple(rule for rule in CONVERSATION_RULES if rule.concerns(side, version, operation))
