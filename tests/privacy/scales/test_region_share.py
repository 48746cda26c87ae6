"""Densities, shares and means from counts are exact for expected counts, and valid for samples."""

from dataclasses import replace

import numpy as np
import pytest

from privacy.channel_scores import score
from privacy.scales.area import Area
from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr, shift, shift_or_any
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_mean import mean_place
from privacy.scales.planar_mechanisms import square_mechanism, utility_square
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_window import Operator, PlanarWindowChannel
from privacy.scales.region_share import region_scores, region_share
from privacy.scales.running_scores import running_scores
from privacy.scales.scale_groups import scale_groups
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.fixtures.refusals import refused
from tests.privacy.estimation.test_skipped_share import wilson
from tests.privacy.scales.test_planar_mechanisms import square_map
from tests.vectors.scale_designs import PLACES, TILES_OF_ANY_SIZE, additive_uniform

TOWN = square_map(20)
USM = utility_square(TOWN, [(3, 3, 6, 8), (8, 8, 5, 5)], 2.0)
LARGE = square_mechanism(square_map(50), 2.0)
MAPS = {name: design.blocks[0].disguise for name, design in (PLACES | TILES_OF_ANY_SIZE).items()}


def _people(windows: PlanarWindowChannel, seed: int = 1) -> np.ndarray:
    table = np.random.default_rng(seed).random((windows.area.rows, windows.area.columns))
    return table / table.sum()


@pytest.mark.parametrize("name", MAPS)
def test_window_sums_match_the_channel_and_its_transpose(name: str) -> None:
    windows = MAPS[name]
    assert isinstance(windows, PlanarWindowChannel)
    operator, channel = Operator(windows), windows.channel.as_array()
    shares, ratios = _people(windows), _people(windows, 2) - 0.01
    assert operator.forward(shares).ravel() == pytest.approx(channel @ shares.ravel(), abs=1e-14)
    assert operator.backward(ratios).ravel() == pytest.approx(channel.T @ ratios.ravel(), abs=1e-14)


def test_smoothing_reduces_the_error_of_density_maps() -> None:
    windows = square_mechanism(TOWN, 3.0)
    y, x = np.mgrid[:20, :20]
    shares = np.exp(-((x - 6) ** 2 + (y - 12) ** 2) / 12)
    shares /= shares.sum()
    counts = np.random.default_rng(3).multinomial(3000, Operator(windows).forward(shares).ravel())
    off = {
        smooth: np.abs(mixed_fit(windows, scale_groups(windows, counts), smooth=smooth).shares - shares).sum()
        / 2
        for smooth in (False, True)
    }
    assert off[True] < off[False]


REGIONS = {
    "whole connected place": ((3, 3, 6, 5), (3, 8, 10, 3), (8, 11, 5, 2)),
    "outside": ((0, 0, 3, 20), (15, 15, 5, 5)),
    "part of a place": ((3, 3, 6, 8),),
    "some of both": ((0, 0, 8, 6),),
}


@pytest.mark.parametrize("name", REGIONS)
def test_region_scores_are_unbiased_for_every_place(name: str) -> None:
    windows = utility_square(TOWN, [(3, 3, 6, 8), (8, 8, 5, 5)], 2.0, side=1)
    inside, scores = region_scores(windows, REGIONS[name])
    assert inside.sum() == paint_cells(REGIONS[name], 20, 20).sum()
    means = Operator(windows).backward(scores.reshape(20, 20)).ravel()
    assert means == pytest.approx(inside.astype(float), abs=1e-9)


def test_scores_that_pages_share_cannot_be_changed() -> None:
    windows, corner = square_mechanism(square_map(8), 2.0), ((0, 0, 3, 3),)
    _, scores = region_scores(windows, corner)
    with pytest.raises(ValueError, match="read-only"):
        scores[0] = 7
    assert region_scores(windows, corner)[1] is scores


