"""What explorations of an interface did and found, as a part of the results."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from airworthy.contract.findings.finding import Finding


@dataclass(frozen=True, slots=True)
class ExploredStep:
    """A step of an explored conversation: its text and the ids of its exchanges."""

    text: str
    exchanges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExploredFinding:
    """A finding of an exploration, with the shortest conversation that shows it.

    The conversation was repeated ``attempts`` times, with new resources, and showed the finding again ``repeated``
    times.
    """

    finding: Finding
    steps: tuple[ExploredStep, ...]
    repeated: int = 0
    attempts: int = 0

    @property
    def is_firm(self) -> bool:
        """Whether every repetition of the conversation shows the finding."""
        return self.repeated == self.attempts > 0

    @property
    def doubtful(self) -> Finding:
        """The finding as a warning that says how often it was repeated."""
        return replace(self.finding, soft=True, message=f"{self.finding.message} ({self.repetition})")

    @property
    def repetition(self) -> str:
        """How often the conversation was repeated and failed again, in words."""
        if not self.attempts:
            return "not repeated: the exploration ended, or a step was no longer possible"
        return f"{'' if self.is_firm else 'flaky: '}failed in {self.repeated} of {self.attempts} repetitions"


@dataclass(frozen=True, slots=True)
class Explored:
    """An exploration of one interface: how much was explored, and what was found.

    ``seed`` repeats it. ``transitions`` is how often it took each transition of a life cycle, by the name of the
    transition. ``ended`` is why it ended early.
    """

    interface: str
    seed: int
    seconds: float
    conversations: int
    steps: int
    transitions: Mapping[str, int] = field(default_factory=dict)
    found: tuple[ExploredFinding, ...] = ()
    ended: str = ""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, as it counts: a finding that not every repetition shows only warns."""
        return tuple(each.finding if each.is_firm else each.doubtful for each in self.found)
