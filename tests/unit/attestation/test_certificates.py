"""Certificates: what they contain, when they are issued, and when their verification fails."""

import base64
import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from securesystemslib.dsse import Envelope

from airworthy.attestation import verification as verification_module
from airworthy.attestation.keys import SigningKey
from airworthy.attestation.signing import read_certificate, sign_document, sign_run
from airworthy.attestation.verification import verify_run
from airworthy.errors import UsageError
from airworthy.report.decision import decide
from airworthy.report.document import to_json
from airworthy.report.write import CERTIFICATE
from airworthy.requirements import RequirementSet
from airworthy.resources import resource

from .signed_run import LATER, NOON, new_key, write_run, write_signed_run

Change = Callable[[Path], object]


def statements(run: Path) -> list[dict[str, Any]]:
    lines = (run / CERTIFICATE).read_text().splitlines()
    return [json.loads(base64.b64decode(json.loads(line)["payload"])) for line in lines]


def problems(run: Path, key: SigningKey | None = None) -> list[str]:
    return [str(problem) for problem in verify_run(run, key.public if key else None, LATER).problems]


def test_statement_is_an_in_toto_test_result(original: Path) -> None:
    about_run, about_document = statements(original)

    assert about_run["_type"] == "https://in-toto.io/Statement/v1"
    assert about_run["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    predicate = about_run["predicate"]
    assert predicate["result"] == "FAILED"
    assert predicate["passedTests"] == ["V4-SEARCH-FARE"]
    assert predicate["failedTests"] == ["V4-CURRENCY", "V4-MONEY"]
    assert predicate["airworthyCertificate"]["decision"] == "NOT CERTIFIED"
    assert predicate["airworthyCertificate"]["issued"] == "2026-11-21T12:00:00+00:00"
    assert predicate["airworthyCertificate"]["expires"] == "2027-11-21T12:00:00+00:00"
    assert [each["name"] for each in about_document["subject"]] == ["report.pdf"]
    certificate = read_certificate(original)
    assert certificate
    assert about_document["predicate"]["configuration"] == [
        {"name": "certificate", "digest": {"sha256": certificate.digest}}
    ]


def test_schema_describes_every_statement(original: Path) -> None:
    schema = json.loads((resource("schemas") / "report" / "certificate.json").read_text())
    Draft202012Validator.check_schema(schema)

    for statement in statements(original):
        Draft202012Validator(schema).validate(statement)
    with_more = statements(original)[0]
    with_more["predicate"]["airworthyCertificate"]["more"] = 1
    assert list(Draft202012Validator(schema).iter_errors(with_more))


def test_envelope_is_verified_by_the_library_alone(original: Path, key: SigningKey) -> None:
    for line in (original / CERTIFICATE).read_text().splitlines():
        envelope = Envelope.from_dict(json.loads(line))
        assert envelope.verify([key.public.verifier], 1)
        assert envelope.payload_type == "application/vnd.in-toto+json"


def test_certificate_is_read_for_a_report(original: Path, key: SigningKey, tmp_path: Path) -> None:
    certificate = read_certificate(original)

    assert certificate
    assert (certificate.key_id, certificate.issued) == (key.public.id, NOON)
    assert len(certificate.digest) == 64
    assert read_certificate(tmp_path) is None


def test_certificate_names_what_it_supersedes(original: Path, key: SigningKey, tmp_path: Path) -> None:
    write_run(tmp_path / "next")
    earlier = read_certificate(original)
    assert earlier

    certificate = sign_run(tmp_path / "next", key, supersedes=earlier.digest, validity=timedelta(days=30), now=NOON)

    assert (certificate.supersedes, certificate.expires) == (earlier.digest, NOON + timedelta(days=30))


def test_self_test_says_that_it_is_about_no_service(key: SigningKey, tmp_path: Path) -> None:
    write_run(tmp_path / "run", target="embedded sandbox")

    certificate = sign_run(tmp_path / "run", key, now=NOON)

    assert certificate.does_not_prove[-1].startswith("Conformance of a service: the target was the embedded sandbox")


# When a run cannot be signed


def test_run_is_signed_once(run: Path, key: SigningKey) -> None:
    with pytest.raises(UsageError, match="is signed already"):
        sign_run(run, key, now=LATER)


def test_clock_before_the_end_of_the_run_cannot_sign(key: SigningKey, tmp_path: Path) -> None:
    write_run(tmp_path / "run")

    with pytest.raises(UsageError, match="the run finished at 2026-11-21 08:39:00 UTC, but the clock of this machine"):
        sign_run(tmp_path / "run", key, now=NOON - timedelta(days=1))
    assert not (tmp_path / "run" / CERTIFICATE).exists()


def test_changed_run_cannot_be_signed(key: SigningKey, tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    evidence = tmp_path / "run" / "evidence.jsonl"
    evidence.write_bytes(evidence.read_bytes().replace(b'"status":200', b'"status":201', 1))

    with pytest.raises(UsageError, match=r"run/evidence.jsonl:1: the hash does not match"):
        sign_run(tmp_path / "run", key, now=NOON)


def test_document_is_signed_after_its_run(key: SigningKey, tmp_path: Path) -> None:
    write_run(tmp_path / "run")

    with pytest.raises(UsageError, match="the run is not signed"):
        sign_document(tmp_path / "run", key)


# When the verification fails


def test_wrong_key_is_named(run: Path, key: SigningKey, tmp_path: Path) -> None:
    other = new_key(tmp_path, "other")

    (problem,) = problems(run, other)

    assert problem == f"{CERTIFICATE}:1: signed with another key: {key.public.id}, expected {other.public.id}"


def test_signature_of_another_key_under_the_same_id_is_found(run: Path, key: SigningKey, tmp_path: Path) -> None:
    other = new_key(tmp_path, "other")
    (run / CERTIFICATE).unlink()
    sign_run(run, other, now=NOON)
    forged = (run / CERTIFICATE).read_text().replace(other.public.id, key.public.id)
    (run / CERTIFICATE).write_text(forged)

    assert problems(run, key)[0] == f"{CERTIFICATE}:1: the signature does not match the statement"


@pytest.mark.parametrize(
    ("after", "problem"),
    [
        (timedelta(days=364), ""),
        (timedelta(days=366), "the certificate expired at 2027-11-21 12:00:00 UTC"),
        (-timedelta(minutes=4), ""),
        (-timedelta(minutes=6), "the certificate was issued at 2026-11-21 12:00:00 UTC, but the clock of this machine"),
    ],
)
def test_certificate_is_valid_for_a_time(run: Path, key: SigningKey, after: timedelta, problem: str) -> None:
    found = verify_run(run, key.public, NOON + after).problems

    assert [str(each).startswith(f"{CERTIFICATE}:1: {problem}") for each in found] == [True] * bool(problem)


@pytest.mark.parametrize(
    ("known", "problem"),
    [
        ({"0.1.0": "e" * 64}, ""),
        ({}, "the requirement set 0.1.0 is unknown to this version of Airworthy"),
        ({"0.1.0": "f" * 64}, "the requirement set 0.1.0 differs from the released one"),
    ],
)
def test_version_of_a_requirement_set_has_to_be_a_released_one(
    key: SigningKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: dict[str, str], problem: str
) -> None:
    write_signed_run(tmp_path / "run", key, requirement_set="0.1.0")
    sets = tuple(RequirementSet("", version, digest, {}) for version, digest in known.items())
    monkeypatch.setattr(verification_module, "frozen_sets", lambda _: sets)

    assert problems(tmp_path / "run", key) == ([f"{CERTIFICATE}:1: {problem}"] if problem else [])


def test_folder_that_is_not_a_run_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not the folder of a run"):
        verify_run(tmp_path)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "evidence.jsonl",
            "evidence.jsonl: this is not the evidence of this run: results.json names another last hash",
        ),
        (CERTIFICATE, "evidence.jsonl: this is not the evidence that was signed"),
        ("results.json", "results.json:17: the file was changed after it was signed"),
    ],
)
def test_files_of_another_run_are_found(run: Path, key: SigningKey, tmp_path: Path, name: str, problem: str) -> None:
    write_signed_run(tmp_path / "other", key, run="20261122-083000", text="other")
    (run / name).write_bytes((tmp_path / "other" / name).read_bytes())

    assert problem in problems(run, key)


