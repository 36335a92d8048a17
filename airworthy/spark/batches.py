"""Turn rows into Arrow batches of bounded size, and back."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import pyarrow as pa

Row = tuple[Any, ...]
_MOST_ROWS: Final = 1000
_MOST_BYTES: Final = 4 * 1024 * 1024


_SQL: Final = {
    pa.int32(): "int",
    pa.int64(): "bigint",
    pa.float64(): "double",
    pa.string(): "string",
    pa.binary(): "binary",
    pa.list_(pa.binary()): "array<binary>",
}


def sql_schema(schema: pa.Schema) -> str:
    """Return a schema in Spark's notation."""
    return ", ".join(f"{field.name} {_SQL[field.type]}" for field in schema)


def to_batches(schema: pa.Schema, rows: Iterable[Row], largest: str) -> Iterator[pa.RecordBatch]:
    """Yield batches of bounded size, unless one row is larger; ``largest`` is the column whose values can be large."""
    size = schema.get_field_index(largest)
    waiting: list[Row] = []
    room = _MOST_BYTES
    for row in rows:
        waiting.append(row)
        room -= len(row[size] or ())
        if len(waiting) >= _MOST_ROWS or room <= 0:
            yield _batch(schema, waiting)
            waiting, room = [], _MOST_BYTES
    if waiting:
        yield _batch(schema, waiting)


def to_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
    """Yield the rows of batches, holding one batch at a time."""
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _batch(schema: pa.Schema, rows: list[Row]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
