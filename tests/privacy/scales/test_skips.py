"""Skippable numbers and places: the exact distribution of reports, and bounds on what they reveal."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from privacy.coins import Coins
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import (
    generalised_rr,
    shift,
    shift_or_any,
)
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skips import Skipping, least_refusal
from privacy.scales.window import WindowChannel
from privacy.survey.block_channel import block_channel
from privacy.survey.disguise import disguise
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.fixtures.refusals import refused
from tests.fixtures.scale_reports import sent
from tests.privacy.scales.test_window import BANDS
from tests.vectors.designs import CHOICE, live
from tests.vectors.scale_designs import PLACES, SKIPS, TILES_OF_ANY_SIZE

RANGE = NumberRange(low=0, high=11)
BOUNDED = {
    **{name: band for name, band in BANDS.items() if name != "shift"},
    **{f"{name} at 0.3": make(RANGE, 0.3) for name, make in ALL_BY_EPSILON.items()},
    **{f"{name} at 2.0": make(RANGE, 2.0) for name, make in ALL_BY_EPSILON.items()},
    "R1": generalised_rr(RANGE, 2000),
    "R3": shift_or_any(RANGE, 2),
    **{name: design.questions[0].disguise for name, design in (PLACES | TILES_OF_ANY_SIZE).items()},
}  # fmt: skip


@cache
def least(name: str) -> Skipping:
    found = BOUNDED[name]
    assert isinstance(found, WindowChannel | PlanarWindowChannel)
    return Skipping(disguise=found, refusal=least_refusal(found))


def level_of(skipping: Skipping, x: int) -> int:
    """Return the level of a place; numbers and skips have the first level."""
    inner = skipping.disguise
    return inner.level_of(x) if isinstance(inner, PlanarWindowChannel) and x < inner.inputs else 0


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in BOUNDED if BOUNDED[name].total < 2_000])
def test_draws_reproduce_the_channel_of_every_mechanism(name: str) -> None:
    skipping = least(name)
    inner, kept = skipping.disguise, 10_000 - skipping.refusal
    # Draws with the same quotient send the same, and draws after the last quotient send a skip.
    assert sent(skipping, 0, kept * inner.total - 1) == sent(inner, 0, inner.total - 1)
    assert {
        sent(skipping, x, draw) for x in (0, None) for draw in (kept * inner.total, skipping.total - 1)
    } == {None}
    channel = skipping.channel
    for x in (0, inner.inputs - 1, None):
        counts = Counter(sent(skipping, x, kept * draw) for draw in range(inner.total))
        weights = {y: kept * count for y, count in counts.items()}
        weights[None] = weights.get(None, 0) + skipping.refusal * inner.decoys
        column = channel.n_true - 1 if x is None else x
        for y in range(len(channel.matrix)):
            key = None if y == len(channel.matrix) - 1 else y
            assert Fraction(weights.get(key, 0), skipping.total) == channel[y, column]


@pytest.mark.slow
@pytest.mark.parametrize("name", BOUNDED)
def test_no_probability_ratio_exceeds_the_stated_bound(name: str) -> None:
    skipping = least(name)
    channel, inner = skipping.channel, skipping.disguise
    for y in range(len(channel.matrix)):
        own = level_of(skipping, y) if y < inner.outputs else 0
        if isinstance(inner, PlanarWindowChannel) and own == len(inner.levels):
            # A place outside sends only itself, no other place and no skip.
            assert [x for x in range(channel.n_true) if channel[y, x]] == [y]
            continue
        gamma = (
            inner.levels[own].amplification if isinstance(inner, PlanarWindowChannel) else inner.amplification
        )
        assert gamma is not None
        row = [channel[y, x] for x in range(channel.n_true) if level_of(skipping, x) >= own]
        assert 0 < max(row) <= gamma * min(row)
        # A skip has the first level, so it never sends a cell of a later one.
        assert (channel[y, channel.n_true - 1] > 0) == (own == 0)


@pytest.mark.parametrize("name", BOUNDED)
def test_skip_probabilities_that_break_the_bound_are_rejected(name: str) -> None:
    inner = BOUNDED[name]
    assert isinstance(inner, WindowChannel | PlanarWindowChannel)
    found = least_refusal(inner)
    gamma = inner.levels[0].amplification if isinstance(inner, PlanarWindowChannel) else inner.amplification
    assert gamma is not None

    def ratio(refusal: int) -> Fraction:
        return 1 + Fraction((10_000 - refusal) * (inner.total - inner.decoys), refusal * inner.decoys)

    assert ratio(found) <= gamma
    assert found == 1 or gamma < ratio(found - 1)
    if found > 1:
        with refused("refusal_low", found - 1, found):
            Skipping(disguise=inner, refusal=found - 1)


@pytest.mark.parametrize("name", ["wave", "both", "square_wave at 2.0", "R3", "utility-optimised"])
def test_the_share_of_lost_answers_matches_the_formula(name: str) -> None:
    skipping = least(name)
    inner = skipping.disguise
    beta = 1 - Fraction(inner.decoys, inner.total)
    cost = beta / (skipping.amplification - 1 + beta)
    # The skip probability is rounded up to ten-thousandths.
    assert cost <= skipping.skip_probability < cost + Fraction(1, 10_000)


def test_skips_need_a_disguise_with_input_independent_draws() -> None:
    for band in (shift(RANGE, 2), replace(BANDS["round"], window=6, coin=20, lean=5, step=2)):
        with refused("refusal", band.mechanism):
            least_refusal(band)
    for wrong in (0, 10_000, True, 2500.5, "2500"):
        with refused("refusal"):
            Skipping(disguise=BANDS["keep"], refusal=wrong)  # type: ignore[arg-type]  # that is the point


def test_direct_rows_report_that_they_skipped() -> None:
    design = live(SKIPS["square wave"].blocks[0], group=CHOICE)
    for draw in range(5):
        record = disguise(design, {"b-age": "skipped"}, direct=True, coins=Coins([draw, draw, draw]))
        assert (record.refused, record.answers) == ((True,), ((None,),))


def test_number_items_and_skips_follow_the_block_channel() -> None:
    block = SKIPS["keep or any"].blocks[0]
    channel, p, r = block_channel(block), block.truth, Fraction(block.refusal or 0, 10_000)
    young, skip = range(3), channel.n_true - 1
    for x in (0, 2, 3, 11, skip):
        inside = sum(channel[y, x] for y in young)
        assert inside == p * (x in young) + (1 - p) * (1 - r) * Fraction(3, 12)
        assert channel[len(channel.matrix) - 1, x] == p * (x == skip) + (1 - p) * r


def test_up_to_9999_of_10000_random_answers_may_be_skips() -> None:
    keep = next(channel for channel in BANDS.values() if least_refusal(channel) < 9999)
    most = Skipping(disguise=keep, refusal=np.int64(9999))
    assert (most.refusal, type(most.refusal)) == (9999, int)
    for refusal in (0, 10_000):
        with refused("refusal"):
            Skipping(disguise=keep, refusal=refusal)
