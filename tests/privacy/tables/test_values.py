"""Tables: reading and packing lose nothing, and each column gets the right kind."""

import datetime
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.tables.columns import column_pack, column_unpack
from privacy.tables.values import column_as, dates_read, is_ambiguous, kinds_of, numbers_read, span_of
from surveys.imports.uploaded_tables import table_read
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


DAYS = st.dates(datetime.date(1900, 1, 1), datetime.date(2100, 12, 31))
WAYS = (
    "{0.year:04}-{0.month:02}-{0.day:02}",
    "{0.year:04}/{0.month}/{0.day}",
    "{0.year:04}.{0.month}.{0.day}",
    "{0.year:04}{0.month:02}{0.day:02}",
    "{0.year}年{0.month}月{0.day}日",
    "{0:%d %B %Y}",
    "{0:%b %d, %Y}",
)


@given(st.lists(st.tuples(DAYS, st.sampled_from(WAYS)), min_size=1))
def test_days_are_read_from_any_notation(written: list[tuple[datetime.date, str]]) -> None:
    texts = {way.format(day): day for day, way in written}
    assert dates_read(texts) == texts
    assert not is_ambiguous(texts)


@given(st.lists(DAYS, min_size=1), st.booleans(), st.sampled_from("/-."))
def test_days_above_12_resolve_the_month_order(days: list[datetime.date], american: bool, sign: str) -> None:
    days = [*days, datetime.date(2021, 4, 25)]
    order = ("{0.month}{1}{0.day}{1}{0.year}", "{0.day}{1}{0.month}{1}{0.year}")[not american]
    texts = {order.format(day, sign): day for day in days}
    assert dates_read(texts) == texts
    assert not is_ambiguous(texts)


def test_ambiguous_dates_are_read_day_first_and_reported() -> None:
    texts = ["3/4/2021", "5/6/2021"]
    assert dates_read(texts) == {"3/4/2021": datetime.date(2021, 4, 3), "5/6/2021": datetime.date(2021, 6, 5)}
    assert is_ambiguous(texts) == "3/4/2021"
    # Dates with one separator decide nothing about dates with another.
    assert is_ambiguous(["25/4/2021", "3-4-2021"]) == "3-4-2021"


@given(
    st.lists(st.dates(datetime.date(1900, 1, 1), datetime.date(2100, 12, 31)), min_size=1),
    st.sampled_from("/-."),
    st.booleans(),
)
def test_the_stated_date_order_applies_only_to_ambiguous_dates(
    days: list[datetime.date], sign: str, month_first: bool
) -> None:
    days = [day.replace(day=1 + day.day % 12) for day in days]
    order = ("{0.day}{1}{0.month}{1}{0.year}", "{0.month}{1}{0.day}{1}{0.year}")[month_first]
    texts = {order.format(day, sign): day for day in days}
    assert dates_read(texts, month_first=month_first) == texts
    # An unambiguous date overrides the stated order.
    decided = order.format(datetime.date(2021, 4, 25), sign)
    assert dates_read([*texts, decided], month_first=not month_first) == {
        **texts,
        decided: datetime.date(2021, 4, 25),
    }


@pytest.mark.parametrize(
    "texts",
    [["2021-13-01"], ["31/4/2021"], ["3/4/21"], ["2021-03-04 10:00"], ["1234"], ["13/13/2021"], ["soon"], []],
)
def test_columns_with_invalid_dates_are_not_dates(texts: list[str]) -> None:
    assert dates_read(texts) is None


def test_months_are_assigned_to_their_quarter() -> None:
    quarters = [span_of(datetime.date(2021, month, 28), "quarter") for month in range(1, 13)]
    assert quarters == [f"2021 Q{number}" for number in (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4)]


def test_midnight_is_a_day_and_other_times_are_not() -> None:
    for text in (
        "2021-03-04 00:00:00",
        "2021-03-04T00:00:00",
        "2021-03-04 00:00",
        "2021-03-04T00:00:00.000Z",
    ):
        assert dates_read([text, "2021-03-05"]) is not None, text
    assert dates_read(["2021-03-04 10:00:00"]) is None
