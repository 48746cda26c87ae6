from __future__ import annotations

import numpy as np
import pytest

from privacy.scales.planar_baselines import (
    draw_piecewise,
    draw_planar_laplace,
    piecewise_error,
    planar_laplace_error,
)
from tests.cast.refusals import refused

D = (1000.0, 1000.0)


@pytest.mark.parametrize(
    ("epsilon", "laplace"), [(5, 1.92e6), (8, 7.5e5), (10, 4.8e5), (15, 2.13e5), (20, 1.2e5)]
)
def test_errors_that_are_not_cut_off_are_those_of_the_table(epsilon: float, laplace: float) -> None:
    assert planar_laplace_error(D, epsilon) == pytest.approx(laplace, rel=3e-3)


def _mean(errors: np.ndarray) -> tuple[float, float]:
    return float(errors.mean()), float(errors.std() / len(errors) ** 0.5)


@pytest.mark.parametrize("epsilon", [2, 8])
def test_drawn_points_have_the_predicted_errors(epsilon: float) -> None:
    rng = np.random.default_rng(11)
    points = rng.uniform(-1000, 1000, (60_000, 2))
    mean, error = _mean(((draw_piecewise(points, D, epsilon, rng=rng) - points) ** 2).sum(axis=1))
    # A normal mean strays by five standard errors less than once in a million runs.
    assert mean == pytest.approx(piecewise_error(D, epsilon), abs=5 * error)
    centre = np.zeros((60_000, 2))
    # From the middle, with so little noise that none of it leaves the map.
    sent = draw_planar_laplace(centre, D, 49, rng=rng)
    mean, error = _mean((sent**2).sum(axis=1))
    assert mean == pytest.approx(planar_laplace_error(D, 49), abs=5 * error)


def test_what_is_sent_lies_on_the_map() -> None:
    rng = np.random.default_rng(12)
    points = rng.uniform(-1, 1, (5000, 2)) * np.array([1000, 300])
    for draw in (draw_piecewise, draw_planar_laplace):
        sent = draw(points, (1000.0, 300.0), 0.5, rng=rng)
        assert (np.abs(sent) <= np.array([1000, 300])).all()


@pytest.mark.parametrize("wrong", [0, -1, float("nan"), 51])
def test_epsilons_out_of_range_are_refused(wrong: float) -> None:
    for ask in (lambda: planar_laplace_error(D, wrong), lambda: piecewise_error(D, wrong)):
        with refused("epsilon"):
            ask()
