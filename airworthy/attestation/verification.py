"""Verify a run or an evidence file offline, and name the file and the line that was changed."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from airworthy.attestation.bundle import read_bundle
from airworthy.attestation.consistency import (
    compare_pages,
    evidence_problems,
    ledger_problems,
    read_results,
    verdict_problems,
)
from airworthy.attestation.files import FileDigest, digest_of, files_of, first_changed_line, irregular_entries
from airworthy.attestation.keys import VerificationKey
from airworthy.attestation.statement import CLOCK_TOLERANCE, Certificate
from airworthy.errors import UsageError
from airworthy.evidence.chain import verify_chain
from airworthy.evidence.files import find_files, is_evidence
from airworthy.evidence.verification import Problem, VerifiedChain, chain_problems, verify_chains
from airworthy.report.decision import decide
from airworthy.report.results import Results
from airworthy.report.write import CERTIFICATE, EVIDENCE, RESULTS
from airworthy.requirements import frozen_sets
from airworthy.resources import resource

# The name of a set that is not frozen says so, or what it contains.
_RELEASE: Final = re.compile(r"[0-9]+(\.[0-9]+)*")


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a verification. It succeeded if there are no ``problems``.

    ``signed_with`` is the id of the key whose signature was checked, empty without a key. ``certificate`` and
    ``results`` are None if there are none or they cannot be read. ``chains`` are those of evidence without a run, and
    ``being_written`` its files that were not verified because they are still written to. ``unchecked`` are files of
    a run without a signature that nothing was compared with.
    """

    problems: tuple[Problem, ...]
    certificate: Certificate | None = None
    results: Results | None = None
    signed_with: str = ""
    chains: tuple[VerifiedChain, ...] = ()
    being_written: tuple[Path, ...] = ()
    unchecked: tuple[str, ...] = ()

    @property
    def outcome(self) -> str:
        """The outcome in a few words: only a signature verifies who made something."""
        if self.problems:
            return "NOT VERIFIED"
        if self.signed_with:
            return "VERIFIED"
        return "CONSISTENT, SIGNATURE NOT CHECKED" if self.certificate else "CONSISTENT, NOT SIGNED"


def verify_evidence(paths: Iterable[Path], *, later_start: bool = False) -> Verification:
    """Verify the chains of evidence files, and of those in folders. See `verify_chains` for ``later_start``.

    Raises `UsageError` if a file cannot be read, or a folder contains no evidence.
    """
    paths = list(paths)
    found = find_files(paths, is_evidence, "evidence, and no results.json of a run")
    chains = verify_chains(found.files, later_start=later_start, folders=filter(Path.is_dir, paths))
    problems = tuple(problem for chain in chains for problem in chain.problems)
    return Verification(problems, chains=chains, being_written=found.being_written)


def is_run(folder: Path) -> bool:
    """Return whether a path is the folder of a run."""
    return (folder / RESULTS).exists() or (folder / CERTIFICATE).exists()


def verify_run(folder: Path, key: VerificationKey | None = None, now: datetime | None = None) -> Verification:
    """Verify a run: its certificate, if it has one, and that its files agree with each other.

    With a ``key``, the run must have a certificate that is signed with it. ``now`` is the time at which the certificate
    must be valid (default: the clock of this machine). Raises `UsageError` if the folder is not a run.
    """
    if not is_run(folder):
        raise UsageError(f"{folder}: not the folder of a run: it has neither {RESULTS} nor {CERTIFICATE}")
    try:
        return _verified(folder, key, now or datetime.now(UTC))
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: {error.strerror}") from None


def _verified(folder: Path, key: VerificationKey | None, now: datetime) -> Verification:
    results, bundle = read_results(folder), read_bundle(folder, key)
    certificate = bundle.certificate if bundle else None
    problems: list[Problem] = []
    if bundle and bundle.problem:
        problems.append(bundle.problem)
    elif bundle:
        problems += _file_problems(folder, bundle.files, results)
    elif key:
        problems.append(Problem(CERTIFICATE, 0, "the run is not signed: the file is missing"))
    if certificate:
        problems += [*_dating_problems(certificate, now), *_requirement_problems(certificate)]
    changed = {problem.file for problem in problems}
    if RESULTS not in changed:
        found = _disagreements(folder, results, certificate) if isinstance(results, Results) else [results]
        problems += [each for each in found if each.file not in changed]
    unchecked: list[str] = []
    # The pages show the evidence, so they differ if it does.
    if isinstance(results, Results) and not (bundle or problems):
        pages, unchecked = compare_pages(folder, results)
        problems += pages
    return Verification(
        tuple(problems),
        certificate,
        results if isinstance(results, Results) else None,
        signed_with=key.id if key and bundle and not bundle.problem else "",
        unchecked=tuple(unchecked),
    )


def _dating_problems(certificate: Certificate, now: datetime) -> Iterator[Problem]:
    if now < certificate.issued - CLOCK_TOLERANCE:
        message = (
            f"the certificate was issued at {certificate.issued:%Y-%m-%d %H:%M:%S} UTC, but the clock of this machine"
            f" says {now:%Y-%m-%d %H:%M:%S} UTC"
        )
        yield Problem(CERTIFICATE, 1, message)
    elif now > certificate.expires:
        yield Problem(CERTIFICATE, 1, f"the certificate expired at {certificate.expires:%Y-%m-%d %H:%M:%S} UTC")


def _requirement_problems(certificate: Certificate) -> Iterator[Problem]:
    version, digest = certificate.requirement_set, certificate.requirement_set_digest
    if not _RELEASE.fullmatch(version):
        return
    known = {each.version: each.digest for each in frozen_sets(resource("schemas"))}
    if version not in known:
        yield Problem(CERTIFICATE, 1, f"the requirement set {version} is unknown to this version of Airworthy")
    elif known[version] != digest:
        yield Problem(CERTIFICATE, 1, f"the requirement set {version} differs from the released one")


def _file_problems(folder: Path, files: tuple[FileDigest, ...], results: Results | Problem) -> Iterator[Problem]:
    """Yield the files that are not as they were when the run was signed."""
    evidence = Path(results.integrity.evidence).name if isinstance(results, Results) else EVIDENCE
    for each in files:
        path = folder / each.name
        if not path.resolve().is_relative_to(folder.resolve()) or not path.is_file():
            yield Problem(each.name, 0, "the file is missing")
        elif each.name == evidence:
            chain = verify_chain(path)
            found = list(chain_problems(each.name, chain))
            if not found and chain.sha256 != each.sha256:
                found = list(evidence_problems(folder, results)) if isinstance(results, Results) else []
                found = found or [Problem(each.name, 0, "this is not the evidence that was signed")]
            yield from found
        elif digest_of(folder, each.name, marked=False).sha256 != each.sha256:
            line = first_changed_line(folder, each)
            yield Problem(each.name, line or 0, "the file was changed after it was signed")
    covered = {each.name for each in files}
    for name in files_of(folder):
        if name not in covered:
            yield Problem(name, 0, "the file is not signed; remove it, or sign the run again")
    for name in irregular_entries(folder):
        if name not in covered:
            yield Problem(name, 0, "this is not a regular file; remove it")


def _disagreements(folder: Path, results: Results, certificate: Certificate | None) -> Iterator[Problem]:
    yield from evidence_problems(folder, results)
    yield from ledger_problems(folder, results)
    yield from verdict_problems(results)
    if certificate and (results.run, decide(results).outcome) != (certificate.run, certificate.decision):
        message = f"the certificate is about run {certificate.run} with the decision {certificate.decision}"
        yield Problem(CERTIFICATE, 1, message)
