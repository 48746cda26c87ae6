"""Enumerating every draw shows that reports follow the channel exactly."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.disguise import ScaleDisguise
from privacy.scales.number_range import (
    NumberRange,
)
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.window import WindowChannel
from privacy.survey.question import Question
from tests.fixtures.refusals import refused
from tests.fixtures.scale_reports import sent

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
def test_each_output_is_sent_in_proportion_to_its_weight(name: str) -> None:
    band = BANDS[name]
    for x in range(band.inputs):
        counts = Counter(sent(band, x, draw) for draw in range(band.total))
        assert counts == {y: w for y in range(band.outputs) if (w := band.weight(y, x))}


@pytest.mark.parametrize("name", BANDS)
def test_the_channel_the_array_and_the_amplification_agree(name: str) -> None:
    band = BANDS[name]
    # Channel checks that columns sum to 1.
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
def test_weights_without_a_valid_channel_are_rejected(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        replace(WAVE, **changes)


def test_oversized_exact_channels_are_refused() -> None:
    with refused("too_large", "2002 x 2000"):
        _ = replace(WAVE, range=NumberRange(low=0, high=1999)).channel


BAND = WindowChannel(
    mechanism="keep", range=NumberRange(low=0, high=2), window=1, cyclic=False,
    floor=1, peak=4, coin=0, lean=0, step=0, spans=((0, 1),),
)  # fmt: skip
LEVEL = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
MAP = PlanarWindowChannel(
    mechanism="usm", area=Area(west=0, south=0, east=40, north=10, columns=4, rows=1), levels=(LEVEL,)
)


def test_bands_and_maps_report_their_items_and_decoy_bound() -> None:
    assert (BAND.n_declared, BAND.decoy_bound) == (1, Fraction(5))
    assert (MAP.n_declared, MAP.decoy_bound) == (0, Fraction(3))
    assert BAND.domain == replace(BAND, peak=9).domain != replace(BAND, spans=()).domain
    assert MAP.domain == replace(MAP, levels=(replace(LEVEL, numerator=4),)).domain


@pytest.mark.parametrize(("kind", "given"), [("number", MAP), ("place", BAND)])
def test_questions_accept_only_disguises_of_their_own_kind(kind: str, given: ScaleDisguise) -> None:
    with pytest.raises(PrivacyError) as refused:
        Question(key="a", kind=kind, options=(), unrelated=(), disguise=given)  # type: ignore[arg-type]
    assert refused.value.code == "disguise"
    # An object with the right attributes, such as a question, is not a disguise.
    alike = SimpleNamespace(kind=kind, n_declared=0)
    with pytest.raises(PrivacyError) as refused:
        Question(key="a", kind=kind, options=(), unrelated=(), disguise=alike)  # type: ignore[arg-type]
    assert refused.value.code == "disguise"
