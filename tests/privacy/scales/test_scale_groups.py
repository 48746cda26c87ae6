"""Figures of numbers and places, by group or skippable, describe the people who answer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from benchmarks.coverage.numbers import quantiles_of
from privacy.scales.area import DEGREE, Area
from privacy.scales.decoded_numbers import mean
from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr, generalised_rr_below, square_wave
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_mean import mean_place
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.quantities import bars, quantiles
from privacy.scales.region_share import region_share
from privacy.scales.scale_groups import mean_score, scale_groups
from privacy.scales.skips import Disguise, Skipping
from tests.fixtures.refusals import refused
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


def inner(skipping: Skipping) -> PlanarWindowChannel:
    assert isinstance(skipping.disguise, PlanarWindowChannel)
    return skipping.disguise


def truth_of(share: float) -> np.ndarray:
    """Return shares of the cells, decreasing to the north, and of skips."""
    falling = np.arange(CELLS, 0, -1.0)
    return np.append((1 - share) * falling / falling.sum(), share)


def test_the_rows_that_answer_divide_counts_of_several_groups() -> None:
    band = square_wave(NumberRange(low=0, high=9), 2.0)
    counts = np.arange(2.0 * band.outputs).reshape(2, -1)
    (group,) = scale_groups(band, counts)
    assert (counts / group.people).sum(axis=1).tolist() == pytest.approx([1, 1])


@pytest.mark.parametrize("direct", [False, True])
def test_region_shares_and_means_are_unbiased_despite_skips(direct: bool) -> None:
    windows = inner(REGIONS)
    truth = truth_of(0.4)
    answers = truth[:-1] / 0.6
    counts = REGIONS.channel.as_array() @ truth * 1e5
    told = truth * 3e4 if direct else None
    region = windows.regions[0]
    found = region_share(windows, scale_groups(windows, counts, direct=told, skipping=REGIONS), region)
    inside = windows.item_values(0)
    assert found.value == pytest.approx(answers[inside].sum(), abs=1e-9)
    assert found.n == round(1.3e5 if direct else 1e5)
    place = mean_place(windows, scale_groups(windows, counts, direct=told, skipping=REGIONS))
    whole = mean_place(windows, scale_groups(windows, windows.channel.as_array() @ answers * 1e5))
    if not direct:
        assert place.longitude.value == pytest.approx(whole.longitude.value)
        assert place.latitude.value == pytest.approx(whole.latitude.value)
        assert place.errors[0] > whole.errors[0]


def test_allowing_skips_increases_the_error_by_the_exact_factor() -> None:
    windows, truth = inner(USM), truth_of(0.0)
    region = ((0, 7, 10, 1),)  # outside the sensitive area, where only the true place is sent
    with_skip = region_share(
        windows, scale_groups(windows, USM.channel.as_array() @ truth * 1e6, skipping=USM), region
    )
    without = region_share(
        windows, scale_groups(windows, windows.channel.as_array() @ truth[:-1] * 1e6), region
    )
    assert with_skip.value == pytest.approx(without.value)
    assert (
        1
        <= with_skip.standard_error / without.standard_error
        <= 1.05 * float(1 - USM.skip_probability) ** -0.5
    )


def test_non_place_disguises_and_unusable_counts_are_refused() -> None:
    skipping = may_skip(NUMBERS["square wave"].blocks[0]).skipping
    assert skipping is not None
    with refused("kind"):
        mixed_fit(inner(USM), scale_groups(inner(USM), np.ones(CELLS + 1), skipping=skipping), smooth=False)
    with refused("counts"):
        mixed_fit(inner(USM), scale_groups(inner(USM), np.ones(CELLS), skipping=USM), smooth=False)
    with refused("no_rows"):
        mean_place(inner(USM), scale_groups(inner(USM), np.zeros(CELLS + 1), skipping=USM))
    with refused("levels"):
        mean_place(inner(LEVELS), scale_groups(inner(LEVELS), np.ones(CELLS + 1), skipping=LEVELS))


# With two strengths, each group has its own channel, and their people differ.

RANGE = NumberRange(low=0, high=9)
MIDDLES = np.arange(10.0)
AREA = Area(west=0, south=0, east=60_000, north=20_000, columns=6, rows=2)
EAST = ((3, 0, 3, 2),)


def _windows(rho: int) -> PlanarWindowChannel:
    level = PlanarLevel(
        numerator=rho,
        denominator=1,
        rectangles=((0, 0, 6, 2),),
        frames=((0, 0, 3, 2, 1, 1), (3, 0, 3, 2, 1, 1)),
    )
    return PlanarWindowChannel(mechanism="sm", area=AREA, levels=(level,))


NUMBERS_OF_TWO = {
    "square wave": (square_wave(RANGE, 1.0), square_wave(RANGE, 2.0)),
    "keep": (generalised_rr_below(RANGE, 1.0), generalised_rr_below(RANGE, 2.0)),
}
PLACES_OF_TWO = (_windows(4), _windows(12))
SIZES = (3e5, 7e5)


def _laws(strong: Disguise, light: Disguise | None, refusal: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the channels of the direct and the protected group as arrays."""
    found = []
    for disguise in (light, strong):
        if disguise is None:
            found.append(np.eye(strong.inputs + (refusal is not None)))
        elif refusal is None:
            found.append(disguise.channel.as_array())
        else:
            found.append(Skipping(disguise=disguise, refusal=refusal).channel.as_array())
    return found[0], found[1]


