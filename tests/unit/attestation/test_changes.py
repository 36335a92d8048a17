"""Every change of a signed run is found, with the file and the line; in evidence even without a key."""

import hashlib
import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from airworthy.attestation.bundle import read_bundle
from airworthy.attestation.keys import SigningKey
from airworthy.attestation.verification import verify_evidence, verify_run
from airworthy.evidence.verification import Problem
from airworthy.report.write import CERTIFICATE

from .signed_run import LATER

FILES = (
    *("certificate.intoto.jsonl", "evidence.jsonl", "findings.sarif", "junit.xml", "ledger.jsonl"),
    *("report.html", "report.pdf", "results.json", "summary.md"),
)
# In longer files, this many lines are changed, at equal distances.
MOST_LINES = 20
Lines = list[bytes]


@pytest.fixture(scope="module")
def copy(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy whose files each test restores."""
    return Path(shutil.copytree(original, tmp_path_factory.mktemp("copy") / "run"))


def lines_of(path: Path) -> Lines:
    with path.open("rb") as file:
        return file.readlines()


def flipped(lines: Lines, number: int) -> Lines:
    """Flip one bit of a line; the position depends on the content of the line."""
    line = bytearray(lines[number - 1])
    seed = int.from_bytes(hashlib.sha256(line + number.to_bytes(4, "big")).digest()[:8], "big")
    line[seed % len(line)] ^= 1 << (seed >> 32) % 8
    return [*lines[: number - 1], bytes(line), *lines[number:]]


def rearranged(lines: Lines) -> Iterator[tuple[str, int, Lines]]:
    """Yield lines dropped, repeated, swapped and truncated, with the number of the first line that differs."""
    for index, line in enumerate(lines):
        if lines[index + 1 : index + 2] != [line]:
            yield "dropped", index + 1, lines[:index] + lines[index + 1 :]
            yield "repeated", index + 2, [*lines[: index + 1], *lines[index:]]
        yield "truncated", index + 1, [*lines[:index], line[: len(line) // 2]]
    for index, (line, following) in enumerate(pairwise(lines)):
        if line != following:
            yield "swapped", index + 1, [*lines[:index], following, line, *lines[index + 2 :]]


def problems_with(copy: Path, name: str, lines: Lines, key: SigningKey) -> tuple[Problem, ...]:
    """Return what a verification of the run finds if one file has these lines, and restore the file."""
    path = copy / name
    before = path.read_bytes()
    path.write_bytes(b"".join(lines))
    try:
        return verify_run(copy, key.public, LATER).problems
    finally:
        path.write_bytes(before)


def test_signed_run_is_verified(original: Path, key: SigningKey) -> None:
    verification = verify_run(original, key.public, LATER)

    assert verification.problems == ()
    assert verification.signed_with == key.public.id
    assert sorted(path.name for path in original.iterdir()) == sorted(FILES)


@pytest.mark.parametrize("name", FILES)
def test_flipped_bit_is_found(copy: Path, key: SigningKey, name: str) -> None:
    lines = lines_of(copy / name)
    for number in range(1, len(lines) + 1, len(lines) // MOST_LINES + 1):
        (problem,) = problems_with(copy, name, flipped(lines, number), key)
        assert (problem.file, problem.line) == (name, 0 if name == "report.pdf" else number)


@pytest.mark.parametrize("name", ["certificate.intoto.jsonl", "evidence.jsonl", "ledger.jsonl", "summary.md"])
def test_rearranged_lines_are_found(copy: Path, key: SigningKey, name: str) -> None:
    changes = [*rearranged(lines_of(copy / name))]
    # Three kinds of change alternate: a step that is not a multiple of three tries each of them.
    for change, number, lines in changes[:: 3 * (len(changes) // (6 * MOST_LINES)) + 1]:
        found = problems_with(copy, name, lines, key)
        assert found, (change, number)
        if name == CERTIFICATE:
            # Without its second line, the certificate no longer covers the document.
            assert found[0].file in (name, "report.pdf"), (change, number)
        else:
            assert [(each.file, each.line) for each in found] == [(name, number)], (change, number)


def test_flipped_bit_is_found_at_the_ends_of_the_parts_of_an_envelope(
    original: Path, tmp_path: Path, key: SigningKey
) -> None:
    content = lines_of(original / CERTIFICATE)[0]
    # There, another spelling of the same JSON or Base64 could have the same meaning.
    ends = [found.end() for found in re.finditer(rb'[{:,"\[]+', content)] + [len(content)]
    for place in sorted({place for end in ends for place in range(max(0, end - 6), min(end + 2, len(content)))}):
        for bit in (1, 4):
            changed = bytes((*content[:place], content[place] ^ bit, *content[place + 1 :]))
            (tmp_path / CERTIFICATE).write_bytes(changed)
            bundle = read_bundle(tmp_path, key.public)
            assert bundle, (place, bit)
            assert bundle.problem, (place, bit)


def test_chain_of_evidence_is_verified_without_a_key(original: Path, tmp_path: Path) -> None:
    path = tmp_path / "evidence.jsonl"
    lines = lines_of(original / "evidence.jsonl")

    def found(changed: Lines) -> tuple[Problem, ...]:
        path.write_bytes(b"".join(changed))
        return verify_evidence([path]).problems

    assert found(lines) == ()
    for number in range(1, len(lines) + 1):
        assert [each.line for each in found(flipped(lines, number))] == [number]
    for change, number, changed in rearranged(lines):
        if change == "dropped" and number == len(lines):
            # Only the results, or a certificate, say how many lines there were.
            assert found(changed) == ()
        else:
            assert [each.line for each in found(changed)] == [number], (change, number)
    assert [str(each) for each in found([])] == [f"{path}: the file is empty"]
