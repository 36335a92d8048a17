"""Compare the routes and days of the two formats of the export.

Only warns: how often a file is uploaded is open (OPEN-101), so that one may be newer than the other.
"""

import re
import zlib
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from airworthy.export.formats import ExportFileName
from airworthy.export.report import FindingTally

COLUMNS: Final = ("departureAirport", "arrivalAirport", "departureDate")
RULE: Final = "EXPORT-SAME-CONTENT"
_MOST: Final = 5_000
_ROW: Final = re.compile(rb'^"?([A-Za-z]{3})"?;"?([A-Za-z]{3})"?;"?([0-9.]{10})', re.MULTILINE)


class RouteDays:
    """A sample of the routes and days of a file, chosen by their text, so that two samples can be compared."""

    def __init__(self) -> None:
        self.one_in = 1
        self._found: set[bytes] = set()

    def add(self, rows: bytes | memoryview) -> None:
        """Add the routes and days of rows, each on a line."""
        for cells in set(_ROW.findall(rows)):
            found = b" ".join(cells).upper()
            if not zlib.crc32(found) % self.one_in:
                self._found.add(found)
        while len(self._found) > _MOST:
            self.one_in *= 2
            self._found = self.among(self.one_in)

    def among(self, one_in: int) -> set[bytes]:
        """Return the routes and days that a sample of one in so many contains."""
        return {each for each in self._found if not zlib.crc32(each) % one_in}


def compare(files: Mapping[ExportFileName, RouteDays], tally: FindingTally) -> Iterator[str]:
    """Add what one format of a customer's file lacks, and yield the rule for each two files that were compared."""
    for one, other in combinations(sorted(files, key=lambda name: name.text), 2):
        if (one.customer, one.version) == (other.customer, other.version):
            yield RULE
            one_in = max(files[one].one_in, files[other].one_in)
            samples = {name: files[name].among(one_in) for name in (one, other)}
            for name, without in ((one, other), (other, one)):
                for each in sorted(samples[name] - samples[without]):
                    message = f"a route and day of {name.text} is missing from {without.text}"
                    tally.add(RULE, message, value=each, expected="the same routes and days", soft=True)
