"""Dates of several ways in one column; days and months change places nowhere."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.tables.dates import dates_read, is_ambiguous, span_of

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
def test_a_day_is_the_same_however_it_is_written(written: list[tuple[datetime.date, str]]) -> None:
    texts = {way.format(day): day for day, way in written}
    assert dates_read(texts) == texts
    assert not is_ambiguous(texts)


@given(st.lists(DAYS, min_size=1), st.booleans(), st.sampled_from("/-."))
def test_a_day_above_12_says_which_part_is_the_month(
    days: list[datetime.date], american: bool, sign: str
) -> None:
    days = [*days, datetime.date(2021, 4, 25)]
    order = ("{0.month}{1}{0.day}{1}{0.year}", "{0.day}{1}{0.month}{1}{0.year}")[not american]
    texts = {order.format(day, sign): day for day in days}
    assert dates_read(texts) == texts
    assert not is_ambiguous(texts)


def test_where_nothing_says_it_the_day_is_first_and_a_text_is_named() -> None:
    texts = ["3/4/2021", "5/6/2021"]
    assert dates_read(texts) == {
        "3/4/2021": datetime.date(2021, 4, 3),
        "5/6/2021": datetime.date(2021, 6, 5),
    }
    assert is_ambiguous(texts) == "3/4/2021"
    # One sign decides nothing about another.
    assert is_ambiguous(["25/4/2021", "3-4-2021"]) == "3-4-2021"


@given(
    st.lists(st.dates(datetime.date(1900, 1, 1), datetime.date(2100, 12, 31)), min_size=1),
    st.sampled_from("/-."),
    st.booleans(),
)
def test_what_is_said_of_the_order_counts_where_no_date_says_it(
    days: list[datetime.date], sign: str, month_first: bool
) -> None:
    days = [day.replace(day=1 + day.day % 12) for day in days]
    order = ("{0.day}{1}{0.month}{1}{0.year}", "{0.month}{1}{0.day}{1}{0.year}")[month_first]
    texts = {order.format(day, sign): day for day in days}
    assert dates_read(texts, month_first=month_first) == texts
    # A date that decides it is believed, whatever is said.
    decided = order.format(datetime.date(2021, 4, 25), sign)
    assert dates_read([*texts, decided], month_first=not month_first) == {
        **texts,
        decided: datetime.date(2021, 4, 25),
    }


@pytest.mark.parametrize(
    "texts",
    [["2021-13-01"], ["31/4/2021"], ["3/4/21"], ["2021-03-04 10:00"], ["1234"], ["13/13/2021"], ["soon"], []],
)
def test_what_is_no_day_makes_no_column_of_dates(texts: list[str]) -> None:
    assert dates_read(texts) is None


def test_each_month_lies_in_its_quarter() -> None:
    quarters = [span_of(datetime.date(2021, month, 28), "quarter") for month in range(1, 13)]
    assert quarters == [f"2021 Q{number}" for number in (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4)]
