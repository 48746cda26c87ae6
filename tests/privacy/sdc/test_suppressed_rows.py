"""Suppressed records."""

from privacy.sdc.suppressed_rows import suppressed_rows
from tests.fixtures.tables import table_of


def test_suppressed_rows_differ_from_a_fully_generalised_table():
    some = table_of(["a", "b"], [("*", "*"), ("*", "x"), ("y", "x")])
    whole = table_of(["a", "b"], [("*", "*")] * 3)
    assert suppressed_rows(some).tolist() == [True, False, False]
    assert not suppressed_rows(whole).any()
