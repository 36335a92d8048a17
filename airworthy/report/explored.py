"""What explorations reached and found, for all forms of the report."""

from collections.abc import Collection
from pathlib import Path

from airworthy.contract.life_cycles import LIFE_CYCLES, LifeCycle, Transition
from airworthy.report.exchange_view import Records, load_records
from airworthy.report.exploration import Explored
from airworthy.report.results import Results


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
