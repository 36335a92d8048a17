"""The step functions for the sentences of the features."""

from types import ModuleType

import pytest

from conformance.step_table import StepTable, given, when


@pytest.fixture
def module(request: pytest.FixtureRequest) -> ModuleType:
    made = ModuleType(request.node.name)

    def buy(count: str) -> None:
        assert count

    buy.__module__ = made.__name__
    given(r"(?P<count>\d+) offers")(buy)
    return made


def test_step_of_another_keyword_or_module_does_not_match(module: ModuleType) -> None:
    assert not StepTable("when", (module.__name__,)).is_matching("2 offers")
    assert not StepTable("given", ()).is_matching("2 offers")
    assert StepTable("given", (module.__name__,)).parse_arguments("no offers") is None


def test_ambiguous_step_is_an_error(module: ModuleType) -> None:
    def sell() -> None: ...

    sell.__module__ = module.__name__
    when("2 offers")(sell)
    when(r"\d offers")(sell)

    with pytest.raises(LookupError, match="2 steps match '2 offers', expected one"):
        StepTable("when", (module.__name__,)).is_matching("2 offers")
