"""Numbers of distinct rows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from privacy.sdc.distinct_rows import distinct_rows


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**30), st.integers(0, 2**30)), min_size=1))
def test_distinct_rows_match_numpy_even_if_keys_would_overflow(rows):
    columns = [np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)]
    first, number = distinct_rows([*columns, columns[1]])
    _, expected = np.unique(np.array(rows), axis=0, return_inverse=True)
    assert number.tolist() == expected.ravel().tolist()
    assert [rows[place] for place in first.tolist()] == sorted(set(rows))
