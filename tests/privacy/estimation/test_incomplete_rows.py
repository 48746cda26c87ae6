"""Scores of all sets of axes add up to the score of a complete row, and contributions to its mean."""

import itertools

import numpy as np
import pytest

from privacy.estimation.incomplete_rows import contribution, off_centres

# Scores of yes and no for three axes, and their estimated shares.
AXES = np.array([[-0.5, 1.5], [-0.25, 1.25], [-1.0, 2.0]])
CENTRES = np.array([0.4, 0.1, 0.7])


def scores_of(report: tuple[int, ...]) -> dict[int, np.ndarray]:
    """Return the score of every set of axes for one report: the product of its axes' scores."""
    return {
        subset: np.prod([AXES[axis, report[axis]] for axis in range(3) if subset >> axis & 1])
        for subset in range(8)
    }


@pytest.mark.parametrize("report", list(itertools.product((0, 1), repeat=3)))
def test_weighted_centred_scores_add_up_to_the_score_of_a_complete_row(report: tuple[int, ...]) -> None:
    off, weights = off_centres(scores_of(report), CENTRES)
    assert sum(weights[subset] * off[subset] for subset in range(8)) == pytest.approx(scores_of(report)[7])
    # By hand: the set of the first and third axis leaves out the second, whose centre is .1.
    first, third = AXES[0, report[0]] - 0.4, AXES[2, report[2]] - 0.7
    assert off[0b101] == pytest.approx(first * third)
    assert weights[0b101] == pytest.approx(0.1)


def test_complete_rows_contribute_their_mean() -> None:
    off, rows = np.array([[-0.9], [1.1]]), np.array([[6], [4]])
    support, more = contribution(off, rows, weight=np.array([0.5]), n=np.array([10]))
    # (6 * -.9 + 4 * 1.1) / 10 = -.1, of which the weight takes half; all were asked.
    assert support == pytest.approx([-0.05])
    assert more.ravel() == pytest.approx([-0.4, 0.6])
    # The further part has the mean 0 over the rows that were asked.
    assert (rows * more).sum() == pytest.approx(0)
