from __future__ import annotations

import numpy as np
import pytest

from tests.cast.refusals import refused
from trials.studies.places_study import (
    MECHANISMS,
    best_grid,
    central_region,
    cluster_points,
    corner_regions,
    grid_errors,
    mechanism_errors,
    random_regions,
    uniform_points,
    whole,
)
from trials.studies.square import Plane, best_width

GRID = (np.arange(400) + 0.5) * 5 - 1000
FINE = np.stack(np.meshgrid(GRID, GRID), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize(
    ("epsilon", "tiles", "error"),
    [(5, 3, 142269), (8, 6, 33992), (10, 10, 12633), (15, 36, 1042), (20, 125, 85.6)],
)
def test_randomised_response_on_the_best_tiles_has_the_error_of_the_table(
    epsilon: float, tiles: int, error: float
) -> None:
    assert best_grid(whole(), epsilon) == tiles
    if tiles < 100:
        # Five metres are too coarse for 125 tiles.
        assert grid_errors(whole(), FINE, epsilon, tiles).mean() == pytest.approx(error, rel=5e-3)


@pytest.mark.parametrize(
    ("epsilon", "tiles", "error"), [(5, 2, 31056), (8, 4, 6985), (10, 6, 2508), (15, 20, 206.1)]
)
def test_its_utility_form_on_one_central_square_has_the_error_of_the_table(
    epsilon: float, tiles: int, error: float
) -> None:
    assert best_grid(central_region(), epsilon) == tiles
    found = grid_errors(central_region(), FINE, epsilon, tiles).mean()
    assert found == pytest.approx(error, rel=0.012)


def test_all_mechanisms_are_there_and_the_exact_ones_agree_with_their_formulas() -> None:
    points = FINE[::23]
    found = mechanism_errors(points, central_region(), 5, rng=np.random.default_rng(1), prior=FINE[::61])
    assert [one.mechanism for one in found] == list(MECHANISMS)
    by_name = {one.mechanism: one.error for one in found}
    assert by_name["square"] == pytest.approx(165985.1, rel=2e-3)
    assert by_name["utility_square"] == pytest.approx(39039, rel=2e-3)
    assert by_name["utility_square_own_width"] == pytest.approx(37101, rel=2e-3)
    assert by_name["utility_square_prior_width"] == pytest.approx(37101, rel=2e-3)
    assert by_name["piecewise"] == pytest.approx(6.3e5, rel=0.03)
    assert by_name["planar_laplace"] == pytest.approx(8.19e5, rel=0.03)
    assert len(mechanism_errors(points, whole(), 5, rng=np.random.default_rng(1))) == len(MECHANISMS) - 1


def test_regions_lie_in_the_square_and_do_not_overlap() -> None:
    rng = np.random.default_rng(2)
    for count in (2, 4, 6):
        parts = random_regions(count, rng=rng)
        plane = Plane(half_sides=(1000, 1000), parts=parts, epsilon=10)
        inside = [(np.abs(FINE - np.array(part[:2])) <= np.array(part[2:])).all(axis=1) for part in parts]
        assert np.sum(inside, axis=0).max() == 1
        assert plane.sensitive_area == pytest.approx(count * 250**2)
        # At epsilon 10 and more no region has to be enlarged.
        assert best_width(Plane(half_sides=(1000, 1000), parts=whole(), epsilon=10)) < plane.widest
    assert len(corner_regions()) == 4
    with refused("regions"):
        random_regions(13, rng=rng)


def test_the_same_seed_draws_the_same_places_inside_the_square() -> None:
    for draw in (uniform_points, cluster_points):
        one, other = (draw(500, rng=np.random.default_rng(3)) for _ in range(2))
        assert np.array_equal(one, other)
        assert (np.abs(one) <= 1000).all()


@pytest.mark.parametrize(
    "points", [np.zeros((0, 2)), np.full((3, 2), 1001.0), np.zeros(4), np.full((1, 2), np.nan)]
)
def test_places_outside_the_square_are_refused(points: np.ndarray) -> None:
    with refused("points"):
        mechanism_errors(points, whole(), 5, rng=np.random.default_rng(1))
