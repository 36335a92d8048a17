"""The registry of coded rules: small pure functions, each entered under the id of its rule.

What JSON Schema can express is in the schemas, under ``x-rule``. Everything else is a function that yields the defects
of one transaction. It does not repeat the id of its rule: the registry adds it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, islice
from typing import Any, TypeVar

from airworthy.contract.bodies.applications import Applications, has_content
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.findings.finding import Side
from airworthy.contract.http.operations import Operation, family
from airworthy.contract.http.transaction import Transaction
from airworthy.contract.life_cycles import LIFE_CYCLES

MOST_DEFECTS_OF_A_RULE = 1000

About = str | Callable[[Transaction, Conversation], int]
"""What a rule is applied to: values at a path in the body of a successful response, or how many things."""
Check = Callable[..., Iterator[Defect]]
AnyCheck = TypeVar("AnyCheck", bound=Check)


@dataclass(frozen=True, slots=True)
class CodedRule:
    """A rule with the function that finds its defects on one side.

    Without ``operations`` it applies to every operation of its version. The function receives the transaction, after
    each node at the path ``each`` if there is one, and before the conversation if it judges by one. ``about`` says what
    the rule is applied to; without it the function adds nothing to the count of its rule.
    """

    id: str
    side: Side
    operations: tuple[str, ...]
    check: Check
    each: str | None = None
    about: About | None = None
    by_conversation: bool = False

    def applies_to(self, side: Side, version: str, operation: str) -> bool:
        """Return whether this rule checks one side of an operation."""
        concerned = operation in self.operations if self.operations else self.id.startswith(f"{family(version)}-")
        return self.side == side and concerned


CODED_RULES: list[CodedRule] = []


def number_of(found: Callable[[Transaction, Conversation], Iterator[object]]) -> About:
    """Return what a rule is applied to: everything that a function yields."""
    return lambda transaction, conversation: sum(1 for _ in found(transaction, conversation))


def every_version(name: str) -> tuple[str, ...]:
    """Return the ids of a rule that every version has under an id of its own."""
    return (f"V4-{name}", f"V23-{name}")


def transaction_rule(
    rule: str | tuple[str, ...],
    side: Side,
    *operations: str,
    each: str | None = None,
    about: About | None = None,
    by_conversation: bool = False,
) -> Callable[[AnyCheck], AnyCheck]:
    """Register a function that judges a single transaction, for one rule or for the same rule of several versions.

    ``each`` is a path in the body, such as ``bookings/*``: the function receives every `Node` there, one at a time. A
    path as ``about`` also counts them.
    """
    rules = (rule,) if isinstance(rule, str) else rule
    where = about if each is None and isinstance(about, str) else each

    def register(check: AnyCheck) -> AnyCheck:
        CODED_RULES.extend(CodedRule(name, side, operations, check, where, about, by_conversation) for name in rules)
        return check

    return register


conversation_rule = partial(transaction_rule, by_conversation=True)
"""Register a function that judges a transaction by what earlier exchanges of the conversation have shown."""


def coded_defects(transaction: Transaction, side: Side, conversation: Conversation | None) -> Iterator[Defect]:
    """Yield what the coded rules find on one side of a transaction; rules on conversations need one."""
    body = transaction.request if side == "request" else transaction.response
    for rule in _rules_for(side, transaction.url.version, transaction.operation):
        if rule.by_conversation and conversation is None:
            continue
        nodes = [()] if rule.each is None else [(node,) for node in body.each(rule.each)]
        if rule.by_conversation and conversation is not None:
            found = chain.from_iterable(_traced(rule, (*node, transaction), conversation) for node in nodes)
        else:
            found = chain.from_iterable(rule.check(*node, transaction) for node in nodes)
        # A hostile body can violate a rule a hundred thousand times; far fewer are reported.
        for defect in islice(found, MOST_DEFECTS_OF_A_RULE):
            yield replace(defect, rule=rule.id)


def _traced(rule: CodedRule, judged: tuple[Any, ...], conversation: Conversation) -> Iterator[Defect]:
    """Yield what a rule finds, each with the exchange that showed the resource which the rule looked up last."""
    conversation.store.source = ""
    for defect in rule.check(*judged, conversation):
        yield defect if defect.earlier else replace(defect, earlier=conversation.store.source)


def coded_applications(transaction: Transaction, conversation: Conversation) -> Applications:
    """Return how often each coded rule is applied to something in the response of a transaction."""
    applied = Applications()
    for rule in _rules_for("response", transaction.url.version, transaction.operation):
        if callable(rule.about):
            applied[rule.id] += rule.about(transaction, conversation)
        elif rule.about is not None:
            applied[rule.id] += sum(has_content(node.value) for node in transaction.response.each(rule.about))
    return applied


@cache
def rules_of(operation: Operation) -> frozenset[str]:
    """Return the rules that can be violated in an operation, without the coded ones of every operation."""
    schemas = (operation.request, *operation.responses.values(), *(each.schema for each in operation.parameters))
    of_schemas = (each.rules for each in schemas if each is not None)
    coded = (each for each in CODED_RULES if operation.id in each.operations)
    cycles = (each for each in LIFE_CYCLES if operation.version in each.interfaces)
    taken = (line for each in cycles for line in each.transitions if line.operation == operation.id.removesuffix("V2"))
    named = {each.rule for each in operation.parameters} | {each.id for each in coded} | {each.rule for each in taken}
    return frozenset(named).union(*of_schemas)


@cache
def _rules_for(side: Side, version: str, operation: str) -> tuple[CodedRule, ...]:
    """Return the rules for one side of an operation, those on single transactions first."""
    applicable = (rule for rule in CODED_RULES if rule.applies_to(side, version, operation))
    return tuple(sorted(applicable, key=lambda rule: rule.by_conversation))
