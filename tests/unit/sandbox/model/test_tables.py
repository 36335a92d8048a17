"""The bounded table of records."""

from airworthy.sandbox.model.tables import BoundedTable


def test_full_table_drops_the_oldest_record() -> None:
    table: BoundedTable[int] = BoundedTable(max_records=2)
    for number in range(3):
        table.put(number, number)

    assert list(table) == [1, 2]
    assert table.get(0) is None
