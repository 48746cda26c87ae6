"""The fitted shares are those of the people who answer, in both groups."""

from __future__ import annotations

import numpy as np
import pytest

from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr
from privacy.scales.scale_groups import scale_groups
from privacy.scales.skips import Skipping
from tests.privacy.scales.test_scale_groups import CELLS, LEVELS, USM, inner, truth_of


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("skipping", [USM, LEVELS])
def test_expected_counts_give_the_density_of_those_who_answer(skipping: Skipping) -> None:
    truth = truth_of(0.3)
    counts = skipping.channel.as_array() @ truth * 1e6
    answers = truth[:-1] / 0.7
    windows = inner(skipping)
    found = mixed_fit(
        windows, scale_groups(windows, counts, skipping=skipping), gain=1e-11, smooth=False
    ).shares.ravel()
    level = np.array([windows.level_of(cell) for cell in range(CELLS)])
    # Cells of one window cannot be distinguished, but sensitive places and the outside can.
    for number in range(len(windows.levels)):
        assert found[level == number].sum() == pytest.approx(answers[level == number].sum(), rel=1e-3)
    outside = level == len(windows.levels)
    assert found[outside] == pytest.approx(answers[outside], rel=1e-3)


def test_direct_rows_that_skip_count_as_skips() -> None:
    truth = truth_of(0.5)
    found = mixed_fit(
        inner(USM),
        scale_groups(inner(USM), USM.channel.as_array() @ truth * 1e6, direct=truth * 1e6, skipping=USM),
        most_steps=50,
        smooth=False,
    ).shares.ravel()
    assert found.sum() == pytest.approx(1)
    assert found[0] == pytest.approx(truth[0] / 0.5, rel=6e-3)


@pytest.mark.parametrize(("most_steps", "reason"), [(1, "steps"), (1_000, "gain")])
def test_a_fit_of_two_groups_says_if_one_of_them_used_all_steps(most_steps: int, reason: str) -> None:
    band = generalised_rr(NumberRange(low=0, high=3), 7500)
    groups = scale_groups(band, [400, 300, 200, 100], direct=[40, 30, 20, 10])
    assert mixed_fit(band, groups, smooth=False, most_steps=most_steps).reason == reason
