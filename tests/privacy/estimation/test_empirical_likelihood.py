import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize

from privacy.estimation import empirical_likelihood
from privacy.estimation.empirical_likelihood import (
    ConfidenceSets,
    _between,
    _Lines,
    _scale_to_unit,
    likelihood_ratio,
    likelihood_sets,
    newton_end,
    score_test_sets,
)

CHI2 = 3.841458820694124


def owen(h: np.ndarray) -> float:
    """Return -2 log of the empirical likelihood ratio for mean 0, from one value per row."""
    if not h.any():
        return 0.0
    if h.min() >= 0 or h.max() <= 0:
        return np.inf
    edges = [-(1 - 1e-12) / extreme for extreme in (h.max(), h.min())]
    multiplier = brentq(lambda m: (h / (1 + m * h)).sum(), *edges, xtol=1e-15)
    return float(2 * np.log1p(multiplier * h).sum())


@pytest.mark.parametrize("seed", range(25))
def test_without_empty_cells_the_ratio_matches_owens(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = int(rng.integers(2, 9))
    counts, values = rng.integers(1, 30, cells), rng.normal(rng.normal() / 4, 1, cells)
    expected = owen(np.repeat(values, counts))
    assert float(likelihood_ratio(counts, values)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("counts", "values"),
    [
        ([6, 4, 0], [0.5, -0.25, -2.0]),
        ([3, 0, 9], [-0.6, 1.5, 0.2]),
        ([8, 0], [0.3, -0.7]),
        ([5, 2, 0, 0], [1, 3, -1, -0.5]),
    ],
)
def test_an_empty_cell_can_have_positive_probability(counts: list[int], values: list[float]) -> None:
    # Solve the primal problem: the likeliest probabilities of the cells with mean 0.
    rows, h = np.array(counts, dtype=float), np.array(values)
    found = minimize(
        lambda p: -(rows[rows > 0] * np.log(p[rows > 0])).sum(),
        np.full(len(rows), 1 / len(rows)),
        bounds=[(1e-12, 1)] * len(rows),
        constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": lambda p: p @ h}],
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    best = (rows[rows > 0] * np.log(rows[rows > 0] / rows.sum())).sum()
    assert found.success
    assert float(likelihood_ratio(counts, values)) == pytest.approx(2 * (found.fun + best), abs=1e-6)


def test_zero_outside_the_range_of_the_values_is_impossible() -> None:
    assert likelihood_ratio([5, 5], [0.2, 0.9]) == np.inf
    assert likelihood_ratio([5, 5], [-0.2, 0.0]) == np.inf
    assert likelihood_ratio([5, 0], [-0.2, 0.0]) == np.inf


def test_all_zero_values_give_a_ratio_of_zero() -> None:
    assert likelihood_ratio([5, 5, 0], [0.0, 0.0, -1.0]) == 0
    assert likelihood_ratio([5, 5], [0.0, 0.0]) == 0


def test_an_extreme_hypothesis_is_still_solved_accurately() -> None:
    # A hypothesis of .5 for a share of 1 in 10,000: 2 (log(.0002) + 9999 log(.9999/.5)).
    expected = 2 * (np.log(1e-4 / 0.5) + 9999 * np.log(0.9999 / 0.5))
    assert float(likelihood_ratio([1, 9999], [0.5, -0.5])) == pytest.approx(expected, rel=1e-12)


def random_tables(seed: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return random tables for ratios with few rows, whose denominators are often uncertain."""
    rng = np.random.default_rng(seed)
    cells = 4
    counts = rng.integers(0, 7, (size, cells))
    counts[:, 0] += 1
    constant = rng.normal(0.3, 1, (size, cells))
    slope = rng.normal(-0.6, 1, (size, cells))
    return counts, constant, slope


def accepts(sets: ConfidenceSets, row: int, values: NDArray[np.float64]) -> NDArray[np.bool_]:
    above, below = values >= sets.low[row], values <= sets.high[row]
    return sets.whole[row] | (above | below if sets.outside[row] else above & below)


@pytest.mark.slow
def test_the_set_contains_exactly_the_accepted_values() -> None:
    counts, constant, slope = random_tables(1, 300)
    sets = likelihood_sets(counts, constant, slope, CHI2)
    values = np.tan(np.linspace(-1.56, 1.56, 801))
    for row in range(len(counts)):
        ratios = likelihood_ratio(counts[row], constant[row] + values[:, None] * slope[row])
        wrong = (accepts(sets, row, values) != (ratios < CHI2)) & (np.abs(ratios - CHI2) > 1e-6)
        assert not wrong.any(), (row, values[wrong], ratios[wrong])
    # All three kinds of sets occur.
    kinds = np.where(sets.whole, "whole", np.where(sets.outside, "outside", "interval"))
    assert min(map(kinds.tolist().count, ("whole", "outside", "interval"))) >= 20


def test_the_ratio_equals_the_threshold_at_both_ends() -> None:
    counts, constant, slope = random_tables(2, 300)
    counts += 4
    sets = likelihood_sets(counts, constant, slope, CHI2)
    tried = 0
    for row in np.flatnonzero(~sets.whole):
        for end in (sets.low[row], sets.high[row]):
            expected = owen(np.repeat(constant[row] + end * slope[row], counts[row]))
            assert expected == pytest.approx(CHI2, rel=1e-7)
            tried += 1
    assert tried > 400


def test_the_scale_of_a_measure_does_not_change_its_set() -> None:
    counts, constant, slope = random_tables(3, 50)
    sets, small = (likelihood_sets(counts, scale * constant, slope, CHI2) for scale in (1.0, 1e-6))
    for end, other in ((sets.low, small.low), (sets.high, small.high)):
        np.testing.assert_allclose(end * 1e-6, other, rtol=1e-7)


def test_an_item_with_zero_count_gets_an_upper_limit() -> None:
    sets = likelihood_sets(np.array([[100, 0]]), np.array([[0.0, 1.0]]), np.array([[-1.0, -1.0]]), CHI2)
    assert sets.low[0] == 0
    assert sets.high[0] == pytest.approx(1 - np.exp(-CHI2 / 200), rel=1e-9)


def test_cells_of_an_empty_group_do_not_widen_the_interval() -> None:
    counts, values = np.array([[40, 60, 0, 0]]), np.array([[1.0, 0.0, 0.0, 0.0]])
    alone = likelihood_sets(counts[:, :2], values[:, :2], np.array([[-1.0, -1.0]]), CHI2)
    padded = likelihood_sets(counts, values, np.array([[-1.0, -1.0, 0.0, 0.0]]), CHI2)
    assert (padded.low[0], padded.high[0]) == pytest.approx((alone.low[0], alone.high[0]), rel=1e-10)


def test_without_information_every_value_is_possible() -> None:
    # No row has the antecedent, so the ratio is 0/0 for every value.
    sets = likelihood_sets(
        np.array([[9, 0, 0]]), np.array([[0.0, 0.0, 1.0]]), np.array([[0.0, -1.0, -1.0]]), CHI2
    )
    assert sets.whole[0]


def test_a_ray_to_infinity_is_an_interval() -> None:
    # The slope is 0 in every cell with rows, so the estimate is infinite, and no negative value is accepted.
    counts, constant = np.array([[40, 20, 140, 0]]), np.array([[0.56, -0.14, 0.06, 0.76]])
    sets = likelihood_sets(counts, constant, np.array([[0.0, 0.0, 0.0, -1.0]]), CHI2)
    assert (sets.outside[0], sets.high[0]) == (False, np.inf)
    assert 5 < sets.low[0] < np.inf
    assert float(likelihood_ratio(counts[0], constant[0] - sets.low[0] * np.array([0, 0, 0, 1]))) == (
        pytest.approx(CHI2, rel=1e-8)
    )
    mirrored = likelihood_sets(counts, constant, np.array([[0.0, 0.0, 0.0, 1.0]]), CHI2)
    values = np.array([-1e6, mirrored.high[0] - 1, mirrored.high[0] + 1, 1e6])
    passing = likelihood_ratio(counts, constant + values[:, None] * np.array([0, 0, 0, 1])) < CHI2
    assert passing.tolist() == [True, True, False, False]
    assert (mirrored.inside(-np.inf, 1e6).low[0], mirrored.whole[0]) == (-np.inf, False)


def test_rounding_does_not_matter_if_slope_and_constant_cancel() -> None:
    """h = (1 - t) z: if "mean z = 0" is accepted, every t is, otherwise only t = 1."""
    z = np.array([-9.906911070664114, 0.0, 0.5000000000000275, 1.0, 10.906911070664115])
    slope = np.array([9.906911070664114, 0.0, -0.5000000000000275, -0.9999999999999999, -10.906911070664115])
    counts = np.array([[88, 72, 462, 75, 52], [88, 72, 462, 75, 152]])
    inside = likelihood_sets(counts, np.tile(z, (2, 1)), np.tile(slope, (2, 1)), CHI2).inside(0.0, np.inf)
    assert inside.estimable.tolist() == [False, True]
    assert (inside.low[0], inside.high[0]) == (0.0, np.inf)
    assert [inside.low[1], inside.high[1]] == pytest.approx([1, 1])


def test_empty_input_gives_no_sets() -> None:
    empty = np.zeros((0, 4))
    assert len(likelihood_sets(empty.astype(np.int64), empty, empty, CHI2).low) == 0


CHI_SQUARE = 3.841458820694124


def tables(seed: int) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Return counts of 2 to 8 cells, some empty, with one to a million rows, and two values per cell."""
    rng = np.random.default_rng(seed)
    cells = int(rng.integers(2, 9))
    shares = rng.dirichlet(np.full(cells, rng.choice([0.2, 1.0, 3.0])), 200)
    sizes = 1 + (10 ** rng.uniform(0, 6, 200)).astype(int)
    counts = np.array([rng.multinomial(n, share) for n, share in zip(sizes, shares, strict=True)])
    constant = rng.choice([0.0, 1.0, -0.3, 0.7, 1.4], (200, cells)) * rng.uniform(0.5, 2.0, (200, 1))
    slope = -rng.choice([0.0, 1.0, 0.4, -0.3], (200, cells)) * rng.uniform(0.5, 2.0, (200, 1))
    return counts, constant, np.full((200, cells), -1.0) if seed % 3 == 0 else slope


def by_bracketing(
    table: tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]],
) -> ConfidenceSets:
    def never(line: object, which: NDArray[np.intp], *others: object) -> tuple[object, object]:
        return np.full(len(which), np.nan), np.zeros(len(which), dtype=bool)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(empirical_likelihood, "newton_end", never)
        return likelihood_sets(*table, CHI_SQUARE)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_newton_ends_match_bracketing(seed: int) -> None:
    table = tables(seed)
    found, expected = likelihood_sets(*table, CHI_SQUARE), by_bracketing(table)
    assert np.array_equal(found.whole, expected.whole)
    assert np.array_equal(found.outside, expected.outside)
    for one, other in ((found.low, expected.low), (found.high, expected.high)):
        # Compare angles, because ends of ratios can be infinite.
        assert np.abs(np.arctan(one) - np.arctan(other)).max() < 1e-12


def test_unconverged_ends_are_reported() -> None:
    def jump(angle: NDArray[np.float64], which: object) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.where(angle > 1.0, np.inf, 0.0), np.zeros_like(angle)

    _, settled = newton_end(jump, np.array([0]), np.zeros(1), np.full(1, 3.0), np.full(1, 9.0), 4.0)
    assert not settled.any()


C = 3.841458820694124


def holds(value: NDArray[np.float64], a: float, b: float, v: tuple[float, float, float]) -> NDArray[np.bool_]:
    return np.asarray((a + b * value) ** 2 <= C * (v[0] + 2 * value * v[1] + value**2 * v[2]))


def sets_of(a: float, b: float, v: tuple[float, float, float]) -> ConfidenceSets:
    variances = np.array([v[0]]), np.array([v[1]]), np.array([v[2]])
    return score_test_sets(np.array([a]), np.array([b]), variances, C)


@pytest.mark.parametrize("seed", range(40))
def test_the_set_is_where_the_inequality_holds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=2)
    root = rng.normal(size=(2, 2)) * rng.choice([0.1, 0.5, 2.0])
    covariance = root @ root.T
    v = float(covariance[0, 0]), float(covariance[0, 1]), float(covariance[1, 1])
    values = np.tan(np.linspace(-1.57, 1.57, 4001))
    assert np.array_equal(accepts(sets_of(a, b, v), 0, values), holds(values, a, b, v))