def test_only_regions_with_whole_windows_have_two_scores() -> None:
    for name, plain in (("whole connected place", True), ("outside", True), ("part of a place", False)):
        assert USM.is_retention_channel(REGIONS[name]) == plain
    _, scores = region_scores(USM, REGIONS["outside"])
    beta = float(USM.levels[0].truth)
    assert sorted(set(scores)) == pytest.approx([0, 1 / beta])


def test_fitting_a_million_places_converges_in_few_steps() -> None:
    windows = utility_square(square_map(100), [(20, 20, 30, 30), (60, 55, 25, 20)], 2.0)
    y, x = np.mgrid[:100, :100]
    shares = np.exp(-((x - 30) ** 2 + (y - 40) ** 2) / 300) + 0.02
    shares /= shares.sum()
    counts = np.random.default_rng(9).multinomial(1_000_000, Operator(windows).forward(shares).ravel())
    found = mixed_fit(windows, scale_groups(windows, counts), smooth=False)
    assert found.reason == "gain"
    assert found.steps < 500
    assert np.abs(found.shares - shares).sum() / 2 < 0.2


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (lambda: mixed_fit(USM, scale_groups(USM, np.ones(399)), smooth=False), "counts"),
        (lambda: mixed_fit(USM, scale_groups(USM, np.zeros(400)), smooth=False), "no_rows"),
        (lambda: mixed_fit(USM, scale_groups(USM, -np.ones(400)), smooth=False), "counts"),
        (lambda: region_share(USM, scale_groups(USM, np.zeros(400)), REGIONS["outside"]), "no_rows"),
        (lambda: region_share(USM, scale_groups(USM, np.ones(400)), ((0, 0, 21, 1),)), "regions"),
        (lambda: mean_place(USM, scale_groups(USM, np.zeros(400))), "no_rows"),
        (lambda: mean_place(MAPS["two levels"], scale_groups(MAPS["two levels"], np.ones(80))), "levels"),
        (lambda: region_share(LARGE, scale_groups(LARGE, np.ones(2500)), ((0, 0, 9, 9),)),
         "too_large"),
    ],
)  # fmt: skip
def test_invalid_estimates_are_rejected(ask, code: str) -> None:
    with refused(code):
        ask()


@pytest.mark.parametrize("smooth", [False, True])
def test_surveys_fitted_together_match_separate_fits(smooth: bool) -> None:
    windows = utility_square(square_map(6), [(0, 0, 4, 4), (4, 4, 1, 2)], 2.0)
    rng = np.random.default_rng(21)
    # Some surveys need few steps, others many; each stops by its own gain.
    sent = np.stack([rng.multinomial(400, rng.dirichlet(np.full(36, shape))) for shape in (0.1, 1, 50)])
    told = rng.multinomial(90, np.full(36, 1 / 36), size=3)
    together = mixed_fit(windows, scale_groups(windows, sent, direct=told), smooth=smooth)
    alone = [
        mixed_fit(windows, scale_groups(windows, counts, direct=direct), smooth=smooth)
        for counts, direct in zip(sent, told, strict=True)
    ]
    assert len({found.steps for found in alone}) > 1
    assert together.steps == max(found.steps for found in alone)
    assert together.shares == pytest.approx(np.stack([found.shares for found in alone]), rel=1e-9, abs=1e-15)


THREE, TEN, THIRTEEN = (NumberRange(low=0, high=high) for high in (2, 9, 12))
TELLING = {
    **{
        f"{name} {epsilon:g}, {bins.bins} bins": make(bins, epsilon)
        for name, make in ALL_BY_EPSILON.items()
        if name != "duchi"
        for bins in (THREE, TEN, THIRTEEN)
        for epsilon in (1.0, 4.0)
    },
    "R1": generalised_rr(TEN, 3000),
    "R2": shift(TEN, 3),
    "R3": shift_or_any(TEN, 3),
    "additive": additive_uniform(TEN, 4),
}


