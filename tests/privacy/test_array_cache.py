"""Arrays that callers share, and a cache of results by array."""

from functools import partial

import numpy as np
import pytest

from privacy.array_cache import ArrayCache, read_only


def test_shared_arrays_cannot_be_changed() -> None:
    own = np.arange(3)
    assert read_only(own) is own
    with pytest.raises(ValueError, match="read-only"):
        own[0] = 7
    assert own.tolist() == [0, 1, 2]


def test_a_cache_drops_its_oldest_entry_first() -> None:
    first, second, third = (read_only(np.arange(size)) for size in (1, 2, 3))
    known = ArrayCache[int](2)
    assert [known.of(array, partial(len, array)) for array in (first, second, third)] == [1, 2, 3]
    assert [known.of(array, lambda: 0) for array in (third, second, first)] == [3, 2, 0]
    assert known.of(third, lambda: -1, settings="other") == -1


def test_results_of_arrays_that_can_change_are_not_kept() -> None:
    known, array = ArrayCache[int](2), np.arange(3)
    assert [known.of(array, lambda: 1), known.of(array, lambda: 2)] == [1, 2]
