"""The largest value of each window, against a list of all windows."""

import numpy as np
import pytest

from privacy.scales.sliding_max import sliding_max


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 12])
def test_each_position_has_the_largest_value_of_the_window_that_ends_there(size: int) -> None:
    values = np.random.default_rng(4).random((9, 6))
    expected = [values[max(0, end - size + 1) : end + 1].max(axis=0) for end in range(9)]
    assert sliding_max(values, size, 0).tolist() == np.array(expected).tolist()
    assert sliding_max(values.T, size, 1).tolist() == np.array(expected).T.tolist()
