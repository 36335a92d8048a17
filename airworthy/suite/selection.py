"""The selection of scenarios: which of them run, in which order, and which options narrow it."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import pytest
from pytest_bdd.parser import ScenarioTemplate
from pytest_bdd.scenario import scenario_wrapper_template_registry

from airworthy.contract.conversation.limits import Lifetimes
from airworthy.errors import UsageError, did_you_mean
from airworthy.register import ID, INTERFACES, rule, rules
from airworthy.resources import resource
from airworthy.suite import ages

# The placeholder, or column of an outline, for the interface of a scenario that several interfaces share.
_INTERFACE: Final = "interface"
# The argument of pytest-bdd's test functions with the values of an example row.
_EXAMPLE: Final = "_pytest_bdd_example"
# The tag of scenarios that send a hundred requests.
_LONG: Final = "long"
# The marker of a test that explores an interface.
EXPLORES: Final = "explores"
# The suite for pytest --pyargs.
_PACKAGE: Final = "airworthy._resources.conformance"

SelectionStatus = Literal["selected", "deselected", "not examined"]


@dataclass(frozen=True, slots=True)
class Selected:
    """A collected scenario: the id of its test, the ids of its rules, and its name in the feature.

    Its ``status``: it runs, is deselected by an option, or belongs to an interface that is not examined.
    """

    test: str
    rules: tuple[str, ...]
    scenario: str
    status: SelectionStatus = "selected"


def _template(function: Callable[..., object] | None) -> ScenarioTemplate | None:
    try:
        return scenario_wrapper_template_registry.get(function) if function is not None else None
    except TypeError:
        return None


def run_for_each_interface(metafunc: pytest.Metafunc) -> None:
    """Run a scenario that says ``<interface>`` for each interface that is a tag of it, else of its rule or its feature.

    An outline that says it has rows of its own, because they differ between the interfaces.
    Raises `pytest.UsageError` for a scenario without such a tag.
    """
    template = _template(metafunc.function)
    if template is None or template.examples or not any(f"<{_INTERFACE}>" in step.name for step in template.steps):
        return
    tags = (template.tags, template.rule.tags if template.rule else set(), template.feature.tags)
    interfaces = next(filter(None, (INTERFACES & each for each in tags)), None)
    if interfaces is None:
        raise pytest.UsageError(f"{template.name}: the scenario says <{_INTERFACE}> and has no tag of one")
    metafunc.parametrize(_EXAMPLE, [pytest.param({_INTERFACE: each}, id=each) for each in sorted(interfaces)])


def rules_of(template: ScenarioTemplate) -> tuple[str, ...]:
    """Return the ids of the rules of the register that a scenario belongs to, which are tags of its Rule."""
    tags = template.rule.tags if template.rule else set()
    return tuple(sorted(tag for tag in tags if ID.fullmatch(tag) and rule(tag)))


def scenario_of(item: pytest.Item) -> ScenarioTemplate | None:
    """Return the scenario of the suite that a test runs, or None for any other test, such as a user's own scenario."""
    template = _template(getattr(item, "obj", None))
    return template if template and rules_of(template) else None


def belongs_to_suite(nodeid: str, rootpath: Path) -> bool:
    """Return whether a file or folder that could not be collected is one of the suite."""
    suite, name = resource("conformance"), nodeid.partition("::")[0]
    # The id is relative to the root folder of pytest or, outside of it, to the folder that pytest was called with.
    path = next((folder / name for folder in (rootpath, suite) if (folder / name).exists()), rootpath)
    return path.is_relative_to(suite) or name in ("", ".")


def is_examined(item: pytest.Item, versions: Collection[str]) -> bool:
    """Return whether a scenario is about one of ``versions``, by its rule or by the interface of its example row.

    Scenarios of the payment provider and other rules that belong to no interface are always examined.
    """
    template = scenario_of(item)
    if template is None:
        explored = interface_explored(item)
        return not explored or explored in versions
    interface = _example(item).get(_INTERFACE)
    if interface in INTERFACES:
        return interface in versions
    rule_ids = rules_of(template)
    return all(rule.concerns(versions) for rule in rules() if rule.id in rule_ids)


def name_of(item: pytest.Item, template: ScenarioTemplate) -> str:
    """Return the name of a scenario, with the values of its example row."""
    example = _example(item)
    if not example:
        return template.name
    rendered = template.render(example).name
    return rendered if rendered != template.name else f"{template.name} ({', '.join(example.values())})"


