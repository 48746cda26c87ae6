"""Skippable numbers and places: the exact distribution of reports, and bounds on what they reveal."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from privacy.coins import Coins
from privacy.scales.decoded_numbers import mean, output_values, variance_of_mean
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import (
    generalised_rr,
    generalised_rr_below,
    shift,
    shift_or_any,
    square_wave,
)
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.quantities import bars, quantiles
from privacy.scales.row_coins import whole_numbers
from privacy.scales.scale_groups import mixed_fit, scale_groups
from privacy.scales.scale_skips import answer_scores, answering
from privacy.scales.sent_rows import SKIP, rows_sent
from privacy.scales.skips import Skipping, least_refusal
from privacy.scales.window import WindowChannel
from privacy.survey.block_channel import block_channel
from privacy.survey.grouping import disguise
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.fixtures.refusals import refused
from tests.fixtures.scale_reports import sent
from tests.privacy.scales.test_planar_window import MAPS
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


TEN = NumberRange(low=0, high=9)
SKIPPING = {
    **{name: make(TEN, 2.0) for name, make in ALL_BY_EPSILON.items()},
    "R3": shift_or_any(TEN, 3),
    "even R3": shift_or_any(NumberRange(low=0, high=12), 1),
}
SKIPPING = {name: Skipping(disguise=band, refusal=least_refusal(band)) for name, band in SKIPPING.items()}
WAVE = SKIPPING["square_wave"]


def channel(skipping: Skipping) -> np.ndarray:
    return skipping.channel.as_array()


def people(bins: int, share: float) -> np.ndarray:
    """Return increasing shares of true bins, and the share of skips."""
    rising = np.arange(1.0, bins + 1)
    return np.append((1 - share) * rising / rising.sum(), share)


@pytest.mark.parametrize("name", SKIPPING)
def test_scores_are_unbiased_for_answers_and_zero_for_skips(name: str) -> None:
    skipping = SKIPPING[name]
    inputs, outputs = skipping.disguise.inputs, skipping.disguise.outputs
    ones = answer_scores(skipping, np.ones(outputs)) @ channel(skipping)
    assert ones == pytest.approx(np.append(np.ones(inputs), 0), abs=1e-10)
    values = answer_scores(skipping, output_values(skipping.disguise)) @ channel(skipping)
    assert values == pytest.approx([*range(inputs), 0], abs=1e-9)


@pytest.mark.parametrize("name", SKIPPING)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_expected_counts_give_the_answering_share_and_mean(name: str, share: float) -> None:
    skipping = SKIPPING[name]
    bins = skipping.disguise.inputs
    truth = people(bins, share)
    counts = channel(skipping) @ truth * 1e6
    assert answering(skipping, counts) == pytest.approx(1 - share)
    wanted = truth[:-1] @ np.arange(bins) / (1 - share)
    assert mean(
        skipping.disguise, scale_groups(skipping.disguise, counts, skipping=skipping)
    ).value == pytest.approx(wanted)


@pytest.mark.parametrize("direct", [None, [5, 8, 3, 9, 0, 1, 2, 30, 4, 7, 20]])
def test_the_error_of_the_mean_is_the_error_of_a_ratio(direct: list[int] | None) -> None:
    counts = channel(WAVE) @ people(10, 0.25) * 4000

    def value(counts: np.ndarray, told: np.ndarray | None) -> float:
        return mean(WAVE.disguise, scale_groups(WAVE.disguise, counts, direct=told, skipping=WAVE)).value

    # The delta method with numerical derivatives, for independent samples of one population.
    told = None if direct is None else np.array(direct, dtype=float)
    groups = [counts] if told is None else [counts, told]
    n = sum(group.sum() for group in groups)
    slopes = []
    for place, group in enumerate(groups):
        for cell in range(len(group)):
            moved = [each.copy() for each in groups]
            moved[place][cell] += 1e-3
            after = value(moved[0], moved[1] if len(moved) > 1 else None)
            slopes.append((after - value(counts, told)) / 1e-3)
    weights = np.concatenate(groups)
    slope = np.array(slopes)
    variance = weights @ slope**2 - (weights @ slope) ** 2 / n
    found = mean(WAVE.disguise, scale_groups(WAVE.disguise, counts, direct=told, skipping=WAVE))
    assert found.n == int(n)
    assert found.standard_error == pytest.approx(variance**0.5, rel=1e-4)


@pytest.mark.parametrize("name", SKIPPING)
@pytest.mark.parametrize("more", [0, 700])
def test_the_predicted_error_is_that_of_the_mean_of_evenly_spread_people(name: str, more: int) -> None:
    band = SKIPPING[name].disguise
    skipping = Skipping(disguise=band, refusal=SKIPPING[name].refusal + more)
    sent = channel(skipping)[:, : band.inputs].mean(axis=1)
    told = mean(band, scale_groups(band, sent * 1e12, skipping=skipping))
    predicted = variance_of_mean(band, skipping=skipping)
    assert told.standard_error**2 * told.n == pytest.approx(predicted, rel=1e-6)
    assert predicted > variance_of_mean(band)
    # Without skips, the answers that are sent alone.
    alone = mean(band, scale_groups(band, sent[:-1] * 1e12))
    assert alone.standard_error**2 * alone.n == pytest.approx(variance_of_mean(band), rel=1e-6)


def test_allowing_skips_costs_the_stated_accuracy() -> None:
    # If no one skips, the error of a mean in the middle grows by 1 / sqrt(1 - s).
    truth = np.append(np.full(10, 0.1), 0)
    with_skip = mean(WAVE.disguise, scale_groups(WAVE.disguise, channel(WAVE) @ truth * 1e6, skipping=WAVE))
    without = mean(WAVE.disguise, scale_groups(WAVE.disguise, WAVE.disguise.as_array() @ truth[:-1] * 1e6))
    assert with_skip.standard_error / without.standard_error == pytest.approx(
        float(1 - WAVE.skip_probability) ** -0.5, rel=1e-5
    )


def test_bars_and_quantiles_describe_those_who_answer() -> None:
    band = square_wave(NumberRange(low=0, high=19), 3.0)
    skipping = Skipping(disguise=band, refusal=least_refusal(band))
    truth = np.append(np.where(np.arange(20) < 10, 0.06, 0.0), 0.4)
    counts, told = channel(skipping) @ truth * 40_000, truth * 10_000
    found = bars(band, scale_groups(band, counts, direct=told, skipping=skipping))
    assert found.value == pytest.approx(truth[:-1] / 0.6, abs=1e-9)
    assert (found.low < found.value).all()
    assert (found.value < found.high).all()
    (half,) = quantiles(band, scale_groups(band, counts, direct=told, skipping=skipping), (0.5,))
    assert half.low < half.value < half.high
    assert half.value == pytest.approx(4.5)


def test_counts_without_skipped_rows_are_rejected() -> None:
    band = generalised_rr_below(TEN, 1.0)
    skipping = Skipping(disguise=band, refusal=least_refusal(band))
    with refused("counts"):
        mixed_fit(band, scale_groups(band, np.ones(10), skipping=skipping), smooth=True)
    with refused("no_answers"):
        mean(band, scale_groups(band, np.append(np.zeros(10), 50), skipping=skipping))


LAWS: dict[str, WindowChannel | PlanarWindowChannel] = {**BANDS, **MAPS, **BOUNDED}


def cases(
    law: WindowChannel | PlanarWindowChannel | Skipping, answers: list[int]
) -> tuple[list[int], list[int]]:
    """Return every answer with every draw, or with many draws including both ends."""
    if law.total * len(answers) <= 50_000:
        draws = list(range(law.total))
    else:
        rng = random.Random(law.total)
        draws = [0, law.total - 1, *(rng.randrange(law.total) for _ in range(60))]
    pairs = [(answer, draw) for answer in answers for draw in draws]
    return [answer for answer, _ in pairs], [draw for _, draw in pairs]


def some_answers(law: WindowChannel | PlanarWindowChannel) -> list[int]:
    return sorted({*range(0, law.inputs, -(-law.inputs // 100)), law.inputs - 1})


@pytest.mark.parametrize("name", LAWS)
def test_bulk_answers_match_answers_sent_singly(name: str) -> None:
    law = LAWS[name]
    answers, draws = cases(law, some_answers(law))
    reports = rows_sent(law, np.array(answers), whole_numbers(np.array(draws, dtype=object), below=law.total))
    assert reports.tolist() == [sent(law, *case) for case in zip(answers, draws, strict=True)]


@pytest.mark.parametrize("name", BOUNDED)
def test_bulk_answers_and_skips_match_those_sent_singly(name: str) -> None:
    inner = BOUNDED[name]
    law = Skipping(disguise=inner, refusal=max(least_refusal(inner), 3000))
    answers, draws = cases(law, [SKIP, *some_answers(inner)])
    reports = rows_sent(law, np.array(answers), whole_numbers(np.array(draws, dtype=object), below=law.total))
    alone = [
        sent(law, None if answer == SKIP else answer, draw)
        for answer, draw in zip(answers, draws, strict=True)
    ]
    assert reports.tolist() == [SKIP if one is None else one for one in alone]
    assert {SKIP} < set(reports.tolist())


def test_draws_of_any_size_map_to_exact_outputs() -> None:
    """From 2^62 on, Python's integers are used; nothing else changes."""
    kinds = {whole_numbers(np.zeros(1, dtype=int), below=law.total).dtype.kind for law in LAWS.values()}
    assert kinds == {"i", "O"}
