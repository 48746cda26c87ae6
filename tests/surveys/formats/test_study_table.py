"""Tables of studies read from bytes: what is understood, and what is refused by name."""

from __future__ import annotations

import pytest

from surveys.formats.study_table import MOST_BYTES, study_table
from tests.cast.refusals import refused


def test_commas_semicolons_tabs_and_a_mark_of_the_byte_order_are_understood() -> None:
    for sign in (",", ";", "\t"):
        table = study_table(f"\ufeffanswer{sign}sample\nYes{sign}2\n".encode())
        assert table.header == ("answer", "sample")
        assert table.columns(["answer"]).yes(0) == [True]


def test_rows_with_an_empty_cell_are_left_out_and_counted() -> None:
    found = study_table(b"a,b,c\n1,,x\n0,2,\nNA,3,y\n1,4,z\n").columns(["a", "b"])
    assert (found.cells, found.left_out, found.n) == ((("0", "1"), ("2", "4")), 2, 2)
    assert found.samples(1) == ("2", "4")


def test_a_row_may_stand_for_several_people() -> None:
    found = study_table(b"a,n\nyes,340\nno,660\n").columns(["a"], "n")
    assert (found.n, found.counts) == (1000, (340, 660))


def test_counts_of_nobody_are_refused() -> None:
    table = study_table(b"a,n\nyes,0\nno,0\n")
    with refused("study_file", "All counts in column “n” are 0"):
        table.columns(["a"], "n")


def test_samples_are_in_the_order_of_their_numbers_or_names() -> None:
    assert study_table(b"g\n10\n9\n").columns(["g"]).samples(0) == ("9", "10")
    assert study_table(b"g\nb\na\n").columns(["g"]).samples(0) == ("a", "b")


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        (b"a" * (MOST_BYTES + 1), "too large"),
        (b"a\n\xff\xfe", "UTF-8"),
        (b"a,b\n", "no row"),
        (b"", "no row"),
        (b"a,b\n1\n", "Cells in line 2: 1, in the header: 2"),
    ],
)
def test_files_that_are_none_are_refused(raw: bytes, named: str) -> None:
    with refused("study_file", named):
        study_table(raw)


@pytest.mark.soak
def test_the_largest_file_is_read_and_one_byte_more_is_not() -> None:
    head = b"a\n" + b"1\n" * ((MOST_BYTES - 2) // 2)
    assert len(head) == MOST_BYTES
    assert len(study_table(head).lines) == (MOST_BYTES - 2) // 2
    with refused("study_file", "too large"):
        study_table(head + b"1")


def test_cells_that_are_none_are_refused_with_their_line() -> None:
    table = study_table(b"a,b,n\n1,2,3\n7,x,-1\n")
    both = table.columns(["a", "b"])
    with refused("study_file", "line 3", "7"):
        both.yes(0)
    with refused("study_file", "line 3", "x"):
        both.numeric(1)
    with refused("study_file", "line 3", "7"):
        both.whole(0, 6)
    with refused("study_file", "line 3", "-1"):
        table.columns(["a"], "n")
    with refused("study_file", "no column", "c"):
        table.columns(["c"])
    with refused("study_file", "Several"):
        study_table(b"a,a\n1,2\n").columns(["a"])
    with refused("study_file", "No line"):
        study_table(b"a,b\n,2\n").columns(["a"])
    with refused("study_file", "1 different"):
        study_table(b"g\n1\n").columns(["g"]).samples(0)
    with refused("study_file", "inf"):
        study_table(b"g\ninf\n").columns(["g"]).numeric(0)