@pytest.mark.parametrize("name", TELLING)
def test_running_scores_are_unbiased_with_minimum_variance(name: str) -> None:
    band = TELLING[name]
    edges = np.arange(band.inputs + 1)
    found = running_scores(band, edges)
    channel = band.as_array()
    wanted = (np.arange(band.inputs) < edges[:, None]).astype(float)
    assert found @ channel == pytest.approx(wanted, abs=1e-9)
    for edge in edges:
        assert found[edge] == pytest.approx(score(channel, wanted[edge]), abs=1e-8)


AREA = Area(west=0, south=0, east=4000, north=1000, columns=4, rows=1)
LEVEL = PlanarLevel(numerator=8, denominator=1, rectangles=((0, 0, 4, 1),), frames=((0, 0, 4, 1, 1, 1),))
GRID = PlanarWindowChannel(mechanism="grid", area=AREA, levels=(LEVEL,))
CELL = ((0, 0, 1, 1),)
KEPT, DECOY = 7 / 11, 1 / 11  # odds of 8 to 1 over four cells


@pytest.mark.parametrize("shown", [0, 3, 40, 100])
def test_regions_of_whole_windows_use_the_wilson_interval(shown: int) -> None:
    found = region_share(GRID, scale_groups(GRID, [shown, 100 - shown, 0, 0]), CELL)
    ends = [(end - DECOY) / KEPT for end in wilson(shown, 100)]
    assert (found.low, found.high) == (pytest.approx(ends[0], abs=1e-9), pytest.approx(ends[1], abs=1e-9))
    assert found.estimable


@pytest.mark.parametrize(("shown", "estimable"), [(5, True), (25, False), (60, True)])
def test_a_share_is_not_estimable_if_it_may_be_both_none_and_all(shown: int, estimable: bool) -> None:
    """With odds of 5 to 4 over four cells, p = 1/17: 25 of 100 rows give an interval from -1 to 1.8."""
    weak = replace(GRID, levels=(replace(LEVEL, numerator=5, denominator=4),))
    found = region_share(weak, scale_groups(weak, [shown, 100 - shown, 0, 0]), CELL)
    ends = [(end - 4 / 17) * 17 for end in wilson(shown, 100)]
    assert (found.low, found.high) == (pytest.approx(ends[0], abs=1e-9), pytest.approx(ends[1], abs=1e-9))
    assert (ends[0] <= 0 and ends[1] >= 1) != estimable
    assert found.estimable == estimable


def test_apparently_empty_regions_still_get_an_interval() -> None:
    level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
    usm = PlanarWindowChannel(mechanism="usm", area=AREA, levels=(level,))
    found = region_share(usm, scale_groups(usm, [60, 40, 0, 0]), ((2, 0, 2, 1),))
    assert (found.value, found.standard_error) == (0.0, 0.0)
    assert found.low == 0.0
    assert 0.03 < found.high < 0.1


def test_the_whole_map_has_a_share_of_one() -> None:
    found = region_share(GRID, scale_groups(GRID, [10, 20, 30, 40]), ((0, 0, 4, 1),))
    assert found.low == pytest.approx(1)
    assert found.high == pytest.approx(1)


@pytest.mark.parametrize(("n", "estimable"), [(29, False), (30, True)])
def test_a_share_of_a_region_needs_thirty_answers(n: int, estimable: bool) -> None:
    found = region_share(GRID, scale_groups(GRID, [n - 10, 10, 0, 0]), CELL)
    assert (found.estimable, found.n) == (estimable, n)
    assert found.low > 0


def test_scores_have_the_least_variance_up_to_a_number_of_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    """The matrix of 30 cells has 900 entries; without it, scores are unbiased too, but vary more."""
    area = Area(west=0, south=0, east=60_000, north=50_000, columns=6, rows=5)
    windows, region, squares = square_mechanism(area, 2.0, side=2), ((2, 0, 4, 5),), []
    channel = windows.channel.as_array()
    for most in (900, 899):
        monkeypatch.setattr("privacy.scales.region_share.MOST_ENTRIES", most)
        in_region, scores = region_scores(windows, region)
        assert scores @ channel == pytest.approx(in_region.astype(float), abs=1e-9)
        squares.append(float((scores**2 @ channel).mean()))
    assert squares[0] < 0.98 * squares[1]
