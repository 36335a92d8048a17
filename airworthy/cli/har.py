"""``airworthy har``: convert evidence to a HAR file."""

from pathlib import Path
from typing import Annotated

import typer

from airworthy.errors import UsageError, unwritable

app = typer.Typer()


@app.command("har")
def har(
    evidence: Annotated[
        Path, typer.Argument(metavar="EVIDENCE", help="Evidence file, such as evidence.jsonl of a run.")
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="HAR file to write.")],
) -> None:
    """Convert evidence to HAR 1.2, which browsers' developer tools and airworthy audit can open.

    The HAR file is redacted like the evidence.

    Example: airworthy har reports/20261121-040919/evidence.jsonl run.har
    """
    from airworthy.evidence import read, write_har

    if out.resolve() == evidence.resolve():
        raise UsageError(f"{out}: the HAR file would overwrite the evidence; choose another path")
    try:
        count = write_har(read(evidence), out)
    except OSError as error:
        raise unwritable(str(out), error) from None
    typer.echo(f"{out}: {count} exchange{'' if count == 1 else 's'}")
