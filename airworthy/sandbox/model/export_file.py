"""One file of the content export, as a value before it is written.

Its lines are generated one by one, so that an export of any size needs little memory.
"""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

Line = list[str]
"""The cells of a line, in the order of the columns."""
Lines = Callable[[], Iterator[Line]]

_BATCH_LINES: Final = 500


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file of the content export; each call of ``lines`` generates its cells again.

    ``customer`` is "" and ``version`` 0 if the file has a legacy name. ``begins`` and ``ends`` are bytes before and
    after the content; ``cut`` is the largest number of bytes that is written.
    """

    name: str
    format: str
    version: int
    customer: str
    columns: tuple[str, ...]
    lines: Lines
    separator: str = ";"
    encoding: str = "utf-8"
    quotes_all: bool = False
    line_end: str = "\n"
    ends_last_line: bool = True
    header: bool = True
    begins: bytes = b""
    ends: bytes = b""
    cut: int | None = None

    def write(self, path: Path) -> None:
        """Write the file to a path."""
        with path.open("wb") as file:
            file.write(self.begins)
            for chunk in self._encoded():
                file.write(chunk)
            file.write(self.ends)
            if self.cut is not None:
                file.truncate(min(self.cut, file.tell()))

    def _encoded(self) -> Iterator[bytes]:
        # Only the first chunk starts with a byte order mark.
        codec = self.encoding
        for text in self._texts():
            yield text.encode(codec, errors="replace")
            codec = codec.removesuffix("-sig")

    def _texts(self) -> Iterator[str]:
        """Yield the text in batches of lines, with a line end between them."""
        buffer = io.StringIO(newline="")
        writer = csv.writer(
            buffer,
            delimiter=self.separator,
            quoting=csv.QUOTE_ALL if self.quotes_all else csv.QUOTE_MINIMAL,
            lineterminator=self.line_end,
        )
        lines = self.lines()
        batch: list[Sequence[str]] = [self.columns] if self.header else list(islice(lines, _BATCH_LINES))
        between = ""
        while batch:
            buffer.seek(0)
            buffer.truncate()
            writer.writerows(batch)
            yield between + buffer.getvalue().removesuffix(self.line_end)
            between = self.line_end
            batch = list(islice(lines, _BATCH_LINES))
        yield between if self.ends_last_line else ""
