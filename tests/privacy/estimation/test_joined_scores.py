"""Scores joined with a base, and their likelihood ratio."""

import numpy as np
import pytest

from privacy.estimation import joined_scores
from privacy.estimation.joined_scores import MOST_SCORES, likelihood_ratios


def test_few_cells_are_tested_by_likelihood_and_many_by_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 10 rows, 8 have h = .5 and 2 have -1: the sum is 2, and the variance 8 x .3^2 + 2 x 1.2^2."""
    counts, h = np.array([[8.0, 2.0], [8.0, 4.0]]), np.array([[0.5, -1.0], [0.5, -1.0]])
    # Weighted to mean 0, h = .5 has 2/3 of the probability.
    exact = 2 * (8 * np.log(0.8 / (2 / 3)) + 2 * np.log(0.2 / (1 / 3)))
    assert likelihood_ratios(counts, h) == pytest.approx([exact, 0], abs=1e-9)
    monkeypatch.setattr(joined_scores, "MOST_SCORES", 2)
    assert likelihood_ratios(counts, h) == pytest.approx([exact, 0], abs=1e-9)
    monkeypatch.setattr(joined_scores, "MOST_SCORES", 1)
    assert likelihood_ratios(counts, h) == pytest.approx([4 / 3.6, 0], abs=1e-12)
    assert likelihood_ratios(np.array([[3.0, 0.0]]), h[:1]).tolist() == [0], "without variance"


def test_the_unit_of_values_does_not_change_their_test() -> None:
    """By moments too, and a value without variance has no statistic."""
    generator = np.random.default_rng(2)
    counts, h = generator.integers(1, 9, (2, MOST_SCORES + 1)), generator.normal(size=(2, MOST_SCORES + 1))
    expected = likelihood_ratios(counts, h)
    assert (expected > 0).all()
    assert likelihood_ratios(counts, h / 1e6) == pytest.approx(expected)
    assert likelihood_ratios(counts, np.zeros_like(h)).tolist() == [0, 0]
