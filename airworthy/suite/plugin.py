"""The pytest plugin: options, markers, fixtures, and the results at the end of a run.

A process that runs scenarios has an `Examiner`; the only process, or xdist's controller, has a
`ResultsCollector`.
"""

import secrets
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

import pytest
from pytest_bdd.parser import Feature, Scenario, Step

from airworthy import __version__
from airworthy.contract import Contract
from airworthy.contract.exchange import Exchange
from airworthy.errors import AirworthyError, StorageError
from airworthy.report.results import Failure, Observation
from airworthy.suite import ages, options, selection
from airworthy.suite.announcement import announcement
from airworthy.suite.capture import Capture
from airworthy.suite.examiner import EXAMINER, Examiner, clock_files
from airworthy.suite.folders import RunFolder
from airworthy.suite.interrupts import interrupt_on_signals, restore_signals
from airworthy.suite.outcomes import Untested, comparisons
from airworthy.suite.results_collector import ResultsCollector
from airworthy.target.ageing import AgedItem, Ageing, ClockProbe
from airworthy.target.client import Client
from airworthy.target.clock import TargetClock
from airworthy.target.preflight import preflight
from airworthy.target.profile import Profile

COLLECTOR: Final = pytest.StashKey[ResultsCollector]()
PROFILE: Final = pytest.StashKey[Profile]()
FOLDER: Final = pytest.StashKey[RunFolder]()
_WORKER_INPUT: Final = "airworthy"
_SAID_EVERY: Final = 60.0


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the suite's options."""
    options.add_options(parser)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register the features' tags as markers, read the target's profile, and give the process its part."""
    for tag in selection.tags():
        config.addinivalue_line("markers", f"{tag}: a tag of the features")
    handed = getattr(config, "workerinput", {}).get(_WORKER_INPUT)
    try:
        profile = config.stash[PROFILE] = options.target_profile(config.option)
        options.sandbox_settings(config.option)
        reports = config.invocation_params.dir / config.option.reports
        if not handed:
            config.stash[FOLDER] = RunFolder(reports, config.option.run_id)
        folder = Path(handed["folder"]) if handed else config.stash[FOLDER].path
    except StorageError as error:
        pytest.exit(str(error), returncode=error.exit_code)
    except AirworthyError as error:
        raise pytest.UsageError(str(error)) from None
    external = profile if options.is_external(config.option) else None
    if handed:
        key = bytes.fromhex(handed["key"])
        worker = config.workerinput["workerid"]  # type: ignore[attr-defined]
        config.stash[EXAMINER] = Examiner(config, folder, key, external, worker=worker, processes=handed["processes"])
        return
    results_collector = ResultsCollector(config, folder, secrets.token_bytes(32), profile)
    config.stash[COLLECTOR] = results_collector
    config.pluginmanager.register(results_collector, "airworthy-results_collector")
    if _processes(config) == 0:
        config.stash[EXAMINER] = Examiner(config, folder, results_collector.key, external)
    elif external and not external.advance_url and config.option.dist == "load":
        # What must be waited for is waited for in one process, while the others go on.
        config.option.dist = "loadgroup"


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let signals that end the process end the run as Ctrl-C does, with a report."""
    if COLLECTOR in session.config.stash:
        interrupt_on_signals()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close what the examiner has opened, and leave nothing outside of the run's folder."""
    if examiner := config.stash.get(EXAMINER, None):
        examiner.close()
    if results_collector := config.stash.get(COLLECTOR, None):
        for path in clock_files(results_collector.key):
            path.unlink(missing_ok=True)
    if folder := config.stash.get(FOLDER, None):
        folder.release()
    if COLLECTOR in config.stash:
        restore_signals()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Return the header lines that name the target."""
    results_collector = config.stash.get(COLLECTOR, None)
    if results_collector is None:
        return []
    profile = results_collector.profile
    if not options.is_external(config.option):
        return [f"airworthy {__version__}: {options.EMBEDDED}"]
    said = f"airworthy {__version__}: {profile.base_url} ({profile.environment}), profile {profile.source}"
    return [said, *(f"  note: {note}" for note in profile.notes)]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:  # noqa: ANN401  xdist's
    """Hand a worker what all processes share."""
    results_collector = node.config.stash[COLLECTOR]
    node.workerinput[_WORKER_INPUT] = {
        "folder": str(results_collector.folder),
        "key": results_collector.key.hex(),
        "processes": _processes(node.config),
    }


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> bool | None:
    """Ask an external target, before anything else, whether it is fit to be examined; if not, nothing is collected."""
    results_collector = session.config.stash.get(COLLECTOR, None)
    option = session.config.option
    if results_collector is None or not options.is_external(option) or option.collectonly:
        return None
    profile = results_collector.profile
    client = Client(profile.base_url, ca_bundle=profile.ca_bundle, timeout=profile.timeout_seconds)
    try:
        preflight(client, profile)
    except AirworthyError as error:
        results_collector.unfit = str(error)
        return True
    finally:
        client.close()
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run nothing if the target cannot be tested; otherwise, say what is about to be done to it."""
    results_collector = session.config.stash.get(COLLECTOR, None)
    if results_collector is None:
        return None
    if results_collector.unfit:
        return True
    option = session.config.option
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if reporter and options.is_external(option) and not option.collectonly:
        selected = results_collector.tally.selected.values()
        line = announcement(results_collector.profile, selected, allow_live_bookings=option.allow_live_bookings)
        reporter.write_line(line)
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave other interfaces out; put what must be waited for last, and under xdist into one process."""
    profile = config.stash[PROFILE]
    wanted: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        (wanted if selection.is_examined(item, profile.versions) else others).append(item)
    if others:
        config.hook.pytest_deselected(items=others)
    items[:] = selection.in_order(wanted, profile.lifetimes)
    if config.getoption("loadgroup", default=False):
        for item in items:
            if selection.is_ageing(item):
                item.add_marker(pytest.mark.xdist_group(ages.AGES))


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Remember what was left out, and what is about an interface that is not examined."""
    for item in items:
        _select(
            item, "left out" if selection.is_examined(item, item.config.stash[PROFILE].versions) else "not examined"
        )


