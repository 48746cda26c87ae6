"""Any file that holds a table."""

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from privacy.errors import PrivacyError
from privacy.tables import table_file
from privacy.tables.columns import ReadTable
from privacy.tables.table_file import file_table
from tests.fixtures.refusals import refused
from tests.privacy.tables.test_packed_file import watched


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


@pytest.mark.parametrize(
    ("text", "expected"), [("realloc of memory failed", MemoryError), ("bad magic", PrivacyError)]
)
def test_a_file_that_a_library_cannot_read_is_damaged_unless_memory_ran_out(
    text: str, expected: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_raw: bytes, _most_cells: int, _sheet: str) -> ReadTable:
        raise RuntimeError(text)

    monkeypatch.setattr(table_file, "READERS", {"dta": ("Stata", fail)})
    with pytest.raises(expected):
        file_table("a.dta", io.BytesIO(b"..."))


def test_a_table_has_records_and_not_too_many_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_file, "MOST_COLUMNS", 2)

    def read(header: list[str], *rows: list[str]) -> int:
        table = ReadTable.of_rows(header, rows)
        monkeypatch.setattr(table_file, "READERS", {"dta": ("Stata", lambda *_: table)})
        return len(file_table("a.dta", io.BytesIO(b"...")))

    assert read(["a", "b"], ["1", "2"]) == 1
    with refused("table_file", 3):
        read(["a", "b", "c"], ["1", "2", "3"])
    with refused("table_file"):
        read(["a", "b"])
