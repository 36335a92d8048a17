"""Which scenarios run, in which order, and whether that is all of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from pytest_bdd.parser import ScenarioTemplate
from pytest_bdd.scenario import scenario_wrapper_template_registry

from airworthy.register import ID
from airworthy.resources import resource

AGES = "ages"
# Where the steps say what is due before what: numbers by the text of the step that asks for something of an age.
DUE: Final = pytest.StashKey[Mapping[str, float]]()


@dataclass(frozen=True, slots=True)
class Selected:
    """A scenario that was collected: its test, its rules (by their ids) and its name in the feature."""

    test: str
    rules: tuple[str, ...]
    scenario: str
    deselected: bool = False


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


def name_of(item: pytest.Item, template: ScenarioTemplate) -> str:
    """Return the scenario's name, with the values of its example row."""
    callspec = getattr(item, "callspec", None)
    example = callspec.params.get("_pytest_bdd_example") if callspec else None
    if not example:
        return template.name
    rendered = template.render(example).name
    return rendered if rendered != template.name else f"{template.name} ({', '.join(example.values())})"


def selected(item: pytest.Item, deselected: bool = False) -> Selected | None:
    """Describe a collected scenario of a rule; None for any other test."""
    template = template_of(item)
    rules = rules_of(template) if template else ()
    return Selected(item.nodeid, rules, template.name, deselected) if template and rules else None


def ages(item: pytest.Item) -> bool:
    """Whether a scenario needs something at an age, and so may move the clock or wait."""
    return item.get_closest_marker(AGES) is not None


def in_order(items: Sequence[pytest.Item], due: Mapping[str, float]) -> list[pytest.Item]:
    """Put what has to wait last, and of that the first due first; ``due`` as in `DUE`."""

    def place(item: pytest.Item) -> float:
        template = template_of(item)
        if template is None or not ages(item):
            return -1.0
        return max((due.get(step.name, 0.0) for step in template.steps), default=0.0)

    return sorted(items, key=place)


def asked_for(items: Iterable[pytest.Item]) -> set[str]:
    """Return the texts of all steps of scenarios that need something at an age."""
    templates = [template for item in items if ages(item) and (template := template_of(item))]
    return {step.name for template in templates for step in template.steps}


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
