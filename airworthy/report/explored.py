"""What explorations reached and found, for all forms of the report."""

from collections.abc import Iterator
from pathlib import Path

from airworthy.contract.life_cycles import LIFE_CYCLES
from airworthy.report.exchange_view import Records, load_records
from airworthy.report.results import Explored, Results


def transitions_of(interface: str) -> Iterator[str]:
    """Yield the names of the transitions of an interface."""
    for cycle in LIFE_CYCLES:
        if interface in cycle.interfaces:
            for each in cycle.transitions:
                # v2 has no operation that cancels a booking request.
                if interface != "v2" or each.operation != "cancelRequest":
                    yield cycle.name(each)


def reached(explored: Explored) -> tuple[int, int]:
    """Return how many transitions of its interface an exploration reached, and how many there are."""
    names = set(transitions_of(explored.interface))
    return len(names & explored.transitions.keys()), len(names)


def never_reached(results: Results) -> list[str]:
    """Return the transitions of the explored interfaces that neither a scenario nor an exploration reached."""
    names = dict.fromkeys(name for each in results.explored for name in transitions_of(each.interface))
    taken = {*results.transitions, *(name for each in results.explored for name in each.transitions)}
    return [name for name in names if name not in taken]


def explored_exchanges(results: Results) -> set[str]:
    """Return the ids of the exchanges of every conversation that is told."""
    steps = (step for each in results.explored for found in each.found for step in found.steps)
    return {exchange for step in steps for exchange in step.exchanges}


def explored_records(results: Results, folder: Path) -> Records:
    """Return the evidence of the conversations that are told. Raises `UsageError` if it cannot be read."""
    return load_records(folder / Path(results.integrity.evidence).name, explored_exchanges(results))