def _people(inputs: int, skips: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return different true shares for both groups, skips last."""
    rising, falling = np.arange(1.0, inputs + 1), np.arange(inputs, 0, -1.0)
    shares = [rising / rising.sum(), falling / falling.sum()]
    if skips:
        shares = [np.append((1 - away) * own, away) for own, away in zip(shares, (0.1, 0.3), strict=True)]
    return shares[0], shares[1]


def _sent(strong: Disguise, light: Disguise | None, skips: bool) -> tuple[dict[str, Any], np.ndarray]:
    """Return both groups' expected counts, as arguments of estimators, and the shares of all who answer."""
    refusal = 5_000 if skips else None
    people = _people(strong.inputs, skips)
    counts = [law @ own * n for law, own, n in zip(_laws(strong, light, refusal), people, SIZES, strict=True)]
    whole = sum(own[: strong.inputs] * n for own, n in zip(people, SIZES, strict=True))
    groups = {
        "counts": counts[1],
        "direct": counts[0],
        "light": light,
        "skipping": None if refusal is None else Skipping(disguise=strong, refusal=refusal),
    }
    return groups, whole / whole.sum()


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("skips", [False, True])
@pytest.mark.parametrize("lightly", [False, True])
@pytest.mark.parametrize("name", NUMBERS_OF_TWO)
def test_unbiased_number_estimates_cover_both_groups(name: str, lightly: bool, skips: bool) -> None:
    strong, other = NUMBERS_OF_TWO[name]
    light = other if lightly else None
    groups, answers = _sent(strong, light, skips)
    assert mean(strong, scale_groups(strong, **groups)).value == pytest.approx(MIDDLES @ answers, abs=1e-9)
    assert bars(strong, scale_groups(strong, **groups)).value == pytest.approx(answers, abs=1e-9)
    found = quantiles(strong, scale_groups(strong, **groups), at=(0.25, 0.5))
    assert [one.value for one in found] == pytest.approx(quantiles_of(strong, answers, (0.25, 0.5)), abs=1e-6)
    assert all(one.low < one.value < one.high for one in found)
    shape = mixed_fit(strong, scale_groups(strong, **groups), smooth=False, gain=1e-10, most_steps=100_000)
    assert shape.shares == pytest.approx(answers, abs=1e-3)


@pytest.mark.parametrize("lightly", [False, True])
def test_the_error_of_a_mean_uses_the_scores_of_both_groups(lightly: bool) -> None:
    strong, other = NUMBERS_OF_TWO["keep"]
    light = other if lightly else None
    groups, answers = _sent(strong, light, False)
    # The channel of `keep` is square, so its inverse is the only unbiased score.
    scores = [MIDDLES @ np.linalg.inv(law) for law in _laws(strong, light, None)]
    squares = (groups["direct"] @ scores[0] ** 2 + groups["counts"] @ scores[1] ** 2) / sum(SIZES)
    expected = math.sqrt((squares - (MIDDLES @ answers) ** 2) / sum(SIZES))
    assert mean(strong, scale_groups(strong, **groups)).standard_error == pytest.approx(expected, rel=1e-9)
    bar = bars(strong, scale_groups(strong, **groups))
    share = [np.linalg.inv(law)[3] for law in _laws(strong, light, None)]
    squares = (groups["direct"] @ share[0] ** 2 + groups["counts"] @ share[1] ** 2) / sum(SIZES)
    expected = math.sqrt((squares - answers[3] ** 2) / sum(SIZES))
    assert bar.standard_error[3] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("skips", [False, True])
@pytest.mark.parametrize("lightly", [False, True])
def test_place_estimates_cover_both_groups(lightly: bool, skips: bool) -> None:
    strong, light = PLACES_OF_TWO[0], PLACES_OF_TWO[1] if lightly else None
    groups, answers = _sent(strong, light, skips)
    cells = answers.reshape(2, 6)
    assert region_share(strong, scale_groups(strong, **groups), region=EAST).value == pytest.approx(
        cells[:, 3:].sum(), abs=1e-9
    )
    place = mean_place(strong, scale_groups(strong, **groups))
    east, north = cells.sum(axis=0) @ (np.arange(6) + 0.5), cells.sum(axis=1) @ (np.arange(2) + 0.5)
    assert place.longitude.value == pytest.approx(east * 60_000 / 6 / DEGREE, abs=1e-9)
    assert place.latitude.value == pytest.approx(north * 20_000 / 2 / DEGREE, abs=1e-9)
    found = mixed_fit(strong, scale_groups(strong, **groups), gain=1e-10, most_steps=20_000, smooth=False)
    assert found.shares == pytest.approx(cells, abs=1e-3)


def test_a_light_disguise_must_have_the_same_answers() -> None:
    strong = NUMBERS_OF_TWO["keep"][0]
    with refused("kind"):
        mean(
            strong,
            scale_groups(
                strong,
                np.ones(10),
                direct=np.ones(20),
                light=generalised_rr_below(NumberRange(low=0, high=19), 2.0),
            ),
        )
    with refused("counts"):
        mean(strong, scale_groups(strong, np.ones(10), direct=np.ones(10), light=square_wave(RANGE, 2.0)))


def test_values_by_true_bin_weigh_outputs_and_groups() -> None:
    """A bit is kept with 3/4 by devices that disguise, 60 of 80 rows; the other 20 send it as it is."""
    channel = generalised_rr(NumberRange(low=0, high=1), 7500)
    groups = scale_groups(channel, [20, 40], direct=[10, 10])
    protected, _ = groups
    assert protected.by_bin(np.array([0.0, 8.0, 99.0])[: protected.counts.shape[-1]]).tolist() == [2, 6]
    values = np.concatenate([np.array([0.0, 8.0, 0.0])[: own.counts.shape[-1]] for own in groups])
    assert groups.by_bin(values) == pytest.approx([0.75 * 2 + 0.25 * 0, 0.75 * 6 + 0.25 * 8])


def test_one_row_has_a_mean() -> None:
    channel = generalised_rr(NumberRange(low=0, high=1), 7500)
    value, _, n = mean_score(
        scale_groups(channel, [0, 1]), np.array([0.0, 1.0]), lambda own: np.array([-0.5, 1.5])
    )
    assert (value, n) == (1.5, 1)
    with refused("no_rows"):
        mean_score(scale_groups(channel, [0, 0]), np.array([0.0, 1.0]), lambda own: np.array([-0.5, 1.5]))
