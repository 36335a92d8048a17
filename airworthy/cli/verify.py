"""``airworthy verify``: verify a run or an evidence file."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from airworthy.cli.options import Json
from airworthy.errors import UsageError

if TYPE_CHECKING:
    from airworthy.attestation import Verification

app = typer.Typer()

_NOT_SIGNED: Final = "the signature was not checked; name the public key with --key"


@app.command("verify")
def verify(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run, or an evidence file.")],
    *,
    key: Annotated[
        Path | None, typer.Option(metavar="PUB", help="Public key with which the run must be signed.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Verify offline that a run is as it was when it was signed; name the file and the line that was changed.

    Without --key, this checks that the evidence, the ledger and the results agree with each other, and of an evidence
    file its hash chain, but not who made them.

    Exit codes: 0 verified, 1 not verified, 2 usage error.

    Example: airworthy verify reports/20261121-040919 --key operator.pub
    """
    from airworthy.attestation import load_verification_key, verify_evidence, verify_run

    if run.is_dir():
        verification = verify_run(run, load_verification_key(key) if key else None)
    elif key:
        raise UsageError(f"{run}: --key requires the folder of a run, because an evidence file is not signed by itself")
    else:
        verification = verify_evidence(run)
    if as_json:
        typer.echo(json.dumps(_summary(verification), indent=2))
    else:
        _print(run, verification)
    raise typer.Exit(1 if verification.problems else 0)


def _summary(verification: "Verification") -> dict[str, Any]:
    certificate, chain = verification.certificate, verification.chain
    return {
        "verified": not verification.problems,
        "problems": [
            {"file": each.file, "line": each.line or None, "message": each.message} for each in verification.problems
        ],
        "signed_with": verification.signed_with or None,
        "certificate": certificate
        and {
            "statement": certificate.digest,
            "key": certificate.key_id,
            "run": certificate.run,
            "subject": certificate.subject,
            "decision": certificate.decision,
            "issued": certificate.issued.isoformat(),
            "expires": certificate.expires.isoformat(),
            "supersedes": certificate.supersedes or None,
            "requirement_set": certificate.requirement_set,
        },
        "evidence": chain and {"lines": chain.lines, "last_hash": chain.last_hash},
    }


def _print(run: Path, verification: "Verification") -> None:
    from airworthy.traffic.lines import plain

    typer.echo(f"{'NOT VERIFIED' if verification.problems else 'VERIFIED'}  {plain(str(run))}")
    for problem in verification.problems:
        typer.echo(f"  {plain(str(problem))}")
    if verification.problems:
        return
    for name, value in _facts(verification):
        typer.echo(f"  {name:<13} {plain(value)}")
    if verification.signed_with and verification.certificate:
        for sentence in verification.certificate.proves:
            typer.echo(f"  proves        {plain(sentence)}")
        for sentence in verification.certificate.does_not_prove:
            typer.echo(f"  not proved    {plain(sentence)}")


def _facts(verification: "Verification") -> Iterator[tuple[str, str]]:
    certificate, results, chain = verification.certificate, verification.results, verification.chain
    if results:
        from airworthy.report import decide

        yield "decision", f"{decide(results).outcome}: {results.subject}, {', '.join(results.scope.versions)}"
        yield "evidence", f"{results.integrity.lines} lines, last hash {results.integrity.last_hash}"
    if chain:
        yield "evidence", f"{chain.lines} lines, last hash {chain.last_hash}"
    if certificate:
        yield "issued", f"{certificate.issued:%Y-%m-%d}, valid until {certificate.expires:%Y-%m-%d}"
        yield "requirements", certificate.requirement_set
        yield "statement", certificate.digest
        if certificate.supersedes:
            yield "supersedes", certificate.supersedes
    if verification.signed_with:
        yield "signed with", verification.signed_with
    else:
        yield "signature", _NOT_SIGNED if certificate else "the run is not signed" if results else "none"
