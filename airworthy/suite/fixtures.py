"""The fixtures of the suite, for the steps in ``tests/conformance`` and for the tests of other projects."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from airworthy.contract import Contract
from airworthy.register import rules
from airworthy.report.results import EMBEDDED
from airworthy.suite import selection, terminal
from airworthy.suite.capture import Capture
from airworthy.suite.examiner import EXAMINER, Examiner
from airworthy.suite.outcomes import Untested
from airworthy.target.ageing import AgedItem, Ageing, ClockProbe
from airworthy.target.client import Client
from airworthy.target.clock import TargetClock
from airworthy.target.profile import Profile

if TYPE_CHECKING:
    from airworthy.suite.exploration import Exploration


@dataclass(frozen=True, slots=True)
class RunScope:
    """The rules of which scenarios run, and whether the run leaves out scenarios of the examined interfaces.

    ``is_self_test`` is whether the target is the embedded sandbox.
    """

    rules: frozenset[str]
    is_narrowed: bool
    is_self_test: bool


# Session fixtures


@pytest.fixture(scope="session")
def examiner(pytestconfig: pytest.Config) -> Examiner:
    """The examiner of this process, for the fixtures below."""
    return pytestconfig.stash[EXAMINER]


@pytest.fixture
def exploration(examiner: Examiner) -> "Exploration":
    """The exploration of a test that is marked with ``explores``."""
    assert examiner.exploration is not None
    return examiner.exploration


@pytest.fixture(scope="session")
def profile(examiner: Examiner) -> Profile:
    """The target's profile."""
    return examiner.profile


@pytest.fixture(scope="session")
def contract(examiner: Examiner) -> Contract:
    """The contract, which has already judged every exchange of the clients."""
    return examiner.contract


@pytest.fixture(scope="session")
def client(examiner: Examiner) -> Client:
    """The organisation's client: ``client.send("POST", "/v4/search", json=…)``.

    For v3 and v2, give ``key=profile.organisation.v3.authorization("GET")``.
    """
    return examiner.connections.client


@pytest.fixture(scope="session")
def second_client(examiner: Examiner) -> Client:
    """The second organisation's client; raises `Untested` if the profile has none."""
    second = examiner.connections.second
    if second is None:
        raise Untested("the profile names no second organisation: [second_organisation]")
    return second


@pytest.fixture(scope="session")
def provider(examiner: Examiner) -> Client | None:
    """The payment provider's client, with its token; None if the profile has no URL or token."""
    return examiner.connections.provider


@pytest.fixture(scope="session")
def clock(examiner: Examiner) -> TargetClock:
    """The target's clock."""
    return examiner.connections.clock


@pytest.fixture(scope="session")
def run_scope(profile: Profile, request: pytest.FixtureRequest) -> RunScope:
    """What this run tests, in all processes together."""
    selected = selection.selected_rules(request.session.items)
    tested = {each.id for each in rules(versions=profile.versions) if each.scenarios}
    is_narrowed = not tested <= selected or bool(selection.narrowing_options(request.config))
    return RunScope(selected, is_narrowed, profile.source == EMBEDDED)


@pytest.fixture(scope="session")
def needed_capabilities(examiner: Examiner) -> Callable[[], list[str]]:
    """``needed_capabilities().append("infants")`` records that the running scenario needs a capability."""
    return lambda: examiner.examination.capture.needs


@pytest.fixture(scope="session")
def aged_items() -> Mapping[str, AgedItem]:
    """Items that must age, by the text of the step that needs them. The conformance tests override it.

    `airworthy.suite.ages.item` returns an item for a step.
    """
    return {}


@pytest.fixture(scope="session")
def clock_probes() -> Sequence[ClockProbe[Any]]:
    """Resources that show whether the target's clock moves. The conformance tests override it."""
    return ()


@pytest.fixture(scope="session")
def ageing(
    request: pytest.FixtureRequest,
    examiner: Examiner,
    aged_items: Mapping[str, AgedItem],
    clock_probes: Sequence[ClockProbe[Any]],
) -> Ageing:
    """``ageing.aged(step)`` returns an item at its age, in scenarios tagged ``@ages``.

    If ageing means waiting, all items are created here.
    """
    steps, clock = selection.ageing_steps(request.session.items), examiner.connections.clock

    def may_pass_days() -> bool:
        # Other scenarios need flights on the days that the profile names.
        soon = clock.now().date() + timedelta(days=7)
        return all(route.day is None or route.day > soon for route in examiner.profile.routes.values())

    ageing = Ageing(
        clock,
        {step: item for step, item in aged_items.items() if step in steps},
        max_wait=request.config.option.max_wait,
        probes=clock_probes,
        show_progress=terminal.progress(request.config),
        may_pass_days=may_pass_days,
    )
    examiner.ageing = ageing
    ageing.begin()
    return ageing


@pytest.fixture(scope="session", autouse=True)
def _ageing_started_first(request: pytest.FixtureRequest) -> None:
    """Create items that must be waited for before the first scenario, except under xdist."""
    examiner = request.config.stash.get(EXAMINER, None)
    is_worker = hasattr(request.config, "workerinput")
    waits = not is_worker and any(selection.is_ageing(item) for item in request.session.items)
    if examiner and waits and not examiner.connections.clock.movable:
        request.getfixturevalue("ageing")


# Scenario fixtures


@pytest.fixture
def rule_interfaces(scenario_capture: Capture, profile: Profile) -> Sequence[str]:
    """The examined interfaces that the rule of the running scenario is about."""
    own = [each for each in rules() if each.id in scenario_capture.rules]
    return [version for version in profile.versions if any(rule.concerns([version]) for rule in own)]


@pytest.fixture
def scenario_capture(examiner: Examiner) -> Capture:
    """The exchanges, findings and steps of the scenario so far."""
    return examiner.examination.capture


@pytest.fixture
def observe(scenario_capture: Capture) -> Callable[..., None]:
    """``observe("OPEN-07", question, value, exchange)`` records how the service resolves an open question."""
    return scenario_capture.observe


@pytest.fixture
def warn(scenario_capture: Capture) -> Callable[..., None]:
    """``warn(message, exchange)`` records that a soft check failed. The scenario continues."""
    return scenario_capture.warn


@pytest.fixture
def expects_request_finding(scenario_capture: Capture) -> Callable[..., None]:
    """``expects_request_finding("V4-SEARCH-INFANTS", …)``: the scenario also violates these rules on purpose."""
    return lambda *rules: scenario_capture.expected.update(rules)
