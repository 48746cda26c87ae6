"""Any file that holds a table."""

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from privacy.tables.table_file import file_table
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
