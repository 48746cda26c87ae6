"""Stored errors of a run's estimates: the error W of an itemset, known or expected."""

from __future__ import annotations

import math

import numpy as np
import pytest

from surveys.runs.mining_job import _errors


def test_the_error_is_the_distance_from_the_truth_on_either_side_of_it() -> None:
    values, errors = np.array([0.30, 0.50]), np.array([0.02, 0.02])
    assert _errors(values, errors, [0.4, 0.4]) == pytest.approx([0.1, 0.1])


def test_without_a_truth_it_is_the_mean_distance_of_a_normal_error() -> None:
    """E|N(0, s)| = s sqrt(2/pi) = .798 s; the result is missing if the error is."""
    expected = _errors(np.array([0.3, 0.3]), np.array([0.02, math.nan]), [None, None])
    assert expected[0] == pytest.approx(0.0159577, abs=1e-7)
    assert expected[1] is None
