"""Entropy against scipy's, and at the ends of a share."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from privacy.entropy import entropy, times_log


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_entropy_is_that_of_the_library(values):
    shares = np.array(values)
    assert float(entropy(shares)) == pytest.approx(float(scipy.special.entr(shares).sum()), abs=1e-14)
    assert float(entropy(shares, log=np.log2)) == pytest.approx(float(entropy(shares)) / np.log(2), abs=1e-13)


def test_what_is_certain_has_no_entropy_and_no_sign():
    assert not np.signbit(entropy(np.array([1.0, 0.0])))


def test_a_share_that_rounding_left_below_zero_counts_as_none():
    assert times_log(np.array([-1e-18, 0.5]), np.array([-1.0, np.e])).tolist() == [0.0, 0.5]