def pytest_collection_finish(session: pytest.Session) -> None:
    """Remember what will run."""
    for item in session.items:
        _select(item, "run")


def _select(item: pytest.Item, fate: selection.Fate) -> None:
    examiner = item.config.stash.get(EXAMINER, None)
    if examiner and (selected := selection.selected(item, fate)):
        examiner.selected.append(selected)
        if results_collector := item.config.stash.get(COLLECTOR, None):
            results_collector.tally.selected[selected.test] = selected


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Hold the target's clock while a scenario runs; the first one opens everything else, too."""
    if not _is_scenario(item):
        return (yield)
    examiner = item.config.stash[EXAMINER]
    try:
        examiner.open()
    except AirworthyError as error:
        pytest.exit(str(error), returncode=error.exit_code)
    with examiner.held(item):
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin a scenario."""
    if _is_scenario(item):
        item.config.stash[EXAMINER].begin(item)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport | None:
    """Turn how a scenario ended into its verdict."""
    ended = call.when == "call" or (call.when == "setup" and call.excinfo is not None)
    return item.config.stash[EXAMINER].report(item, call) if ended and _is_scenario(item) else None


def pytest_bdd_before_step(request: pytest.FixtureRequest, feature: Feature, scenario: Scenario, step: Step) -> None:  # noqa: ARG001  as the hook is called
    """Remember the step, for a failure to tell, and whether its comparisons count for the rule."""
    if examiner := request.config.stash.get(EXAMINER, None):
        examiner.examination.capture.steps.append(f"{step.keyword} {step.name}")
        comparisons.counts = step.type == "then"


def _is_scenario(item: pytest.Item) -> bool:
    return EXAMINER in item.config.stash and selection.template_of(item) is not None


def _processes(config: pytest.Config) -> int:
    """Return how many processes xdist was told to start; 0 without it."""
    return len(getattr(config.option, "tx", None) or ()) if getattr(config.option, "dist", "no") != "no" else 0


# Fixtures of the session


@pytest.fixture(scope="session")
def examiner(pytestconfig: pytest.Config) -> Examiner:
    """This process's examiner: for the fixtures below."""
    return pytestconfig.stash[EXAMINER]


@pytest.fixture(scope="session")
def profile(examiner: Examiner) -> Profile:
    """The target's profile."""
    return examiner.profile


@pytest.fixture(scope="session")
def contract(examiner: Examiner) -> Contract:
    """The contract; every exchange of a client has already been judged by it."""
    return examiner.contract


