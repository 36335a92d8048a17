"""The decorators of step functions, and the three pytest-bdd steps that run them.

pytest-bdd makes a fixture of each step and tries every fixture of the session for every sentence: with two hundred
steps, this took a quarter of the time of a run. Here pytest-bdd sees one step for each keyword of a folder. Its parser,
a `StepParser` of pytest-bdd's public interface, knows the sentences of the step modules in use.
"""

import inspect
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final, Literal, TypeVar

import pytest
import pytest_bdd
from pytest_bdd.parsers import StepParser, re

from airworthy.suite.outcomes import ExpectationError, PrerequisiteFailed, SeatsGone, comparisons
from conformance.scenario_context import RecordedStep, ScenarioContext

Keyword = Literal["given", "when", "then"]
StepFunction = TypeVar("StepFunction", bound=Callable[..., None])


@dataclass(frozen=True, slots=True)
class StepDefinition:
    """A step function with a parser of its sentences. A function with several sentences has several definitions.

    Its requests violate the rules that are ``violated`` on purpose, besides the one of the scenario. A parameter with a
    default need not be a part of the sentence.
    """

    keyword: Keyword
    parser: StepParser
    run: Callable[..., None]
    parameters: Mapping[str, inspect.Parameter]
    violated: tuple[str, ...]


STATEMENT: Final = r"(?!the (?:service|client) ).+"
"""A sentence that no other step knows: it states what holds, and not what somebody does."""

# By the name of the step module and the keyword.
_DEFINITIONS: defaultdict[tuple[str, Keyword], list[StepDefinition]] = defaultdict(list)


def given(sentence: str) -> Callable[[StepFunction], StepFunction]:
    """Declare the function that runs a "Given" sentence; its arguments are fixtures or groups of this expression."""
    return _declare("given", sentence)


def when(sentence: str, *violated: str) -> Callable[[StepFunction], StepFunction]:
    """Declare the function that runs a "When" sentence, and the rules that it violates on purpose."""
    return _declare("when", sentence, *violated)


def then(sentence: str) -> Callable[[StepFunction], StepFunction]:
    """Declare the function that runs a "Then" sentence."""
    return _declare("then", sentence)


def _declare(keyword: Keyword, sentence: str, *violated: str) -> Callable[[StepFunction], StepFunction]:
    def declare(function: StepFunction) -> StepFunction:
        parameters = inspect.signature(function).parameters
        definition = StepDefinition(keyword, re(sentence), function, parameters, violated)
        _DEFINITIONS[function.__module__, keyword].append(definition)
        return function

    return declare


class StepTable(StepParser):
    """The steps of one keyword in some step modules."""

    def __init__(self, keyword: Keyword, modules: Collection[str]) -> None:
        super().__init__(keyword)
        self._definitions = [each for module in modules for each in _DEFINITIONS[module, keyword]]
        self._found: dict[str, StepDefinition | None] = {}

    def is_matching(self, name: str) -> bool:
        """Return whether a step fits the sentence ``name``."""
        return self._find(name) is not None

    def parse_arguments(self, name: str) -> dict[str, Any] | None:
        """Return the definition of the step that fits the sentence ``name``, and the arguments from the sentence."""
        definition = self._find(name)
        if definition is None:
            return None
        return {"definition": definition, "arguments": definition.parser.parse_arguments(name) or {}}

    def _find(self, sentence: str) -> StepDefinition | None:
        """Return the step that fits a sentence, or None. Raises LookupError if several do."""
        if sentence not in self._found:
            matching = [each for each in self._definitions if each.parser.is_matching(sentence)]
            found = [each for each in matching if each.parser.name != STATEMENT] or matching
            if len(found) > 1:
                names = ", ".join(each.parser.name for each in found)
                raise LookupError(f"{len(found)} steps match {sentence!r}, expected one: {names}")
            self._found[sentence] = found[0] if found else None
        return self._found[sentence]


def use_steps(*packages: str) -> None:
    """Make the steps in some modules and packages of modules known to the tests below the folder of the caller."""
    modules = [name for package in packages for name in _import_modules(package)]
    keywords: tuple[Keyword, ...] = ("given", "when", "then")
    for keyword in keywords:
        pytest_bdd.step(StepTable(keyword, modules), keyword, stacklevel=2)(_run_step)


def _import_modules(package: str) -> list[str]:
    folders = getattr(import_module(package), "__path__", None)
    names = [each.name for each in iter_modules(folders, f"{package}.")] if folders else [package]
    return [import_module(name).__name__ for name in names]


def _run_step(request: pytest.FixtureRequest, definition: StepDefinition, arguments: dict[str, Any]) -> None:
    """Call a step function with the arguments of its sentence, and fixtures for the others.

    If seats are gone that the scenario needs, all its steps so far run once more, with flights that are searched anew.
    """
    needed = (name for name, each in definition.parameters.items() if each.default is each.empty)
    fixtures = {name: request.getfixturevalue(name) for name in needed if name not in arguments}
    own = {name: each for name, each in arguments.items() if name in definition.parameters}
    context: ScenarioContext = request.getfixturevalue("context")
    context.capture.expected.update(definition.violated)
    context.steps.append((definition.keyword, partial(definition.run, **fixtures, **own)))
    try:
        _run_explained(context, context.steps[-1:])
    except SeatsGone:
        if context.is_repeated:
            raise
        context.begin_again()
        context.v3.search_anew()
        _run_explained(context, context.steps)


def _run_explained(context: ScenarioContext, steps: Sequence[RecordedStep]) -> None:
    """Run steps; if the response that an expectation fails on has another cause, end the scenario for that reason."""
    for keyword, run in steps:
        comparisons.is_counting = keyword == "then"
        try:
            run()
        except (ExpectationError, PrerequisiteFailed) as error:
            exchange = error.exchange if isinstance(error, ExpectationError) else error.expectation.exchange
            if exchange is not None:
                context.service.explain(exchange)
            raise


# pytest-bdd inspects the function twice for each step that it runs.
_run_step.__signature__ = inspect.signature(_run_step)  # type: ignore[attr-defined]
