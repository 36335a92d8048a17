"""Reads a file row by row, whatever its encoding, line ends and quoting, and whatever is broken in it.

Python's own reader of CSV says neither which cells are quoted nor where a row begins that spans lines, and it gives up
at what is broken; the export's faults have to be shown by line.
"""

import codecs
import re
from typing import Final, Literal, NamedTuple, Protocol

from airworthy.export.patterns import Pattern

LONGEST: Final = 1 << 20
"""The longest row that is read, in bytes."""

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
# What the letters of a header look like where each takes two bytes and nothing says so.
_WIDE: Final = ((re.compile(rb"(?:[ -~]\0){4}"), "utf-16-le"), (re.compile(rb"(?:\0[ -~]){4}"), "utf-16-be"))
_ENDS: Final = {b"\n": "LF", b"\r\n": "CRLF", b"\r": "CR", b"": "none"}

Trouble = Literal["", "NUL", "unclosed quote", "too long"]


class Stream(Protocol):
    """What bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """Return so many bytes at most, none at the end."""


class Row(NamedTuple):
    """A row of cells.

    ``line`` is where it begins, ``raw`` its bytes without the line end ``end`` (LF, CRLF, CR, or none at the file's
    end). ``quoted`` says for each cell whether it stands in quotes. With ``trouble`` it is no row that could be judged.
    """

    line: int
    raw: bytes
    cells: tuple[bytes, ...]
    quoted: tuple[bool, ...]
    end: str
    trouble: Trouble = ""


class Rows:
    """The rows of a stream, in memory that does not grow with it.

    ``encoding`` is named where the first bytes say that a character takes two bytes or more, and rows are then given in
    UTF-8; elsewhere bytes are given as they are. ``bom`` says whether a byte order mark is there.
    """

    def __init__(self, stream: Stream, delimiter: str) -> None:
        self.encoding: str | None = None
        self.bom = False
        self._stream = stream
        self._delimiter = delimiter.encode()
        apart = re.escape(self._delimiter)
        self._cell = re.compile(rb'"((?:[^"]++|"")*+)"([^%b\r\n]*+)|([^%b\r\n]*+)' % (apart, apart))
        self._decoder: codecs.IncrementalDecoder | None = None
        self._buffer = b""
        self._at = 0
        self._line = 1
        self._ended = False
        self._begin()

    def skip(self, rows: Pattern) -> int:
        """Go over all rows from here on that a pattern matches, and return how many they were.

        The pattern matches any number of rows that each end in one LF.
        """
        skipped = 0
        while True:
            match = rows.match(self._buffer, self._at)
            end = match.end() if match else self._at
            skipped += self._buffer.count(b"\n", self._at, end)
            self._at = end
            is_whole = self._buffer.find(b"\n", end) >= 0
            if is_whole or len(self._buffer) - end > LONGEST or not self._fill():
                self._line += skipped
                return skipped

    def take(self, rows: Pattern) -> tuple[int, bytes]:
        """Leave some of the rows behind that a pattern matches from here on; return the line of the first, and all.

        The pattern matches any number of rows that each end in one LF. They are none where the next does not match.
        """
        match = rows.match(self._buffer, self._at)
        taken = self._buffer[self._at : match.end()] if match else b""
        begin = self._line
        self._at += len(taken)
        self._line += taken.count(b"\n")
        return begin, taken

    def next(self) -> Row | None:
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
        """Return the next line with its end, or None where there is none, or none that is short enough."""
        while True:
            match = _LINE.match(self._buffer, self._at)
            end = match.end() if match else self._at
            # What ends with what was read may go on: a CR may be the half of a CRLF.
            if end < len(self._buffer) or self._buffer.endswith(b"\n", self._at):
                break
            if end - self._at > LONGEST or not self._fill():
                break
        return self._buffer[self._at : end] if self._at < end <= self._at + LONGEST + 2 else None

    def _with_quotes(self, line: bytes) -> Row:
        while True:
            cells, quoted, at = self._cells()
            # What ends with what was read may go on: a quote may be the first of two, and a CR the half of a CRLF.
            if at < len(self._buffer) - 1 or len(self._buffer) - self._at > LONGEST or not self._fill():
                break
        end = _END.match(self._buffer, at)
        if not cells or at - self._at > LONGEST:
            return self._row(line, (), (), "unclosed quote")
        whole = self._buffer[self._at : end.end() if end else at]
        return self._row(whole, cells, quoted, "NUL" if b"\0" in whole else "")

    def _cells(self) -> tuple[tuple[bytes, ...], tuple[bool, ...], int]:
        """Return the cells from here on, and where they end; none where a quote is not closed in what was read."""
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

    def _row(self, whole: bytes, cells: tuple[bytes, ...], quoted: tuple[bool, ...], trouble: Trouble = "") -> Row:
        """Leave a row behind and return it."""
        raw = whole.rstrip(b"\r\n")
        begin, end = self._line, whole[len(raw) :]
        self._at += len(whole)
        self._line += len(_END.findall(raw)) + bool(end) if b'"' in raw else bool(end)
        return Row(begin, raw, cells, quoted, _ENDS.get(end, "none"), trouble)

    def _too_long(self) -> Row:
        """Leave a line behind that is too long to be held, reading on to its end."""
        begin, raw = self._line, self._buffer[self._at : self._at + LONGEST]
        while not (ends := [at for each in b"\r\n" if (at := self._buffer.find(each, self._at)) >= 0]):
            self._at = len(self._buffer)
            if not self._fill():
                return Row(begin, raw, (), (), "none", "too long")
        self._at = min(ends)
        if self._at > len(self._buffer) - 2:
            self._fill()
        rest = _END.match(self._buffer, self._at)
        assert rest
        self._at = rest.end()
        self._line += 1
        return Row(begin, raw, (), (), _ENDS[rest[0]], "too long")

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
        """Read on; return whether there was more. What is left behind is let go."""
        if self._ended:
            return False
        more = self._stream.read(_BLOCK)
        self._ended = not more
        text = self._decoder.decode(more, self._ended).encode() if self._decoder else more
        self._buffer = self._buffer[self._at :] + text
        self._at = 0
        return True
