"""Texts of columns are read the same way from files and data frames, and every decision is said."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest

from privacy.errors import PrivacyError
from privacy.tables.columns import ReadColumn, ReadTable
from privacy.tables.frames import frame_table
from privacy.tables.reader import Reading, as_read, read_decisions, spellings_of
from privacy.tables.values import cell_text


def column(*texts: str, name: str = "a") -> ReadColumn:
    return ReadTable.of_rows([name], [[text] for text in texts]).columns[0]


@pytest.mark.parametrize(
    ("texts", "spellings"),
    [
        (["flu", "flu", "Flu", "FLU "], {"Flu": "flu", "FLU": "flu"}),
        (
            ["New  York", "New York", "new york", "New York"],
            {"New  York": "New York", "new york": "New York"},
        ),
        (["f", "F", "m", "M", "f", "m"], {"F": "f", "M": "m"}),
        (["a", "A", "b", "B", "c", "C"], {}),
        (["yes", "No", "Y", "n"], {"No": "no", "Y": "yes", "n": "no"}),
        (["TRUE", "FALSE"], {}),
        (["1", "0", "1.0"], {}),
        (["NA", "na", "x"], {}),
        (["ja", "nein", "JA"], {"JA": "ja"}),
    ],
)
def test_spellings_become_the_most_frequent_one(texts: list[str], spellings: dict[str, str]) -> None:
    assert spellings_of(column(*texts)) == spellings


@pytest.mark.parametrize(
    ("name", "texts", "kind", "missing"),
    [
        ("age", ["31", "45", "62", "-88", "-99"], "numeric", ("-88", "-99")),
        ("age", ["31", "45", "62", "98", "99"], "numeric", ("98", "99")),
        ("age", ["90", "92", "95", "97", "98", "99"], "numeric", ()),
        ("income", ["1.234,5", "0,5", "7,25"], "numeric", ()),
        ("place", ["0110", "1110", "0210"], "categorical", ()),
        ("icd", ["1E2", "1E3", "2E5"], "categorical", ()),
        ("amount", ["1e+05", "2e+05", "3"], "numeric", ()),
        ("born", ["3/4/1980", "25/4/1981", "1/1/1982"], "year", ()),
        ("visit", ["2021-03-04", "2021-04-05", "NA"], "month", ("NA",)),
        ("age", [*map(str, range(20, 60)), "about 40"], "numeric", ("about 40",)),
    ],
)
def test_kinds_and_missing_texts(name: str, texts: list[str], kind: str, missing: tuple[str, ...]) -> None:
    reading = Reading.of(column(*texts, name=name))
    assert (reading.kind, reading.missing) == (kind, missing)


def test_decisions_name_what_was_read_differently() -> None:
    table = ReadTable.of_rows(
        ["age", "ill", "born", "isco"],
        [
            ["31", "flu", "3/4/1980", "0110"],
            ["1,045", "Flu", "4/4/1980", "1110"],
            ["NA", "flu", "5/4/1980", "2110"],
            ["45", "cold", "6/4/1980", "2120"],
        ],
    )
    readings = {each.name: Reading.of(each) for each in table.columns}
    assert str(read_decisions(table, readings)).splitlines() == [
        "“age”: NA means a missing value (1 records).",
        "“age”: “1,045” was read as the number 1045.",
        "“ill”: “Flu” was read as “flu” (1 records).",
        "“born” has dates. “3/4/1980” was read as 1980-04-03.",
        "“born”: it is not certain whether the day or the month comes first in “3/4/1980”.",
        "“isco” has codes such as “0110”, which would change if read as numbers.",
    ]
    assert list(as_read(table, readings).rows())[2] == ("", "flu", "1980", "2110")


FRAME = pd.DataFrame(
    {
        "code": [12345678901234567, 12345678901234568, 1],
        "share": [0.1, None, 2.0],
        "works": [True, False, True],
        "day": pd.to_datetime(["2021-03-04", None, "2021-05-06"]),
        "text": ["a", None, " b "],
    }
)
WANTED = [
    ("12345678901234567", "0.1", "yes", "2021-03-04", "a"),
    ("12345678901234568", "", "no", "", ""),
    ("1", "2", "yes", "2021-05-06", "b"),
]


@pytest.mark.parametrize(
    "frame",
    [
        FRAME,
        FRAME.convert_dtypes(),
        FRAME.convert_dtypes(dtype_backend="pyarrow"),
        FRAME.set_index(pd.Index(["Ann", "Bob", "Eve"])),
        polars.from_pandas(FRAME),
        polars.from_pandas(FRAME).lazy(),
        pyarrow.Table.from_pandas(FRAME),
    ],
    ids=["pandas", "nullable", "arrow types", "index", "polars", "lazy", "arrow"],
)
def test_frames_of_every_library_are_read_alike(frame: object) -> None:
    table = frame_table(frame)
    assert table.header == list(FRAME.columns)
    assert list(table.rows()) == WANTED


def test_whole_numbers_with_gaps_keep_all_digits() -> None:
    frame = polars.DataFrame({"code": [12345678901234567, None]})
    assert list(frame_table(frame).rows()) == [("12345678901234567",), ("",)]


def test_small_floats_and_decimals_are_written_as_briefly_as_possible() -> None:
    assert cell_text(np.float32(0.1)) == "0.1"
    assert cell_text(Decimal("1.10")) == "1.10"
    assert cell_text(datetime.date(2021, 3, 4)) == "2021-03-04"


@pytest.mark.parametrize("cell", [[1, 2], {"a": 1}, (1, 2), np.array([1, 2])])
def test_lists_in_published_cells_are_refused_by_name(cell: object) -> None:
    frame = pd.DataFrame({"age": [1, 2]}, index=["x", "y"])
    frame["many"] = [1, cell]
    with pytest.raises(
        PrivacyError, match=f"column 'many' has a cell of type {type(cell).__name__} in row 'y'"
    ):
        frame_table(frame, ["many"])
    assert len(frame_table(frame, ["age"])) == 2


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["1.5", "2,5", "3"], "“pay” contains numbers written in two ways, such as “1.5” and “2,5”"),
        (["1.5", "2.5", "3"], ""),
        (["1.5", "2,5", "many", "few"], ""),
    ],
)
def test_numbers_in_two_writings_are_named(texts: list[str], said: str) -> None:
    table = ReadTable.of_rows(["pay"], [[text] for text in texts * 20])
    reading = Reading.of(table.columns[0])
    found = str(read_decisions(table, {"pay": reading}))
    assert said in found
    assert bool(said) == ("two ways" in found)
