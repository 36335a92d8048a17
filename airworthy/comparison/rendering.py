"""Render a comparison: JSON (``schemas/report/comparison.json``), Markdown for a CI job, and a page with a trend."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import orjson

from airworthy.comparison.changes import HEADINGS, Change, Comparison
from airworthy.errors import UsageError
from airworthy.report.decision import decide
from airworthy.report.document import load_results
from airworthy.report.results import Results, Verdict
from airworthy.report.summary import code
from airworthy.report.templating import PageTable, TablesPage, moment, render_tables

FORMAT: Final = "airworthy-comparison-1"
MOST: Final = 20
COLUMNS: Final = ("subject", "location", "before", "now", "message")
_COUNTED: Final[tuple[Verdict, ...]] = ("failed", "error", "untested", "warning", "passed")
_MEMBERS: Final = ("what", "subject", "place", "before", "after", "message")


def to_json(comparison: Comparison) -> bytes:
    """Return the whole comparison as JSON."""
    document = {
        "format": FORMAT,
        "broken": comparison.broken,
        **{
            age: {"name": side.name, "source": side.source, "facts": side.facts}
            for age, side in (("old", comparison.old), ("new", comparison.new))
        },
        "notes": comparison.notes,
        "counts": {kind: len(comparison.of(kind)) for kind in HEADINGS},
        "changes": [dict(zip(_MEMBERS, change, strict=True)) for change in comparison.changes],
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def render_markdown(comparison: Comparison) -> str:
    """Return the comparison as Markdown, with at most `MOST` changes under each heading."""
    lines = [f"## {headline(comparison)}", ""]
    lines += [f"{code(comparison.old.name)} compared with {code(comparison.new.name)}", ""]
    before, after = (side.facts.get("decision") for side in (comparison.old, comparison.new))
    if before and after:
        lines += [f"Decision: {code(before)} before, {code(after)} now", ""]
    if comparison.notes:
        lines += [*(f"- {code(note)}" for note in comparison.notes), ""]
    for kind in HEADINGS:
        changes = comparison.of(kind)
        if changes:
            lines += [f"### {kind.capitalize()} ({len(changes)})", "", f"| {' | '.join(COLUMNS)} |"]
            lines += ["|---|---|---|---|---|", *map(_row, changes[:MOST])]
            lines += [f"\nand {len(changes) - MOST} more"] if len(changes) > MOST else []
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def render_html(comparison: Comparison, runs: Sequence[Results] = ()) -> str:
    """Return the page; ``runs`` are the runs of the trend, the oldest first."""
    old, new = comparison.old, comparison.new
    changes = (
        PageTable(kind.capitalize(), COLUMNS, tuple(change[1:] for change in comparison.of(kind))) for kind in HEADINGS
    )
    sides = tuple((name, old.facts.get(name, ""), value) for name, value in new.facts.items())
    columns = ("run", "decision", f"{new.word('failed')} newly", *map(new.word, _COUNTED), "time")
    trend = PageTable("Trend", columns, tuple(_trend_rows(runs)))
    return render_tables(
        TablesPage(
            "comparison",
            f"{old.name} compared with {new.name}",
            headline(comparison),
            "failed" if comparison.broken else "warning" if comparison.new_failures else "passed",
            (),
            comparison.notes,
            (*changes, PageTable("Circumstances", ("fact", "before", "now"), sides), trend),
        )
    )


def read_runs(folder: Path) -> tuple[Results, ...]:
    """Return the runs in the subfolders of a folder, the oldest first.

    Raises `UsageError` if the folder contains no run, or one cannot be read.
    """
    runs = [load_results(file) for file in folder.glob("*/results.json")]
    if not runs:
        raise UsageError(f"--trend {folder}: expected a folder with runs, each with its results.json")
    return tuple(sorted(runs, key=lambda run: run.started))


def _trend_rows(runs: Sequence[Results]) -> Iterator[tuple[str, ...]]:
    before: frozenset[str] = frozenset()
    for index, run in enumerate(runs):
        verdicts = [rule.verdict for rule in run.rules]
        failed = frozenset(rule.id for rule in run.rules if rule.verdict == "failed")
        new = ", ".join(sorted(failed - before)) if index else ""
        counts = (str(verdicts.count(verdict)) for verdict in _COUNTED)
        yield run.run, decide(run).outcome, new, *counts, moment(run.started)
        before = failed


def headline(comparison: Comparison) -> str:
    """Return the result of the comparison in one line."""
    if not comparison.changes:
        return "No differences"
    broken, tested = (len(comparison.of(kind)) for kind in ("newly broken", "newly tested"))
    first = f"{broken} newly broken" if broken else "Nothing is newly broken"
    return f"{first}, {tested} newly tested and failing" if tested else first


def _row(change: Change) -> str:
    return f"| {' | '.join(code(cell).replace('|', chr(92) + '|') if cell else '' for cell in change[1:])} |"
