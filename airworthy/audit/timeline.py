"""The entries of recordings in order of time, in little memory: 24 bytes for each entry."""

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from airworthy.audit.links import Links
from airworthy.audit.worker import EntryLocation


class EntryTimeline:
    """The locations of entries, which are added in the order of files and iterated over in order of time.

    It remembers time, start and end of each entry, and the problem of an entry that cannot be read. Recordings are
    almost always in order of time; if they are not, iterating also needs the order, 70 bytes for each entry.
    """

    def __init__(self) -> None:
        self._times = array("d")
        self._starts, self._ends = array("Q"), array("Q")
        self._problems: dict[int, str] = {}
        self._files: list[int] = []
        # The position of the first entry of each of these files.
        self._first: list[int] = []

    def add(self, entry: tuple[float, EntryLocation], links: Links) -> None:  # noqa: ARG002 - all belong together
        """Add an entry with its time. The index of the entry in its file follows from the order."""
        started, location = entry
        if not self._files or self._files[-1] != location.file:
            self._files.append(location.file)
            self._first.append(len(self))
        if location.problem:
            self._problems[len(self)] = location.problem
        self._times.append(started)
        self._starts.append(location.start)
        self._ends.append(location.end)

    def __len__(self) -> int:
        return len(self._times)

    def __iter__(self) -> Iterator[EntryLocation]:
        """Yield the locations in order of time; entries with the same time stay in their order."""
        is_sorted = all(earlier <= later for earlier, later in pairwise(self._times))
        positions = range(len(self)) if is_sorted else sorted(range(len(self)), key=self._times.__getitem__)
        return map(self._location, positions)

    def _location(self, position: int) -> EntryLocation:
        index = bisect_right(self._first, position) - 1
        return EntryLocation(
            self._files[index],
            position - self._first[index],
            self._starts[position],
            self._ends[position],
            self._problems.get(position, ""),
        )
