import numpy as np
import pytest
from numpy.typing import NDArray

from privacy.estimation import empirical_likelihood
from privacy.estimation.confidence_sets import ConfidenceSets
from privacy.estimation.empirical_likelihood import likelihood_sets, ratio_of
from privacy.estimation.ends import newton_end

CHI_SQUARE = 3.841458820694124


def tables(seed: int) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Counts of 2 to 8 cells, some of them empty, from one row to a million, and two values a cell."""
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


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_newtons_ends_are_those_of_bracketing(seed: int) -> None:
    table = tables(seed)
    found, expected = likelihood_sets(*table, CHI_SQUARE), by_bracketing(table)
    assert np.array_equal(found.whole, expected.whole)
    assert np.array_equal(found.outside, expected.outside)
    for one, other in ((found.low, expected.low), (found.high, expected.high)):
        # Ends of ratios can be anything up to infinity; their angles are what the search finds.
        assert np.abs(np.arctan(one) - np.arctan(other)).max() < 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_the_derivative_of_the_ratio_is_that_of_its_differences(seed: int) -> None:
    counts, constant, slope = tables(seed)
    rows, step = counts.astype(float), 1e-6
    start = constant + 0.3 * slope
    _, derivative = ratio_of(rows, start, slope)
    before, after = (ratio_of(rows, start + side * slope)[0] for side in (-step, step))
    # Not across the estimate, where the root turns round, nor where the ratio leaps to infinity.
    smooth = np.isfinite(before) & np.isfinite(after) & (np.minimum(before, after) > 1e-3)
    assert smooth.sum() > 20
    differences = (after[smooth] - before[smooth]) / (2 * step)
    assert derivative[smooth] == pytest.approx(differences, rel=1e-3, abs=1e-3 * np.abs(differences).max())


def test_it_says_where_it_did_not_settle() -> None:
    def leap(angle: NDArray[np.float64], which: object) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.where(angle > 1.0, np.inf, 0.0), np.zeros_like(angle)

    _, settled = newton_end(leap, np.array([0]), np.zeros(1), np.full(1, 3.0), np.full(1, 9.0), 4.0)
    assert not settled.any()
