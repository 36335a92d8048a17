"""Run the scenarios of the go-live list in this process, on outcomes that are already known."""

import contextlib
import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from pytest_bdd.parser import Step

from airworthy.errors import AirworthyError
from airworthy.register import go_live_rules
from airworthy.report.results import Failure, ScenarioResult, Verdict, failure_of
from airworthy.resources import resource
from airworthy.suite.outcomes import NotApplicable, SoftCheckFailed, Untested
from airworthy.suite.selection import template_of
from airworthy.traffic.golive.progress import ItemOutcome

_SETTINGS: Final = Path(__file__).parent / "golive.ini"
_VERDICTS: Final[tuple[tuple[type[BaseException], Verdict], ...]] = (
    (AssertionError, "failed"),
    (Untested, "untested"),
    (NotApplicable, "not_applicable"),
    (SoftCheckFailed, "warning"),
)


def run_scenarios(
    outcomes: Mapping[str, ItemOutcome], not_applicable: Mapping[str, str]
) -> Mapping[str, tuple[ScenarioResult, ...]]:
    """Return the results of the scenarios by item.

    ``not_applicable`` has the items that do not apply to this partner, with the reason for each.

    Raises:
        AirworthyError: pytest ended with an internal error; the message has the end of its output.
    """
    plugin = GoLivePlugin(outcomes, not_applicable)
    folder, output = resource("conformance") / "golive", io.StringIO()
    arguments = ["-q", "-c", str(_SETTINGS), f"--rootdir={folder}", f"--confcutdir={folder}", str(folder)]
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        exit_code = pytest.main(arguments, plugins=[plugin])
    if exit_code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or plugin.results.keys() != outcomes.keys():
        raise AirworthyError(f"the scenarios of the go-live list could not be run: {output.getvalue()[-2000:]}")
    return {item: tuple(results) for item, results in plugin.results.items()}


class GoLivePlugin:
    """Gives each scenario the outcome of its item, and turns its result into a `ScenarioResult`."""

    def __init__(self, outcomes: Mapping[str, ItemOutcome], not_applicable: Mapping[str, str]) -> None:
        self.results: dict[str, list[ScenarioResult]] = {}
        self._outcomes = outcomes
        self._not_applicable = not_applicable
        self._steps: list[str] = []

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Register the tags of the features as markers."""
        for tag in sorted({tag for rule in go_live_rules() for tag in rule.tags}):
            config.addinivalue_line("markers", f"{tag}: a tag of the features")

    @pytest.fixture
    def golive_outcome(self, request: pytest.FixtureRequest) -> ItemOutcome:
        """The outcome of the item that the scenario is about."""
        return self._outcomes[self._item(request.node)]

    @pytest.fixture
    def reason_not_applicable(self, golive_outcome: ItemOutcome) -> str:
        """Why the item does not apply to this partner, or an empty text."""
        return self._not_applicable.get(golive_outcome.item.id, "")

    def pytest_runtest_setup(self) -> None:
        """Begin a scenario."""
        self._steps.clear()

    def pytest_bdd_before_step(self, step: Step) -> None:
        """Record the step for failures."""
        self._steps.append(f"{step.keyword} {step.name}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Record the result of a scenario when it ends."""
        if call.when == "call" or (call.when == "setup" and call.excinfo):
            identifier = self._item(item)
            error = call.excinfo.value if call.excinfo else None
            template = template_of(item)
            result = self._result(template.name if template else item.name, self._outcomes[identifier], error)
            self.results.setdefault(identifier, []).append(result)

    def _item(self, node: Any) -> str:  # noqa: ANN401  a node of pytest
        return next(str(mark.name) for mark in node.iter_markers() if mark.name in self._outcomes)

    def _result(self, name: str, outcome: ItemOutcome, error: BaseException | None) -> ScenarioResult:
        verdict: Verdict = "passed"
        if error is not None:
            verdict = next((verdict for kind, verdict in _VERDICTS if isinstance(error, kind)), "error")
        reason = "" if error is None else str(error)
        progress, failure = outcome.progress, None
        sightings = {
            "failed": progress.violations,
            "warning": progress.warnings,
            "untested": progress.gaps or progress.attempts[-1:],
        }
        shown = sightings.get(verdict, progress.proofs if verdict == "passed" else ())
        findings = tuple(each.finding for each in shown if each.finding)
        if findings and verdict in ("failed", "warning"):
            failure = failure_of(findings[0])
        elif verdict in ("failed", "error"):
            failure = Failure(reason)
        return ScenarioResult(
            name,
            verdict,
            reason,
            # The last exchange of a sighting decides; those before it are what it follows from.
            exchanges=tuple(dict.fromkeys(exchange for each in shown for exchange in reversed(each.exchanges))),
            findings=findings,
            failure=replace(failure, steps=tuple(self._steps)) if failure else None,
        )
