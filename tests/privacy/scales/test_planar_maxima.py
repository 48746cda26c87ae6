"""Largest joint probabilities against the full channel."""

import numpy as np
import pytest

from privacy.scales.planar_maxima import planar_maxima
from tests.vectors.scale_designs import PLACES

DISGUISES = {name: design.blocks[0].disguise for name, design in PLACES.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", DISGUISES)
def test_the_maxima_match_the_full_channel(name: str) -> None:
    disguise = DISGUISES[name]
    assert disguise is not None
    shares = np.random.default_rng(3).random(disguise.inputs) ** 3
    shares[: disguise.inputs // 2] = 0
    joint = disguise.channel.as_array() * shares
    found = planar_maxima(disguise.levels, shares.reshape(disguise.shape)).ravel()
    assert found == pytest.approx(joint.max(axis=1), abs=1e-15)
