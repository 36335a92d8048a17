"""Reading rows: cells, line numbers and defects."""

import csv
import io
from collections.abc import Iterator
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airworthy.export.observed import compile_pattern
from airworthy.export.rows import LONGEST, ExportRow, RowReader

TEXT = st.text(st.sampled_from('ab;"\n\r é'), max_size=6)


class Slow(io.BytesIO):
    """A stream that returns at most two bytes at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(2, size or 2))


def rows(content: bytes, stream: type[io.BytesIO] = io.BytesIO) -> Iterator[ExportRow]:
    reader = RowReader(stream(content), ";")
    while row := reader.next():
        yield row


@pytest.mark.parametrize("stream", [io.BytesIO, Slow])
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a;b\nc;d\n", [(1, "a b", "LF"), (2, "c d", "LF")]),
        (b"a;b\r\nc;d\r\n", [(1, "a b", "CRLF"), (2, "c d", "CRLF")]),
        (b"a;b\rc;d\r", [(1, "a b", "CR"), (2, "c d", "CR")]),
        (b"a;b\n\nc;d", [(1, "a b", "LF"), (2, "", "LF"), (3, "c d", "none")]),
        (b"a\r\n\rb\n\r\nc", [(1, "a", "CRLF"), (2, "", "CR"), (3, "b", "LF"), (4, "", "CRLF"), (5, "c", "none")]),
        (b'"a";"b;c"\nd;e\n', [(1, "a b;c", "LF"), (2, "d e", "LF")]),
        (b'"a\nb\r\nc";d\ne;f\n', [(1, "a\nb\r\nc d", "LF"), (4, "e f", "LF")]),
        (b'"a""b";""""\n', [(1, 'a"b "', "LF")]),
        (b'5" bag;c\n', [(1, '5" bag c', "LF")]),
        (b'"a"b;c\n', [(1, "ab c", "LF")]),
        (b'a;"";b', [(1, "a  b", "none")]),
        (b'a;"b"\r\nc\r\n', [(1, "a b", "CRLF"), (2, "c", "CRLF")]),
    ],
)
def test_rows_have_cells_line_numbers_and_line_ends(
    content: bytes, expected: list[tuple[int, str, str]], stream: type[io.BytesIO]
) -> None:
    read = [(row.line, b" ".join(row.cells).decode(), row.end) for row in rows(content, stream)]

    assert read == expected


def test_row_marks_quoted_cells() -> None:
    (row,) = rows(b'"a";b;"";""""\n')

    assert row.quoted == (True, False, True, True)


@pytest.mark.parametrize("content", [b'a;b\n"c;d\ne;f\n', b'a;b\n"c;d""\ne;f\n'])
def test_unclosed_quote_affects_only_its_row(content: bytes) -> None:
    _, broken, after = rows(content)

    assert (broken.defect, broken.line, broken.raw[:2]) == ("unclosed quote", 2, b'"c')
    assert (after.defect, after.line, after.cells) == ("", 3, (b"e", b"f"))


def test_row_with_nul_bytes_has_a_defect() -> None:
    plain, quoted = rows(b'a\0;b\n"c\0\nd";e\n')

    assert (plain.defect, quoted.defect) == ("NUL", "NUL")


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", b""])
def test_too_long_line_is_skipped_and_line_numbers_continue(end: bytes) -> None:
    long = b"x" * (LONGEST + (1 << 18))
    first, second, *after = rows(b"a\n" + long + end + (b"b\n" if end else b""))

    assert (first.line, second.line, second.defect, len(second.raw)) == (1, 2, "too long", LONGEST)
    assert [(row.line, row.cells) for row in after] == ([(3, (b"b",))] if end else [])


def test_longest_line_is_read() -> None:
    long = b"x" * LONGEST

    assert [row.defect for row in rows(long + b"\r\nb\n")] == ["", ""]


def test_too_long_quoted_cell_is_not_read_to_its_end() -> None:
    content = b'"' + b"x\n" * LONGEST + b'";b\n'
    first = next(rows(content))

    assert (first.defect, first.line, first.raw) == ("unclosed quote", 1, b'"x')


@pytest.mark.parametrize(
    ("codec", "bom", "encoding"),
    [
        ("utf-8", b"", None),
        ("utf-8", b"\xef\xbb\xbf", None),
        ("utf-16-le", b"\xff\xfe", "UTF-16"),
        ("utf-16-be", b"\xfe\xff", "UTF-16"),
        ("utf-16-le", b"", "UTF-16"),
        ("utf-16-be", b"", "UTF-16"),
        ("utf-32-le", b"\xff\xfe\x00\x00", "UTF-32"),
        ("utf-32-be", b"\x00\x00\xfe\xff", "UTF-32"),
    ],
)
@pytest.mark.parametrize("stream", [io.BytesIO, Slow])
def test_encoding_is_detected(codec: str, bom: bytes, encoding: str | None, stream: type[io.BytesIO]) -> None:
    reader = RowReader(stream(bom + "departure;Básica\nb;中\n".encode(codec)), ";")
    first, second = reader.next(), reader.next()

    assert (reader.encoding, reader.bom) == (encoding, bool(bom))
    assert first
    assert second
    assert (first.cells[1].decode(), second.cells[1].decode()) == ("Básica", "中")


def test_take_stops_at_the_end_of_a_block_and_before_a_row_that_does_not_match() -> None:
    reader = RowReader(io.BytesIO(b"1;2\n" * 200_000 + b"x;y\n" + b"3;4\n"), ";")
    pattern = compile_pattern(b"(?:[0-9];[0-9]\n)*")
    taken, returned = bytes(reader.take(pattern)), []
    while row := reader.next():
        returned.append(row)
        taken += reader.take(pattern)

    assert taken.count(b"\n") + len(returned) == 200_002
    assert [row.line for row in returned if row.cells == (b"x", b"y")] == [200_001]
    assert 1 < len(returned) < 8


# csv.writer quotes minimally only the line ends that it knows.
WAYS = st.sampled_from([("\r\n", csv.QUOTE_MINIMAL), ("\n", csv.QUOTE_ALL), ("\r", csv.QUOTE_ALL)])


@given(st.lists(st.lists(TEXT, min_size=2, max_size=4), max_size=5), WAYS)
def test_output_of_csv_writer_is_read_back(table: list[list[str]], way: tuple[str, Literal[0, 1]]) -> None:
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=";", lineterminator=way[0], quoting=way[1]).writerows(table)

    read = [[cell.decode() for cell in row.cells] for row in rows(written.getvalue().encode(), Slow)]

    assert read == table


@given(st.binary(max_size=60) | TEXT.map(str.encode))
def test_any_bytes_are_read_to_the_end_with_increasing_line_numbers(content: bytes) -> None:
    read = list(rows(content))
    lines = [row.line for row in read]

    assert lines == sorted(set(lines))
    assert not read or lines[-1] <= len(content.splitlines())
