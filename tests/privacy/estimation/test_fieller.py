import numpy as np
import pytest

from privacy.estimation.fieller import ConfidenceSets, score_test_sets

C = 3.841458820694124


def holds(value: float, a: float, b: float, v: tuple[float, float, float]) -> bool:
    return (a + b * value) ** 2 <= C * (v[0] + 2 * value * v[1] + value**2 * v[2])


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
    found = sets_of(a, b, v)
    low, high = found.low[0], found.high[0]
    for value in np.tan(np.linspace(-1.57, 1.57, 4001)):
        inside = low <= value <= high if not found.outside[0] else value <= high or value >= low
        assert (inside or found.whole[0]) == holds(value, a, b, v)


def test_without_noise_the_set_is_the_estimate() -> None:
    found = sets_of(0.3, -1.0, (0.0, 0.0, 0.0))
    assert (found.low[0], found.high[0], found.outside[0], found.whole[0]) == (0.3, 0.3, False, False)


def test_without_noise_and_denominator_the_value_is_infinite_or_anything() -> None:
    infinite = sets_of(0.3, 0.0, (0.0, 0.0, 0.0)).inside(0, np.inf)
    assert (infinite.low[0], infinite.high[0], infinite.estimable[0]) == (np.inf, np.inf, True)
    assert sets_of(0.0, 0.0, (0.0, 0.0, 0.0)).whole[0]


def test_a_denominator_exactly_at_the_edge_leaves_a_ray() -> None:
    # b^2 = c V_bb: the parabola is a line, (1 + 2t)^2 <= c (V_aa + 4/c t^2), here 1 + 4t <= c V_aa.
    found = sets_of(1.0, 2.0, (1.0, 0.0, 4 / C))
    assert (found.low[0], found.high[0]) == (-np.inf, pytest.approx((C - 1) / 4))
    mirrored = sets_of(1.0, -2.0, (1.0, 0.0, 4 / C))
    assert (mirrored.low[0], mirrored.high[0]) == (pytest.approx((1 - C) / 4), np.inf)


def test_a_negative_variance_at_the_estimate_says_nothing() -> None:
    assert sets_of(0.3, -1.0, (-0.01, 0.0, 0.0)).whole[0]
    # The other way for the variance to be negative there: .01 - 2 * .3 * .1 + .09 * .5 = -.005.
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
        (one(1.1, 1.6), (0, 1), (1, 1, True)),  # nothing is left: the nearest end
        (one(-2, -1), (0, INF), (0, 0, True)),
        (one(0.5, -0.5, outside=True), (0, 1), (0.5, 1, True)),  # only the upper ray reaches the range
        (one(2, 0.4, outside=True), (0, 1), (0, 0.4, True)),  # only the lower ray does
        (one(0.8, 0.3, outside=True), (0, 1), (0, 1, False)),  # two pieces: the gap is not shown
        (one(3, -1, outside=True), (0, 1), (0, 0, True)),  # neither does
        (one(1.5, -3, outside=True), (0, 1), (1, 1, True)),
        (one(4, -2, outside=True), (0, INF), (4, INF, True)),
        (one(-INF, INF, whole=True), (0, INF), (0, INF, False)),
        (one(INF, -INF, outside=True), (0, INF), (INF, INF, True)),  # conviction of a rule without exception
        (one(2, 5), (-INF, INF), (2, 5, True)),
    ],
)
def test_a_set_in_a_range_becomes_the_smallest_interval_that_holds_it(
    sets: ConfidenceSets, range_: tuple[float, float], expected: tuple[float, float, bool]
) -> None:
    found = sets.inside(*range_)
    assert (found.low[0], found.high[0], found.estimable[0]) == expected


def test_a_part_holds_the_sets_of_its_elements() -> None:
    sets = ConfidenceSets(
        low=np.array([1.0, 2.0]),
        high=np.array([3.0, 4.0]),
        outside=np.array([False, True]),
        whole=np.array([True, False]),
    )
    part = sets.part(slice(1, 2))
    assert (part.low[0], part.high[0], part.outside[0], part.whole[0]) == (2, 4, True, False)
