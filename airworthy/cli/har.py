"""``airworthy har``: evidence as a HAR file."""

from pathlib import Path
from typing import Annotated

import typer

from airworthy.errors import UsageError
from airworthy.evidence import read, write_har

app = typer.Typer()


@app.command("har")
def har(
    evidence: Annotated[Path, typer.Argument(metavar="EVIDENCE", help="Evidence, such as a run's evidence.jsonl.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="HAR file to be written.")],
) -> None:
    """Write evidence as HAR 1.2, which browsers' developer tools open and airworthy audit reads.

    It is redacted as the evidence is.

    Example: airworthy har reports/20261121-040919/evidence.jsonl run.har
    """
    if out.resolve() == evidence.resolve():
        raise UsageError(f"{out}: the evidence would be written over; name another file")
    try:
        count = write_har(read(evidence), out)
    except OSError as error:
        raise UsageError(f"{out}: {error.strerror}") from None
    typer.echo(f"{out}: {count} exchange{'' if count == 1 else 's'}")
