"""``airworthy verify``: verify a run, or evidence."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer import Argument, Option

from airworthy.cli.options import Json
from airworthy.errors import UsageError

if TYPE_CHECKING:
    from airworthy.attestation.verification import Verification
    from airworthy.evidence.verification import Problem

app = typer.Typer()

_NOT_SIGNED: Final = "the signature was not checked; name the public key with --key"


@app.command("verify")
def verify(
    paths: Annotated[
        list[Path], Argument(metavar="PATH...", help="Folder of a run, or evidence: files, and folders of them.")
    ],
    *,
    key: Annotated[Path | None, Option(metavar="PUB", help="Public key with which the run must be signed.")] = None,
    later_start: Annotated[
        bool, Option("--later-start", help="Accept that the first files of rotated evidence were archived or deleted.")
    ] = False,
    require_signature: Annotated[
        bool, Option("--require-signature", help="Fail unless the signature was checked with --key.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Verify offline that a run has not changed since it was signed; name the file and the line that was changed.

    Without --key, this checks that the evidence, the ledger, the results and the pages agree with each other, but not
    who made them: the outcome is CONSISTENT instead of VERIFIED. For evidence, it checks the hash chain. A folder means
    all evidence in it and its subfolders; a chain of rotated files spans all of them, so that a missing, moved or
    repeated file is found, too.

    Exit codes: 0 verified or consistent, 1 not verified, 2 usage error.

    Example: airworthy verify reports/20261121-040919 --key operator.pub
    """
    from airworthy.attestation.keys import load_verification_key
    from airworthy.attestation.verification import is_run, verify_evidence, verify_run

    run = paths[0]
    if len(paths) == 1 and is_run(run):
        if later_start:
            raise UsageError("--later-start has no effect on the folder of a run")
        verification = verify_run(run, load_verification_key(key) if key else None)
    elif missing := next((each for each in paths if not each.exists()), None):
        raise UsageError(f"{missing}: No such file or directory")
    elif key:
        raise UsageError(f"{run}: --key requires the folder of a run, because evidence is not signed by itself")
    elif any(map(is_run, paths)):
        raise UsageError(f"{run}: a run cannot be verified together with something else; verify one at a time")
    else:
        verification = verify_evidence(paths, later_start=later_start)
    if require_signature and not (verification.signed_with or verification.problems):
        unsigned = _problem_without_signature(paths, verification)
        verification = replace(verification, problems=(unsigned,))
    if as_json:
        typer.echo(json.dumps(_summary(verification), indent=2))
    else:
        _print(paths, verification)
    raise typer.Exit(1 if verification.problems else 0)


def _summary(verification: "Verification") -> dict[str, Any]:
    certificate = verification.certificate
    return {
        "verified": verification.outcome == "VERIFIED",
        "outcome": verification.outcome,
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
            "issuer": certificate.issuer or None,
            "requirement_set": certificate.requirement_set,
        },
        "evidence": [
            {"name": each.name, "files": each.files, "lines": each.lines, "last_hash": each.last_hash}
            for each in verification.chains
        ],
        "being_written": [str(each) for each in verification.being_written],
        "unchecked": list(verification.unchecked),
    }


def _problem_without_signature(paths: Sequence[Path], verification: "Verification") -> "Problem":
    from airworthy.evidence.verification import Problem
    from airworthy.report.write import CERTIFICATE

    if verification.certificate:
        return Problem(CERTIFICATE, 0, _NOT_SIGNED)
    if verification.results:
        return Problem(CERTIFICATE, 0, "the run is not signed: the file is missing")
    return Problem(str(paths[0]), 0, "evidence is not signed by itself, only as a part of a run")


def _print(paths: Sequence[Path], verification: "Verification") -> None:
    from airworthy.text import printable

    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    typer.echo(f"{verification.outcome}  {printable(str(paths[0]))}{more}")
    for problem in verification.problems:
        typer.echo(f"  {printable(str(problem))}")
    if verification.problems:
        return
    for name, value in _facts(verification):
        typer.echo(f"  {name:<13} {printable(value)}")


def _facts(verification: "Verification") -> Iterator[tuple[str, str]]:
    certificate, results = verification.certificate, verification.results
    if results:
        from airworthy.report.overview import overview

        seen = overview(results)
        yield "decision", f"{seen.decision.outcome}: {results.subject}, {', '.join(results.scope.versions)}"
        if seen.self_test:
            yield "self-test", seen.self_test
        yield "evidence", f"{results.integrity.lines:,} lines, last hash {results.integrity.last_hash}"
    for chain in verification.chains:
        files = f"{chain.name}, files {chain.first} to {chain.last}, " if chain.last else ""
        yield "evidence", f"{files}{chain.lines:,} lines, last hash {chain.last_hash}"
    for path in verification.being_written:
        yield "not verified", f"{path}, which is being written"
    if verification.unchecked:
        yield "not checked", ", ".join(verification.unchecked)
    if certificate:
        yield "issued", f"{certificate.issued:%Y-%m-%d}, valid until {certificate.expires:%Y-%m-%d}"
        yield "requirements", certificate.requirement_set
        yield "statement", certificate.digest
        named = {"issuer": certificate.issuer, "supersedes": certificate.supersedes}
        yield from ((name, value) for name, value in named.items() if value)
    if verification.signed_with:
        yield "signed with", verification.signed_with
        if certificate:
            yield from (("proves", sentence) for sentence in certificate.proves)
            yield from (("not proved", sentence) for sentence in certificate.does_not_prove)
    else:
        yield "signature", _NOT_SIGNED if certificate else "the run is not signed" if results else "none"
