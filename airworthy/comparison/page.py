"""Render a comparison as an HTML page, with a trend over the runs of a folder."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from airworthy.comparison.changes import HEADINGS, Comparison
from airworthy.comparison.rendering import COLUMNS, headline
from airworthy.comparison.side import ComparisonSide
from airworthy.errors import UsageError
from airworthy.report.decision import decide
from airworthy.report.document import load_results
from airworthy.report.results import Results, Verdict
from airworthy.report.tables import PageTable, TablesPage, render_tables
from airworthy.report.templating import moment

_COUNTED: Final[tuple[Verdict, ...]] = ("failed", "error", "untested", "warning", "passed")


def render_html(comparison: Comparison, runs: Sequence[Results] = ()) -> str:
    """Return the page; ``runs`` are the runs of the trend, the oldest first."""
    old, new = comparison.old, comparison.new
    changes = (
        PageTable(kind.capitalize(), COLUMNS, tuple(change[1:] for change in comparison.of(kind))) for kind in HEADINGS
    )
    sides = tuple((name, old.facts.get(name, ""), value) for name, value in new.facts.items())
    return render_tables(
        TablesPage(
            "comparison",
            f"{old.name} compared with {new.name}",
            headline(comparison),
            "failed" if comparison.broken else "warning" if comparison.new_failures else "passed",
            (),
            comparison.notes,
            (*changes, PageTable("Circumstances", ("fact", "before", "now"), sides), _trend(runs, new)),
        )
    )


def read_runs(folder: Path) -> tuple[Results, ...]:
    """Return the runs in the subfolders of a folder, the oldest first.

    Raises:
        UsageError: the folder contains no run, or one cannot be read.
    """
    runs = [load_results(file) for file in folder.glob("*/results.json")]
    if not runs:
        raise UsageError(f"--trend {folder}: expected a folder with runs, each with its results.json")
    return tuple(sorted(runs, key=lambda run: run.started))


def _trend(runs: Sequence[Results], side: ComparisonSide) -> PageTable:
    columns = ("run", "decision", f"{side.word('failed')} newly", *map(side.word, _COUNTED), "time")
    return PageTable("Trend", columns, tuple(_trend_rows(runs)))


def _trend_rows(runs: Sequence[Results]) -> Iterator[tuple[str, ...]]:
    before: frozenset[str] = frozenset()
    for index, run in enumerate(runs):
        verdicts = [rule.verdict for rule in run.rules]
        failed = frozenset(rule.id for rule in run.rules if rule.verdict == "failed")
        new = ", ".join(sorted(failed - before)) if index else ""
        counts = (str(verdicts.count(verdict)) for verdict in _COUNTED)
        yield run.run, decide(run).outcome, new, *counts, moment(run.started)
        before = failed
