"""Read a CSV file row by row, in any encoding, with any line ends and quoting, and with any defects.

The csv module does not say which cells are quoted or on which line a multi-line row begins, and it stops at a defect.
The check has to name the line of every defect.
"""

import codecs
import re
from typing import Final, Literal, NamedTuple, Protocol

LONGEST: Final = 1 << 20
"""The longest row that is checked, in bytes."""

_BLOCK: Final = 1 << 18
_HEAD: Final = 8
_LINE: Final = re.compile(rb"[^\r\n]*+(?:\r\n|\n|\r)?+")
_END: Final = re.compile(rb"\r\n|\n|\r")
_BOMS: Final = (
    (codecs.BOM_UTF8, "", ""),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
# ASCII letters in UTF-16 without a byte order mark.
_WIDE: Final = ((re.compile(rb"(?:[ -~]\0){4}"), "utf-16-le"), (re.compile(rb"(?:\0[ -~]){4}"), "utf-16-be"))
_ENDS: Final = {b"\n": "LF", b"\r\n": "CRLF", b"\r": "CR", b"": "none"}

RowPattern = re.Pattern[bytes]
"""A compiled pattern, of `re` or RE2, that matches any number of rows, each with its line end."""
RowDefect = Literal["", "NUL", "unclosed quote", "too long"]


class ByteStream(Protocol):
    """A stream of bytes to read from."""

    def read(self, size: int, /) -> bytes:
        """Return at most ``size`` bytes, b"" at the end."""


class ExportRow(NamedTuple):
    """A row of cells.

    ``line`` is the line on which it begins, ``raw`` its bytes without the line end, and ``end`` the kind of line end:
    LF, CRLF, CR, or none at the end of the file. ``quoted`` says for each cell whether it is quoted. A row with a
    ``defect`` has no cells.
    """

    line: int
    raw: bytes
    cells: tuple[bytes, ...]
    quoted: tuple[bool, ...]
    end: str
    defect: RowDefect = ""


class RowReader:
    """Reads the rows of a stream, in memory that does not grow with the stream.

    ``encoding`` is set if the first bytes show an encoding with two or more bytes per character; the rows are then
    given in UTF-8. Otherwise it is None, and the bytes are given unchanged. ``bom`` says whether the stream begins with
    a byte order mark, and ``line`` is the line of the next row.
    """

    def __init__(self, stream: ByteStream, delimiter: str) -> None:
        self.encoding: str | None = None
        self.bom = False
        self._stream = stream
        self._delimiter = delimiter.encode()
        delimiter_pattern = re.escape(self._delimiter)
        self._cell = re.compile(
            rb'"((?:[^"]++|"")*+)"([^%b\r\n]*+)|([^%b\r\n]*+)' % (delimiter_pattern, delimiter_pattern)
        )
        self._decoder: codecs.IncrementalDecoder | None = None
        self._buffer = b""
        self._at = 0
        self.line = 1
        self._ended = False
        self._begin()

    def take(self, rows: RowPattern) -> memoryview:
        """Return the following rows that a pattern matches, as far as they are buffered, without copying them.

        Each row that the pattern matches must end in one LF.
        """
        match = rows.match(self._buffer, self._at)
        begin, self._at = self._at, match.end() if match else self._at
        self.line += self._buffer.count(b"\n", begin, self._at)
        return memoryview(self._buffer)[begin : self._at]

    def next(self) -> ExportRow | None:
        """Return the next row, or None at the end of the file."""
        line = self._next_line()
        if line is None:
            return self._too_long() if self._at < len(self._buffer) else None
        if b'"' in line:
            return self._with_quotes(line)
        if b"\0" in line:
            return self._row(line, (), (), "NUL")
        cells = tuple(line.rstrip(b"\r\n").split(self._delimiter))
        return self._row(line, cells, (False,) * len(cells))

    def _next_line(self) -> bytes | None:
        """Return the next line with its end, or None at the end of the file or if the line is too long."""
        while True:
            match = _LINE.match(self._buffer, self._at)
            end = match.end() if match else self._at
            # A CR at the end of the buffer may be the first half of a CRLF.
            if end < len(self._buffer) or self._buffer.endswith(b"\n", self._at):
                break
            if end - self._at > LONGEST or not self._fill():
                break
        return self._buffer[self._at : end] if self._at < end <= self._at + LONGEST + 2 else None

    def _with_quotes(self, line: bytes) -> ExportRow:
        while True:
            cells, quoted, at = self._cells()
            # At the end of the buffer a quote may be the first of two, and a CR the first half of a CRLF.
            if at < len(self._buffer) - 1 or len(self._buffer) - self._at > LONGEST or not self._fill():
                break
        end = _END.match(self._buffer, at)
        if not cells or at - self._at > LONGEST:
            return self._row(line, (), (), "unclosed quote")
        whole = self._buffer[self._at : end.end() if end else at]
        return self._row(whole, cells, quoted, "NUL" if b"\0" in whole else "")

    def _cells(self) -> tuple[tuple[bytes, ...], tuple[bool, ...], int]:
        """Return the cells of the next row and where the row ends; no cells if a quote is not closed in the buffer."""
        cells: list[bytes] = []
        quoted: list[bool] = []
        at = self._at
        while True:
            is_quoted = self._buffer.startswith(b'"', at)
            match = self._cell.match(self._buffer, at)
            if match is None or (is_quoted and match[1] is None):
                return (), (), len(self._buffer)
            cells.append(match[1].replace(b'""', b'"') + match[2] if is_quoted else match[3])
            quoted.append(is_quoted)
            at = match.end()
            if not self._buffer.startswith(self._delimiter, at):
                return tuple(cells), tuple(quoted), at
            at += len(self._delimiter)

    def _row(
        self, whole: bytes, cells: tuple[bytes, ...], quoted: tuple[bool, ...], defect: RowDefect = ""
    ) -> ExportRow:
        raw = whole.rstrip(b"\r\n")
        begin, end = self.line, whole[len(raw) :]
        self._at += len(whole)
        # Only a quoted cell may contain the end of a line.
        self.line += (len(_END.findall(raw)) if b'"' in raw else 0) + (1 if end else 0)
        return ExportRow(begin, raw, cells, quoted, _ENDS.get(end, "none"), defect)

    def _too_long(self) -> ExportRow:
        """Move past a line that is too long to keep in memory, and return its beginning as a row."""
        begin, raw = self.line, self._buffer[self._at : self._at + LONGEST]
        while not (ends := [at for each in b"\r\n" if (at := self._buffer.find(each, self._at)) >= 0]):
            self._at = len(self._buffer)
            if not self._fill():
                return ExportRow(begin, raw, (), (), "none", "too long")
        self._at = min(ends)
        if self._at > len(self._buffer) - 2:
            self._fill()
        rest = _END.match(self._buffer, self._at)
        assert rest
        self._at = rest.end()
        self.line += 1
        return ExportRow(begin, raw, (), (), _ENDS[rest[0]], "too long")

    # Bytes

    def _begin(self) -> None:
        while len(self._buffer) < _HEAD and self._fill():
            pass
        head = self._buffer
        bom, codec, name = next((each for each in _BOMS if head.startswith(each[0])), (b"", "", ""))
        if not bom and (codec := next((each for pattern, each in _WIDE if pattern.match(head)), "")):
            name = "UTF-16"
        self.bom, self.encoding = bool(bom), name or None
        self._buffer = head[len(bom) :]
        if codec:
            self._decoder = codecs.getincrementaldecoder(codec)("replace")
            self._buffer = self._decoder.decode(self._buffer, self._ended).encode()

    def _fill(self) -> bool:
        """Read the next block and drop what was consumed; return whether there was more to read."""
        if self._ended:
            return False
        more = self._stream.read(_BLOCK)
        self._ended = not more
        text = self._decoder.decode(more, self._ended).encode() if self._decoder else more
        self._buffer = self._buffer[self._at :] + text
        self._at = 0
        return True