def test_without_noise_the_set_is_the_estimate() -> None:
    found = sets_of(0.3, -1.0, (0.0, 0.0, 0.0))
    assert (found.low[0], found.high[0], found.outside[0], found.whole[0]) == (0.3, 0.3, False, False)


def test_without_noise_a_zero_denominator_gives_infinity_or_everything() -> None:
    infinite = sets_of(0.3, 0.0, (0.0, 0.0, 0.0)).inside(0, np.inf)
    assert (infinite.low[0], infinite.high[0], infinite.estimable[0]) == (np.inf, np.inf, True)
    assert sets_of(0.0, 0.0, (0.0, 0.0, 0.0)).whole[0]


def test_a_denominator_exactly_at_the_limit_gives_a_ray() -> None:
    # With b^2 = c V_bb the parabola is a line: (1 + 2t)^2 <= c (V_aa + 4/c t^2), here 1 + 4t <= c V_aa.
    found = sets_of(1.0, 2.0, (1.0, 0.0, 4 / C))
    assert (found.low[0], found.high[0]) == (-np.inf, pytest.approx((C - 1) / 4))
    mirrored = sets_of(1.0, -2.0, (1.0, 0.0, 4 / C))
    assert (mirrored.low[0], mirrored.high[0]) == (pytest.approx((1 - C) / 4), np.inf)