@pytest.fixture
def unsigned(run: Path) -> Path:
    for name in (CERTIFICATE, "report.pdf"):
        (run / name).unlink()
    return run


def test_missing_evidence_is_found_without_a_key(unsigned: Path) -> None:
    evidence = unsigned / "evidence.jsonl"
    assert problems(unsigned) == []

    evidence.write_bytes(evidence.read_bytes().splitlines(keepends=True)[0])
    assert problems(unsigned) == ["evidence.jsonl:2: lines are missing at the end: results.json names 2 lines"]
    evidence.unlink()
    assert problems(unsigned) == ["evidence.jsonl: the file is missing"]


def piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def test_pipe_in_place_of_the_results_is_found_without_a_certificate(unsigned: Path) -> None:
    piped(unsigned / "results.json")

    assert problems(unsigned) == ["results.json: this is not a regular file"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda run: (run / CERTIFICATE).unlink(), f"{CERTIFICATE}: the run is not signed: the file is missing"),
        (lambda run: (run / "junit.xml").unlink(), "junit.xml: the file is missing"),
        (lambda run: (run / "more.pdf").touch(), "more.pdf: the file is not signed; remove it, or sign the run again"),
        (lambda run: (run / ".DS_Store").touch(), ""),
        (lambda run: (run / "report.pdf").unlink(), "report.pdf: the file is missing"),
        (lambda run: (run / "more.html").symlink_to("nowhere"), "more.html: this is not a regular file; remove it"),
        (lambda run: (run / "more").symlink_to(run.parent), "more: this is not a regular file; remove it"),
        (lambda run: os.mkfifo(run / "more.json"), "more.json: this is not a regular file; remove it"),
        (lambda run: (run / "empty").mkdir(), ""),
        (lambda run: piped(run / "results.json"), "results.json: the file is missing"),
        (lambda run: piped(run / CERTIFICATE), f"{CERTIFICATE}: this is not a regular file"),
    ],
)
def test_files_are_those_that_were_signed(run: Path, key: SigningKey, change: Change, problem: str) -> None:
    change(run)

    assert problems(run, key) == ([problem] if problem else [])


