"""Data frames of every library become the same table of texts."""

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest

from privacy.errors import PrivacyError
from privacy.tables.frames import column_of, frame_table, read_frame
from tests.fixtures.refusals import refused

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


@pytest.mark.parametrize("cell", [[1, 2], {"a": 1}, (1, 2), np.array([1, 2])])
def test_lists_in_published_cells_are_refused_by_name(cell: object) -> None:
    frame = pd.DataFrame({"age": [1, 2]}, index=["x", "y"])
    frame["many"] = [1, cell]
    with pytest.raises(
        PrivacyError, match=f"column 'many' has a cell of type {type(cell).__name__} in row 'y'"
    ):
        frame_table(frame, ["many"])
    assert len(frame_table(frame, ["age"])) == 2


def test_only_whole_numbers_beyond_the_exact_ones_become_nullable_integers() -> None:
    def kind(*values: int | None) -> str:
        return str(read_frame(polars.DataFrame({"code": values})).code.dtype)

    assert kind(2**53, None) == "float64"
    assert kind(2**53 + 1, None) == "Int64"
    assert kind(-(2**53) - 1, None) == "Int64"
    assert kind(2**53 + 1, 1) == "int64"


def test_columns_alone_keep_their_name_and_categories_their_order() -> None:
    series = read_frame(polars.Series("mood", ["high", "low"]))
    assert (series.name, series.tolist()) == ("mood", ["high", "low"])
    frame = polars.DataFrame({"mood": ["high", "low"]}, schema={"mood": polars.Enum(["low", "high"])})
    assert read_frame(frame).mood.cat.categories.tolist() == ["low", "high"]
    pandas = pd.DataFrame({"a": [1]})
    assert read_frame(pandas) is pandas


@pytest.mark.parametrize("value", [5, "age", [1, 2]])
def test_other_objects_are_refused_by_their_type(value: object) -> None:
    with refused("frame", type(value).__name__):
        read_frame(value)


def test_tables_without_rows_or_with_a_name_twice_are_refused() -> None:
    with refused("frame", "Series"):
        frame_table(pd.Series([1, 2]))
    with refused("frame", "no rows"):
        frame_table(pd.DataFrame({"age": []}))
    with refused("frame", "age", 3):
        frame_table(pd.DataFrame([[1, 2, 3, 4]], columns=["age", "sex", "age", "age"]))
    # Lines are those of a file with one line of names.
    assert frame_table(pd.DataFrame({"age": [4, 5]})).lines.tolist() == [2, 3]


def test_cells_of_several_values_become_texts_unless_they_are_published() -> None:
    series = pd.Series([[1, 2], None, "a", "e\u0301"])
    assert column_of("many", series).texts == ["[1, 2]", "", "a", "\u00e9"]
    published = pd.Series(["a", None, pd.NA, 2, True, b"x"], dtype=object)
    assert column_of("many", published, strict=True).texts[:5] == ["a", "", "", "2", "yes"]
    days = pd.Series([pd.NaT, pd.Timestamp("2021-03-04")])
    assert column_of("day", days).texts == ["", "2021-03-04"]
    numbers = pd.Series(pyarrow.array([1.5, float("nan"), None]), dtype=pd.ArrowDtype(pyarrow.float64()))
    assert column_of("hours", numbers).texts == ["1.5", "", ""]
