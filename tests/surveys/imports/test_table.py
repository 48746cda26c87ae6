"""Tables by column: files, packing and numbering of equal records lose nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from surveys.imports.table import column_pack, column_unpack
from surveys.imports.table_reading import table_read
from tests.fixtures.host_files import csv_of

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=5)


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=2), min_size=1, max_size=30))
def test_what_a_spreadsheet_writes_comes_back_and_packing_changes_nothing(rows: list[list[str]]) -> None:
    table = table_read("a.csv", csv_of(["a", "b"], rows))
    stripped = [tuple(cell.strip() for cell in row) for row in rows]
    assert list(table.rows()) == stripped
    for column in table.columns:
        again = column_unpack(column_pack(column))
        assert (again.texts, again.values) == (column.texts, tuple(dict.fromkeys(column.texts)))
    number = table.alike().tolist()
    assert len(set(zip(number, stripped, strict=True))) == len(set(number)) == len(set(stripped))
