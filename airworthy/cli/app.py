"""The root command. The module of a subcommand is imported only when that subcommand is used.

Such a module contains the options, and imports what it runs when it runs, so that --help appears at once.
"""

import re
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer import Option
from typer.core import TyperCommand, TyperGroup

from airworthy import __version__
from airworthy.errors import InterruptionError

# Each with the module whose ``app`` defines it, and its line in ``airworthy --help``.
COMMANDS: Final = {
    "certify": ("certify", "Certify a service, or the integration of a partner."),
    "explore": ("explore", "Explore a service with random conversations."),
    "sign": ("signing", "Sign a run."),
    "verify": ("verify", "Verify that a run or evidence was not changed."),
    "keys": ("signing", "Create keys that sign runs."),
    "sandbox": ("sandbox", "Run the service in test mode on this machine."),
    "proxy": ("proxy", "Check live traffic between a client and the service."),
    "audit": ("audit", "Check recorded traffic."),
    "report": ("conversions", "Write the report files of a run again, or as PDF."),
    "compare": ("compare", "Show what changed between two runs or recordings."),
    "har": ("conversions", "Convert evidence to HAR 1.2."),
    "export-check": ("export_check", "Check the CSV files of a content export."),
    "rules": ("rules", "List the documented rules, or show one rule."),
    "openapi": ("conversions", "Print an interface as an OpenAPI document."),
}

# Typer shows the messages of the library that validates the values.
_WORDING: Final = {
    "^Value error, ": "",
    "^Input should be ": "must be ",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    ", unable to parse .*": "",
}


def load_command(name: str) -> Any:  # noqa: ANN401  Typer does not export the type of a command
    """Import the module of a subcommand and return its Click command."""
    parent = typer.Typer(rich_markup_mode=None, add_completion=False)
    parent.add_typer(import_module(f"airworthy.cli.{COMMANDS[name][0]}").app)
    group: Any = typer.main.get_command(parent)
    return group.commands[name]


class LazyGroup(TyperGroup):
    """A group that lists subcommands from `COMMANDS` and loads one only to run it or to complete its arguments."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - as in the base class
        super().__init__(**settings)
        self.commands = {name: TyperCommand(name, help=summary) for name, (_, summary) in COMMANDS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - as in the base class
        """Return the name of the subcommand, the loaded subcommand, and its arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, load_command(name) if name else command, rest

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as in the base class
        """Run the subcommand. Raise `InterruptionError` for Ctrl-C, and `BadParameter` in plain words."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise InterruptionError(str(error) or "interrupted") from None
        except typer.BadParameter as error:
            for theirs, ours in _WORDING.items():
                error.message = re.sub(theirs, ours, error.message)
            raise


# Without Rich, --help starts faster and shows a flag as a flag (`--json`, not `--json <bool>`).
app = typer.Typer(
    name="airworthy",
    cls=LazyGroup,
    help="Check an implementation of the Flight Booking Service, or a client of it, against the documents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(requested: bool) -> None:
    if requested:
        typer.echo(f"airworthy {__version__}")
        raise typer.Exit


@app.callback()
def _airworthy(
    version: Annotated[
        bool, Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass
