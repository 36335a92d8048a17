"""Diagrams of the life cycles, with the transitions that scenarios and explorations reached."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from airworthy.contract.life_cycles import LIFE_CYCLES, LifeCycle, Transition
from airworthy.report.explored import is_of
from airworthy.report.results import Results

Reach = Literal["both", "scenarios", "explored", "never"]

_WIDTH, _HEIGHT, _GAP, _MARGIN = 168, 34, 84, 32
_ABOVE, _LINE = 22, 16
_LONGEST: Final = 22


@dataclass(frozen=True, slots=True)
class Box:
    """A state: its name, the left end of its box, and the transitions that stay in it."""

    name: str
    x: int
    stays: tuple[tuple[str, Reach], ...]


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
    """The picture of a life cycle, whose boxes have their upper edge at ``y``."""

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
    explored: dict[str, int] = {}
    for each in results.explored:
        for name, count in each.transitions.items():
            explored[name] = explored.get(name, 0) + count
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
    moves = [each for each in pairs if each[0] != each[1]]
    places = {state: number for number, state in enumerate(life_cycle.states)}
    longest = max((abs(places[before] - places[after]) for before, after in moves), default=1)
    stays = {state: tuple(_staying(state, lines)) for state in places}
    y = _ABOVE + longest * 2 * _LINE
    boxes = tuple(Box(state, _MARGIN + number * (_WIDTH + _GAP), stays[state]) for state, number in places.items())
    arrows = tuple(_arrow(places[before], places[after], y, _between(before, after, lines)) for before, after in moves)
    width = len(boxes) * (_WIDTH + _GAP) - _GAP + 2 * _MARGIN
    below = max(len(each) for each in stays.values()) * _LINE
    return Diagram(life_cycle, width, y + _HEIGHT + below + _LINE, y, boxes, arrows, tuple(lines))


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


def _arrow(start: int, end: int, y: int, labels: Sequence[tuple[str, Reach]]) -> Arrow:
    """Return an arrow from box to box: straight to the next one, and in an arc above the others."""
    step = _WIDTH + _GAP
    if end == start + 1:
        x, middle = _MARGIN + start * step + _WIDTH, y + _HEIGHT // 2
        path = f"M{x} {middle} H{x + _GAP - 6}"
        at, top = x + _GAP // 2, middle - 5 - _LINE * (len(labels) - 1)
    else:
        rise = _LINE * 2 * abs(end - start) - 6
        first, last = (_MARGIN + place * step + _WIDTH // 2 for place in (start, end))
        path = f"M{first} {y} C{first} {y - rise} {last} {y - rise} {last} {y - 6}"
        at, top = (first + last) // 2, y - rise * 3 // 4 - 5
    places = tuple((text[:_LONGEST], at, top + _LINE * number, reach) for number, (text, reach) in enumerate(labels))
    order: tuple[Reach, ...] = ("both", "scenarios", "explored", "never")
    return Arrow(path, min((reach for _, reach in labels), key=order.index), places)
