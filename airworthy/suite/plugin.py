"""The pytest plugin: options, markers and hooks. Its fixtures are in `airworthy.suite.fixtures`.

Each process that runs scenarios has an `Examiner`. The only process, or xdist's controller, has a `ResultsCollector`.
"""

import gc
import secrets
import shutil
import sys
from collections.abc import Generator
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from pytest_bdd.parser import Feature, Scenario, Step

from airworthy import __version__
from airworthy.errors import AirworthyError, InterruptionError
from airworthy.report.results import EMBEDDED
from airworthy.suite import ages, options, processes, selection
from airworthy.suite.announcement import Progress, announcement, expected_exchanges, expected_wait
from airworthy.suite.examiner import EXAMINER, Examiner, shared_folder
from airworthy.suite.folders import RunFolder
from airworthy.suite.interrupts import Interrupts, signals_blocked
from airworthy.suite.outcomes import comparisons
from airworthy.suite.results_collector import ResultsCollector
from airworthy.target.preflight import check_target
from airworthy.target.profile import Profile

pytest_plugins = ["airworthy.suite.fixtures"]

COLLECTOR: Final = pytest.StashKey[ResultsCollector]()
PROFILE: Final = pytest.StashKey[Profile]()
INTERRUPTS: Final = pytest.StashKey[Interrupts]()
_WORKER_INPUT: Final = "airworthy"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the suite's options."""
    options.add_options(parser)


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main() -> Generator[None, Any, Any]:
    """Exit with the code of an error in the options. Pytest's own code is that of an internal error of the suite."""
    try:
        return (yield)
    except pytest.UsageError as error:
        if not isinstance(error.__cause__, AirworthyError):
            raise
        sys.stderr.write(f"ERROR: {error}\n")
        return error.__cause__.exit_code


def pytest_configure(config: pytest.Config) -> None:
    """Register the tags of the features as markers, read the target's profile, and set up this process.

    This comes before pytest-xdist is configured, so that it starts as many processes as are set here.
    """
    interrupts = config.stash[INTERRUPTS] = Interrupts(tells=not hasattr(config, "workerinput"))
    interrupts.begin()
    config.add_cleanup(interrupts.end)
    config.addinivalue_line("markers", f"{selection.EXPLORES}(interface): explores an interface")
    for tag in selection.tags():
        config.addinivalue_line("markers", f"{tag}: a tag of the features")
    try:
        profile = config.stash[PROFILE] = options.target_profile(config.option)
        options.sandbox_settings(config.option)
        options.budget(config.option)
        selection.require_known_rules(config.option.markexpr or "", config.getini("markers"))
        external = profile if options.is_external(config.option) else None
        if hasattr(config, "workerinput"):
            _set_up_worker(config, external)
        else:
            _set_up(config, external)
    except AirworthyError as error:
        raise pytest.UsageError(str(error)) from error
    except KeyboardInterrupt as error:
        raise pytest.UsageError(str(error)) from InterruptionError(str(error))


def _set_up(config: pytest.Config, external: Profile | None) -> None:
    """Set up the only process of a run, or the controller of xdist."""
    run_folder = RunFolder(config.invocation_params.dir / config.option.reports, config.option.run_id)
    config.add_cleanup(run_folder.release)
    results_collector = ResultsCollector(config, run_folder.path, secrets.token_bytes(32), config.stash[PROFILE])
    config.stash[COLLECTOR] = results_collector
    config.add_cleanup(partial(shutil.rmtree, shared_folder(results_collector.key), ignore_errors=True))
    config.pluginmanager.register(results_collector, "airworthy-results-collector")
    if external and processes.are_left_open(config):
        seconds = _preflight(results_collector)
        if not results_collector.preflight_error:
            processes.start_several(config, external, seconds)
    if processes.count(config) == 0:
        examiner = config.stash[EXAMINER] = Examiner(config, run_folder.path, results_collector.key, external)
        config.add_cleanup(examiner.close)


