"""``airworthy keys new``: create a key pair that signs certificates."""

from pathlib import Path
from typing import Annotated

import typer

from airworthy.cli.signing import passphrase

app = typer.Typer(name="keys", no_args_is_help=True)


@app.callback()
def _keys() -> None:
    """Create keys that sign runs."""


@app.command("new", short_help="Create an Ed25519 key pair.")
def new(
    name: Annotated[Path, typer.Argument(metavar="NAME", help="Path of the pair, without the suffix.")],
) -> None:
    """Create an Ed25519 key pair: NAME.key, which is secret, and NAME.pub, for everybody who verifies.

    If the environment variable AIRWORTHY_KEY_PASSPHRASE is set, it encrypts the private key. Existing files are never
    overwritten.

    Exit codes: 0 created, 2 usage error.

    Example: airworthy keys new operator
    """
    from airworthy.attestation import new_key_pair

    private, public, key = new_key_pair(name, passphrase())
    typer.echo(f"private key  {private} (keep it secret{'' if passphrase() else '; it is not encrypted'})")
    typer.echo(f"public key   {public}")
    typer.echo(f"key id       {key.id}")
