"""Skips of numbers and places are split from answers without bias."""

import numpy as np
import pytest

from privacy.scales.decoded_numbers import mean, output_values
from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import (
    generalised_rr_below,
    shift_or_any,
    square_wave,
)
from privacy.scales.quantities import bars, quantiles
from privacy.scales.scale_groups import scale_groups
from privacy.scales.scale_skips import answer_scores, answering, mix_with_decoys, split_skips
from privacy.scales.skips import Skipping, least_refusal
from privacy.scales.window import WindowChannel
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.fixtures.refusals import refused

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


KEEP = WindowChannel(mechanism="keep", range=NumberRange(low=0, high=2), window=1, floor=1, peak=4)


def test_decoys_of_people_who_skip_are_a_share_of_the_sent_answers() -> None:
    """An answer is skipped with 1/8; a skip is sent as a skip with 5/8, and as each bin with 1/8.

    Of 400 people who answer and 400 who skip, 350 and 150 send a bin.
    """
    skipping = Skipping(disguise=KEEP, refusal=2500)
    people, tau = split_skips(skipping, np.array([500 / 3, 500 / 3, 500 / 3, 300.0]))
    assert people == pytest.approx(np.array([400]))
    assert tau == pytest.approx(np.array([150 / 500]))
    people, tau = split_skips(skipping, np.array([[70.0, 70, 70, 30], [500 / 3, 500 / 3, 500 / 3, 300]]))
    assert people == pytest.approx(np.array([[240], [400]]))
    assert tau == pytest.approx(np.array([[0], [0.3]]), abs=1e-9)


def test_a_mixture_with_decoys_and_its_transpose_are_those_of_the_matrix() -> None:
    matrix, decoy, tau = KEEP.channel.as_array(), np.full(3, 1 / 3), np.array([[0.3], [0.0]])
    ahead, back = mix_with_decoys(
        lambda shares, _sets: shares @ matrix.T, lambda ratios, _sets: ratios @ matrix, decoy, tau
    )
    values = np.array([[0.2, 0.5, 0.3], [0.1, 0.4, 0.7]])
    mixed = 0.7 * matrix + 0.3 * decoy[:, None]
    sets = np.array([0, 1])
    assert ahead(values, sets) == pytest.approx(np.stack([mixed @ values[0], matrix @ values[1]]))
    assert back(values, sets) == pytest.approx(np.stack([values[0] @ mixed, values[1] @ matrix]))
