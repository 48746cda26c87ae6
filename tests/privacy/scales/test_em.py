"""Errors of a density: the exact ones of everything that could be drawn, and those of repeated surveys."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest
from scipy import stats

from privacy.scales.area import Area
from privacy.scales.em import REACH, Pieces, Spread, blocks_of, density_errors, pieces_of
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_mechanisms import grid_response
from privacy.scales.planar_window import Operator, PlanarWindowChannel
from privacy.scales.scale_groups import mixed_fit, scale_groups
from tests.fixtures.refusals import refused
from tests.privacy.scales.test_planar_mechanisms import square_map
from tests.statistics import FALSE_ALARM

TWO = PlanarWindowChannel(
    mechanism="grid",
    area=Area(west=0, south=0, east=2000, north=1000, columns=2, rows=1),
    levels=(
        PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),)),
    ),
)
"""A cell is sent as it is with chance 3/4: the likeliest share of the first is 2 (k/n - 1/4) or an end."""


def test_the_error_is_the_spread_over_everything_that_could_be_drawn() -> None:
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
    # Five of the standard deviations that the square of such an error has.
    off = 5 * float(fourth - variance**2) ** 0.5 / repeats**0.5
    assert found.by_side[0] ** 2 == pytest.approx(np.full((1, 2), float(variance)), abs=off)
    assert found.by_side[1].item() == pytest.approx(0, abs=1e-9)


def test_where_each_cell_is_kept_or_any_drawn_the_errors_are_those_of_its_unbiased_share() -> None:
    windows = grid_response(square_map(3), 4.0, tile=(1, 1))
    beta = float(windows.levels[0].truth)
    shares = np.arange(4, 13).reshape(3, 3) / np.arange(4, 13).sum()
    counts = np.random.default_rng(12).multinomial(50_000, Operator(windows).forward(shares).ravel())
    found = density_errors(
        lambda drawn, direct: (
            mixed_fit(windows, scale_groups(windows, drawn), gain=1e-10, smooth=False).shares
        ),
        counts,
        np.zeros(9),
        about=mixed_fit(windows, scale_groups(windows, counts), smooth=False).shares,
        rng=np.random.default_rng(13),
        replicates=150,
    )
    observed = counts / 50_000
    exact = observed * (1 - observed) / 50_000 / beta**2
    low, high = stats.chi2.interval(1 - FALSE_ALARM / 9, 149)
    ratios = 149 * found.by_side[0].ravel() ** 2 / exact
    assert (low < ratios.min()) & (ratios.max() < high)


@pytest.mark.parametrize(
    ("counts", "replicates", "code"), [((0, 0), 10, "no_rows"), ((3, 4), 3, "replicates")]
)
def test_too_little_to_draw_again_is_refused(counts: tuple[int, int], replicates: int, code: str) -> None:
    with refused(code):
        density_errors(
            lambda drawn, direct: mixed_fit(TWO, scale_groups(TWO, drawn), smooth=False).shares,
            counts,
            [0, 0],
            about=np.array([[0.5, 0.5]]),
            rng=np.random.default_rng(1),
            replicates=replicates,
        )


def _spread(shares: np.ndarray, cell: float) -> Spread:
    """Errors as if cells erred by themselves, each by as much."""
    ones = blocks_of(np.full(shares.shape, cell**2))
    return Spread(by_side=tuple(np.sqrt(table) for table in ones), replicates=50)


def _painted(found: Pieces, shape: tuple[int, int]) -> np.ndarray:
    times = np.zeros(shape, dtype=int)
    for column, row, side in zip(found.column, found.row, found.side, strict=True):
        times[row : row + side, column : column + side] += 1
    return times


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (16, 16), (9, 33)])
@pytest.mark.parametrize("smallest", [1, 4])
def test_every_cell_lies_in_one_piece_and_the_shares_add_up(shape: tuple[int, int], smallest: int) -> None:
    shares = np.random.default_rng(3).random(shape) ** 4
    shares /= shares.sum()
    found = pieces_of(shares, _spread(shares, 0.3 / shares.size), 100_000, least=10, smallest=smallest)
    assert (_painted(found, shape) == 1).all()
    assert found.share.sum() == pytest.approx(1)
    assert found.cells(shape).sum() == shares.size
    assert len(found) == 1 or found.side.min() >= min(smallest, max(shape))
    for column, row, side, share in zip(found.column, found.row, found.side, found.share, strict=True):
        assert share == pytest.approx(shares[row : row + side, column : column + side].sum())


def test_a_piece_is_told_from_nothing_or_it_is_hidden_or_the_whole_map() -> None:
    shares = np.random.default_rng(4).random((32, 32)) ** 3
    shares /= shares.sum()
    found = pieces_of(shares, _spread(shares, 0.8 / shares.size), 20_000, least=10)
    assert ((found.share > REACH * found.standard_error) | found.hidden).all()
    assert len(set(found.side)) > 2
    # Two by two cells are one piece only where a cell of theirs could be neither distinguished nor hidden.
    told = (shares > REACH * 0.8 / shares.size) | (shares * 20_000 < 10)
    pairs = [
        told[row : row + 2, column : column + 2].all()
        for column, row, side in zip(found.column, found.row, found.side, strict=True)
        if side == 2
    ]
    assert pairs
    assert not any(pairs)


def test_without_errors_every_cell_stands_by_itself_and_with_hopeless_ones_only_the_map() -> None:
    shares = np.full((4, 4), 1 / 16)
    assert set(pieces_of(shares, _spread(shares, 0.0), 1_000, least=10).side) == {1}
    found = pieces_of(shares, _spread(shares, 1.0), 1_000, least=10)
    assert (found.side.tolist(), found.share.tolist()) == ([4], [1.0])


def test_few_people_are_hidden_by_themselves_and_wait_for_no_company() -> None:
    shares = np.array([[0.5, 0.004], [0.48, 0.016]])
    found = pieces_of(shares, _spread(shares, 0.005), 1_000, least=10)
    assert found.hidden.tolist() == [False, True, False, False]
    assert found.side.tolist() == [1, 1, 1, 1]


def test_of_four_repetitions_the_error_is_their_standard_deviation_with_three_degrees_of_freedom() -> None:
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
