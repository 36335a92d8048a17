"""Collects the records of all processes of a run, writes the results and the report, and sets the exit code."""

import re
from collections.abc import Generator, Iterable
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest

from airworthy.errors import StorageError
from airworthy.register import rules
from airworthy.report.decision import Decision, decide
from airworthy.report.document import build
from airworthy.report.explored import explored_records
from airworthy.report.overview import overview
from airworthy.report.results import EMBEDDED, Results, weigh
from airworthy.report.write import EVIDENCE, LEDGER, deciding_records, write_reports
from airworthy.suite import selection, terminal
from airworthy.suite.aggregate import CollectedResults, Run, results_of
from airworthy.suite.announcement import Progress
from airworthy.suite.capture import Record
from airworthy.suite.examiner import EXAMINER, PROPERTY, SELECTION
from airworthy.suite.interrupts import INTERRUPTED
from airworthy.suite.selection import Selected
from airworthy.target.ledger import Ledger
from airworthy.target.profile import Profile
from airworthy.text import printable

FAILED = "the suite failed with an internal error: see the terminal output"
_NO_LAST_LINE = -2
_PYTEST_DEFAULT = "fE"
# An internal error of the suite usually occurs in many scenarios.
_MOST_ERRORS = 3
_VERBOSE = re.compile("-v+|--verbose")
_ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)


