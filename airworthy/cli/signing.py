"""``airworthy sign`` and ``airworthy keys``: sign a run; and what every command that signs needs for it."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Final

import typer
from typer import Argument, Option

from airworthy.cli.options import MOST_DAYS, Issuer, Supersedes
from airworthy.errors import UsageError

app = typer.Typer()
keys = typer.Typer(name="keys", help="Create keys that sign runs.", no_args_is_help=True)
app.add_typer(keys)

_SHOWN_DIGITS: Final = 16
_LONGEST_ISSUER: Final = 100


@app.command("sign")
def sign(
    run: Annotated[Path, Argument(metavar="RUN", help="Folder of the run.")],
    *,
    key: Annotated[Path, Option(metavar="KEY", help="Private key, from airworthy keys new.")],
    valid_days: Annotated[
        int | None, Option(metavar="N", min=1, max=MOST_DAYS, help="Days until the certificate expires. Default: 365.")
    ] = None,
    supersedes: Supersedes = None,
    issuer: Issuer = None,
) -> None:
    """Sign a run: write certificate.intoto.jsonl, which covers every file in the folder of the run.

    The files of the run must agree with each other. The environment variable AIRWORTHY_KEY_PASSPHRASE contains the
    passphrase of an encrypted key.

    Exit codes: 0 signed, 2 usage error, 3 the certificate could not be written.

    Example: airworthy sign reports/20261121-040919 --key operator.key
    """
    SigningOptions(key, valid_days, supersedes, issuer).sign(run)


@keys.command("new", short_help="Create an Ed25519 key pair.")
def new(name: Annotated[Path, Argument(metavar="NAME", help="Path of the pair, without the suffix.")]) -> None:
    """Create an Ed25519 key pair: NAME.key, which is secret, and NAME.pub, for everybody who verifies.

    If the environment variable AIRWORTHY_KEY_PASSPHRASE is set, it encrypts the private key. Existing files are never
    overwritten.

    Exit codes: 0 created, 2 usage error.

    Example: airworthy keys new operator
    """
    from airworthy.attestation.keys import new_key_pair

    private, public, key = new_key_pair(name, _passphrase())
    typer.echo(f"private key  {private} (keep it secret{'' if _passphrase() else '; it is not encrypted'})")
    typer.echo(f"public key   {public}")
    typer.echo(f"key id       {key.id}")


def _passphrase() -> str | None:
    """Return the passphrase in the environment, or None. Raises `UsageError` if it is empty."""
    from airworthy.attestation.keys import PASSPHRASE_VARIABLE

    value = os.environ.get(PASSPHRASE_VARIABLE)
    if value == "":
        raise UsageError(f"the environment variable {PASSPHRASE_VARIABLE} is empty; set a passphrase or unset it")
    return value


class SigningOptions:
    """The key and the terms of a certificate, which is valid for 365 days by default.

    They are checked at once, before a long run. Raises `UsageError` if the key cannot be read, the run to supersede is
    not signed, or the issuer's name is not text.
    """

    def __init__(self, key: Path, valid_days: int | None, supersedes: Path | None, issuer: str | None = None) -> None:
        from airworthy.attestation.keys import load_signing_key
        from airworthy.attestation.signing import VALIDITY, read_certificate

        self._key = load_signing_key(key, _passphrase())
        self._validity = timedelta(days=valid_days) if valid_days else VALIDITY
        if issuer is not None and not (0 < len(issuer) <= _LONGEST_ISSUER and issuer.isprintable()):
            raise UsageError(f"--issuer: expected a name of 1 to {_LONGEST_ISSUER} printable characters")
        self._issuer = issuer or ""
        self._supersedes = ""
        if supersedes:
            certificate = read_certificate(supersedes)
            if certificate is None:
                raise UsageError(f"--supersedes {supersedes}: the run is not signed")
            self._supersedes = certificate.digest

    def sign(self, folder: Path, *, pdf: bool = False) -> None:
        """Sign a run, and print where its certificate is. With ``pdf``, write report.pdf with the signed digest.

        A report.pdf that exists is written again, because it says that the run is not signed.
        """
        from airworthy.attestation.signing import sign_document, sign_run
        from airworthy.report.pdf import require_pdf
        from airworthy.report.write import CERTIFICATE, PDF, write_pdf

        has_document = pdf or (folder / PDF).exists()
        if has_document:
            require_pdf()
        certificate = sign_run(
            folder, self._key, validity=self._validity, supersedes=self._supersedes, issuer=self._issuer
        )
        if has_document:
            written = write_pdf(folder, certificate)
            sign_document(folder, self._key)
            typer.echo(f"PDF: {written}")
        typer.echo(
            f"signed {folder / CERTIFICATE}: {certificate.decision}, valid until {certificate.expires:%Y-%m-%d},"
            f" statement {certificate.digest[:_SHOWN_DIGITS]}"
        )