def test_a_negative_variance_leaves_every_value_possible() -> None:
    assert sets_of(0.3, -1.0, (-0.01, 0.0, 0.0)).whole[0]
    # Another negative variance: .01 - 2 * .3 * .1 + .09 * .5 = -.005.
    assert sets_of(0.3, -1.0, (0.01, -0.1, 0.5)).whole[0]


INF = np.inf


def one(low: float, high: float, *, outside: bool = False, whole: bool = False) -> ConfidenceSets:
    return ConfidenceSets(
        low=np.array([low]), high=np.array([high]), outside=np.array([outside]), whole=np.array([whole])
    )


@pytest.mark.parametrize(
    ("sets", "range_", "expected"),
    [
        (one(0.2, 0.6), (0, 1), (0.2, 0.6, True)),
        (one(-0.2, 0.6), (0, 1), (0, 0.6, True)),
        (one(-0.2, 1.6), (0, 1), (0, 1, False)),
        (one(1.1, 1.6), (0, 1), (1, 1, True)),  # outside the range: the nearest end
        (one(-2, -1), (0, INF), (0, 0, True)),
        (one(0.5, -0.5, outside=True), (0, 1), (0.5, 1, True)),  # only the upper ray reaches the range
        (one(2, 0.4, outside=True), (0, 1), (0, 0.4, True)),  # only the lower ray does
        (one(0.8, 0.3, outside=True), (0, 1), (0, 1, False)),  # two pieces: the gap is filled
        (one(3, -1, outside=True), (0, 1), (0, 0, True)),  # neither does
        (one(1.5, -3, outside=True), (0, 1), (1, 1, True)),
        (one(4, -2, outside=True), (0, INF), (4, INF, True)),
        (one(-INF, INF, whole=True), (0, INF), (0, INF, False)),
        (one(INF, -INF, outside=True), (0, INF), (INF, INF, True)),  # conviction of a rule without exceptions
        (one(2, 5), (-INF, INF), (2, 5, True)),
    ],
)
def test_a_set_within_a_range_becomes_its_smallest_enclosing_interval(
    sets: ConfidenceSets, range_: tuple[float, float], expected: tuple[float, float, bool]
) -> None:
    found = sets.inside(*range_)
    assert (found.low[0], found.high[0], found.estimable[0]) == expected


