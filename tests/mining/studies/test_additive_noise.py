"""Why added noise is no protection: the example of the literature."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from mining.studies.additive_noise import NO_GUARANTEE, additive_uniform, gaussian_channel
from privacy.channels.number_range import NumberRange
from tests.cast.refusals import refused
from tests.vectors.designs import live
from tests.vectors.scale_designs import scale_block

AGE = NumberRange(low=0, high=100)


def test_who_sends_120_is_known_to_be_70_or_older_after_an_even_30_percent() -> None:
    band = additive_uniform(AGE, 50)
    prior = [Fraction(3, 10) / 31 if age >= 70 else Fraction(7, 10) / 70 for age in range(101)]
    assert sum(prior[70:]) == Fraction(3, 10)
    row = [band.weight(120 + 50, age) * prior[age] for age in range(101)]
    assert sum(row[70:]) / sum(row) == 1
    # An output in the middle tells little.
    row = [band.weight(60 + 50, age) * prior[age] for age in range(101)]
    assert sum(row[70:]) / sum(row) < Fraction(4, 10)


def test_added_noise_has_no_bound_and_no_live_design_takes_it() -> None:
    band = additive_uniform(AGE, 50)
    assert band.amplification is None
    assert "no guarantee" in NO_GUARANTEE
    with refused("disguise", "additive_uniform"):
        live(scale_block("age", band))


def test_ratios_under_normal_noise_grow_without_end() -> None:
    worst = []
    for reach in (10, 30, 60):
        table = gaussian_channel(AGE, 20.0, reach=reach)
        assert table.sum(axis=0) == pytest.approx(np.ones(101))
        worst.append((table.max(axis=1) / table.min(axis=1)).max())
    assert worst[0] < worst[1] / 10 < worst[2] / 100


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("nan")])
def test_a_deviation_that_is_none_is_refused(wrong: float) -> None:
    with refused("deviation"):
        gaussian_channel(AGE, wrong, reach=10)
    with refused("reach"):
        additive_uniform(AGE, 0)
