"""``airworthy report``, ``airworthy har`` and ``airworthy openapi``: write what is known in another form."""

import json
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument

from airworthy.cli.options import Pdf
from airworthy.errors import UsageError, writing

INTERFACES = ("v4", "v3", "v2", "payment")
app = typer.Typer()


@app.command("report")
def report(
    run: Annotated[Path, Argument(metavar="RUN", help="Folder of a run, with its results.json.")], *, pdf: Pdf = False
) -> None:
    """Write the report files of a run again, from its results.json and its evidence.

    The command does not change results.json, the evidence, or anything in the folder of a signed run.

    Exit codes: 0 written, 2 usage error, 3 a file could not be written.

    Example: airworthy report reports/20261121-040919 --pdf
    """
    from airworthy.report.write import rewrite_reports

    for path in rewrite_reports(run, pdf=pdf):
        typer.echo(path)


@app.command("har")
def har(
    evidence: Annotated[Path, Argument(metavar="EVIDENCE", help="Evidence file, such as evidence.jsonl of a run.")],
    out: Annotated[Path, Argument(metavar="OUT", help="HAR file to write.")],
) -> None:
    """Convert evidence to HAR 1.2, which browsers' developer tools and airworthy audit can open.

    The HAR file is redacted like the evidence.

    Example: airworthy har reports/20261121-040919/evidence.jsonl run.har
    """
    from airworthy.evidence.har import write_har
    from airworthy.evidence.recorder import read

    if out.resolve() == evidence.resolve():
        raise UsageError(f"{out}: the HAR file would overwrite the evidence; choose another path")
    with writing(out):
        count = write_har(read(evidence), out)
    typer.echo(f"{out}: {count} exchange{'' if count == 1 else 's'}")


@app.command("openapi")
def openapi(version: Annotated[str, Argument(metavar="VERSION", help="Interface: v4, v3, v2 or payment.")]) -> None:
    """Print one interface as an OpenAPI 3.1 document, with an example of each request and response.

    The interface "payment" is the request that clients send to the payment provider.

    Example: airworthy openapi v4 > flight-booking-v4.json
    """
    from airworthy.documents.bundles import bundle

    if version not in INTERFACES:
        raise UsageError(f"unknown interface {version!r}: expected {', '.join(INTERFACES)}")
    document = bundle(version)
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))
