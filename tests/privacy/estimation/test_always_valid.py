"""Intervals that hold at every look, against those of a single look."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from privacy.errors import PrivacyError
from privacy.estimation.always_valid import always_valid_half_width

LOOKS = np.arange(1, 41) * 250


def missed_at_some_look(paths: int, half_widths: np.ndarray) -> int:
    """How often the running mean of fair coins, +1 and -1, leaves one of the intervals around 0."""
    rng = np.random.default_rng(11)
    heads = rng.binomial(LOOKS[0], 0.5, size=(paths, len(LOOKS)))
    means = (2 * heads.cumsum(axis=1) - LOOKS) / LOOKS
    return int((np.abs(means) > half_widths).any(axis=1).sum())


def test_forty_looks_mislead_with_intervals_of_one_look_and_not_with_these() -> None:
    paths = 20_000
    one_look = 1.959964 / np.sqrt(LOOKS)
    every_look = np.array([always_valid_half_width(1 / math.sqrt(n), n) for n in LOOKS.tolist()])
    # More than one in five would be misled; of a level of .95 at most one in twenty may be.
    assert missed_at_some_look(paths, one_look) > binom.ppf(1 - 1e-6, paths, 0.2)
    missed = missed_at_some_look(paths, every_look)
    assert missed <= binom.ppf(1e-6, paths, 0.05)
    assert missed > 0


def test_it_is_the_root_of_the_mixture() -> None:
    """At the end of the interval the mixed likelihood ratio, over N(0, 1/r), is 1/a.

    exp(S^2 / (2 (n + r))) sqrt(r / (n + r)) for sums S of rows with variance 1.
    """
    reach = -2 * math.log(0.05)
    r = 1_000 / (reach + math.log(reach) + 1)
    for n in (10, 1_000, 50_000):
        end = always_valid_half_width(1 / math.sqrt(n), n) * n
        assert math.exp(end**2 / (2 * (n + r))) * math.sqrt(r / (n + r)) == pytest.approx(20)


def test_no_rows_are_refused() -> None:
    with pytest.raises(PrivacyError, match="rows = 0"):
        always_valid_half_width(0.1, 0)
