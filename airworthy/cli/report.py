"""``airworthy report``: write the report files of an earlier run again."""

from pathlib import Path
from typing import Annotated

import typer

from airworthy.cli.options import Pdf

app = typer.Typer()


@app.command()
def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run, with its results.json.")],
    *,
    pdf: Pdf = False,
) -> None:
    """Write the report files of a run again, from its results.json and its evidence.

    The command does not change results.json, the evidence, or anything in the folder of a signed run.

    Exit codes: 0 written, 2 usage error, 3 a file could not be written.

    Example: airworthy report reports/20261121-040919 --pdf
    """
    from airworthy.report import rewrite_reports

    for path in rewrite_reports(run, pdf=pdf):
        typer.echo(path)
