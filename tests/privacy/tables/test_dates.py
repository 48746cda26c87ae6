"""Dates in the cells of a table."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.tables.dates import dates_read, is_ambiguous

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
    # A twelve can be a month.
    assert is_ambiguous(["3/4/2021", "12/6/2021", "6/12/2021"]) == "3/4/2021"
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


def test_midnight_is_a_day_and_other_times_are_not() -> None:
    for text in (
        "2021-03-04 00:00:00",
        "2021-03-04T00:00:00",
        "2021-03-04 00:00",
        "2021-03-04T00:00:00.000Z",
    ):
        assert dates_read([text, "2021-03-05"]) is not None, text
    assert dates_read(["2021-03-04 10:00:00"]) is None
