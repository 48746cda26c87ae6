"""Places that may be skipped: the density, regions and the mean of those who answer."""

from __future__ import annotations

import numpy as np
import pytest

from privacy.channels.planar_window import Windows
from privacy.channels.refusal import Skipping
from privacy.estimation.density import density, region_share
from privacy.estimation.mean_place import mean_place
from tests.cast.refusals import refused
from tests.vectors.scale_designs import NUMBERS, SKIPS, may_skip

CELLS = 80


def skipping_of(name: str, block: int = 0) -> Skipping:
    found = SKIPS[name].blocks[block].skipping
    assert found is not None
    return found


USM, LEVELS, REGIONS = (
    skipping_of("utility-optimised"),
    skipping_of("two levels"),
    skipping_of("all kinds, choice", 3),
)


def inner(skipping: Skipping) -> Windows:
    assert isinstance(skipping.disguise, Windows)
    return skipping.disguise


def truth_of(share: float) -> np.ndarray:
    """Shares of the cells, falling to the north, and of skips."""
    falling = np.arange(CELLS, 0, -1.0)
    return np.append((1 - share) * falling / falling.sum(), share)


@pytest.mark.slow
@pytest.mark.parametrize("skipping", [USM, LEVELS])
def test_from_expected_counts_the_density_is_that_of_those_who_answer(skipping: Skipping) -> None:
    truth = truth_of(0.3)
    counts = skipping.channel.as_array() @ truth * 1e6
    answers = truth[:-1] / 0.7
    windows = inner(skipping)
    found = density(windows, counts, skipping=skipping, gain=1e-11).shares.ravel()
    level = np.array([windows.level_of(cell) for cell in range(CELLS)])
    # Cells of one window are never told apart, the sensitive places and what lies outside are.
    for number in range(len(windows.levels)):
        assert found[level == number].sum() == pytest.approx(answers[level == number].sum(), rel=1e-3)
    outside = level == len(windows.levels)
    assert found[outside] == pytest.approx(answers[outside], rel=1e-3)


def test_direct_rows_that_skip_count_as_skips() -> None:
    truth = truth_of(0.5)
    found = density(
        inner(USM), USM.channel.as_array() @ truth * 1e6, skipping=USM, direct=truth * 1e6, most_steps=50
    ).shares.ravel()
    assert found.sum() == pytest.approx(1)
    assert found[0] == pytest.approx(truth[0] / 0.5, rel=6e-3)


@pytest.mark.parametrize("direct", [False, True])
def test_regions_and_the_mean_are_unbiased_among_those_who_answer(direct: bool) -> None:
    windows = inner(REGIONS)
    truth = truth_of(0.4)
    answers = truth[:-1] / 0.6
    counts = REGIONS.channel.as_array() @ truth * 1e5
    told = truth * 3e4 if direct else None
    region = windows.regions[0]
    found = region_share(windows, counts, region, skipping=REGIONS, direct=told)
    inside = windows.item_values(0)
    assert found.value == pytest.approx(answers[inside].sum(), abs=1e-9)
    assert found.n == round(1.3e5 if direct else 1e5)
    place = mean_place(windows, counts, skipping=REGIONS, direct=told)
    whole = mean_place(windows, windows.channel.as_array() @ answers * 1e5)
    if not direct:
        assert (place.longitude, place.latitude) == pytest.approx((whole.longitude, whole.latitude))
        assert place.error_east > whole.error_east


def test_where_nobody_skips_the_error_grows_as_the_law_states() -> None:
    windows, truth = inner(USM), truth_of(0.0)
    region = ((0, 7, 10, 1),)  # Outside: only its own places are ever sent from there.
    with_skip = region_share(windows, USM.channel.as_array() @ truth * 1e6, region, skipping=USM)
    without = region_share(windows, windows.channel.as_array() @ truth[:-1] * 1e6, region)
    assert with_skip.value == pytest.approx(without.value)
    assert 1 <= with_skip.standard_error / without.standard_error <= 1.05 * float(1 - USM.lost) ** -0.5


def test_what_is_no_place_and_what_counts_too_little_is_refused() -> None:
    skipping = may_skip(NUMBERS["square wave"].blocks[0]).skipping
    assert skipping is not None
    with refused("kind"):
        density(inner(USM), np.ones(CELLS + 1), skipping=skipping)
    with refused("counts"):
        density(inner(USM), np.ones(CELLS), skipping=USM)
    with refused("no_rows"):
        mean_place(inner(USM), np.zeros(CELLS + 1), skipping=USM)
    with refused("levels"):
        mean_place(inner(LEVELS), np.ones(CELLS + 1), skipping=LEVELS)
