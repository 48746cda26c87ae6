"""Moments of scores."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from privacy.scales import score_moments
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr
from privacy.scales.running_scores import bin_scores
from privacy.scales.scale_groups import scale_groups
from privacy.scales.score_moments import moments_of, running_moments, span_slopes
from tests.fixtures.scale_reports import WAVE_OF_SIX


def test_slopes_of_spans_by_hand() -> None:
    """(2 + 3) / 2 - (1 + 6) / 2 = -1, and 0 - (0 + 4 + 2) / 3 = -2."""
    values = np.array([[1.0, 2.0, 3.0, 6.0], [0.0, 0.0, 4.0, 2.0]])
    assert span_slopes(values, np.array([1, 0]), np.array([3, 1])).tolist() == [-1, -2]


def test_moments_are_means_over_rows() -> None:
    """30 rows with z = -1 and a = 1, 60 with z = 2 and a = 2, 10 with z = .5 and a = 0."""
    rows, answers = np.array([30.0, 60.0, 10.0]), np.array([1.0, 2.0, 0.0])
    groups: Any = SimpleNamespace(rows=rows, answers=answers, by_bin=lambda values: values[..., :2])
    found = moments_of(groups, np.array([[-1.0, 2.0, 0.5]]), lambda values: values[..., 1] - values[..., 0])
    assert (found.n, found.mean.tolist(), found.square.tolist()) == (100, [0.95], [2.725])
    assert (found.with_answer.tolist(), found.answer.tolist(), found.answer_square.tolist()) == (
        [2.1],
        [1.5],
        [2.7],
    )
    assert (found.slope.tolist(), found.slope_with.tolist()) == ([3], [5])


def test_running_sums_of_a_kept_bit_by_hand() -> None:
    """Kept with 3/4, z is 1.5 or -.5 for "below the edge": of 100 rows 30 say so, so .3 (1.5) - .7 (.5) = .1.

    E z^2 is 1.75 below the edge and .75 above it. Everyone is below the last edge.
    """
    groups = scale_groups(generalised_rr(NumberRange(low=0, high=1), 7500), [30, 70])
    assert bin_scores(groups, np.array([0, 1, 2]))[:, :2] == pytest.approx(
        np.array([[0, 0], [1.5, -0.5], [1, 1]])
    )
    ((edges, found, with_next),) = running_moments(groups)
    assert edges.tolist() == [0, 1, 2]
    assert found.mean == pytest.approx([0, 0.1, 1])
    assert found.square == pytest.approx([0, 0.3 * 2.25 + 0.7 * 0.25, 1])
    assert found.slope == pytest.approx([0, 1, 2])
    assert found.slope_with == pytest.approx([1, 1, 1])
    assert with_next == pytest.approx([0, 0.1])


def test_running_sums_in_chunks_are_those_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = scale_groups(WAVE_OF_SIX, np.arange(WAVE_OF_SIX.outputs) + 1)
    (once,) = running_moments(groups)
    monkeypatch.setattr(score_moments, "_AT_ONCE", 3 * groups.rows.shape[-1])
    edges, means, slopes, products = [], [], [], []
    for some, found, with_next in running_moments(groups):
        edges += some[1:].tolist()
        means += found.mean[1:].tolist()
        slopes += found.slope[1:].tolist()
        products += with_next.tolist()
    assert edges == [1, 2, 3, 4, 5, 6, 7]
    assert means == pytest.approx(once[1].mean[1:].tolist())
    assert slopes == pytest.approx(once[1].slope[1:].tolist())
    assert products == pytest.approx(once[2].tolist())
