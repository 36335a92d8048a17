"""What scenarios and explorations reached and found, for all forms of the report, and diagrams of the life cycles."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal

from airworthy.contract.life_cycles import LIFE_CYCLES, LifeCycle, Transition
from airworthy.report.exchange_view import Records, load_records
from airworthy.report.exploration import Explored
from airworthy.report.results import Results

Reach = Literal["both", "scenarios", "explored", "never"]

# Labels have a monospaced font of 11.5 px, whose characters are 0.6 times as wide.
_CHARACTER: Final = 7
_HEIGHT, _GAP, _MARGIN, _LINE = 34, 24, 8, 16
_FEWEST_CHARACTERS: Final = 8


def is_of(life_cycle: LifeCycle, versions: Collection[str], transition: Transition | None = None) -> bool:
    """Return whether some interfaces have a life cycle, and one of its transitions."""
    of = {each for each in life_cycle.interfaces if each in versions}
    # v2 has no operation that cancels a booking request.
    return bool(of - {"v2"} if transition and transition.operation == "cancelRequest" else of)


def transitions_of(versions: Collection[str]) -> list[str]:
    """Return the names of the transitions of some interfaces."""
    return [cycle.name(each) for cycle in LIFE_CYCLES for each in cycle.transitions if is_of(cycle, versions, each)]


def reached(explored: Explored) -> tuple[int, int]:
    """Return how many transitions of its interface an exploration reached, and how many there are."""
    names = set(transitions_of((explored.interface,)))
    return len(names & explored.transitions.keys()), len(names)


def never_reached(results: Results) -> list[str]:
    """Return the transitions of the explored interfaces that neither a scenario nor an exploration reached."""
    taken = {*results.transitions, *(name for each in results.explored for name in each.transitions)}
    return [each for each in transitions_of([each.interface for each in results.explored]) if each not in taken]


def explored_records(results: Results, folder: Path) -> Records:
    """Return the evidence of the conversations that are told. Raises `UsageError` if it cannot be read."""
    return load_records(folder / Path(results.integrity.evidence).name, explored_exchanges(results))


def explored_exchanges(results: Results) -> set[str]:
    """Return the ids of the exchanges of every conversation that is told."""
    steps = (step for each in results.explored for found in each.found for step in found.steps)
    return {exchange for step in steps for exchange in step.exchanges}


@dataclass(frozen=True, slots=True)
class Box:
    """A state: its name, the middle and the width of its box, and the transitions that stay in it."""

    name: str
    x: int
    width: int
    stays: tuple[tuple[str, Reach], ...]

    @property
    def column(self) -> int:
        """The width of the box and the labels below it."""
        return max(self.width, *(_CHARACTER * len(text) for text, _ in self.stays), 0)


@dataclass(frozen=True, slots=True)
class Arrow:
    """Transitions between two states: the path of the arrow, and their operations with their places."""

    path: str
    reach: Reach
    labels: tuple[tuple[str, int, int, Reach], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A transition in words, and how often it was taken."""

    transition: Transition
    reach: Reach
    scenarios: int
    explored: int


@dataclass(frozen=True, slots=True)
class Diagram:
    """The picture of a life cycle; all places are relative to the upper edge of the boxes, which is at ``y``."""

    life_cycle: LifeCycle
    width: int
    height: int
    y: int
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    lines: tuple[Line, ...]

    @property
    def reached(self) -> int:
        """The number of transitions that something reached."""
        return sum(each.reach != "never" for each in self.lines)


def diagrams(results: Results) -> list[Diagram]:
    """Return the diagrams of the life cycles in the interfaces of a run, none if its results do not contain steps."""
    if not results.transitions and not results.explored:
        return []
    explored = Counter[str]()
    for each in results.explored:
        explored.update(each.transitions)
    versions = results.scope.versions
    return [_diagram(each, versions, results.transitions, explored) for each in LIFE_CYCLES if is_of(each, versions)]