class ResultsCollector:
    """Receives the reports of all processes, and writes the results when the run ends, for whatever reason.

    ``folder`` is the folder of the run, ``key`` the key of its pseudonyms, ``profile`` that of the target. ``stopped``
    is why the run ended early, ``has_failed`` whether by an internal error of the suite, ``preflight_error`` why it did
    not begin, ``storage_error`` why it has no report. ``preflight_seconds`` are those of each exchange before it began.
    ``exit_code`` is that of the decision, unless a test that is not the suite's failed; ``other_failures`` is the
    number of such failures.
    """

    def __init__(self, config: pytest.Config, folder: Path, key: bytes, profile: Profile) -> None:
        self.config = config
        self.folder = folder
        self.key = key
        self.profile = profile
        self.stopped = ""
        self.has_failed = False
        self.preflight_error = ""
        self.preflight_seconds: list[float] = []
        self.storage_error = ""
        self.collected = CollectedResults()
        self.progress: Progress | None = None
        self.results: Results | None = None
        self.exit_code = 0
        self.other_failures = 0
        self._failures_of_suite = 0
        self._uncollected = 0
        self._started = datetime.now(UTC)
        self._has_other_failures = False
        self._errors: list[pytest.TestReport] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Store the record of a scenario, or the failure of a test that ended without one."""
        properties = dict(report.user_properties)
        for values in orjson.loads(str(properties.get(SELECTION, "[]"))):
            selected = build(Selected, values)
            self.collected.selected[selected.test] = selected
        record = properties.get(PROPERTY)
        if isinstance(record, str):
            stored = self.collected.records[report.nodeid] = build(Record, orjson.loads(record))
            if report.failed and stored.result.verdict != "failed":
                self._errors.append(report)
            self._failures_of_suite += report.failed
            if self.progress:
                self.progress.note(stored)
        elif report.failed:
            self._has_other_failures = True
            self.collected.crashed[report.nodeid] = f"the scenario failed during {report.when}: see the terminal output"

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self, session: pytest.Session) -> Generator[None, object, object]:
        """End an interrupted run as pytest itself does: with one line instead of the place in the code."""
        try:
            return (yield)
        except session.Interrupted:
            raise
        except KeyboardInterrupt as error:
            raise session.Interrupted(str(error) or INTERRUPTED) from None

    pytest_runtestloop = pytest_collection

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Store why the run ended. The exception has a message if pytest itself interrupted the run."""
        self.stopped = str(excinfo.value) or INTERRUPTED

    def pytest_internalerror(self) -> None:
        """Store why the run ended. The error itself may contain private data of an exchange."""
        self.has_failed = True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Store that scenarios, or other tests, could not be collected."""
        if report.failed and selection.belongs_to_suite(report.nodeid, self.config.rootpath):
            self.has_failed = True
            self._failures_of_suite += 1
        else:
            self._uncollected += report.failed

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the results, and set the exit code. The workers of xdist have ended, so the evidence is complete."""
        any_selected = any(each.status == "selected" for each in self.collected.selected.values())
        is_interrupted = session.exitstatus == pytest.ExitCode.INTERRUPTED
        has_failed = self.has_failed and not selection.narrowing_options(self.config)
        has_results = any_selected or self.preflight_error or has_failed or is_interrupted
        is_internal_error = self.has_failed and session.exitstatus == pytest.ExitCode.INTERNAL_ERROR
        is_usage_error = session.exitstatus == pytest.ExitCode.USAGE_ERROR
        if is_usage_error or self.preflight_error or (self.stopped and not self.collected.records):
            # Pytest would end with the line "no tests ran".
            self.config.option.verbose = _NO_LAST_LINE
        if self.config.option.collectonly or is_usage_error or not has_results:
            return
        run = self._run(session)
        results = results_of(run, self.collected, rules())
        try:
            write_reports(results, self.folder)
        except StorageError as error:
            self.storage_error = str(error)
            session.exitstatus = error.exit_code
            return
        self.results = results
        self.other_failures = self._count_other_failures(session)
        self.exit_code = self._exit_code(session, decide(results))
        self._show_causes_only()
        is_narrowed = results.scope.filtered and run.narrowed
        is_violated = any(weigh(each.finding) == "failed" for each in results.findings)
        has_decision = not is_narrowed and (session.exitstatus in _ENDED or self.has_failed)
        if self.preflight_error or session.shouldstop or has_decision:
            session.exitstatus = self.exit_code
        elif session.exitstatus == pytest.ExitCode.OK and is_violated:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter = self.config.pluginmanager.getplugin("terminalreporter")
        if reporter and is_internal_error:
            # Pytest shows no summary then.
            self.pytest_terminal_summary(reporter)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show what to fix next, and the decision."""
        # Pytest has already shown why the run stopped if its evidence could not be written.
        if self.storage_error and not self._has_examination_failed():
            terminalreporter.write_line(self.storage_error)
        if self.results is None:
            return
        if self.preflight_error:
            terminalreporter.write_line(self.preflight_error)
        if self.config.option.tbstyle == "no":
            for error in self._errors[:_MOST_ERRORS]:
                selected = self.collected.selected.get(error.nodeid)
                place = selected.scenario if selected and not selected.rules else error.nodeid
                terminalreporter.section(f"internal error of the suite in {place}", sep="_")
                terminalreporter.write_line(error.longreprtext)
        if self.results.explored:
            records = explored_records(self.results, self.folder)
            explored = terminal.explored_lines(self.results, records, self.profile.ca_bundle)
            _show(terminalreporter, "explored", map(printable, explored))
        self._show_decision(terminalreporter, self.results)
        if self.other_failures:
            tests = "1 test outside" if self.other_failures == 1 else f"{self.other_failures} tests outside"
            terminalreporter.write_line(f"  tests     {tests} of the suite failed: exit code {self.exit_code}")

    def _show_decision(self, terminalreporter: pytest.TerminalReporter, results: Results) -> None:
        seen = overview(results)
        records = deciding_records(results, seen.decision, self.folder)
        # The conversations of an exploration have been told, and why the target cannot be examined.
        if seen.decision.blocks and not results.is_exploration and not self.preflight_error:
            lines = terminal.fix_next_lines(results, seen, records, self.profile.ca_bundle)
            _show(terminalreporter, "fix next", lines)
        summary = terminal.summary_lines(results, seen, self._relative(self.folder / "report.html"))
        _show(terminalreporter, "airworthy", summary)

    def _count_other_failures(self, session: pytest.Session) -> int:
        """Return how many failures that pytest counted are not those of a scenario, or of collecting the suite."""
        collected = self.collected
        without_record = collected.crashed.keys() & (collected.selected.keys() - collected.records.keys())
        return session.testsfailed - self._failures_of_suite - len(without_record)

    def _exit_code(self, session: pytest.Session, decision: Decision) -> int:
        """Return pytest's exit code if a test that is not the suite's failed, otherwise that of the decision."""
        if not self.other_failures:
            return decision.exit_code
        # Pytest runs nothing if it cannot collect a test.
        is_collected = self.other_failures > self._uncollected or session.exitstatus != pytest.ExitCode.INTERRUPTED
        is_failure = is_collected or decision.outcome == "NOT CERTIFIED"
        return pytest.ExitCode.TESTS_FAILED if is_failure else pytest.ExitCode.INTERRUPTED

    def _show_causes_only(self) -> None:
        """Keep pytest from showing every failed scenario, unless -v or -r asks for it or something else failed."""
        option = self.config.option
        reporter = self.config.pluginmanager.getplugin("terminalreporter")
        # airworthy certify passes -q, which takes -v back.
        asks = option.verbose > 0 or any(map(_VERBOSE.fullmatch, self.config.invocation_params.args))
        if reporter and not asks and option.reportchars == _PYTEST_DEFAULT and not self._has_other_failures:
            option.tbstyle, reporter.reportchars = "no", ""

    def _run(self, session: pytest.Session) -> Run:
        profile = self.profile
        failed = FAILED if self.has_failed else ""
        self.collected.created = list(Ledger(self.folder / LEDGER).entries())
        return Run(
            id=self.folder.name,
            started=self._started,
            profile=profile,
            target=EMBEDDED if profile.source == EMBEDDED else profile.base_url,
            evidence=self.folder / EVIDENCE,
            narrowed=selection.narrowing_options(self.config),
            stopped=self.preflight_error
            or failed
            or self.stopped
            or str(session.shouldstop or session.shouldfail or ""),
            has_failed=self.has_failed,
        )

    def _has_examination_failed(self) -> bool:
        examiner = self.config.stash.get(EXAMINER, None)
        return examiner is not None and examiner.examination.storage_error is not None

    def _relative(self, path: Path) -> str:
        base = self.config.invocation_params.dir
        return str(path.relative_to(base) if path.is_relative_to(base) else path)


def _show(terminalreporter: pytest.TerminalReporter, title: str, lines: Iterable[str]) -> None:
    terminalreporter.section(title, sep="=")
    for line in lines:
        terminalreporter.write_line(line)
