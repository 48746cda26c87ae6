"""Arrays that callers share, and a cache of results by array."""

import numpy as np
import pytest

from privacy.arrays import read_only


def test_shared_arrays_cannot_be_changed() -> None:
    own = np.arange(3)
    assert read_only(own) is own
    with pytest.raises(ValueError, match="read-only"):
        own[0] = 7
    assert own.tolist() == [0, 1, 2]
