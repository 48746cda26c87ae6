"""A skipped number or place: the exact law of what is sent, and what it cannot tell."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from privacy.coins import Coins
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr, shift, shift_or_any
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skipping import Skipping, least_refusal
from privacy.scales.window import WindowChannel
from privacy.survey.grouping import block_channel, disguise
from privacy.survey.layout import Layout
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.fixtures.refusals import refused
from tests.fixtures.scale_law import sent
from tests.privacy.scales.test_window import BANDS
from tests.vectors.designs import CHOICE, live
from tests.vectors.scale_designs import NUMBERS, PLACES, SKIPS, TILES_OF_ANY_SIZE

RANGE = NumberRange(low=0, high=11)
BOUNDED = {
    **{name: band for name, band in BANDS.items() if name != "shift"},
    **{f"{name} at 0.3": make(RANGE, 0.3) for name, make in ALL_BY_EPSILON.items()},
    **{f"{name} at 2.0": make(RANGE, 2.0) for name, make in ALL_BY_EPSILON.items()},
    "R1": generalised_rr(RANGE, 2000),
    "R3": shift_or_any(RANGE, 2),
    **{name: design.questions[0].disguise for name, design in (PLACES | TILES_OF_ANY_SIZE).items()},
}  # fmt: skip


def least(name: str) -> Skipping:
    found = BOUNDED[name]
    assert isinstance(found, WindowChannel | PlanarWindowChannel)
    return Skipping(disguise=found, refusal=least_refusal(found))


def level_of(skipping: Skipping, x: int) -> int:
    """The level of a place; a number, and a skip, are of the first."""
    inner = skipping.disguise
    return inner.level_of(x) if isinstance(inner, PlanarWindowChannel) and x < inner.inputs else 0


def test_over_all_draws_everything_is_sent_as_often_as_the_channel_says() -> None:
    small = replace(BANDS["both"], range=NumberRange(low=0, high=2), window=1, floor=1, peak=1)
    skipping = Skipping(disguise=replace(small, coin=4, lean=1, step=1), refusal=4000)
    channel = skipping.channel
    for place, x in enumerate((0, 1, 2, None)):
        counts = Counter(sent(skipping, x, draw) for draw in range(skipping.total))
        chances = {
            (None if y == len(channel.matrix) - 1 else y): channel[y, place]
            for y in range(len(channel.matrix))
        }
        assert {y: Fraction(count, skipping.total) for y, count in counts.items()} == chances


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in BOUNDED if BOUNDED[name].total < 2_000])
def test_what_a_draw_sends_makes_the_channel_of_every_mechanism(name: str) -> None:
    skipping = least(name)
    inner, kept = skipping.disguise, 10_000 - skipping.refusal
    # Draws of one quotient send the same, and those behind the last quotient say "skipped".
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
def test_no_ratio_is_greater_than_the_stated_one(name: str) -> None:
    skipping = least(name)
    channel, inner = skipping.channel, skipping.disguise
    for y in range(len(channel.matrix)):
        own = level_of(skipping, y) if y < inner.outputs else 0
        if isinstance(inner, PlanarWindowChannel) and own == len(inner.levels):
            # Only the place itself is ever sent from outside: no other one, and no skip.
            assert [x for x in range(channel.n_true) if channel[y, x]] == [y]
            continue
        gamma = (
            inner.levels[own].amplification if isinstance(inner, PlanarWindowChannel) else inner.amplification
        )
        assert gamma is not None
        row = [channel[y, x] for x in range(channel.n_true) if level_of(skipping, x) >= own]
        assert 0 < max(row) <= gamma * min(row)
        # A skip stands in the first level: it never sends what shows a later one.
        assert (channel[y, channel.n_true - 1] > 0) == (own == 0)


@pytest.mark.parametrize("name", BOUNDED)
def test_a_smaller_refusal_would_break_the_promise_and_is_refused(name: str) -> None:
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
def test_the_share_of_answers_lost_is_as_small_as_the_formula_says(name: str) -> None:
    skipping = least(name)
    inner = skipping.disguise
    beta = 1 - Fraction(inner.decoys, inner.total)
    cost = beta / (skipping.amplification - 1 + beta)
    # Ten-thousandths are rounded up.
    assert cost <= skipping.skip_probability < cost + Fraction(1, 10_000)


def test_only_a_disguise_whose_draws_can_be_alike_for_all_lets_a_skip_hide() -> None:
    for band in (shift(RANGE, 2), replace(BANDS["round"], window=6, coin=20, lean=5, step=2)):
        with refused("refusal", band.mechanism):
            least_refusal(band)
    for wrong in (0, 10_000, True, 2500.5, "2500"):
        with refused("refusal"):
            Skipping(disguise=BANDS["keep"], refusal=wrong)  # type: ignore[arg-type]  # that is the point


def test_a_skip_takes_as_many_words_as_an_answer() -> None:
    design = SKIPS["hybrid"]
    words = [5, 1 << 31, 77, 3]
    used = set()
    for answer in ("skipped", {"mood": 0}, {"mood": 9}):
        coins = Coins(words)
        disguise(design, {"b-mood": answer}, direct=False, coins=coins)
        used.add(coins.used)
    assert len(used) == 1


def test_a_direct_row_says_that_it_skipped() -> None:
    design = live(SKIPS["square wave"].blocks[0], group=CHOICE)
    for draw in range(5):
        record = disguise(design, {"b-age": "skipped"}, direct=True, coins=Coins([draw, draw, draw]))
        assert (record.refused, record.answers) == ((True,), ((None,),))


def test_the_body_holds_one_bit_more_only_where_a_skip_is_offered() -> None:
    without, with_skip = Layout(NUMBERS["square wave"]), Layout(SKIPS["square wave"])
    assert (without.n_bits, without.refusal_bit(0)) == (6, None)
    assert (with_skip.n_bits, with_skip.refusal_bit(0)) == (7, 6)
    assert with_skip.unpack(bytes([0b0_1_0000_1_0])).refused == (True,)
    with refused("refused_with_value"):
        with_skip.unpack(bytes([0b0_1_0001_1_0]))
    with refused("partly_answered"):
        with_skip.unpack(bytes([0b0_0_0000_1_0]))
    with refused("skip_not_offered"):
        disguise(NUMBERS["square wave"], {"b-age": "skipped"}, direct=False, coins=Coins([1]))


def test_the_items_of_a_number_and_its_skip_follow_one_law() -> None:
    block = SKIPS["keep or any"].blocks[0]
    channel, p, r = block_channel(block), block.truth, Fraction(block.refusal or 0, 10_000)
    young, skip = range(3), channel.n_true - 1
    for x in (0, 2, 3, 11, skip):
        inside = sum(channel[y, x] for y in young)
        assert inside == p * (x in young) + (1 - p) * (1 - r) * Fraction(3, 12)
        assert channel[len(channel.matrix) - 1, x] == p * (x == skip) + (1 - p) * r