def selected(item: pytest.Item, status: SelectionStatus) -> Selected | None:
    """Return a collected scenario or exploration of the suite, or None for any other test."""
    if explored := interface_explored(item):
        return Selected(item.nodeid, (), f"exploration of {explored}", status)
    template = scenario_of(item)
    return Selected(item.nodeid, rules_of(template), template.name, status) if template else None


def selected_rules(items: Iterable[pytest.Item]) -> frozenset[str]:
    """Return the rules that the scenarios among some tests belong to."""
    return frozenset(rule for item in items if (template := scenario_of(item)) for rule in rules_of(template))


def interface_explored(item: pytest.Item) -> str:
    """Return the interface that a test explores, or an empty string for any other test."""
    marker = item.get_closest_marker(EXPLORES)
    return str(marker.args[0]) if marker else ""


def is_ageing(item: pytest.Item) -> bool:
    """Return whether a scenario needs an item of some age, and so may advance the clock or wait."""
    return item.get_closest_marker(ages.AGES) is not None


def execution_order(items: Iterable[pytest.Item], lifetimes: Lifetimes, *, several: bool) -> list[pytest.Item]:
    """Return tests in the order in which they run: a user's own tests, then the scenarios, the longest wait last.

    ``several`` processes begin with the scenarios that send most, so that all of them end at about the same time.
    """

    def place(item: pytest.Item) -> tuple[int, float]:
        if interface_explored(item):
            return 4, 0.0
        if not is_ageing(item):
            return (1 if several and item.get_closest_marker(_LONG) else 2) if scenario_of(item) else 0, 0.0
        # What needs nothing of an age lets time pass, for which other scenarios have to show that the clock moves.
        return 3, max((ages.due(step, lifetimes) for step in _steps(item)), default=0.0) or math.inf

    return sorted(items, key=place)


def ageing_steps(items: Iterable[pytest.Item]) -> set[str]:
    """Return the texts of all steps of the scenarios that need an item of some age."""
    return {step for item in items if is_ageing(item) for step in _steps(item)}


def _steps(item: pytest.Item) -> list[str]:
    """Return the texts of a scenario's steps, with the values of its example row."""
    template = scenario_of(item)
    return [step.name for step in template.render(_example(item)).steps] if template else []


def _example(item: pytest.Item) -> Mapping[str, str]:
    callspec = getattr(item, "callspec", None)
    example: Mapping[str, str] = callspec.params.get(_EXAMPLE, {}) if callspec else {}
    return example


def tags() -> list[str]:
    """Return every tag in the features, for registration as markers."""
    found: set[str] = set()
    for feature in sorted(resource("features").rglob("*.feature")):
        lines = (line.split() for line in feature.read_text().splitlines())
        found.update(word[1:] for line in lines if line and line[0].startswith("@") for word in line if word[0] == "@")
    return sorted(found)


def require_known_rules(expression: str, markers: Iterable[str]) -> None:
    """Raise `UsageError` for a rule in an expression of ``-m`` that is not one of the registered markers."""
    known = {line.partition(":")[0].partition("(")[0].strip() for line in markers}
    # Only the id of a rule has a hyphen; pytest reports other unknown markers itself.
    for name in re.findall(r"\w+(?:-\w+)+", expression):
        if name not in known:
            advice = did_you_mean(name.upper(), known, "`airworthy rules` lists all rules")
            raise UsageError(f"-m {expression!r}: unknown rule {name}; {advice}")


def other_paths(config: pytest.Config) -> list[str]:
    """Return the paths that the user named for tests that are not the suite's."""
    if config.args_source is config.ArgsSource.INVOCATION_DIR:
        return []
    suite, base = resource("conformance"), config.invocation_params.dir
    paths = {each: (base / each.partition("::")[0]).resolve() for each in config.args}
    return [each for each, path in paths.items() if not each.startswith(_PACKAGE) and not path.is_relative_to(suite)]


def narrowing_options(config: pytest.Config) -> str:
    """Return the options that narrow the selection of scenarios, as on the command line."""
    option = config.option
    paths = [str(path) for path in option.file_or_dir or ()]
    if str(resource("conformance") / "explore") in paths:
        return "airworthy explore"
    given = [
        f"-k {option.keyword!r}" if option.keyword else "",
        f"-m {option.markexpr!r}" if option.markexpr else "",
        "--lf" if getattr(option, "lf", False) else "",
        *(f"--deselect {each}" for each in option.deselect or ()),
        *(() if any(path in (str(resource("conformance")), _PACKAGE) for path in paths) else paths),
    ]
    return " ".join(each for each in given if each)
