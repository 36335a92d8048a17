"""What several commands have in common."""

from typing import Annotated, Final

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
# Arguments behind -- go to another program.
PASSES_ON: Final = {"allow_extra_args": True, "ignore_unknown_options": False}
