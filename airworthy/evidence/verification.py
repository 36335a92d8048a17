"""Verify the chains of several evidence files: a chain of rotated files spans all files of its writer."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from airworthy.evidence.chain import NOT_FOLLOWING, START, ChainCheck, verify_chain
from airworthy.evidence.rotation import RotatedName, rotated_name


class ChainProblem(NamedTuple):
    """What is wrong with a file: the line, 0 if it is about no particular line, and the reason.

    ``is_unfinished`` is true if its last line is incomplete, as a process leaves it that is killed.
    """

    path: Path
    line: int
    message: str
    is_unfinished: bool = False


@dataclass(frozen=True, slots=True)
class VerifiedChain:
    """A chain of ``files`` with so many ``lines``; ``name`` is the path of a single file or the name of the writer.

    ``first`` and ``last`` are the numbers of the first and the last rotated file, 0 for a single file.
    """

    name: str
    files: int
    lines: int
    last_hash: str
    problems: tuple[ChainProblem, ...] = ()
    first: int = 0
    last: int = 0


def verify_chains(paths: Iterable[Path], *, later_start: bool = False) -> tuple[VerifiedChain, ...]:
    """Verify evidence files, of which rotated ones are put into the order of their numbers.

    ``later_start`` accepts that the first files of a chain are missing. Missing files at its end cannot be detected.

    Raises:
        UsageError: a file cannot be read.
    """
    chains: list[VerifiedChain] = []
    rotated: dict[str, list[tuple[RotatedName, Path]]] = defaultdict(list)
    for path in paths:
        if name := rotated_name(path):
            rotated[name.writer].append((name, path))
        else:
            check = verify_chain(path)
            chains.append(VerifiedChain(str(path), 1, check.lines, check.last_hash, _problems(path, check)))
    chains += [_verify_rotated(writer, sorted(members), later_start) for writer, members in sorted(rotated.items())]
    return tuple(chains)


def _verify_rotated(writer: str, members: Sequence[tuple[RotatedName, Path]], later_start: bool) -> VerifiedChain:
    problems: list[ChainProblem] = []
    first, lines, last_hash = members[0][0].number, 0, START
    # The hash to follow is unknown after a missing or damaged file.
    previous: str | None = START
    expected, before = 1, Path()
    for name, path in members:
        if name.number < expected:
            problems.append(ChainProblem(path, 0, f"the file is a copy of number {name.number} of {writer}: {before}"))
            continue
        if name.number > expected:
            if not later_start or before.name:
                problems.append(_missing(path, writer, expected, name.number - 1))
            previous = None
        check = verify_chain(path, previous)
        found = _problems(path, check, before.name)
        problems += found
        lines += check.lines
        last_hash = check.last_hash
        previous = None if found else last_hash
        expected, before = name.number + 1, path
    return VerifiedChain(writer, len(members), lines, last_hash, tuple(problems), first, expected - 1)


def _missing(path: Path, writer: str, first: int, last: int) -> ChainProblem:
    start, end = (RotatedName(writer, number) for number in (first, last))
    message = "the file is missing" if first == last else f"this file and those after it up to {end} are missing"
    return ChainProblem(path.with_name(str(start)), 0, message)


def _problems(path: Path, check: ChainCheck, before: str = "") -> tuple[ChainProblem, ...]:
    if check.altered:
        is_cut = check.altered == 1 and check.reason == NOT_FOLLOWING and before
        reason = f"the line does not follow the last line of {before}" if is_cut else check.reason
        return (ChainProblem(path, check.altered, reason),)
    if check.unfinished:
        return (ChainProblem(path, check.lines + 1, "the line is incomplete", is_unfinished=True),)
    return () if check.lines else (ChainProblem(path, 0, "the file is empty"),)