def test_slicing_keeps_the_sets_of_the_chosen_elements() -> None:
    sets = ConfidenceSets(
        low=np.array([1.0, 2.0]),
        high=np.array([3.0, 4.0]),
        outside=np.array([False, True]),
        whole=np.array([True, False]),
    )
    part = sets.part(slice(1, 2))
    assert (part.low[0], part.high[0], part.outside[0], part.whole[0]) == (2, 4, True, False)


def test_a_set_outside_the_range_becomes_its_nearest_end() -> None:
    """All values up to `high` and from `low` on are accepted, but none from 0 to 1."""
    low, high = np.array([1.2, 1.5, 3.0, 1.1]), np.array([-0.5, -0.4, -2.0, -0.1])
    yes, no = np.ones(4, dtype=bool), np.zeros(4, dtype=bool)
    found = ConfidenceSets(low=low, high=high, outside=yes, whole=no).inside(0.0, 1.0)
    assert found.low.tolist() == found.high.tolist() == [1, 0, 0, 0]
    # One ray reaches into the range, but not that of the third set.
    found = ConfidenceSets(low=low - 1, high=high, outside=yes, whole=no).inside(0.0, 1.0)
    assert found.low == pytest.approx([0.2, 0.5, 1, 0.1])
    assert found.high.tolist() == [1, 1, 1, 1]


