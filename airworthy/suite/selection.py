"""Which scenarios run, in which order, and whether that is all of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import pytest
from pytest_bdd.parser import ScenarioTemplate
from pytest_bdd.scenario import scenario_wrapper_template_registry

from airworthy.contract.limits import Lifetimes
from airworthy.register import ID, INTERFACES, rules
from airworthy.resources import resource
from airworthy.suite import ages

# The column of an outline that says which of the interfaces that share a rule its row is about.
_INTERFACE: Final = "interface"

Fate = Literal["run", "left out", "not examined"]


@dataclass(frozen=True, slots=True)
class Selected:
    """A scenario that was collected: its test, its rules (by their ids) and its name in the feature.

    ``fate`` says what becomes of it: it is run, left out by an option, or about an interface that is not examined.
    """

    test: str
    rules: tuple[str, ...]
    scenario: str
    fate: Fate = "run"


def template_of(item: pytest.Item) -> ScenarioTemplate | None:
    """Return the scenario that a test runs, or None for any other test."""
    function = getattr(item, "obj", None)
    try:
        return scenario_wrapper_template_registry.get(function) if function is not None else None
    except TypeError:
        return None


def rules_of(template: ScenarioTemplate) -> tuple[str, ...]:
    """Return the id of the rule that a scenario belongs to: the upper-case tag of its Rule."""
    tags = template.rule.tags if template.rule else set()
    return tuple(sorted(tag for tag in tags if ID.fullmatch(tag)))


def is_examined(item: pytest.Item, versions: Collection[str]) -> bool:
    """Whether a scenario is about an interface among ``versions``: by its rule, and by its row where the rule has more.

    What belongs to no interface alone, such as the payment provider's part, is always examined.
    """
    template = template_of(item)
    if template is None:
        return True
    interface = _example(item).get(_INTERFACE)
    if interface in INTERFACES:
        return interface in versions
    own = rules_of(template)
    return all(rule.concerns(versions) for rule in rules() if rule.id in own)


def name_of(item: pytest.Item, template: ScenarioTemplate) -> str:
    """Return the scenario's name, with the values of its example row."""
    example = _example(item)
    if not example:
        return template.name
    rendered = template.render(example).name
    return rendered if rendered != template.name else f"{template.name} ({', '.join(example.values())})"


def selected(item: pytest.Item, fate: Fate) -> Selected | None:
    """Describe a collected scenario of a rule; None for any other test."""
    template = template_of(item)
    rules = rules_of(template) if template else ()
    return Selected(item.nodeid, rules, template.name, fate) if template and rules else None


def is_ageing(item: pytest.Item) -> bool:
    """Whether a scenario needs something at an age, and so may move the clock or wait."""
    return item.get_closest_marker(ages.AGES) is not None


def in_order(items: Sequence[pytest.Item], lifetimes: Lifetimes) -> list[pytest.Item]:
    """Put what has to wait last, and of that the first due first."""

    def place(item: pytest.Item) -> float:
        return max((ages.due(step, lifetimes) for step in _steps(item)), default=0.0) if is_ageing(item) else -1.0

    return sorted(items, key=place)


def asked_for(items: Iterable[pytest.Item]) -> set[str]:
    """Return the texts of all steps of scenarios that need something at an age."""
    return {step for item in items if is_ageing(item) for step in _steps(item)}


def _steps(item: pytest.Item) -> list[str]:
    """Return the texts of a scenario's steps, with the values of its example row."""
    template = template_of(item)
    return [step.name for step in template.render(_example(item)).steps] if template else []


def _example(item: pytest.Item) -> Mapping[str, str]:
    callspec = getattr(item, "callspec", None)
    example: Mapping[str, str] = callspec.params.get("_pytest_bdd_example", {}) if callspec else {}
    return example


def tags() -> list[str]:
    """Return every tag in the features, so that each is known as a marker."""
    found: set[str] = set()
    for feature in sorted(resource("features").rglob("*.feature")):
        lines = (line.split() for line in feature.read_text().splitlines())
        found.update(word[1:] for line in lines if line and line[0].startswith("@") for word in line if word[0] == "@")
    return sorted(found)


def narrowed_by(config: pytest.Config) -> str:
    """Say which options narrow the selection of tests, as they were given."""
    option = config.option
    said = [
        f"-k {option.keyword!r}" if option.keyword else "",
        f"-m {option.markexpr!r}" if option.markexpr else "",
        "--lf" if getattr(option, "lf", False) else "",
        *(f"--deselect {each}" for each in option.deselect or ()),
        *(str(path) for path in option.file_or_dir or () if Path(path) != resource("conformance")),
    ]
    return " ".join(each for each in said if each)
