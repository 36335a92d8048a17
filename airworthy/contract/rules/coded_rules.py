"""The registry of coded rules: small pure functions, each entered under the id of its rule.

What JSON Schema can express is in the schemas, under ``x-rule``. Everything else is a function that yields the defects
of one transaction. It does not repeat the id of its rule: the registry adds it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, islice
from typing import TypeVar

from airworthy.contract.bodies.applications import Applications
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.findings.finding import Side
from airworthy.contract.http.operations import Operation, family
from airworthy.contract.http.transaction import Transaction
from airworthy.contract.life_cycles import LIFE_CYCLES
from airworthy.contract.rules.subjects import About, subjects

MOST_DEFECTS_OF_A_RULE = 1000

Check = Callable[..., Iterator[Defect]]
AnyCheck = TypeVar("AnyCheck", bound=Check)


@dataclass(frozen=True, slots=True)
class CodedRule:
    """A rule with the function that finds its defects on one side.

    Without ``operations`` it applies to every operation of its version. The function receives the transaction, after
    each node at the path ``each`` if there is one. ``about`` says what the rule is applied to; without it the function
    adds nothing to the count of its rule.
    """

    id: str
    side: Side
    operations: tuple[str, ...]
    check: Check
    each: str | None = None
    about: About | None = None

    def applies_to(self, side: Side, version: str, operation: str) -> bool:
        """Return whether this rule checks one side of an operation."""
        concerned = operation in self.operations if self.operations else self.id.startswith(f"{family(version)}-")
        return self.side == side and concerned

    def defects(self, transaction: Transaction, *known: Conversation) -> Iterator[Defect]:
        """Yield what the function finds in a transaction."""
        if self.each is None:
            return self.check(transaction, *known)
        nodes = (transaction.request if self.side == "request" else transaction.response).each(self.each)
        if len(nodes) == 1:
            return self.check(nodes[0], transaction, *known)
        return chain.from_iterable([self.check(node, transaction, *known) for node in nodes])


TRANSACTION_RULES: list[CodedRule] = []
CONVERSATION_RULES: list[CodedRule] = []


def every_version(name: str) -> tuple[str, ...]:
    """Return the ids of a rule that every version has under an id of its own."""
    return (f"V4-{name}", f"V23-{name}")


def transaction_rule(
    rule: str | tuple[str, ...],
    side: Side,
    *operations: str,
    each: str | None = None,
    about: About | None = None,
    registry: list[CodedRule] = TRANSACTION_RULES,
) -> Callable[[AnyCheck], AnyCheck]:
    """Register a function that judges a single transaction, for one rule or for the same rule of several versions.

    ``each`` is a path in the body, such as ``bookings/*``: the function receives every `Node` there, one at a time. A
    path as ``about`` also counts them (see `airworthy.contract.rules.subjects`).
    """
    rules = (rule,) if isinstance(rule, str) else rule
    where = about if each is None and isinstance(about, str) else each

    def register(check: AnyCheck) -> AnyCheck:
        registry.extend(CodedRule(name, side, operations, check, where, about) for name in rules)
        return check

    return register


conversation_rule = partial(transaction_rule, registry=CONVERSATION_RULES)
"""Register a function that judges a transaction by what earlier exchanges of the conversation have shown."""


def coded_defects(transaction: Transaction, side: Side, conversation: Conversation | None) -> Iterator[Defect]:
    """Yield what the coded rules find on one side of a transaction; rules on conversations need one."""
    key = side, transaction.url.version, transaction.operation
    found = [(rule.id, rule.defects(transaction)) for rule in _transaction_rules_for(*key)]
    if conversation is not None:
        found += [(rule.id, rule.defects(transaction, conversation)) for rule in _conversation_rules_for(*key)]
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
def rules_of(operation: Operation) -> frozenset[str]:
    """Return the rules that can be violated in an operation, without the coded ones of every operation."""
    schemas = (operation.request, *operation.responses.values(), *(each.schema for each in operation.parameters))
    of_schemas = (each.rules for each in schemas if each is not None)
    coded = (each for each in chain(TRANSACTION_RULES, CONVERSATION_RULES) if operation.id in each.operations)
    cycles = (each for each in LIFE_CYCLES if operation.version in each.interfaces)
    taken = (line for each in cycles for line in each.transitions if line.operation == operation.id.removesuffix("V2"))
    named = {each.rule for each in operation.parameters} | {each.id for each in coded} | {each.rule for each in taken}
    return frozenset(named).union(*of_schemas)


@cache
def _transaction_rules_for(side: Side, version: str, operation: str) -> tuple[CodedRule, ...]:
    return tuple(rule for rule in TRANSACTION_RULES if rule.applies_to(side, version, operation))


@cache
def _conversation_rules_for(side: Side, version: str, operation: str) -> tuple[CodedRule, ...]:
    return tuple(rule for rule in CONVERSATION_RULES if rule.applies_to(side, version, operation))