@pytest.fixture(scope="session")
def client(examiner: Examiner) -> Client:
    """The organisation's client."""
    return examiner.connections.client


@pytest.fixture(scope="session")
def second_client(examiner: Examiner) -> Client:
    """The second organisation's client."""
    second = examiner.connections.second
    if second is None:
        raise Untested("the profile names no second organisation: [second_organisation]")
    return second


@pytest.fixture(scope="session")
def provider(examiner: Examiner) -> Client | None:
    """The payment provider's client, None where the profile gives no URL and token."""
    return examiner.connections.provider


@pytest.fixture(scope="session")
def clock(examiner: Examiner) -> TargetClock:
    """The target's clock."""
    return examiner.connections.clock


@pytest.fixture(scope="session")
def needed(examiner: Examiner) -> Callable[[], list[str]]:
    """``needed().append("infants")``: the running scenario needs a capability, which its verdict then is about, too."""
    return lambda: examiner.examination.capture.needs


@pytest.fixture(scope="session")
def things_to_age() -> Mapping[str, AgedItem]:
    """What must age, by the text of the step that asks for it (tagged ``@ages``); the steps override it."""
    return {}


@pytest.fixture(scope="session")
def clock_probe() -> ClockProbe | None:
    """Something whose expiry shows that the target's clock moves; the steps override it."""
    return None


@pytest.fixture(scope="session")
def ageing(
    request: pytest.FixtureRequest,
    examiner: Examiner,
    things_to_age: Mapping[str, AgedItem],
    clock_probe: ClockProbe | None,
) -> Ageing:
    """``ageing.aged(step)`` gives things at their age; where time must be waited for, all are started here."""
    asked = selection.asked_for(request.session.items)
    made = Ageing(
        examiner.connections.clock,
        {step: thing for step, thing in things_to_age.items() if step in asked},
        max_wait=request.config.option.max_wait,
        probe=clock_probe,
        say=_progress(request.config),
    )
    examiner.ageing = made
    made.begin()
    return made


@pytest.fixture(scope="session", autouse=True)
def _started_first(request: pytest.FixtureRequest) -> None:
    """Start what must be waited for before the first scenario; under xdist the process that needs it does."""
    examiner = request.config.stash.get(EXAMINER, None)
    alone = not hasattr(request.config, "workerinput")
    waits = alone and any(selection.is_ageing(item) for item in request.session.items)
    if examiner and waits and not examiner.connections.clock.movable:
        request.getfixturevalue("ageing")


def _progress(config: pytest.Config) -> Callable[[str], None]:
    """Return what shows a line on the terminal, over and over on one line, or now and then where it is no terminal."""
    reporter = config.pluginmanager.getplugin("terminalreporter")
    capturing = config.pluginmanager.getplugin("capturemanager")
    last = [0.0]

    def say(line: str) -> None:
        if reporter is None or (not reporter.isatty and time.monotonic() - last[0] < _SAID_EVERY):
            return
        last[0] = time.monotonic()
        with capturing.global_and_fixture_disabled() if capturing else nullcontext():
            if reporter.isatty:
                reporter.rewrite(line, erase=True)
            else:
                reporter.write_line(line)

    return say


# Fixtures of a scenario


@pytest.fixture
def scenario_capture(examiner: Examiner) -> Capture:
    """What happened in the scenario so far."""
    return examiner.examination.capture


@pytest.fixture
def observe(scenario_capture: Capture) -> Callable[..., None]:
    """``observe("OPEN-07", question, value, exchange)``: what the service does where the documents are silent."""

    def record(open_id: str, question: str, value: object, exchange: Exchange | None = None) -> None:
        seen = Observation(open_id, question, str(value), exchange.id if exchange else "")
        scenario_capture.observations.append(seen)

    return record


@pytest.fixture
def warn(scenario_capture: Capture) -> Callable[..., None]:
    """``warn(message, exchange)``: a soft check did not hold; the scenario goes on."""

    def record(message: str, exchange: Exchange | None = None) -> None:
        scenario_capture.warnings.append(Failure(message, exchange=exchange.id if exchange else ""))

    return record


@pytest.fixture
def expects_request_finding(scenario_capture: Capture) -> Callable[..., None]:
    """``expects_request_finding("V4-SEARCH-INFANTS", …)``: the scenario breaks these rules on purpose, too."""

    def announce(*rules: str) -> None:
        scenario_capture.expected.update(rules)

    return announce
