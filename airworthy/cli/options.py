"""Options and settings that several commands share."""

from typing import Annotated, Final

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Pdf = Annotated[
    bool, typer.Option("--pdf", help="Also write report.pdf. Requires the extra: pip install 'airworthy[pdf]'.")
]
# Passes the arguments after -- to another program.
PASSES_ON: Final = {"allow_extra_args": True, "ignore_unknown_options": False}
