"""Files that are unpacked: labels and missing codes stay, days are days, and no head is believed."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pandas
import pyreadstat
import pytest

from surveys.errors.error import SurveyError
from surveys.tables.reading import MOST_CELLS, table_open, table_read
from surveys.tables.table import ReadTable
from tests.fixtures.swollen_files import modest_parquet, modest_zsav


def test_labels_and_missing_codes_of_spss_and_stata_stay_beside_the_codes(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"sex": [1.0, 2.0, 9.0, -4.0, None], "note": ["a", "b", "c", "d", "e"]})
    labels = {"sex": {1: "male", 2: "female", 9: "refused"}}
    named = {"column_labels": ["Sex of the person", ""], "variable_value_labels": labels}
    ranges = {"sex": [9, {"lo": -9, "hi": -1}]}
    pyreadstat.write_sav(frame, str(tmp_path / "a.sav"), missing_ranges=ranges, **named)
    column = table_open(tmp_path / "a.sav").column("sex")
    assert (column.texts, column.label) == (["1", "2", "9", "-4", ""], "Sex of the person")
    assert column.value_labels == {"1": "male", "2": "female", "9": "refused"}
    assert column.missing_codes == ("9", "-4")
    frame["sex"] = [1, 2, "a", 1, "b"]
    pyreadstat.write_dta(frame, str(tmp_path / "a.dta"), missing_user_values={"sex": ["a", "b"]}, **named)
    column = table_open(tmp_path / "a.dta").column("sex")
    assert (column.texts, column.missing_codes) == (["1", "2", "a", "1", "b"], ("a", "b"))
    read = ReadTable(columns=(column,), lines=table_open(tmp_path / "a.dta").lines)
    assert read.labelled().column("sex").texts == ["male", "female", "", "male", ""]


def test_days_and_times_of_a_workbook_are_written_as_days_and_times() -> None:
    file = io.BytesIO()
    stamps = pandas.to_datetime(["2021-03-04 00:00", "2021-03-05 10:30"])
    pandas.DataFrame({"day": stamps, "n": [1, 2]}).to_excel(file, index=False)
    assert table_read("a.xlsx", file.getvalue()).column("day").texts == ["2021-03-04", "2021-03-05 10:30:00"]


@pytest.mark.slow
def test_a_small_file_that_unpacks_to_a_large_table_is_refused_before_it_is_unpacked() -> None:
    """Three million equal cells are a few kilobytes of Parquet."""
    file = io.BytesIO()
    pandas.DataFrame({"a": [1] * 3_000_000}).to_parquet(file)
    assert len(file.getvalue()) < 100_000
    with pytest.raises(SurveyError, match="too large: 3000000 records in 1 columns"):
        table_read("bomb.parquet", file.getvalue())


@pytest.mark.soak
def test_a_long_text_that_a_dictionary_holds_once_is_refused_for_what_it_would_be_in_full() -> None:
    file = io.BytesIO()
    pandas.DataFrame({"a": ["x" * 10_000] * 100_000}).to_parquet(file)
    assert len(file.getvalue()) < 100_000
    with pytest.raises(SurveyError, match="too much"):
        table_read("bomb.parquet", file.getvalue())


@pytest.mark.parametrize("ending", ["parquet", pytest.param("sav", marks=pytest.mark.soak)])
def test_a_head_that_says_too_little_is_not_believed(ending: str, tmp_path: Path) -> None:
    """Three million records are 13 kB of Parquet, 36 kB of SPSS: reading stops where there are too many."""
    make: dict[str, Callable[[int], bytes]] = {
        "parquet": modest_parquet,
        "sav": lambda rows: modest_zsav(rows, tmp_path),
    }
    raw = make[ending](3_000_000)
    assert len(raw) < 100_000
    with pytest.raises(SurveyError, match="the table is too large: more than 2000000 records") as caught:
        table_read(f"people.{ending}", raw)
    assert caught.value.value == MOST_CELLS
