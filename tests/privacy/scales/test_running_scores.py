"""Scores of running sums."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from privacy.scales.number_range import NumberRange
from privacy.scales.running_scores import running_scores
from privacy.scales.window import WindowChannel
from tests.fixtures.refusals import refused
from tests.fixtures.scale_reports import WAVE_OF_SIX


@pytest.mark.parametrize(
    "band",
    [
        WAVE_OF_SIX,
        replace(WAVE_OF_SIX, window=1),
        replace(WAVE_OF_SIX, cyclic=True),
        replace(WAVE_OF_SIX, cyclic=True, window=4),
        replace(WAVE_OF_SIX, coin=20, lean=5, step=2),
    ],
)
def test_running_scores_are_unbiased_for_every_answer_and_vary_least(band: WindowChannel) -> None:
    """Unbiased scores of least variance under even shares are those of weighted least squares."""
    edges, matrix = np.arange(1, 7), band.channel.as_array()
    scores = running_scores(band, edges)
    below = np.arange(7) < edges[:, None]
    assert np.allclose(scores @ matrix, below, rtol=0, atol=1e-10)
    weights = matrix.sum(axis=1) / 7
    least = below @ np.linalg.solve(matrix.T @ (matrix / weights[:, None]), (matrix / weights[:, None]).T)
    assert (scores**2 @ weights).tolist() == pytest.approx((least**2 @ weights).tolist())


def test_running_sums_of_the_same_outputs_cannot_be_told_apart() -> None:
    """Windows of 2 on a circle of 4 overlap in pairs, and a channel without a window says nothing of ends."""
    four = replace(WAVE_OF_SIX, range=NumberRange(low=0, high=3), cyclic=True, window=2)
    with refused("no_score"):
        running_scores(four, np.arange(1, 4))
    with refused("no_score"):
        running_scores(
            replace(WAVE_OF_SIX, window=0, floor=0, peak=0, coin=20, lean=2, step=2), np.arange(1, 4)
        )
