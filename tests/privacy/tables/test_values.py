"""Tables: reading and packing lose nothing, and each column gets the right kind."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.tables.columns import column_pack, column_unpack
from privacy.tables.values import column_as, kinds_of, numbers_read
from surveys.imports.files.uploaded_tables import table_read
from tests.fixtures.host_files import csv_of
from tests.fixtures.tables import read_column

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=5)


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=2), min_size=1, max_size=30))
def test_csv_reading_and_packing_preserve_all_cells(rows: list[list[str]]) -> None:
    table = table_read("a.csv", csv_of(["a", "b"], rows))
    stripped = [tuple(cell.strip() for cell in row) for row in rows]
    assert list(table.rows()) == stripped
    for column in table.columns:
        again = column_unpack(column_pack(column))
        assert (again.texts, again.values) == (column.texts, tuple(dict.fromkeys(column.texts)))
    number = table.record_numbers().tolist()
    assert len(set(zip(number, stripped, strict=True))) == len(set(number)) == len(set(stripped))


BORN = ["2021-03-04", "5/13/2021", "2021年7月1日", "-9", "refused", ""]


@pytest.mark.parametrize(
    ("kind", "read"),
    [
        ("month", ["2021-03", "2021-05", "2021-07"]),
        ("quarter", ["2021 Q1", "2021 Q2", "2021 Q3"]),
        ("year", ["2021", "2021", "2021"]),
        ("categorical", BORN[:3]),
    ],
)
def test_different_date_notations_give_the_same_month(kind: str, read: list[str]) -> None:
    column = read_column("born", BORN)
    assert kinds_of(BORN[:3]) == ("month", "quarter", "year", "categorical")
    assert column_as(column, kind, ["-9", "refused"]).texts == [*read, "-9", "refused", ""]


def test_columns_of_another_kind_stay_unchanged() -> None:
    column = read_column("born", BORN)
    assert column_as(column, "month").texts == BORN
    assert column_as(column, "numeric", ["-9"]).texts == BORN


def test_value_labels_follow_reformatted_numbers() -> None:
    column = replace(read_column("n", ["1.0", "2,5"]), value_labels={"1.0": "one"})
    assert column_as(column, "numeric").value_labels == {"1.0": "one"}
    column = replace(read_column("n", ["1.0", "2.5"]), value_labels={"1.0": "one"})
    assert column_as(column, "numeric").value_labels == {"1": "one"}


@pytest.mark.parametrize(
    ("texts", "plain"),
    [
        (["1,234,567", "12"], ["1234567", "12"]),
        (["1.234.567", "12"], ["1234567", "12"]),
        (["1.234,50", "7"], ["1234.5", "7"]),
        (["1 234", "12,5"], ["1234", "12.5"]),
        (["1’234.5", "1"], ["1234.5", "1"]),
        (["0,125", "1,5"], ["0.125", "1.5"]),
        (["-1,5", "+2"], ["-1.5", "2"]),
        (["30.0", "34.00"], ["30", "34"]),
        (["１２", "7"], ["12", "7"]),
        (["1,234,567,890,123,456,789", "7"], ["1234567890123456789", "7"]),
        (["0" * 5000, "10000000000000000001"], ["0", "10000000000000000001"]),
    ],
)
def test_the_whole_column_decides_thousands_or_decimals(texts: list[str], plain: list[str]) -> None:
    assert numbers_read(texts) == dict(zip(texts, plain, strict=True))


@pytest.mark.parametrize(
    "texts",
    [
        ["1,23,4"],
        ["1,234.5", "1.234,5"],
        ["12", ""],
        ["1.2.3"],
        ["inf"],
        ["1,,2"],
        ["01,234", "x"],
        ["9" * 400, "1,5"],
    ],
)
def test_columns_with_invalid_numbers_are_not_numeric(texts: list[str]) -> None:
    assert numbers_read(texts) is None


SIGNS = ((",", "."), (".", ","), (" ", ","))


@given(st.lists(st.integers(0, 10**9), min_size=1), st.sampled_from(SIGNS))
def test_numbers_with_separators_are_read_correctly(amounts: list[int], signs: tuple[str, str]) -> None:
    thousands, decimals = signs
    texts = [f"-{amount:,}".replace(",", thousands) + f"{decimals}5" for amount in amounts]
    read = numbers_read(texts)
    assert read is not None
    assert [float(read[text]) for text in texts] == [-amount - 0.5 for amount in amounts]
