"""Any file that holds a table."""

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from privacy.tables.columns import ReadTable
from privacy.tables.header import name_columns
from privacy.tables.table_file import file_table
from tests.fixtures.workbooks import workbook
from tests.privacy.tables.test_packed_file import watched

DATA = [[30 + number % 3, "mf"[number % 2], "flu"] for number in range(40)]


def read(*rows: list[object]) -> ReadTable:
    return name_columns(file_table("a.xlsx", io.BytesIO(workbook(data=list(rows)))))


def test_a_title_above_the_header_of_a_sheet_is_no_header() -> None:
    table = read(["Study 7"], [], ["age", "sex", "ill"], *DATA)
    assert (table.header, len(table)) == (["age", "sex", "ill"], 40)
    assert next(iter(table.rows())) == ("30", "m", "flu")
    assert [each.key for each in table.decisions] == ["above"]


def test_cells_beyond_the_last_header_are_read_and_said() -> None:
    """They can be names or telephone numbers, so they must not vanish from view."""
    late = [[*row, None, "Tel. 0123"] if number == 30 else row for number, row in enumerate(DATA)]
    table = read(["age", "sex", "ill"], *late)
    assert table.header == ["age", "sex", "ill", "column 4", "column 5"]
    assert table.column("column 5").counts == {"": 39, "Tel. 0123": 1}
    assert str(table.decisions).splitlines()[-1] == "The file gives no name to “column 5”."


def test_notes_below_a_sheet_are_no_records() -> None:
    table = read(["age", "sex", "ill"], *DATA, [], ["Source: own"], ["Weighted"])
    assert len(table) == 40
    assert [str(each) for each in table.decisions] == [
        "Lines below the table that were left out: 2. The first one is “Source: own”."
    ]


def test_records_of_zeros_are_records() -> None:
    assert len(read(["a", "b"], *[[0, 0]] * 5)) == 5


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "sav", "dta"])
def test_no_reader_opens_a_file(ending: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"age": [30, 40, 41], "ill": ["flu", "cold", "flu"], "w": np.array([0.5, 1, 2])})
    path = tmp_path / f"a.{ending}"
    write = {
        "csv": lambda: frame.to_csv(path, index=False),
        "xlsx": lambda: frame.to_excel(path, index=False),
        "parquet": lambda: frame.to_parquet(path),
        "sav": lambda: pyreadstat.write_sav(frame, str(path)),
        "dta": lambda: pyreadstat.write_dta(frame, str(path)),
    }[ending]
    write()
    raw = path.read_bytes()
    # The first call imports the reader's library, which is in files.
    first = file_table(path.name, io.BytesIO(raw))
    with watched() as opened:
        again = file_table(path.name, io.BytesIO(raw))
    assert opened == []
    assert list(again.rows()) == list(first.rows())