def test_statement_about_a_document_of_another_certificate_is_found(run: Path, key: SigningKey, tmp_path: Path) -> None:
    write_signed_run(tmp_path / "other", key, run="20261122-083000")
    (first, _), (_, second) = (
        (folder / CERTIFICATE).read_bytes().splitlines(keepends=True) for folder in (run, tmp_path / "other")
    )
    (run / CERTIFICATE).write_bytes(first + second)

    assert problems(run, key)[0] == f"{CERTIFICATE}:2: the statement belongs to another certificate"
    (run / CERTIFICATE).write_bytes(first + first)
    assert problems(run, key)[0] == f"{CERTIFICATE}:2: expected one statement about report.pdf"
    (run / CERTIFICATE).write_bytes(second)
    assert problems(run, key)[0] == f"{CERTIFICATE}:1: expected the statement about the run"


# Without a key: the files have to agree


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"outcome": "NOT CERTIFIED"', '"outcome": "CERTIFIED"', "the decision is stated as CERTIFIED"),
        ('"failed": 1', '"failed": 0', "the counts do not follow from the rules"),
        ('"x0001",\n', '"x0009",\n', "names exchange x0009, which evidence.jsonl does not contain"),
        ('"format"', '"form"', "/: 'format' is a required property"),
        ('"lines": 2', '"lines": 3', "lines are missing at the end"),
        ('"last_hash": "', '"last_hash": "0', "/results/integrity/last_hash"),
    ],
)
def test_results_have_to_follow_from_themselves_and_the_evidence(
    unsigned: Path, old: str, new: str, problem: str
) -> None:
    text = (unsigned / "results.json").read_text()
    (unsigned / "results.json").write_text(text.replace(old, new, 1))

    assert old in text
    assert problem in "".join(problems(unsigned))


def test_verdict_has_to_follow_from_the_scenarios(unsigned: Path) -> None:
    results = verify_run(unsigned, None, LATER).results
    assert results
    rules = tuple(replace(rule, verdict="passed") if rule.id == "V4-CURRENCY" else rule for rule in results.rules)
    changed = replace(results, rules=rules)
    (unsigned / "results.json").write_bytes(to_json(changed))

    assert decide(changed) != decide(results)
    assert problems(unsigned) == [
        "results.json: the verdict on V4-CURRENCY is stated as passed, but failed follows from its scenarios"
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda line: [line.replace("7a2d", "7a2e")], "the line differs from the ledger in results.json"),
        (lambda _: [], "the line is missing: results.json names 2 entries"),
    ],
)
def test_changed_or_missing_line_of_the_ledger_is_named(
    unsigned: Path, change: Callable[[str], list[str]], problem: str
) -> None:
    first, second = (unsigned / "ledger.jsonl").read_text().splitlines(keepends=True)
    (unsigned / "ledger.jsonl").write_text("".join([first, *change(second)]))

    assert problems(unsigned) == [f"ledger.jsonl:2: {problem}"]
