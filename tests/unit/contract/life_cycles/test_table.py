"""The life cycles name documented rules, operations and sources."""

import re

import pytest

from airworthy.contract import Contract
from airworthy.contract.life_cycles import LIFE_CYCLES, LifeCycle
from airworthy.contract.life_cycles.life_cycle import NONE, TIME
from airworthy.register import rule

LINES = [(cycle, each) for cycle in LIFE_CYCLES for each in cycle.transitions]
_SOURCE = re.compile(r'"[^"]+"( \([^"]+\))?(; OPEN-\d+)?|OPEN-\d+(, OPEN-\d+)*')


def test_lines_are_between_states_of_their_life_cycle() -> None:
    for cycle, line in LINES:
        assert {line.before, line.after} <= set(cycle.states), cycle.name(line)
        assert line.after != NONE, cycle.name(line)
        assert not line.refused or line.before == line.after, cycle.name(line)


def test_lines_have_a_source_and_a_documented_rule() -> None:
    for cycle, line in LINES:
        violated = rule(line.rule)
        assert violated is not None, cycle.name(line)
        assert violated.concerns(cycle.interfaces), cycle.name(line)
        assert _SOURCE.fullmatch(line.source), cycle.name(line)


def test_lines_are_about_documented_operations() -> None:
    for cycle, line in LINES:
        documented = {each.id for each in Contract.load(cycle.interfaces).operations()}
        assert line.operation in (TIME, *documented), cycle.name(line)


def test_lines_of_an_operation_agree_on_the_rule_and_its_weight() -> None:
    for cycle, line in LINES:
        alike = list(cycle.allowed(line.before, line.operation, foreign=line.foreign))
        assert {(each.rule, each.soft) for each in alike} == {(line.rule, line.soft)}, cycle.name(line)


def test_names_are_distinct() -> None:
    assert len({cycle.name(each) for cycle, each in LINES}) == len(LINES)


@pytest.mark.parametrize("cycle", LIFE_CYCLES, ids=lambda each: each.resource)
def test_every_state_is_reached_from_none(cycle: LifeCycle) -> None:
    reached = {NONE}
    for _ in cycle.states:
        reached |= {each.after for each in cycle.transitions if each.before in reached}
    assert reached == set(cycle.states)
