"""Every draw is tried: what is sent is distributed as the channel says, exactly."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privacy.scales.number_range import NumberRange
from privacy.scales.window import WindowChannel
from tests.fixtures.refusals import refused
from tests.fixtures.scale_law import sent

WAVE = WindowChannel(
    mechanism="square_wave",
    range=NumberRange(low=0, high=5),
    window=3,
    cyclic=False,
    floor=2,
    peak=5,
    coin=0,
    lean=0,
    step=0,
)
BANDS = {
    "wave": WAVE,
    "keep": replace(WAVE, window=1),
    "round": replace(WAVE, cyclic=True, window=4),
    "all round": replace(WAVE, cyclic=True, window=5),
    "shift": replace(WAVE, cyclic=True, floor=0, peak=1),
    "coin": replace(WAVE, window=0, floor=0, peak=0, coin=20, lean=2, step=3),
    "both": replace(WAVE, coin=20, lean=5, step=2),
}


@pytest.mark.parametrize("name", BANDS)
def test_over_all_draws_each_output_is_sent_as_often_as_its_weight_says(name: str) -> None:
    band = BANDS[name]
    for x in range(band.inputs):
        counts = Counter(sent(band, x, draw) for draw in range(band.total))
        assert counts == {y: w for y in range(band.outputs) if (w := band.weight(y, x))}


@pytest.mark.parametrize("name", BANDS)
def test_the_channel_the_array_and_the_amplification_agree(name: str) -> None:
    band = BANDS[name]
    # Channel refuses columns that do not sum to 1.
    assert np.allclose(band.channel.as_array(), band.as_array(), atol=1e-15)
    assert band.amplification == band.channel.amplification()


def test_only_generalised_rr_has_a_retention_probability() -> None:
    assert {
        name: band.retention_probability
        for name, band in BANDS.items()
        if band.retention_probability is not None
    } == {"keep": Fraction(5, 5 + 6 * 2)}
    keep = replace(BANDS["keep"], spans=((0, 1), (4, 4)))
    p, q, channel = keep.retention_probability, keep.decoy_shares, keep.channel
    assert q == (Fraction(1, 3), Fraction(1, 6))
    assert p is not None
    for item, (first, last) in enumerate(keep.spans):
        for x in range(6):
            seen = sum(channel[y, x] for y in range(first, last + 1))
            assert seen == p * (first <= x <= last) + (1 - p) * q[item]
            assert keep.item_values(item)[x] == (first <= x <= last)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"window": 0}, "disguise"),
        ({"peak": 0}, "disguise"),
        ({"floor": -1}, "disguise"),
        ({"coin": 3, "lean": 1, "step": 1}, "disguise"),
        ({"cyclic": 1}, "disguise"),
        ({"cyclic": True, "window": 7}, "too_large"),
        ({"window": 70_000}, "too_large"),
        ({"floor": 1 << 1_024}, "too_large"),
        ({"range": (0, 5)}, "disguise"),
        ({"mechanism": "a b"}, "disguise"),
        ({"spans": ((0, 2), (2, 3))}, "spans"),
        ({"spans": ((3, 2),)}, "spans"),
        ({"spans": ((0, 6),)}, "spans"),
        ({"spans": ((0,),)}, "spans"),
        ({"spans": "0-2"}, "spans"),
    ],
)
def test_weights_that_make_no_channel_are_refused(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        replace(WAVE, **changes)


def test_an_exact_channel_too_large_to_look_at_is_refused() -> None:
    with refused("too_large", "2002 x 2000"):
        _ = replace(WAVE, range=NumberRange(low=0, high=1999)).channel
