"""The findings of an exploration, each with its shortest conversation, and how often that showed it again."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from airworthy.contract.findings.finding import Finding
from airworthy.report.exploration import ExploredFinding, ExploredStep

Key = tuple[str, ...]

_REPETITIONS: Final = 3
# Requests at the same time may show in one conversation what another shows every time.
_FLAKY_ROUNDS: Final = 3


@dataclass(eq=False)
class ExploredFindings:
    """The findings of an exploration by their keys; a settled one is not looked for any more."""

    _found: dict[Key, ExploredFinding] = field(default_factory=dict)
    _flaky: dict[Key, ExploredFinding] = field(default_factory=dict)
    _rounds_of: Counter[Key] = field(default_factory=Counter)
    _settled: set[Key] = field(default_factory=set)

    def __contains__(self, key: object) -> bool:
        """Whether a finding was found, and not only by a flaky conversation that is looked for again."""
        return key in self._found

    def __iter__(self) -> Iterator[ExploredFinding]:
        """Iterate over firm ones, those that were not repeated, and others, the shortest first among each."""
        found = (self._flaky | self._found).values()
        return iter(sorted(found, key=lambda each: (not each.is_firm, each.attempts > 0, len(each.steps))))

    @property
    def has_firm(self) -> bool:
        """Whether every repetition of some conversation showed its finding again."""
        return any(each.is_firm for each in self._found.values())

    def keep(self, finding: Finding, steps: Sequence[ExploredStep]) -> bool:
        """Keep a finding with the steps of its conversation if those are the fewest; return False if it is settled."""
        if finding.key in self._settled:
            return False
        known = self._found.setdefault(finding.key, ExploredFinding(finding, tuple(steps)))
        # The last one is the simplest of those with as many steps.
        if len(steps) <= len(known.steps):
            self._found[finding.key] = replace(known, finding=finding, steps=tuple(steps))
        return True

    def length(self, key: Key) -> int:
        """Return the number of steps of the shortest conversation of a finding."""
        return len(self._found[key].steps)

    def count_attempt(self, key: Key, *, repeated: bool) -> None:
        """Count a repetition of the conversation of a finding, and whether it showed the finding again."""
        known = self._found[key]
        self._found[key] = replace(known, attempts=known.attempts + 1, repeated=known.repeated + repeated)

    def is_repeated_enough(self, key: Key) -> bool:
        """Return whether the conversation of a finding was repeated as often as it takes to call it firm."""
        return self._found[key].attempts >= _REPETITIONS

    def settle(self, key: Key) -> None:
        """End the search for a finding, unless it is flaky and a few more rounds may show it in another way."""
        self._rounds_of[key] += 1
        if self._found[key].is_firm or self._rounds_of[key] == _FLAKY_ROUNDS:
            self._settled.add(key)
        else:
            self._flaky[key] = self._found.pop(key)
