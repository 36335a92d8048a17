"""Verify the chains of several evidence files: a chain of rotated files spans all files of its writer."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from airworthy.evidence.chain import NOT_FOLLOWING, START, ChainCheck, verify_chain
from airworthy.evidence.rotation import RecordedEnd, RotatedName, recorded_ends, rotated_name

_UNFINISHED: Final = "the line is incomplete"


class Problem(NamedTuple):
    """A reason why something is not verified: the file, the line (0 if it is about no particular line), the reason."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"

    @property
    def is_unfinished(self) -> bool:
        """Whether the last line is incomplete, as a process leaves it that is killed."""
        return self.message == _UNFINISHED

    @property
    def explained(self) -> str:
        """The place and the reason, and what follows from a line that is not as it was recorded."""
        return f"{self}; the evidence was changed after it was recorded" if self.line else str(self)


@dataclass(frozen=True, slots=True)
class VerifiedChain:
    """A chain of ``files`` with so many ``lines``; ``name`` is the path of a single file or the name of the writer.

    ``first`` and ``last`` are the numbers of the first and the last rotated file, 0 for a single file.
    """

    name: str
    files: int
    lines: int
    last_hash: str
    problems: tuple[Problem, ...] = ()
    first: int = 0
    last: int = 0


def verify_chains(
    paths: Iterable[Path], *, later_start: bool = False, folders: Iterable[Path] = ()
) -> tuple[VerifiedChain, ...]:
    """Verify evidence files, of which rotated ones are put into the order of their numbers.

    ``later_start`` accepts that the first files of a chain are missing. Missing files at its end are detected if its
    hidden file is in one of the ``folders``. Raises `UsageError` if a file cannot be read.
    """
    chains: list[VerifiedChain] = []
    rotated: dict[str, list[tuple[RotatedName, Path]]] = defaultdict(list)
    for path in paths:
        if name := rotated_name(path):
            rotated[name.writer].append((name, path))
        else:
            check = verify_chain(path)
            chains.append(VerifiedChain(str(path), 1, check.lines, check.last_hash, _problems(path, check)))
    ends = {writer: end for folder in folders for writer, end in recorded_ends(folder).items()}
    for writer in sorted(rotated.keys() | (set() if later_start else ends)):
        chain = _verify_rotated(writer, sorted(rotated[writer]), later_start)
        if found := _end_problems(chain, ends.get(writer)):
            chain = replace(chain, problems=(*chain.problems, *found))
        if chain.files or chain.problems:
            chains.append(chain)
    return tuple(chains)


def _end_problems(chain: VerifiedChain, end: RecordedEnd | None) -> tuple[Problem, ...]:
    """Return what is missing at the end of a chain, or differs from its recorded end."""
    if end is None or chain.last >= end.next:
        return ()
    # A file that has just been ended is not compressed yet.
    names = (RotatedName(chain.name, number, is_open=True) for number in range(chain.last + 1, end.next))
    missing = [each.number for each in names if not (end.folder / str(each)).exists()]
    if missing:
        first = RotatedName(chain.name, missing[0])
        return (_missing(end.folder / str(first), chain.name, missing[0], missing[-1]),)
    if chain.last == end.next - 1 and not chain.problems and chain.last_hash != end.last_hash:
        last = end.folder / str(RotatedName(chain.name, chain.last))
        return (Problem(str(last), chain.lines, "the chain does not end with the hash that its hidden file names"),)
    return ()


def _verify_rotated(writer: str, members: Sequence[tuple[RotatedName, Path]], later_start: bool) -> VerifiedChain:
    problems: list[Problem] = []
    first, lines, last_hash = (members[0][0].number if members else 0), 0, START
    # The hash to follow is unknown after a missing or damaged file.
    previous: str | None = START
    expected, before = 1, Path()
    for name, path in members:
        if name.number < expected:
            problems.append(Problem(str(path), 0, f"the file is a copy of number {name.number} of {writer}: {before}"))
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


def _missing(path: Path, writer: str, first: int, last: int) -> Problem:
    start, end = (RotatedName(writer, number) for number in (first, last))
    message = "the file is missing" if first == last else f"this file and those after it up to {end} are missing"
    return Problem(str(path.with_name(str(start))), 0, message)


def chain_problems(file: str, check: ChainCheck, before: str = "") -> tuple[Problem, ...]:
    """Return what is wrong with the chain of a file; ``before`` is the name of the rotated file that it follows."""
    if check.altered:
        is_cut = check.altered == 1 and check.reason == NOT_FOLLOWING and before
        reason = f"the line does not follow the last line of {before}" if is_cut else check.reason
        return (Problem(file, check.altered, reason),)
    return (Problem(file, check.lines + 1, _UNFINISHED),) if check.unfinished else ()


def _problems(path: Path, check: ChainCheck, before: str = "") -> tuple[Problem, ...]:
    found = chain_problems(str(path), check, before)
    return found if found or check.lines else (Problem(str(path), 0, "the file is empty"),)
