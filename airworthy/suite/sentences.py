"""Remembers which step fits a sentence.

pytest-bdd goes through every step of every plugin, twice for each sentence, which took a quarter of a run: here a
sentence is looked up once. Only what is looked up is remembered, never what a step returned.
"""

import importlib
from collections.abc import Iterable
from functools import cache

from _pytest.fixtures import FixtureDef, FixtureManager
from _pytest.nodes import Node
from pytest_bdd.parser import Step


def remember_sentences() -> None:
    """Make pytest-bdd look each sentence up once for each module of tests."""
    # The package's name `scenario` is its decorator; the module has to be asked for by its path.
    scenario = importlib.import_module("pytest_bdd.scenario")
    look_up = scenario.find_fixturedefs_for_step
    nodes: dict[str, Node] = {}
    steps: dict[tuple[str | None, str], Step] = {}

    @cache
    def found(manager: FixtureManager, module: str, kind: str | None, sentence: str) -> tuple[FixtureDef[object], ...]:
        return tuple(look_up(steps[kind, sentence], manager, nodes[module]))

    def remembered(step: Step, fixturemanager: FixtureManager, node: Node) -> Iterable[FixtureDef[object]]:
        module = node.nodeid.partition("::")[0]
        nodes[module], steps[step.type, step.name] = node, step
        return found(fixturemanager, module, step.type, step.name)

    vars(scenario)["find_fixturedefs_for_step"] = remembered
