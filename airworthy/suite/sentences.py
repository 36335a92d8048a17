"""Remembers which step fits a sentence.

pytest-bdd asks pytest for every fixture there is, twice for each sentence, to find the steps among them, which took a
quarter of a run. Here the steps are gathered once for each module of tests, and a sentence is looked up once. Only
what is looked up is remembered, never what a step returned.
"""

import importlib
from collections.abc import Iterable
from functools import cache

from _pytest.fixtures import FixtureDef, FixtureManager
from _pytest.nodes import Node
from pytest_bdd.compat import get_fixture_names, getfixturedefs
from pytest_bdd.parser import Step
from pytest_bdd.steps import StepFunctionContext, step_function_context_registry

Known = tuple[FixtureDef[object], StepFunctionContext]


def remember_sentences() -> None:
    """Make pytest-bdd look each sentence up once for each module of tests."""
    # The package's name `scenario` is its decorator; the module has to be asked for by its path.
    scenario = importlib.import_module("pytest_bdd.scenario")
    nodes: dict[str, Node] = {}

    @cache
    def steps(manager: FixtureManager, module: str) -> tuple[Known, ...]:
        definitions = (
            definition
            for name in get_fixture_names(manager)
            for definition in getfixturedefs(manager, name, nodes[module]) or ()
        )
        contexts = ((each, step_function_context_registry.get(each.func)) for each in definitions)
        return tuple((each, context) for each, context in contexts if context is not None)

    @cache
    def found(manager: FixtureManager, module: str, kind: str, sentence: str) -> tuple[FixtureDef[object], ...]:
        return tuple(
            definition
            for definition, context in steps(manager, module)
            if context.type in (None, kind) and context.parser.is_matching(sentence)
        )

    def remembered(step: Step, fixturemanager: FixtureManager, node: Node) -> Iterable[FixtureDef[object]]:
        module = node.nodeid.partition("::")[0]
        nodes[module] = node
        return found(fixturemanager, module, step.type, step.name)

    vars(scenario)["find_fixturedefs_for_step"] = remembered