def test_lines_are_scaled_and_centred_by_hand() -> None:
    """Three rows in two cells, with weights .75 and .25, have the means 2/3 of (1, -1) and 1 of (1, 1)."""
    rows = np.tile([2.5, 0.5], (4, 1))
    constant = 2.0 * np.array([[1, -1], [1, -1], [-1, 1], [-1, 1]])
    slope = np.array([[3.0, 3], [0, -4], [0, -4], [0, 4]])
    lines = _Lines.of(rows, constant, slope, np.full(4, 3.0))
    assert lines.smooth[0].tolist() == [0.75, 0.25]
    assert lines.x.tolist() == [[1, -1], [1, -1], [-1, 1], [-1, 1]]
    assert lines.y.tolist() == [[1, 1], [0, -2], [0, -2], [0, 2]]
    assert lines.unit == pytest.approx([2 / 3, 1, 1, 1])
    mean_x, mean_y = lines.means
    assert mean_x == pytest.approx([2 / 3, 2 / 3, -2 / 3, -2 / 3])
    assert mean_y == pytest.approx([1, -1 / 3, -1 / 3, 1 / 3])
    # About the means, x is (1, -5) / 3, and so is a y of (0, -2).
    xx, xy, yy = lines.second_moments
    assert xx == pytest.approx(np.full(4, 7 / 9))
    assert xy == pytest.approx([0, 7 / 9, -7 / 9, 7 / 9])
    assert yy == pytest.approx([0, 7 / 9, 7 / 9, 7 / 9])
    # At these angles, cos x + sin y has the mean 0.
    assert np.tan(lines.centre) == pytest.approx([-2 / 3, 2, -2, 2])
    assert (np.abs(lines.centre) < np.pi / 2).all()
    # sd(h) / |mean h'|, for a threshold of as many rows as there are.
    steps = [3 * math.sqrt(7) / 13, *[3 * math.sqrt(0.28)] * 3]
    assert lines.first_step() == pytest.approx(steps)


def test_scores_have_the_mean_square_1_unless_all_are_0() -> None:
    """Three quarters of the rows have .5 and a quarter -1.1: .75 * .25 + .25 * 1.21 = .49."""
    shares = np.array([[0.75, 0.25]] * 2)
    scores, size = _scale_to_unit(np.array([[0.5, -1.1], [0.0, 0.0]]), shares)
    assert size == pytest.approx([0.7, 1])
    assert scores == pytest.approx(np.array([[5 / 7, -11 / 7], [0, 0]]))


def test_a_proposal_at_or_beyond_an_end_is_replaced_by_the_midpoint() -> None:
    wish = np.array([0.0, 1.0, 1.5, 3.0, 4.0])
    for first, other in ((1.0, 3.0), (3.0, 1.0)):
        assert _between(wish, np.full(5, first), np.full(5, other)).tolist() == [2, 2, 1.5, 2, 2]
