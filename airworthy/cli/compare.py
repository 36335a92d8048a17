"""``airworthy compare``: the differences between two runs, or between two recordings of traffic."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer
from typer import Argument, Option

from airworthy.cli.options import AllowRecordedHttp, BaseUrls, Jobs, Json, PaymentProviders
from airworthy.errors import UsageError

if TYPE_CHECKING:
    from airworthy.comparison.changes import Comparison

app = typer.Typer()

_WIDTH: Final = 160


@app.command("compare")
def compare_sides(
    old: Annotated[
        Path,
        Argument(metavar="OLD", help="The older run (its folder) or traffic (evidence, HAR, mitmproxy flows, JSON)."),
    ],
    new: Annotated[Path, Argument(metavar="NEW", help="The newer run or traffic.")],
    *,
    base_url: BaseUrls = None,
    payment_provider: PaymentProviders = None,
    allow_plain_http: AllowRecordedHttp = False,
    jobs: Jobs = None,
    fail_on: Annotated[
        Literal["newly-broken", "new-failures"],
        Option(
            help="Exit with 1 if anything is newly broken, or only if a rule fails that did not fail before"
            " (new-failures, for runs)."
        ),
    ] = "newly-broken",
    form: Annotated[Literal["table", "markdown", "html", "json"], Option("--format", help="Output format.")] = "table",
    trend: Annotated[
        Path | None, Option(metavar="FOLDER", help="Folder with runs, whose verdicts the page shows over time (html).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the differences between two runs, or between two recordings of traffic, by rule and location.

    A run is the folder of its report, or its results.json. Traffic is evidence, a HAR file or mitmproxy flows, which
    are judged by this version of the contract, or the JSON summary of airworthy audit or of the proxy.

    Exit codes: 0 nothing is newly broken, 1 something is (see --fail-on), 2 usage error.

    Example: airworthy compare reports/20261120-040512 reports/20261121-040919
    """
    from airworthy.comparison.changes import compare
    from airworthy.comparison.rendering import read_runs, render_html, render_markdown, to_json
    from airworthy.comparison.side import read_side
    from airworthy.target.urls import named_service

    if trend and (as_json or form != "html"):
        raise UsageError("--trend: requires --format html")
    service = named_service(base_url or [], payment_provider or [], allow_plain_http=allow_plain_http)
    sides = read_side(old, service, jobs=jobs), read_side(new, service, jobs=jobs)
    if sides[0].kind != sides[1].kind:
        raise UsageError(f"{old} is {sides[0].kind} and {new} is {sides[1].kind}: choose two of the same kind")
    if fail_on == "new-failures" and sides[1].source != "run":
        raise UsageError(f"--fail-on new-failures: requires two runs, but {new} is traffic, which has no verdicts")
    comparison = compare(*sides)
    if as_json or form == "json":
        sys.stdout.write(to_json(comparison).decode())
    elif form == "html":
        sys.stdout.write(render_html(comparison, read_runs(trend) if trend else ()))
    elif form == "markdown":
        sys.stdout.write(render_markdown(comparison))
    else:
        print_table(comparison)
    raise typer.Exit(1 if (comparison.new_failures if fail_on == "new-failures" else comparison.broken) else 0)


def print_table(comparison: "Comparison") -> None:
    """Print a comparison as a table for each kind of change."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from airworthy.comparison.changes import HEADINGS
    from airworthy.comparison.rendering import COLUMNS, MOST, headline
    from airworthy.text import printable

    def cell(text: str) -> Text:
        # Text from traffic or a profile must not change the terminal.
        return Text(printable(text))

    console = Console(width=None if sys.stdout.isatty() else _WIDTH, markup=False, highlight=False, emoji=False)
    old, new = comparison.old.facts, comparison.new.facts
    console.print(headline(comparison), style="bold")
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("", "old", "new"):
        table.add_column(column)
    for name in new:
        table.add_row(name, *map(cell, (old.get(name, ""), new[name])))
    console.print(table)
    for note in comparison.notes:
        console.print(cell(f"note: {note}"))
    for kind in HEADINGS:
        changes = comparison.of(kind)
        if not changes:
            continue
        table = Table(box=None, header_style="dim", pad_edge=False, title=f"\n{kind.capitalize()} ({len(changes)})")
        table.title_justify, table.title_style = "left", "bold"
        for column in COLUMNS:
            table.add_column(column, overflow="fold")
        for each in changes[:MOST]:
            table.add_row(*map(cell, each[1:]))
        console.print(table)
        if len(changes) > MOST:
            console.print(f"and {len(changes) - MOST} more; use --json to list all")
