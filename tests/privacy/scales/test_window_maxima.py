"""Largest joint probabilities against the full channel."""

import numpy as np
import pytest

from privacy.scales.window_maxima import window_maxima
from tests.vectors.scale_designs import NUMBERS

DISGUISES = {
    name: block.disguise
    for name, design in NUMBERS.items()
    for block in design.blocks
    if block.is_scale and block.protected
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DISGUISES)
def test_the_maxima_match_the_full_channel(name: str) -> None:
    disguise = DISGUISES[name]
    assert disguise is not None
    shares = np.random.default_rng(3).random(disguise.inputs) ** 3
    shares[: disguise.inputs // 2] = 0
    joint = disguise.channel.as_array() * shares
    found = window_maxima(disguise, shares.reshape(disguise.shape)).ravel()
    assert found == pytest.approx(joint.max(axis=1), abs=1e-15)
