"""The table of what must agree: a line for each place in a response that shows what an earlier message showed.

Each line belongs to a rule and becomes one of its coded checks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.agreement import Difference, Terms, differences
from airworthy.contract.http.reading import described_schema
from airworthy.contract.http.transaction import Transaction
from airworthy.contract.rules.coded_rules import About, conversation_rule
from airworthy.contract.schema.known_members import KnownMembers

Shown = Callable[[Transaction, Conversation, dict[str, Any]], Json]
Doubt = Callable[[Transaction, Conversation], bool]
Source = Callable[[Transaction, Conversation, dict[str, Any]], str]


def last_looked_up(_transaction: Transaction, conversation: Conversation, _holder: dict[str, Any]) -> str:
    """Return the exchange that showed the resource which was looked up last."""
    return conversation.store.source


def no_doubt(_transaction: Transaction, _conversation: Conversation) -> bool:
    """Return that differences weigh as the terms say."""
    return False


@dataclass(frozen=True, slots=True)
class Agreement:
    """A place in responses and the earlier message that showed the same thing.

    Attributes:
        rule, operations: the rule that a difference violates, and the operations whose responses are compared.
        at: the path of the thing in the response, such as ``bookings/*/flight``. The last ``*`` is its holder; without
            one, the response is.
        shown: returns what was shown before of the thing in a holder, or None.
        what, than: the thing and the earlier one, as findings name them.
        terms: how far they must agree.
        doubt: returns whether differences only warn for other reasons.
        source: returns the id of the exchange that showed the earlier one.
        is_one: whether all differences of a thing have one cause; else those of each member that is an object have.
        about: what the rule is applied to, if this line counts that.
    """

    rule: str
    operations: tuple[str, ...]
    at: str
    shown: Shown
    what: str
    than: str
    terms: Terms
    doubt: Doubt = no_doubt
    source: Source = last_looked_up
    is_one: bool = False
    about: About | None = None

    @property
    def holder(self) -> str:
        """The path of the holder in the response."""
        return "".join(self.at.rpartition("*")[:2])

    @property
    def below(self) -> str:
        """The path of the thing in its holder."""
        return self.at.rpartition("*")[2].strip("/")

    def defects(self, holder: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
        """Yield where a response differs from what was shown before."""
        for now in holder.each(self.below) if isinstance(holder.value, dict) else ():
            before = self.shown(transaction, conversation, holder.value) if isinstance(now.value, dict | list) else None
            if before is None or before == now.value:
                continue
            source = self.source(transaction, conversation, holder.value)
            known, doubt = _known(transaction, now.place), self.doubt(transaction, conversation)
            for each in self._by_cause(differences(known, before, now.value, self.terms), now.value):
                defect = self._defect(each, now.place, transaction)
                # Whatever may have changed, an array that has become empty shows nothing of it.
                is_doubtful = doubt and not (each.kind in ("number", "choices") and each.now == 0)
                yield replace(defect, soft=each.soft or is_doubtful, earlier=source)

    def _by_cause(self, found: Iterator[Difference], now: Json) -> list[Difference]:
        """Return one difference for each cause, a firm one if there is one."""
        causes: dict[Pointer, Difference] = {}
        for each in found:
            is_shared = self.is_one or (isinstance(now, dict) and isinstance(now.get(str(each.path[0])), dict))
            cause = () if self.is_one else each.path[:1] if is_shared else each.path
            if cause not in causes or (causes[cause].soft and not each.soft):
                causes[cause] = each
        return list(causes.values())

    def _defect(self, found: Difference, place: Pointer, transaction: Transaction) -> Defect:
        path, expected = (*place, *found.path), f"the value in {self.than}"
        match found.kind:
            case "missing":
                text, actual = f"{found.name} is missing from {self.what}, but not from {self.than}", "missing"
                expected = _known(transaction).words(path, found.before) or expected
            case "number" | "choices":
                counted = f"{found.name} options that are chosen" if found.kind == "choices" else found.name
                text = f"{self.what} and {self.than} differ in the number of {counted}"
                expected, actual = str(found.before), str(found.now)
            case _:
                text = f"{self.what} and {self.than} differ in {found.name}"
                expected, actual = compared(transaction, path, found.before, found.now, expected)
        return Defect(path, text, expected, actual)


def compared(transaction: Transaction, path: Pointer, before: Json, now: Json, otherwise: str) -> tuple[str, str]:
    """Return what a defect at a path in a response expected and what is there: two values, unless either is private."""
    before, now = (_known(transaction).words(path, each) for each in (before, now))
    return (before, now) if before and now else (otherwise, "another value")


def registered(*lines: Agreement) -> tuple[Agreement, ...]:
    """Register each line as a check of its rule."""
    for line in lines:
        conversation_rule(line.rule, "response", *line.operations, each=line.holder, about=line.about)(line.defects)
    return lines


def _known(transaction: Transaction, place: Pointer = ()) -> KnownMembers:
    """Return the members that the schema of a response documents at a place."""
    operation = transaction.url.operation
    schema = described_schema(operation, transaction.status) if operation else None
    known: KnownMembers | None = schema.members if schema else None
    for part in place:
        known = known and (known.items if isinstance(part, int) else known.known(part))
    return known or KnownMembers()
