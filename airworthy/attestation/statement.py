"""In-toto Statements about a run (`in-toto Statement v1`, predicate `test-result v0.1`), and what they say.

The predicate has one extension field, ``airworthyCertificate``; ``schemas/report/certificate.json`` describes it all.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from airworthy.attestation.files import FileDigest
from airworthy.report.decision import decide
from airworthy.report.exploration import Explored
from airworthy.report.explored import transitions_of
from airworthy.report.overview import overview
from airworthy.report.pdf import SignatureFacts
from airworthy.report.results import Results

FORMAT: Final = "airworthy-certificate-1"
STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE: Final = "https://in-toto.io/attestation/test-result/v0.1"
CLOCK_TOLERANCE: Final = timedelta(minutes=5)
"""How far the clocks of the machines that run, sign and verify may differ."""
EXTENSION: Final = "airworthyCertificate"
_CERTIFICATE: Final = "certificate"

PROVES: Final = (
    "Origin: the holder of the private key issued this certificate.",
    "Integrity: since then, nobody has changed the evidence, the results or the reports.",
)
DOES_NOT_PROVE: Final = (
    "Honest operation: the holder of the key may have tested another system, or written the evidence by hand.",
    "The present: the system may have changed after the run.",
)
_SELF_TEST: Final = "Conformance of a service: the target was the embedded sandbox of Airworthy."
_REHEARSAL: Final = "Readiness for production: the traffic was with a sandbox on the partner's machine."


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate(SignatureFacts):
    """What a statement says. ``key_id`` is the key that it claims to be signed with.

    ``requirement_set`` begins with ``unreleased`` if the requirements are not those of a release.
    """

    run: str
    subject: str
    decision: str
    requirement_set: str
    requirement_set_digest: str
    files: tuple[FileDigest, ...]


def run_statement(
    results: Results,
    files: Iterable[FileDigest],
    issued: datetime,
    expires: datetime,
    supersedes: str,
    *,
    issuer: str = "",
) -> dict[str, Any]:
    """Return the statement about a run and its files."""
    decision, scope, is_self_test = decide(results), results.scope, overview(results).self_test
    rules = {verdict: [rule.id for rule in results.rules if rule.verdict == verdict] for verdict in results.counts}
    certificate = {
        "format": FORMAT,
        "run": results.run,
        "subject": results.subject,
        "environment": results.environment,
        "target": results.target,
        "versions": list(scope.versions),
        "decision": decision.outcome,
        "waivers": [{**asdict(each), "expires": each.expires.isoformat()} for each in decision.waived],
        "untestedRules": rules["untested"],
        "notApplicableRules": rules["not_applicable"],
        "requirementSet": {"version": scope.requirement_set, "digest": scope.requirement_set_digest},
        "tool": results.tool.version,
        "issued": issued.isoformat(),
        "expires": expires.isoformat(),
        "supersedes": supersedes or None,
        **({"issuer": issuer} if issuer else {}),
        "proves": list(PROVES),
        **({"explored": [_explored(each) for each in results.explored]} if results.explored else {}),
        "doesNotProve": [
            *DOES_NOT_PROVE,
            *([_REHEARSAL if results.integration else _SELF_TEST] if is_self_test else []),
        ],
    }
    digests = {
        "profile": scope.profile_digest,
        "requirement set": scope.requirement_set_digest,
        "contract": scope.contract_digest,
        "features": scope.features_digest,
        "schemas": scope.schemas_digest,
    }
    passed = "WARNED" if decision.waived or results.counts["warning"] else "PASSED"
    predicate = {
        "result": passed if decision.certifies else "FAILED",
        "configuration": [_descriptor(name, digest) for name, digest in digests.items() if digest],
        "passedTests": rules["passed"],
        "warnedTests": rules["warning"],
        "failedTests": rules["failed"] + rules["error"],
        EXTENSION: certificate,
    }
    return _statement(files, predicate)


def document_statement(document: FileDigest, certificate: Certificate, result: str) -> dict[str, Any]:
    """Return the statement about a document that shows the digest of the run's statement."""
    configuration = [_descriptor(_CERTIFICATE, certificate.digest)]
    return _statement([document], {"result": result, "configuration": configuration})


def certificate_of(statement: dict[str, Any], digest: str, key_id: str) -> Certificate | None:
    """Return what the statement about a run says, or None if it is about a document."""
    said = statement["predicate"].get(EXTENSION)
    return said and Certificate(
        digest=digest,
        key_id=key_id,
        run=said["run"],
        subject=said["subject"],
        decision=said["decision"],
        issued=datetime.fromisoformat(said["issued"]),
        expires=datetime.fromisoformat(said["expires"]),
        supersedes=said["supersedes"] or "",
        requirement_set=said["requirementSet"]["version"],
        requirement_set_digest=said["requirementSet"]["digest"],
        proves=tuple(said["proves"]),
        does_not_prove=tuple(said["doesNotProve"]),
        files=files_in(statement),
        issuer=said.get("issuer", ""),
    )


def named_certificate(statement: dict[str, Any]) -> str:
    """Return the digest of the run's statement that a statement about a document names, or an empty string."""
    named = (each for each in statement["predicate"]["configuration"] if each["name"] == _CERTIFICATE)
    return next((each["digest"]["sha256"] for each in named), "")


def files_in(statement: dict[str, Any]) -> tuple[FileDigest, ...]:
    """Return the files that a statement covers."""
    return tuple(
        FileDigest(each["name"], each["digest"]["sha256"], each.get("annotations", {}).get("lines", ""))
        for each in statement["subject"]
    )


def _explored(explored: Explored) -> dict[str, Any]:
    """Return how much of an interface was explored."""
    names = transitions_of((explored.interface,))
    return {
        "interface": explored.interface,
        "seed": explored.seed,
        "conversations": explored.conversations,
        "steps": explored.steps,
        "reached": [each for each in names if each in explored.transitions],
        "neverReached": [each for each in names if each not in explored.transitions],
        "ended": explored.ended,
    }


def _statement(files: Iterable[FileDigest], predicate: dict[str, Any]) -> dict[str, Any]:
    return {
        "_type": STATEMENT_TYPE,
        "subject": [
            _descriptor(each.name, each.sha256) | ({"annotations": {"lines": each.marks}} if each.marks else {})
            for each in files
        ],
        "predicateType": PREDICATE_TYPE,
        "predicate": predicate,
    }


def _descriptor(name: str, digest: str) -> dict[str, Any]:
    return {"name": name, "digest": {"sha256": digest}}
