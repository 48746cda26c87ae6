"""Columns of a study: without gaps, as answers, numbers or samples, and what is refused by name."""

from __future__ import annotations

import numpy as np

from surveys.elsewhere.study_table import Columns, study_columns
from surveys.tables.reading import table_read
from surveys.tables.table import ReadColumn, ReadTable
from tests.cast.refusals import refused


def study(raw: bytes, *names: str, **more: str) -> Columns:
    return study_columns(table_read("study.csv", raw), names, **more)


def test_answers_numbers_and_labels_are_read_however_they_are_written() -> None:
    found = study("a;b\nYes;1.234,5\nno;0,5\n".encode("utf-16"), "a", "b")
    assert (found.yes(0), found.numeric(1)) == ([True, False], [1234.5, 0.5])
    column = ReadColumn(
        name="a",
        values=("1", "2", "9"),
        codes=np.array([0, 1, 2]),
        value_labels={"1": "yes", "2": "no"},
        missing_codes=("9",),
    )
    found = study_columns(ReadTable(columns=(column,), lines=np.array([2, 3, 4])), ["a"])
    assert (found.yes(0), found.left_out) == ([True, False], 1)


def test_rows_with_an_empty_cell_are_left_out_and_counted() -> None:
    found = study(b"a,b,c\n1,,x\n0,2,\nNA,3,y\n1,4,z\n", "a", "b")
    assert (found.cells, found.left_out, found.n) == ((("0", "1"), ("2", "4")), 2, 2)
    assert found.samples(1) == ("2", "4")


def test_a_row_may_stand_for_several_people() -> None:
    found = study(b"a,n\nyes,340\nno,660\n", "a", count="n")
    assert (found.n, found.counts) == (1000, (340, 660))


def test_counts_of_nobody_are_refused() -> None:
    raw = b"a,n\nyes,0\nno,0\n"
    with refused("study_file", "All counts in column “n” are 0"):
        study(raw, "a", count="n")


def test_samples_are_in_the_order_of_their_numbers_or_names() -> None:
    assert study(b"g\n10\n9\n", "g").samples(0) == ("9", "10")
    assert study(b"g\nb\na\n", "g").samples(0) == ("a", "b")


def test_cells_that_are_none_are_refused_with_their_line() -> None:
    raw = b"a,b,n\n1,2,3\n7,x,-1\n"
    both = study(raw, "a", "b")
    with refused("study_file", "line 3", "7"):
        both.yes(0)
    with refused("study_file", "line 3", "x"):
        both.numeric(1)
    with refused("study_file", "line 3", "7"):
        both.whole(0, 6)
    with refused("study_file", "line 3", "-1"):
        study(raw, "a", count="n")
    with refused("study_file", "no column", "c"):
        study(raw, "c")
    with refused("study_file", "Several"):
        study(b"a,a\n1,2\n", "a")
    with refused("study_file", "No line"):
        study(b"a,b\n,2\n", "a")
    with refused("study_file", "1 different"):
        study(b"g\n1\n", "g").samples(0)
    with refused("study_file", "inf"):
        study(b"g\ninf\n", "g").numeric(0)
