"""Collects the records of all processes of a run, and writes results, report and exit code."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from airworthy.errors import StorageError
from airworthy.register import rules
from airworthy.report import Decision, Results, decide, write_reports
from airworthy.report.document import build
from airworthy.suite import selection, terminal
from airworthy.suite.aggregate import CollectedResults, Run, results_of
from airworthy.suite.capture import Record
from airworthy.suite.examiner import EXAMINER, PROPERTY, SELECTION
from airworthy.suite.options import EMBEDDED
from airworthy.suite.selection import Selected
from airworthy.target.ledger import Ledger
from airworthy.target.profile import Profile

_ENDED_BY_ITSELF = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)


class ResultsCollector:
    """Receives every report of a run, from all processes, and writes the results when the run ends for any reason.

    ``folder`` is where the run's files go, ``key`` the key of its pseudonyms, ``profile`` the target's. ``stopped``
    says why a run ended before its end, ``unfit`` why it never began, ``unwritten`` why it has no report.
    """

    def __init__(self, config: pytest.Config, folder: Path, key: bytes, profile: Profile) -> None:
        self.config = config
        self.folder = folder
        self.key = key
        self.profile = profile
        self.stopped = ""
        self.unfit = ""
        self.unwritten = ""
        self.tally = CollectedResults()
        self.results: Results | None = None
        self.decision: Decision | None = None
        self._started = datetime.now(UTC)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take a scenario's record, or note that there is none."""
        properties = dict(report.user_properties)
        for values in json.loads(str(properties.get(SELECTION, "[]"))):
            selected = build(Selected, values)
            self.tally.selected[selected.test] = selected
        record = properties.get(PROPERTY)
        if isinstance(record, str):
            self.tally.records[report.nodeid] = build(Record, json.loads(record))
        elif report.failed:
            self.tally.crashed[report.nodeid] = f"the scenario failed during {report.when}: see the terminal output"

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note why the run ended: pytest interrupts a run by itself, too, and then knows why."""
        self.stopped = str(excinfo.value) or "the run was interrupted"

    def pytest_internalerror(self, excrepr: object) -> None:
        """Note why the run ended."""
        self.stopped = f"the suite failed with an internal error: {str(excrepr).splitlines()[-1]}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the results, and let the exit code say what they mean."""
        chosen = any(each.fate == "run" for each in self.tally.selected.values())
        if self.config.option.collectonly or not (chosen or self.unfit):
            return
        run = self._run(session)
        results = results_of(run, self.tally, rules())
        try:
            write_reports(results, self.folder)
        except StorageError as error:
            self.unwritten = str(error)
            session.exitstatus = error.exit_code
            return
        self.results, self.decision = results, decide(results)
        on_purpose = results.scope.filtered and run.narrowed
        by_itself = not on_purpose and session.exitstatus in _ENDED_BY_ITSELF
        if self.unfit or session.shouldstop or by_itself:
            session.exitstatus = self.decision.exit_code
        elif session.exitstatus == pytest.ExitCode.OK and self.tally.failing:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show the violations that no scenario of their rule has shown, and the decision."""
        # If the run stopped because its evidence could not be written, pytest has shown that.
        if self.unwritten and not self._stopped_unwritten():
            terminalreporter.write_line(self.unwritten)
        if self.results is None or self.decision is None:
            return
        if self.unfit:
            terminalreporter.write_line(self.unfit)
            return
        shown = {rule.id for rule in self.results.rules if any(each.verdict == "failed" for each in rule.scenarios)}
        others = [each for each in self.tally.failing if each.finding.rule not in shown]
        if others:
            terminalreporter.section("violations found in the exchanges of other scenarios", sep="-")
            for counted in others:
                for line in terminal.finding_lines(counted):
                    terminalreporter.write_line(line)
        terminalreporter.section("airworthy", sep="=")
        for line in terminal.summary_lines(self.results, self.decision, self._shown(self.folder / "report.html")):
            terminalreporter.write_line(line)

    def _run(self, session: pytest.Session) -> Run:
        profile = self.profile
        self.tally.made = list(Ledger(self.folder / "ledger.jsonl").entries())
        return Run(
            id=self.folder.name,
            started=self._started,
            profile=profile,
            target=EMBEDDED if profile.source == EMBEDDED else profile.base_url,
            evidence=self.folder / "evidence.jsonl",
            narrowed=selection.narrowed_by(self.config),
            stopped=self.unfit or self.stopped or str(session.shouldstop or session.shouldfail or ""),
        )

    def _stopped_unwritten(self) -> bool:
        examiner = self.config.stash.get(EXAMINER, None)
        return examiner is not None and examiner.examination.unwritten is not None

    def _shown(self, path: Path) -> str:
        base = self.config.invocation_params.dir
        return str(path.relative_to(base) if path.is_relative_to(base) else path)
