"""``airworthy openapi``: one interface as an OpenAPI document."""

import json
from typing import Annotated

import typer

from airworthy.errors import UsageError

app = typer.Typer()


@app.command("openapi")
def openapi(
    version: Annotated[str, typer.Argument(metavar="VERSION", help="Interface: v2, v3 or v4.")],
) -> None:
    """Print one interface as an OpenAPI 3.1 document.

    Example: airworthy openapi v4 > flight-booking-v4.json
    """
    from airworthy.contract import DocumentError, bundle

    try:
        document = bundle(version)
    except DocumentError as error:
        raise UsageError(f"{version}: {error}") from None
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))
