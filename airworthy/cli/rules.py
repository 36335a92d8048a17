"""``airworthy rules``: the register of rules, or one rule with everything that is known about it."""

import json
from typing import Annotated

import typer
from typer import Argument, Option

from airworthy.cli.options import Json
from airworthy.errors import UsageError

app = typer.Typer()


@app.command("rules")
def show_rules(
    identifier: Annotated[
        str | None, Argument(metavar="ID", help="Show this rule only, with its scenarios and faults.")
    ] = None,
    version: Annotated[
        str | None, Option(metavar="VERSION", help="List the rules of one interface: v2, v3, v4, payment or export.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the rules of the documents, or show one rule in detail.

    Example: airworthy rules --version v3 --json

    Example: airworthy rules V4-CONFIRM-ONCE
    """
    from airworthy.cli import rules_output

    if identifier is None:
        chosen = rules_output.of_version(version)
        if as_json:
            typer.echo(json.dumps([rules_output.summary(each) for each in chosen], indent=2))
        else:
            rules_output.print_table(chosen)
        return
    if version is not None:
        raise UsageError(f"--version {version}: expected no ID with --version, got {identifier}")
    found = rules_output.named(identifier)
    typer.echo(json.dumps(rules_output.details(found), indent=2) if as_json else "\n".join(rules_output.lines(found)))
