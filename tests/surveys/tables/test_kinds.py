"""What a column is read as: missing texts decide nothing, labels follow their values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from surveys.tables.kinds import column_as, kinds_of
from tests.fixtures.tables import read_column

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
def test_three_ways_of_a_date_are_one_month(kind: str, read: list[str]) -> None:
    column = read_column("born", BORN)
    assert kinds_of(BORN[:3]) == ("month", "quarter", "year", "categorical")
    assert column_as(column, kind, ["-9", "refused"]).texts == [*read, "-9", "refused", ""]


def test_a_column_that_is_of_no_such_kind_stays_as_it_is() -> None:
    column = read_column("born", BORN)
    assert column_as(column, "month").texts == BORN
    assert column_as(column, "numeric", ["-9"]).texts == BORN


def test_a_label_follows_a_number_that_is_written_anew() -> None:
    column = replace(read_column("n", ["1.0", "2,5"]), value_labels={"1.0": "one"})
    assert column_as(column, "numeric").value_labels == {"1.0": "one"}
    column = replace(read_column("n", ["1.0", "2.5"]), value_labels={"1.0": "one"})
    assert column_as(column, "numeric").value_labels == {"1": "one"}