def _diagram(
    life_cycle: LifeCycle, versions: Sequence[str], scenarios: Mapping[str, int], explored: Mapping[str, int]
) -> Diagram:
    lines = []
    for each in life_cycle.transitions:
        if is_of(life_cycle, versions, each):
            counts = scenarios.get(life_cycle.name(each), 0), explored.get(life_cycle.name(each), 0)
            lines.append(Line(each, _reach(*counts), *counts))
    pairs = dict.fromkeys((each.transition.before, each.transition.after) for each in lines)
    between = {pair: _between(*pair, lines) for pair in pairs if pair[0] != pair[1]}
    straight = {pair: between.pop(pair) for pair in pairwise(life_cycle.states) if pair in between}
    boxes = {each.name: each for each in _boxes(life_cycle.states, lines, straight)}
    # Each arc has a height of its own, so that their labels do not meet: the widest is the highest.
    rise = _LINE * max(map(len, straight.values()), default=0)
    arcs = list[Arrow]()
    for (before, after), labels in sorted(
        between.items(), key=lambda each: abs(boxes[each[0][0]].x - boxes[each[0][1]].x)
    ):
        arcs.append(_arc(boxes[before].x, boxes[after].x, rise, labels))
        rise += _LINE * len(labels) + _LINE // 2
    last = boxes[life_cycle.states[-1]]
    below = max(len(each.stays) for each in boxes.values()) * _LINE
    arrows = (*arcs, *(_straight(boxes[before], boxes[after], labels) for (before, after), labels in straight.items()))
    width, y = last.x + last.column // 2 + _MARGIN, rise + _LINE
    return Diagram(life_cycle, width, y + _HEIGHT + below + _LINE, y, tuple(boxes.values()), arrows, tuple(lines))


def _boxes(
    states: Sequence[str], lines: Sequence[Line], straight: Mapping[tuple[str, str], Sequence[tuple[str, Reach]]]
) -> Iterator[Box]:
    """Yield the boxes from left to right, with room for the labels below them and between them."""
    last: Box | None = None
    for state in states:
        width = _CHARACTER * max(len(state), _FEWEST_CHARACTERS) + _GAP
        box = Box(state, 0, width, tuple(_staying(state, lines)))
        x = _MARGIN + box.column // 2
        if last is not None:
            labels = straight.get((last.name, state), ())
            room = _CHARACTER * max((len(text) for text, _ in labels), default=0) + (last.width + width) // 2
            x = last.x + max(room + _GAP, (last.column + box.column + _GAP) // 2)
        last = replace(box, x=x)
        yield last


def _reach(scenarios: int, explored: int) -> Reach:
    if scenarios and explored:
        return "both"
    return "scenarios" if scenarios else "explored" if explored else "never"


def _between(before: str, after: str, lines: Sequence[Line]) -> list[tuple[str, Reach]]:
    found = [each for each in lines if (each.transition.before, each.transition.after) == (before, after)]
    return [(each.transition.operation, each.reach) for each in found]


def _staying(state: str, lines: Sequence[Line]) -> Iterator[tuple[str, Reach]]:
    for each in lines:
        line = each.transition
        if line.before == line.after == state:
            by = " by another" if line.foreign else ""
            yield f"{line.operation}{by}{': rejected' if line.refused else ''}", each.reach


def _straight(first: Box, second: Box, labels: Sequence[tuple[str, Reach]]) -> Arrow:
    start, end, middle = first.x + first.width // 2, second.x - second.width // 2, _HEIGHT // 2
    return _labelled(f"M{start} {middle} H{end - 6}", (start + end) // 2, middle - 5, labels)


def _arc(start: int, end: int, rise: int, labels: Sequence[tuple[str, Reach]]) -> Arrow:
    """Return an arrow above the boxes, with its labels above it. Arrows at the same box begin and end side by side."""
    side = 1 if end > start else -1
    first, last, control = start + 14 * side, end - 4 * side, -rise * 4 // 3
    path = f"M{first} 0 C{first} {control} {last} {control} {last} -6"
    return _labelled(path, (first + last) // 2, -rise - 5, labels)


def _labelled(path: str, x: int, bottom: int, labels: Sequence[tuple[str, Reach]]) -> Arrow:
    places = tuple((text, x, bottom - _LINE * number, reach) for number, (text, reach) in enumerate(reversed(labels)))
    order: tuple[Reach, ...] = ("both", "scenarios", "explored", "never")
    return Arrow(path, min((reach for _, reach in labels), key=order.index), places)
