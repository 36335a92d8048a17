"""The life cycles name documented rules, operations and sources."""

import re

import pytest

from airworthy.contract import Contract
from airworthy.contract.life_cycles import LIFE_CYCLES, LifeCycle, Transition
from airworthy.contract.life_cycles.life_cycle import NONE, TIME
from airworthy.register import rule

LINES = [(cycle, each) for cycle in LIFE_CYCLES for each in cycle.transitions]
each_line = pytest.mark.parametrize(("cycle", "line"), LINES, ids=[cycle.name(each) for cycle, each in LINES])
_SOURCE = re.compile(r'"[^"]+"( \([^"]+\))?(; OPEN-\d+)?|OPEN-\d+(, OPEN-\d+)*')


@each_line
def test_line_is_between_states_of_its_life_cycle(cycle: LifeCycle, line: Transition) -> None:
    assert {line.before, line.after} <= set(cycle.states)
    assert line.after != NONE
    assert not line.refused or line.before == line.after


@each_line
def test_line_has_a_source_and_a_documented_rule(cycle: LifeCycle, line: Transition) -> None:
    violated = rule(line.rule)
    assert violated is not None
    assert violated.concerns(cycle.interfaces)
    assert _SOURCE.fullmatch(line.source)


@each_line
def test_line_is_about_a_documented_operation(cycle: LifeCycle, line: Transition) -> None:
    documented = {each.id for each in Contract.load(cycle.interfaces).operations()}
    assert line.operation in (TIME, *documented)


@each_line
def test_lines_of_an_operation_agree_on_the_rule_and_its_weight(cycle: LifeCycle, line: Transition) -> None:
    alike = list(cycle.allowed(line.before, line.operation, foreign=line.foreign))
    assert {(each.rule, each.soft) for each in alike} == {(line.rule, line.soft)}


def test_names_are_distinct() -> None:
    assert len({cycle.name(each) for cycle, each in LINES}) == len(LINES)


@pytest.mark.parametrize("cycle", LIFE_CYCLES, ids=lambda each: each.resource)
def test_every_state_is_reached_from_none(cycle: LifeCycle) -> None:
    reached = {NONE}
    for _ in cycle.states:
        reached |= {each.after for each in cycle.transitions if each.before in reached}
    assert reached == set(cycle.states)
