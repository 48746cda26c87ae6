"""Searching undisguised rows."""

from mining.mlxtend_search import plain_rows
from tests.mining.test_pipeline import plain


def test_plain_rows_are_the_answers_of_direct_rows_first() -> None:
    """Items are x and y; every third row has x, every second y."""
    rows = plain_rows(plain(5, 6))
    assert rows.tolist() == [[at % 3 == 0, at % 2 == 1] for at in range(11)]
