"""The pytest plugin: options, markers and hooks. Its fixtures are in `airworthy.suite.fixtures`.

Each process that runs scenarios has an `Examiner`. The only process, or xdist's controller, has a `ResultsCollector`.
"""

import gc
import secrets
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest
from pytest_bdd.parser import Feature, Scenario, Step

from airworthy import __version__
from airworthy.errors import AirworthyError, InterruptionError
from airworthy.report.results import EMBEDDED
from airworthy.suite import ages, options, selection
from airworthy.suite.announcement import announcement
from airworthy.suite.examiner import EXAMINER, Examiner, clock_files
from airworthy.suite.folders import RunFolder
from airworthy.suite.interrupts import Interrupts, signals_blocked
from airworthy.suite.outcomes import comparisons
from airworthy.suite.results_collector import ResultsCollector
from airworthy.target.preflight import check_target
from airworthy.target.profile import Profile

pytest_plugins = ["airworthy.suite.fixtures"]

COLLECTOR: Final = pytest.StashKey[ResultsCollector]()
PROFILE: Final = pytest.StashKey[Profile]()
FOLDER: Final = pytest.StashKey[RunFolder]()
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


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register the tags of the features as markers, read the target's profile, and set up this process."""
    interrupts = config.stash[INTERRUPTS] = Interrupts(tells=not hasattr(config, "workerinput"))
    interrupts.begin()
    for tag in selection.tags():
        config.addinivalue_line("markers", f"{tag}: a tag of the features")
    worker_input = getattr(config, "workerinput", {}).get(_WORKER_INPUT)
    try:
        profile = config.stash[PROFILE] = options.target_profile(config.option)
        options.sandbox_settings(config.option)
        selection.require_known_rules(config.option.markexpr or "", config.getini("markers"))
        reports = config.invocation_params.dir / config.option.reports
        if not worker_input:
            config.stash[FOLDER] = RunFolder(reports, config.option.run_id)
        folder = Path(worker_input["folder"]) if worker_input else config.stash[FOLDER].path
    except AirworthyError as error:
        raise pytest.UsageError(str(error)) from error
    except KeyboardInterrupt as error:
        raise pytest.UsageError(str(error)) from InterruptionError(str(error))
    external = profile if options.is_external(config.option) else None
    if worker_input:
        key = bytes.fromhex(worker_input["key"])
        worker = config.workerinput["workerid"]  # type: ignore[attr-defined]
        config.stash[EXAMINER] = Examiner(
            config, folder, key, external, worker=worker, processes=worker_input["processes"]
        )
        return
    results_collector = ResultsCollector(config, folder, secrets.token_bytes(32), profile)
    config.stash[COLLECTOR] = results_collector
    config.pluginmanager.register(results_collector, "airworthy-results-collector")
    if _processes(config) == 0:
        config.stash[EXAMINER] = Examiner(config, folder, results_collector.key, external)
    elif external and not external.advance_url and config.option.dist == "load":
        # One process waits for all items that must age, while the other processes run the other scenarios.
        config.option.dist = "loadgroup"


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


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close the examiner, and remove temporary files."""
    if examiner := config.stash.get(EXAMINER, None):
        examiner.close()
    if results_collector := config.stash.get(COLLECTOR, None):
        for path in clock_files(results_collector.key):
            path.unlink(missing_ok=True)
    if folder := config.stash.get(FOLDER, None):
        folder.release()
    if interrupts := config.stash.get(INTERRUPTS, None):
        interrupts.end()


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
        "processes": _processes(node.config),
    }


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
    try:
        check_target(results_collector.profile)
    except AirworthyError as error:
        results_collector.preflight_error = str(error)
        return True
    return None


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
    selected = list(results_collector.collected.selected.values())
    if reporter and not option.collectonly and (selected or _processes(session.config)):
        steps = selection.ageing_steps(session.items)
        for line in announcement(results_collector.profile, selected, steps, option):
            reporter.write_line(f"  {line}")
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect interfaces that are not examined, and put scenarios that may wait last, under xdist in one process."""
    profile = config.stash[PROFILE]
    examined: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        (examined if selection.is_examined(item, profile.versions) else others).append(item)
    if others:
        config.hook.pytest_deselected(items=others)
    items[:] = selection.execution_order(examined, profile.lifetimes)
    if config.getoption("loadgroup", default=False):
        for item in items:
            if selection.is_ageing(item):
                item.add_marker(pytest.mark.xdist_group(ages.AGES))


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Record the scenarios that do not run, and whether their interface is examined."""
    for item in items:
        is_examined = selection.is_examined(item, item.config.stash[PROFILE].versions)
        _record_selection(item, "deselected" if is_examined else "not examined")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Record the scenarios that will run."""
    for item in session.items:
        _record_selection(item, "selected")
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
    return EXAMINER in item.config.stash and selection.scenario_of(item) is not None


def _processes(config: pytest.Config) -> int:
    """Return the number of processes that xdist starts; 0 without xdist."""
    return len(getattr(config.option, "tx", None) or ()) if getattr(config.option, "dist", "no") != "no" else 0
