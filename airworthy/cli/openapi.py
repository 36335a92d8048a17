"""``airworthy openapi``: one interface as an OpenAPI document."""

import json
from typing import Annotated

import typer

from airworthy.errors import UsageError

INTERFACES = ("v4", "v3", "v2", "payment")
app = typer.Typer()


@app.command("openapi")
def openapi(
    version: Annotated[str, typer.Argument(metavar="VERSION", help="Interface: v4, v3, v2 or payment.")],
) -> None:
    """Print one interface as an OpenAPI 3.1 document, with an example of each request and response.

    The interface "payment" is the request that clients send to the payment provider.

    Example: airworthy openapi v4 > flight-booking-v4.json
    """
    from airworthy.documents.bundles import bundle

    if version not in INTERFACES:
        raise UsageError(f"unknown interface {version!r}: expected {', '.join(INTERFACES)}")
    document = bundle(version)
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))
