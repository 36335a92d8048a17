"""The commands by their names; what each does stands in a module of its own."""

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from airworthy import __version__

MODULES: Final = {
    "certify": "airworthy.cli.certify",
    "sandbox": "airworthy.cli.sandbox",
    "proxy": "airworthy.cli.proxy",
    "audit": "airworthy.cli.audit",
    "compare": "airworthy.cli.compare",
    "har": "airworthy.cli.har",
    "export-check": "airworthy.cli.export_check",
    "rules": "airworthy.cli.rules",
    "openapi": "airworthy.cli.openapi",
}


class _Commands(MutableMapping[str, Any]):
    """The commands; what one of them needs is imported when it is wanted, so that none waits for another's parts."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  typer carries its own click
        if name not in self._made:
            self._made[name] = typer.main.get_command(import_module(MODULES[name]).app)
        return self._made[name]

    def __setitem__(self, name: str, command: Any) -> None:  # noqa: ANN401
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


class _Group(TyperGroup):
    def __init__(self, **settings: Any) -> None:  # noqa: ANN401
        super().__init__(**settings)
        self.commands = _Commands()


app = typer.Typer(
    name="airworthy",
    cls=_Group,
    help="Holds an implementation of the Flight Booking Service against its documents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"airworthy {__version__}")
        raise typer.Exit


@app.callback()
def _airworthy(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    pass
