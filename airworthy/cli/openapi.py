"""``airworthy openapi``: an interface as one document."""

import json
from typing import Annotated

import typer

from airworthy.contract import DocumentError, bundle
from airworthy.errors import UsageError

app = typer.Typer()


@app.command("openapi")
def openapi(
    version: Annotated[str, typer.Argument(metavar="VERSION", help="The interface: v2, v3 or v4.")],
) -> None:
    """Print an interface as one OpenAPI 3.1 document.

    Example: airworthy openapi v4 > flight-booking-v4.json
    """
    try:
        document = bundle(version)
    except DocumentError as error:
        raise UsageError(f"{version}: {error}") from None
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))
