"""``airworthy compare``: what has changed between two runs, or between two recordings of traffic."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from airworthy.cli.options import Json
from airworthy.comparison import Comparison, compare, read_side, render_markdown, to_json
from airworthy.comparison.changes import HEADINGS
from airworthy.comparison.shown import MOST, headline
from airworthy.contract import ServiceAddress
from airworthy.errors import UsageError
from airworthy.traffic.lines import plain

app = typer.Typer()

_WIDTH = 160


@app.command("compare")
def compare_sides(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A run's folder, or traffic: evidence, HAR, flows, JSON.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Another of the same sort.")],
    *,
    base_url: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="Whose recorded traffic is judged: base URL without the version; repeatable."),
    ] = None,
    payment_provider: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="The payment provider's URL; repeatable.")
    ] = None,
    allow_plain_http: Annotated[
        bool, typer.Option("--allow-plain-http", help="TLS ended before the recorder: http:// is no finding.")
    ] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes (one for each processor).")] = None,
    form: Annotated[Literal["table", "markdown", "json"], typer.Option("--format", help="How it is shown.")] = "table",
    as_json: Json = False,
) -> None:
    """Show what has changed between two runs, or between two recordings of traffic.

    Newly broken, fixed, drifting, warned, untested and observed differently, by rule and place. A run is its report's
    folder or results.json; traffic is evidence, a HAR or mitmproxy's flows, judged by the contract of this version, or
    the JSON of airworthy audit or proxy. Exit codes: 0 nothing is newly broken, 1 something is, 2 wrong use.

    Example: airworthy compare reports/20261120-040512 reports/20261121-040919
    """
    service = ServiceAddress(tuple(base_url or ()), tuple(payment_provider or ()), allow_plain_http)
    sides = read_side(old, service, jobs=jobs), read_side(new, service, jobs=jobs)
    if sides[0].source != sides[1].source:
        told = {"run": "a run", "traffic": "traffic"}
        raise UsageError(
            f"{old} is {told[sides[0].source]} and {new} is {told[sides[1].source]}: name two of the same sort"
        )
    comparison = compare(*sides)
    if as_json or form == "json":
        sys.stdout.write(to_json(comparison).decode())
    elif form == "markdown":
        sys.stdout.write(render_markdown(comparison))
    else:
        _print(comparison)
    raise typer.Exit(1 if comparison.broken else 0)


def _print(comparison: Comparison) -> None:
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
    for what in HEADINGS:
        changes = comparison.of(what)
        if not changes:
            continue
        table = Table(box=None, header_style="dim", pad_edge=False, title=f"\n{what.capitalize()} ({len(changes)})")
        table.title_justify, table.title_style = "left", "bold"
        for column in ("what", "where", "before", "now", "why"):
            table.add_column(column, overflow="fold")
        for each in changes[:MOST]:
            table.add_row(*map(_cell, (each.subject, each.place, each.before, each.after, each.message)))
        console.print(table)
        if len(changes) > MOST:
            console.print(f"and {len(changes) - MOST} more: --json shows all")


def _cell(text: str) -> Text:
    """What came from traffic or a profile moves no cursor and colours nothing."""
    return Text(plain(text))
