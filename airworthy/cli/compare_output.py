"""The table that ``airworthy compare`` prints."""

import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

from airworthy.comparison.changes import HEADINGS, Comparison
from airworthy.comparison.rendering import COLUMNS, MOST, headline
from airworthy.text import printable

_WIDTH = 160


def print_table(comparison: Comparison) -> None:
    """Print a comparison as a table for each kind of change."""
    console = Console(width=None if sys.stdout.isatty() else _WIDTH, markup=False, highlight=False, emoji=False)
    old, new = comparison.old.facts, comparison.new.facts
    console.print(headline(comparison), style="bold")
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("", "old", "new"):
        table.add_column(column)
    for name in new:
        table.add_row(name, *map(_cell, (old.get(name, ""), new[name])))
    console.print(table)
    for note in comparison.notes:
        console.print(_cell(f"note: {note}"))
    for kind in HEADINGS:
        changes = comparison.of(kind)
        if not changes:
            continue
        table = Table(box=None, header_style="dim", pad_edge=False, title=f"\n{kind.capitalize()} ({len(changes)})")
        table.title_justify, table.title_style = "left", "bold"
        for column in COLUMNS:
            table.add_column(column, overflow="fold")
        for each in changes[:MOST]:
            table.add_row(*map(_cell, (each.subject, each.location, each.before, each.after, each.message)))
        console.print(table)
        if len(changes) > MOST:
            console.print(f"and {len(changes) - MOST} more; use --json to list all")


def _cell(text: str) -> Text:
    """Escape control characters, so that text from traffic or a profile cannot change the terminal."""
    return Text(printable(text))
