"""The registry of coded rules: small pure functions, each entered under the id of its rule.

What JSON Schema can express is in the schemas, under ``x-rule``. Everything else is a function that yields the defects
of one transaction. It does not repeat the id of its rule: the registry adds it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Generic, TypeVar

from airworthy.contract.bodies.applications import Applications
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.findings.finding import Side
from airworthy.contract.http.operations import family
from airworthy.contract.http.transaction import Transaction
from airworthy.contract.rules.subjects import About, subjects

MOST_DEFECTS_OF_A_RULE = 1000

TransactionCheck = Callable[[Transaction], Iterator[Defect]]
ConversationCheck = Callable[[Transaction, Conversation], Iterator[Defect]]
Check = TypeVar("Check")


@dataclass(frozen=True, slots=True)
class CodedRule(Generic[Check]):
    """A rule with the function that finds its defects on one side.

    Without ``operations`` it applies to every operation of its version. ``about`` names what the rule is applied to;
    without it the function adds nothing to the count of its rule.
    """

    id: str
    side: Side
    operations: tuple[str, ...]
    check: Check
    about: About | None = None

    def applies_to(self, side: Side, version: str, operation: str) -> bool:
        """Return whether this rule checks one side of an operation."""
        concerned = operation in self.operations if self.operations else self.id.startswith(f"{family(version)}-")
        return self.side == side and concerned


TRANSACTION_RULES: list[CodedRule[TransactionCheck]] = []
CONVERSATION_RULES: list[CodedRule[ConversationCheck]] = []


def every_version(name: str) -> tuple[str, ...]:
    """Return the ids of a rule that every version has under an id of its own."""
    return (f"V4-{name}", f"V23-{name}")


def transaction_rule(
    rule: str | tuple[str, ...], side: Side, *operations: str, about: About | None = None
) -> Callable[[TransactionCheck], TransactionCheck]:
    """Register a function that judges a single transaction, for one rule or for the same rule of several versions.

    ``about`` names what the function compares (see `airworthy.contract.rules.subjects`).
    """
    return _registering(TRANSACTION_RULES, rule, side, operations, about)


def conversation_rule(
    rule: str | tuple[str, ...], side: Side, *operations: str, about: About | None = None
) -> Callable[[ConversationCheck], ConversationCheck]:
    """Register a function that judges a transaction by what earlier exchanges of the conversation have shown."""
    return _registering(CONVERSATION_RULES, rule, side, operations, about)


def _registering(
    registry: list[CodedRule[Check]],
    rule: str | tuple[str, ...],
    side: Side,
    operations: tuple[str, ...],
    about: About | None,
) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        registry.extend(
            CodedRule(each, side, operations, check, about) for each in ([rule] if isinstance(rule, str) else rule)
        )
        return check

    return register


def coded_defects(transaction: Transaction, side: Side, conversation: Conversation | None) -> Iterator[Defect]:
    """Yield what the coded rules find on one side of a transaction; rules on conversations need one."""
    key = side, transaction.url.version, transaction.operation
    found = [(rule.id, rule.check(transaction)) for rule in _transaction_rules_for(*key)]
    if conversation is not None:
        found += [(rule.id, rule.check(transaction, conversation)) for rule in _conversation_rules_for(*key)]
    for rule, defects in found:
        # A hostile body can violate a rule a hundred thousand times; far fewer are reported.
        for defect in islice(defects, MOST_DEFECTS_OF_A_RULE):
            yield replace(defect, rule=rule)


def coded_applications(transaction: Transaction, conversation: Conversation) -> Applications:
    """Return how often each coded rule is applied to something in the response of a transaction."""
    key: tuple[Side, str, str] = "response", transaction.url.version, transaction.operation
    applied = Applications()
    abouts = [(rule.id, rule.about) for rule in _transaction_rules_for(*key)]
    abouts += [(rule.id, rule.about) for rule in _conversation_rules_for(*key)]
    for rule, about in abouts:
        if about is not None:
            applied[rule] += subjects(about, transaction, conversation)
    return applied


@cache
def _transaction_rules_for(side: Side, version: str, operation: str) -> tuple[CodedRule[TransactionCheck], ...]:
    return tuple(rule for rule in TRANSACTION_RULES if rule.applies_to(side, version, operation))


@cache
def _conversation_rules_for(side: Side, version: str, operation: str) -> tuple[CodedRule[ConversationCheck], ...]:
    return tuple(rule for rule in CONVERSATION_RULES if rule.applies_to(side, version, operation))
