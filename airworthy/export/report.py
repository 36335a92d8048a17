"""The result of an export check, as the suite and the command line show it."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final, Literal

from airworthy.text import printable

ExportFindingKind = Literal["violation", "unreadable"]
_Key = tuple[str, ExportFindingKind, str, str, str, str, bool]
EXAMPLES: Final = 5
LONGEST_SHOWN: Final = 80
_SUSPICIOUS: Final = re.compile(
    r"""(?x) \S+ [@=] \S+ | \S* :// \S* | (?<!\w) \+? [0-9] (?: [^\w\n,;|"]{0,3} [0-9] ){8,}
    | (?= (?: [A-Za-z_+/-]* [0-9] ){3} ) (?= [0-9_+/-]* [A-Za-z] ) [\w+/-]{16,}"""
)
_SIGNIFICANT: Final = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class FindingExample:
    """One occurrence of a finding; ``line`` is 0 for the whole file, ``value`` is escaped and shortened."""

    line: int
    value: str


@dataclass(frozen=True, slots=True)
class ExportFinding:
    """One root cause in one file. It occurs ``count`` times; ``examples`` are the first occurrences.

    ``column`` is "" if the finding is not about a column. A ``soft`` finding warns and never fails.
    """

    rule: str
    kind: ExportFindingKind
    file: str
    column: str
    message: str
    expected: str
    soft: bool
    count: int
    examples: tuple[FindingExample, ...]

    @property
    def line(self) -> int:
        """The line of the first occurrence."""
        return self.examples[0].line

    @property
    def value(self) -> str:
        """The value of the first occurrence."""
        return self.examples[0].value


@dataclass(frozen=True, slots=True)
class ExportObservation:
    """What a file does where the documents are silent.

    ``question`` is an id of the open questions, ``subject`` its name in the features, and ``line`` the first line that
    shows ``value`` (0 for the listing).
    """

    question: str
    subject: str
    value: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class FileReport:
    """The result for one file.

    ``format`` is None if neither the name nor the header identifies it. ``examined`` are the rules that something in
    the file was checked against. ``interrupted`` says why the file was not read to its end, "" if it was.
    """

    file: str
    format: str | None
    rows: int
    findings: tuple[ExportFinding, ...]
    observations: tuple[ExportObservation, ...]
    examined: frozenset[str]
    interrupted: str = ""


@dataclass(frozen=True, slots=True)
class ExportReport:
    """The result for a folder: its listing, and each file."""

    location: str
    listing: FileReport
    files: tuple[FileReport, ...]

    @property
    def findings(self) -> tuple[ExportFinding, ...]:
        """All findings, those of the listing first."""
        return tuple(each for part in self.parts for each in part.findings)

    @property
    def observations(self) -> tuple[ExportObservation, ...]:
        """All observations."""
        return tuple(each for part in self.parts for each in part.observations)

    @property
    def examined(self) -> frozenset[str]:
        """The rules that something was checked against."""
        return frozenset().union(*(part.examined for part in self.parts))

    @property
    def interruptions(self) -> tuple[str, ...]:
        """Why files were not read to their end, one line each."""
        return tuple(f"{part.file}: {part.interrupted}" for part in self.files if part.interrupted)

    @property
    def rows(self) -> int:
        """The number of rows read."""
        return sum(part.rows for part in self.files)

    @property
    def exit_code(self) -> int:
        """0 if no rule is violated, 1 if one is, 3 if none is but a file could not be read completely."""
        hard = {each.kind for each in self.findings if not each.soft}
        if "violation" in hard:
            return 1
        return 3 if hard or self.interruptions else 0

    @property
    def parts(self) -> tuple[FileReport, ...]:
        """The listing and the files."""
        return (self.listing, *self.files)


@dataclass(slots=True)
class FindingTally:
    """Counts the findings of one file in bounded memory. With ``all_soft`` every finding is soft."""

    file: str
    all_soft: bool = False
    _counts: Counter[_Key] = field(default_factory=Counter)
    _examples: defaultdict[_Key, list[FindingExample]] = field(default_factory=lambda: defaultdict(list))

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
        kind: ExportFindingKind = "violation",
    ) -> None:
        """Count one occurrence of a finding."""
        key = (rule, kind, self.file, column, message, expected, soft or self.all_soft)
        self._counts[key] += 1
        if self._counts[key] <= EXAMPLES:
            self._examples[key].append(FindingExample(line, shown_cell(value)))

    def findings(self) -> Iterator[ExportFinding]:
        """Yield the findings in the order of their first occurrence, those that are not soft first."""
        for key in sorted(self._counts, key=itemgetter(-1)):
            yield ExportFinding(*key, self._counts[key], tuple(self._examples[key]))


def shown_cell(value: bytes | str) -> str:
    """Return a cell or a header as printable text.

    Words, numbers and codes of a content export are public, but a cell can contain anything. So what looks like an
    address, a token or a long number loses its letters and digits.
    """
    return shown(_SUSPICIOUS.sub(lambda found: _SIGNIFICANT.sub("*", found[0]), _text(value)))


def shown(value: bytes | str) -> str:
    """Return a value as text that is safe on a terminal and a page: escaped, and shortened if it is long."""
    safe = printable(_text(value))
    return safe if len(value) <= LONGEST_SHOWN and len(safe) <= 2 * LONGEST_SHOWN else f"{safe[:LONGEST_SHOWN]}…"


def _text(value: bytes | str) -> str:
    cut = value[: LONGEST_SHOWN + 1]
    return cut.decode("utf-8", "backslashreplace") if isinstance(cut, bytes) else cut
