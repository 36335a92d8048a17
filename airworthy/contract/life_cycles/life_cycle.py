"""The form of a life cycle: states, and what an operation or the time may do to a resource in each of them."""

from collections.abc import Iterator
from dataclasses import dataclass

NONE = "none"
"""The state of a resource before it exists."""
TIME = "time"
"""The operation of a transition that only the time makes."""


@dataclass(frozen=True, slots=True)
class Transition:
    """A line of a life cycle: one outcome that the documents allow.

    Attributes:
        before, after: states. They are equal if the operation only reads, or if it is ``refused``.
        operation: an operationId without the suffix of v2, or `TIME`.
        condition: when the line applies, or what else it does, in the words of the documents.
        rule: the rule that another outcome of the operation in this state violates.
        source: the sentence of the documents with its section, or the place that they leave open (OPEN-24).
        refused: whether the service rejects the request, or responds with nothing of the resource.
        foreign: whether another organisation sends the request.
        soft: whether another outcome only warns.
    """

    before: str
    operation: str
    after: str
    condition: str
    rule: str
    source: str
    refused: bool = False
    foreign: bool = False
    soft: bool = False


@dataclass(frozen=True, slots=True)
class LifeCycle:
    """The life cycle of a kind of resource in some interfaces; ``states`` are in the order of a usual life."""

    resource: str
    interfaces: tuple[str, ...]
    states: tuple[str, ...]
    transitions: tuple[Transition, ...]

    def name(self, transition: Transition) -> str:
        """Return what identifies a transition in all life cycles, such as ``order: OPEN, getOrder, OPEN``."""
        refused, foreign = " rejected" * transition.refused, " by another organisation" * transition.foreign
        return f"{self.resource}: {transition.before}, {transition.operation}{foreign}, {transition.after}{refused}"

    def allowed(self, before: str, operation: str, *, foreign: bool) -> Iterator[Transition]:
        """Yield the transitions that an operation may cause in a state."""
        for each in self.transitions:
            if (each.before, each.operation, each.foreign) == (before, operation, foreign):
                yield each