def _set_up_worker(config: Any, external: Profile | None) -> None:  # noqa: ANN401  with attributes of xdist
    given = config.workerinput[_WORKER_INPUT]
    folder, key, worker = Path(given["folder"]), bytes.fromhex(given["key"]), config.workerinput["workerid"]
    examiner = config.stash[EXAMINER] = Examiner(config, folder, key, external, worker, given["processes"])
    config.add_cleanup(examiner.close)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> Generator[None, Any, Any]:
    """Let signals wait for the collection: only a session that has started can end with a report.

    The workers that xdist starts must not end before they can do so without a traceback.
    """
    session.config.stash[INTERRUPTS].hold()
    with signals_blocked():
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let nothing interrupt the end of the run, which takes a moment."""
    session.config.stash[INTERRUPTS].ignore()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Return the header lines, which name the target."""
    results_collector = config.stash.get(COLLECTOR, None)
    if results_collector is None:
        return []
    profile = results_collector.profile
    if not options.is_external(config.option):
        return [f"airworthy {__version__}: {EMBEDDED}"]
    line = f"airworthy {__version__}: {profile.base_url} ({profile.environment}), profile {profile.source}"
    return [line, *(f"  note: {note}" for note in profile.notes)]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:  # noqa: ANN401  a class of xdist
    """Pass the values that all processes share to a worker of xdist."""
    results_collector = node.config.stash[COLLECTOR]
    node.workerinput[_WORKER_INPUT] = {
        "folder": str(results_collector.folder),
        "key": results_collector.key.hex(),
        "processes": processes.count(node.config),
    }


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:  # noqa: ANN401  classes of xdist
    """Let one process run all scenarios that need an item of some age."""
    if not options.is_external(config.option) or config.option.dist != "load":
        return None
    waits = not config.stash[PROFILE].advance_url
    return processes.AgeingTogether(config, log, shared_folder(config.stash[COLLECTOR].key), waits=waits)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> bool | None:
    """Check first whether an external target can be examined. If it cannot, collect nothing.

    A fixture of other tests may start the target, so in a run with such tests the first scenario checks it.
    """
    session.config.stash[INTERRUPTS].release()
    results_collector = session.config.stash.get(COLLECTOR, None)
    option = session.config.option
    if results_collector is None or not options.is_external(option) or option.collectonly:
        return None
    if selection.other_paths(session.config):
        return None
    _preflight(results_collector)
    return True if results_collector.preflight_error else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run nothing if the target cannot be examined; otherwise announce what is about to happen."""
    results_collector = session.config.stash.get(COLLECTOR, None)
    if results_collector is None:
        return None
    if results_collector.preflight_error:
        return True
    option = session.config.option
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    profile, collected = results_collector.profile, results_collector.collected
    selected, started = list(collected.selected.values()), processes.count(session.config)
    if options.budget(option) and not started and not any(map(selection.interface_explored, session.items)):
        raise pytest.UsageError(
            f"--explore has no effect with {selection.narrowing_options(session.config)}, which leaves out explorations"
        )
    if reporter and not option.collectonly and (selected or started):
        # xdist's controller does not collect the scenarios itself.
        steps = selection.ageing_steps(session.items) if selected else ages.steps_of(profile.versions)
        for line in announcement(profile, selected, steps, option, started):
            reporter.write_line(f"  {line}")
        exchanges = expected_exchanges(profile, selected)
        wait = expected_wait(profile, steps, option.max_wait)
        # The line must not continue a line of dots.
        results_collector.progress = Progress(collected, exchanges, wait, lambda line: reporter.write_line(f"\n{line}"))
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a scenario for each interface that it is about."""
    selection.run_for_each_interface(metafunc)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect interfaces that are not examined, and put scenarios that may wait last, and explorations after them."""
    profile = config.stash[PROFILE]
    examined = {item: selection.is_examined(item, profile.versions) for item in items}
    if others := [item for item, is_examined in examined.items() if not is_examined]:
        config.hook.pytest_deselected(items=others)
    examiner = config.stash.get(EXAMINER, None)
    several = bool(examiner and examiner.shared)
    items[:] = selection.execution_order(filter(examined.get, items), profile.lifetimes, several=several)


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Record the scenarios that do not run, and whether their interface is examined."""
    for item in items:
        is_examined = selection.is_examined(item, item.config.stash[PROFILE].versions)
        _record_selection(item, "deselected" if is_examined else "not examined")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Record the scenarios that will run. xdist's controller must know those that need an item of some age."""
    for item in session.items:
        _record_selection(item, "selected")
    examiner = session.config.stash.get(EXAMINER, None)
    if examiner and examiner.shared:
        ageing = (item.nodeid for item in session.items if selection.is_ageing(item))
        processes.write_ageing(examiner.shared, ageing)
    # The modules and the collected scenarios live as long as the process: no garbage collection needs to visit them.
    gc.freeze()


def _record_selection(item: pytest.Item, status: selection.SelectionStatus) -> None:
    examiner = item.config.stash.get(EXAMINER, None)
    if examiner and (selected := selection.selected(item, status)):
        examiner.selected.append(selected)
        if results_collector := item.config.stash.get(COLLECTOR, None):
            results_collector.collected.selected[selected.test] = selected


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Lock the target's clock while a scenario runs. The first scenario also opens the target."""
    if not _is_scenario(item):
        return (yield)
    examiner = item.config.stash[EXAMINER]
    try:
        examiner.open()
    except AirworthyError as error:
        pytest.exit(str(error), returncode=error.exit_code)
    with examiner.clock_lock(item):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    """Begin a test. After the fixtures of the first scenario, which may start the target, check the target."""
    examiner = item.config.stash[EXAMINER]
    examiner.begin(item)
    result = yield
    if not _is_scenario(item):
        return result
    examiner.check_target()
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport | None:
    """Return the report of the phase that ends a scenario, which contains its verdict."""
    ended = call.when == "call" or (call.when == "setup" and call.excinfo is not None)
    return item.config.stash[EXAMINER].report(item, call) if ended and _is_scenario(item) else None


def pytest_bdd_before_step(request: pytest.FixtureRequest, feature: Feature, scenario: Scenario, step: Step) -> None:  # noqa: ARG001  the hook's signature
    """Record the step for failures. Comparisons count for the rule in Then steps only."""
    if _is_scenario(request.node):
        capture = request.config.stash[EXAMINER].examination.capture
        capture.steps.append(f"{step.keyword} {step.name}")
        capture.is_at_last_step = step is scenario.steps[-1]
        comparisons.is_counting = step.type == "then"


def _is_scenario(item: pytest.Item) -> bool:
    is_one = selection.scenario_of(item) is not None or bool(selection.interface_explored(item))
    return EXAMINER in item.config.stash and is_one


def _preflight(results_collector: ResultsCollector) -> list[float]:
    """Check once whether the target can be examined, and return the seconds of each exchange."""
    if not results_collector.preflight_seconds and not results_collector.preflight_error:
        try:
            results_collector.preflight_seconds = check_target(results_collector.profile)
        except AirworthyError as error:
            results_collector.preflight_error = str(error)
    return results_collector.preflight_seconds
