"""``airworthy rules``: the register."""

import json
import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from airworthy.cli.options import Json
from airworthy.errors import UsageError
from airworthy.register import Rule, rules

app = typer.Typer()


@app.command("rules")
def show_rules(
    version: Annotated[
        str | None, typer.Option(metavar="VERSION", help="Only one: v2, v3, v4, payment or export.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the register: what the documents demand, of whom, and where they say so.

    Example: airworthy rules --version v3 --json
    """
    chosen = [rule for rule in rules() if version is None or version in rule.versions]
    if not chosen:
        known = ", ".join(sorted({each for rule in rules() for each in rule.versions}))
        raise UsageError(f"--version {version}: expected one of {known}")
    typer.echo(json.dumps([_rule(rule) for rule in chosen], indent=2)) if as_json else _print_table(chosen)


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "version": rule.version,
        "area": rule.area,
        "binds": rule.binds,
        "statement": rule.statement,
        "source": rule.source,
        "excluded": rule.excluded_reason,
    }


def _print_table(chosen: Sequence[Rule]) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("Rule", "Area", "Binds"):
        table.add_column(column, no_wrap=True)
    table.add_column("Statement")
    table.add_column("Source")
    for rule in chosen:
        table.add_row(rule.id, rule.area, rule.binds, rule.statement, rule.source)
    console = Console(width=None if sys.stdout.isatty() else 240)
    with console.capture() as captured:
        console.print(table)
    # A table is as wide as its console; whoever reads it from a pipe has no use for the blanks.
    typer.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))
    typer.echo(f"{len(chosen)} rules")
