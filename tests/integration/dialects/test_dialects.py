"""The suite passes on every dialect: no choice that the documents leave open fails, warns or hides a rule."""

import pytest

from airworthy.register import rules
from airworthy.sandbox.dialects.named import dialects
from integration.conftest import FullRun


@pytest.mark.parametrize("dialect", list(dialects()))
def test_the_suite_passes_on_a_dialect(full_run: FullRun, dialect: str) -> None:
    ran = full_run(dialect)

    unpassed = {rule.id: f"{rule.verdict}: {rule.reason}" for rule in ran.results.rules if rule.verdict != "passed"}
    # No dialect makes anything untestable: only what nobody can check has not passed.
    assert unpassed.keys() == {rule.id for rule in rules() if rule.excluded_reason}, unpassed
    assert {scenario.verdict for rule in ran.results.rules for scenario in rule.scenarios} == {"passed"}
    assert ran.exit_code == 0
