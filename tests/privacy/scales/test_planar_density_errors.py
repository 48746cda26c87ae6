from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest

from privacy.scales import planar_density_errors
from privacy.scales.area import Area
from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.planar_density_errors import density_errors
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.scale_groups import scale_groups
from tests.fixtures.refusals import refused

TWO = PlanarWindowChannel(
    mechanism="grid",
    area=Area(west=0, south=0, east=2000, north=1000, columns=2, rows=1),
    levels=(
        PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),)),
    ),
)
"""A cell is sent truthfully with probability 3/4; the likeliest first share is 2 (k/n - 1/4) or an end."""


def test_the_error_matches_the_spread_over_all_possible_samples() -> None:
    n, seen, repeats = 8, 5, 4_000
    chance = Fraction(seen, n)
    moments = [Fraction(0)] * 5
    for k in range(n + 1):
        share = min(max(2 * (Fraction(k, n) - Fraction(1, 4)), Fraction(0)), Fraction(1))
        weight = comb(n, k) * chance**k * (1 - chance) ** (n - k)
        moments = [moment + weight * share**power for power, moment in enumerate(moments)]
    mean = moments[1]
    variance = moments[2] - mean**2
    fourth = moments[4] - 4 * mean * moments[3] + 6 * mean**2 * moments[2] - 3 * mean**4

    @cache
    def fitted(k: int) -> tuple[float, float]:
        return tuple(mixed_fit(TWO, scale_groups(TWO, [k, n - k]), gain=1e-9, smooth=False).shares.ravel())

    found = density_errors(
        lambda counts, direct: np.array([[fitted(int(k))] for k in counts[:, 0]]),
        [seen, n - seen],
        [0, 0],
        about=np.array([fitted(seen)]),
        rng=np.random.default_rng(11),
        replicates=repeats,
    )
    # Five standard deviations of the square of such an error.
    off = 5 * float(fourth - variance**2) ** 0.5 / repeats**0.5
    assert found.by_side[0] ** 2 == pytest.approx(np.full((1, 2), float(variance)), abs=off)
    assert found.by_side[1].item() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("counts", "replicates", "code"), [((0, 0), 10, "no_rows"), ((3, 4), 3, "replicates")]
)
def test_bootstrapping_from_too_few_rows_is_rejected(
    counts: tuple[int, int], replicates: int, code: str
) -> None:
    with refused(code):
        density_errors(
            lambda drawn, direct: mixed_fit(TWO, scale_groups(TWO, drawn), smooth=False).shares,
            counts,
            [0, 0],
            about=np.array([[0.5, 0.5]]),
            rng=np.random.default_rng(1),
            replicates=replicates,
        )


def test_the_error_is_the_standard_deviation_of_the_replicates() -> None:
    drawn: list[np.ndarray] = []

    def shares(counts: np.ndarray, _direct: np.ndarray) -> np.ndarray:
        drawn.append(counts / counts.sum(axis=1, keepdims=True))
        return drawn[-1].reshape(-1, 1, 2)

    found = density_errors(
        shares, [30, 70], [0, 0], about=np.array([[0.3, 0.7]]), rng=np.random.default_rng(3), replicates=4
    )
    wanted = np.concatenate(drawn).std(axis=0, ddof=1)
    assert wanted.min() > 0
    assert found.by_side[0].ravel() == pytest.approx(wanted)


@pytest.mark.parametrize(("at_once", "sizes"), [(6, [3, 3, 1]), (14, [7]), (1, [1] * 7)])
def test_no_more_replicates_are_drawn_than_asked_for(
    at_once: int, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two cells for each replicate, in portions of at most so many cells."""
    monkeypatch.setattr(planar_density_errors, "_AT_ONCE", at_once)
    drawn: list[int] = []

    def shares(counts: np.ndarray, _direct: np.ndarray) -> np.ndarray:
        drawn.append(len(counts))
        return (counts / counts.sum(axis=1, keepdims=True)).reshape(-1, 1, 2)

    density_errors(
        shares, [30, 70], [0, 0], about=np.array([[0.3, 0.7]]), rng=np.random.default_rng(3), replicates=7
    )
    assert drawn == sizes
