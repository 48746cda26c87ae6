"""Both kernels of numpy count as one counts by hand, however the work is cut."""

import itertools

import numpy as np
import pytest

from mining.columns import counting_numpy
from mining.columns.counting_numpy import count_as_mlxtend, count_rows

# Six rows in three columns: rows 0, 2, 5; rows 0, 1, 2, 5; and row 4.
WORDS = np.array([[0b100101], [0b100111], [0b010000]], dtype=np.uint64)
BY_HAND = {(0,): 3, (1,): 4, (2,): 1, (0, 1): 3, (0, 2): 0, (1, 2): 0, (0, 1, 2): 0}


@pytest.mark.parametrize("kernel", [count_rows, count_as_mlxtend])
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("at_a_time", [1, 2, 1 << 20])
def test_counts_equal_those_by_hand_in_portions_of_any_size(
    monkeypatch: pytest.MonkeyPatch, kernel: object, size: int, at_a_time: int
) -> None:
    monkeypatch.setattr(counting_numpy, "_CELLS_AT_A_TIME", at_a_time)
    monkeypatch.setattr(counting_numpy, "_FLAGS_AT_A_TIME", at_a_time)
    sets = list(itertools.combinations(range(3), size))
    assert kernel(WORDS, np.array(sets)).tolist() == [BY_HAND[each] for each in sets]


@pytest.mark.parametrize("kernel", [count_rows, count_as_mlxtend])
def test_rows_of_several_words_are_added_up(kernel: object) -> None:
    words = np.array([[2**64 - 1, 0, 5], [1, 2**63, 7]], dtype=np.uint64)
    assert kernel(words, np.array([[0], [1]])).tolist() == [66, 5]
    assert kernel(words, np.array([[0, 1]])).tolist() == [3]
    assert kernel(words, np.zeros((0, 2), dtype=np.int64)).tolist() == []
