"""What a check of the export found: values that the suite and the command line show alike."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

Kind = Literal["violation", "unreadable"]
EXAMPLES: Final = 5
LONGEST_SHOWN: Final = 80


@dataclass(frozen=True, slots=True)
class Example:
    """Where a fault shows: ``line`` counts from 1 (0: the file as a whole), ``value`` is escaped and cut."""

    line: int
    value: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One root cause in one file, however often it shows: ``count`` times, first of all at ``examples``.

    ``column`` is "" where it is about no column. A ``soft`` finding warns and never fails.
    """

    rule: str
    kind: Kind
    file: str
    column: str
    message: str
    expected: str
    soft: bool
    count: int
    examples: tuple[Example, ...]

    @property
    def line(self) -> int:
        """Where it shows first."""
        return self.examples[0].line

    @property
    def value(self) -> str:
        """What it shows first."""
        return self.examples[0].value


@dataclass(frozen=True, slots=True)
class Observation:
    """What a file does where the documents are silent.

    ``subject`` is called as in the features; ``line`` is where it shows first (0: the listing).
    """

    question: str
    subject: str
    value: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class FileReport:
    """What was found in one file.

    ``format`` is None where neither name nor header tells it. ``examined`` are the rules that something in it was held
    against. ``interrupted`` says why the file was not read to its end, "" where it was.
    """

    file: str
    format: str | None
    rows: int
    findings: tuple[Finding, ...]
    observations: tuple[Observation, ...]
    examined: frozenset[str]
    interrupted: str = ""


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was found in a folder: in its listing, and file by file."""

    location: str
    listing: FileReport
    files: tuple[FileReport, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, those of the listing first."""
        return tuple(each for part in self.parts for each in part.findings)

    @property
    def observations(self) -> tuple[Observation, ...]:
        """All observations."""
        return tuple(each for part in self.parts for each in part.observations)

    @property
    def examined(self) -> frozenset[str]:
        """The rules that something was held against."""
        return frozenset().union(*(part.examined for part in self.parts))

    @property
    def interruptions(self) -> tuple[str, ...]:
        """Why not all was read, file by file."""
        return tuple(f"{part.file}: {part.interrupted}" for part in self.files if part.interrupted)

    @property
    def rows(self) -> int:
        """How many rows were read."""
        return sum(part.rows for part in self.files)

    @property
    def exit_code(self) -> int:
        """0: no rule is broken; 1: one is; 3: none is, as far as the files could be read."""
        hard = {each.kind for each in self.findings if not each.soft}
        if "violation" in hard:
            return 1
        return 3 if hard or self.interruptions else 0

    @property
    def parts(self) -> tuple[FileReport, ...]:
        """The listing and the files."""
        return (self.listing, *self.files)


@dataclass(slots=True)
class Tally:
    """Counts findings of one file in bounded memory. ``all_soft``: nothing in the file can fail."""

    file: str
    all_soft: bool = False
    _found: dict[tuple[str, str, str, str, bool], "_Counted"] = field(default_factory=dict)

    def add(
        self,
        rule: str,
        message: str,
        *,
        line: int = 0,
        column: str = "",
        value: bytes | str = "",
        expected: str = "",
        soft: bool = False,
        kind: Kind = "violation",
    ) -> None:
        """Count one more of a kind."""
        key = (rule, column, message, expected, soft or self.all_soft)
        counted = self._found.get(key)
        if counted is None:
            counted = self._found[key] = _Counted(kind)
        counted.count += 1
        if len(counted.examples) < EXAMPLES:
            counted.examples.append(Example(line, shown(value)))

    def findings(self) -> Iterator[Finding]:
        """Yield what was counted, in the order of first sight; what can fail comes first."""
        for key in sorted(self._found, key=lambda key: key[-1]):
            rule, column, message, expected, soft = key
            counted = self._found[key]
            yield Finding(
                rule, counted.kind, self.file, column, message, expected, soft, counted.count, tuple(counted.examples)
            )


@dataclass(slots=True)
class _Counted:
    kind: Kind
    count: int = 0
    examples: list[Example] = field(default_factory=list)


def shown(value: bytes | str) -> str:
    """Return a value as text that a terminal and a page can show: escaped, and cut where it is long."""
    cut = value[: LONGEST_SHOWN + 1]
    text = cut.decode("utf-8", "backslashreplace") if isinstance(cut, bytes) else cut
    safe = "".join(_escaped(text))
    return safe if len(value) <= LONGEST_SHOWN and len(safe) <= 2 * LONGEST_SHOWN else f"{safe[:LONGEST_SHOWN]}…"


def _escaped(text: Iterable[str]) -> Iterator[str]:
    for each in text:
        yield each if each.isprintable() else each.encode("unicode_escape").decode("ascii")
