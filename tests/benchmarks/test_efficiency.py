"""Efficiency of designs: variances agree with an enumerated channel, and no channel beats the bounds."""

import itertools
import math
from collections.abc import Iterable, Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchmarks.efficiency import (
    AskedPart,
    SampledDesign,
    best_split,
    least_variance,
    least_variance_of_all_patterns,
    sampled_designs,
    split_variance,
    variance_of_size,
)
from privacy.errors import PrivacyError

Array = NDArray[np.float64]


def randomised(asked: int, epsilon: float) -> Array:
    """Return P(report | truth) for j questions, written out from the definition."""
    weights = np.where(np.eye(2**asked, dtype=bool), math.exp(epsilon), 1.0)
    return weights / weights.sum(axis=0)


def enumerated_variances(channel: Array, events: Iterable[tuple[int, int]]) -> list[float]:
    """Return n times the least variance of the estimated probability of each event, for uniform truth.

    An event (mask, pattern) contains the truths x with x & mask == pattern. The result is the variance of the
    best linear unbiased estimator from the frequencies of the reports: f'(K' R^-1 K)^+ f - s^2, where R is
    the diagonal matrix of their probabilities and f indicates the event.
    """
    truths = np.arange(channel.shape[1])
    chances = channel.mean(axis=1)
    information = channel.T @ (channel / chances[:, None])
    inverse = np.linalg.pinv(information, hermitian=True)
    found = []
    for mask, pattern in events:
        f = ((truths & mask) == pattern).astype(float)
        assert np.allclose(information @ inverse @ f, f)
        found.append(float(f @ inverse @ f - f.mean() ** 2))
    return found


def enumerated_variance(channel: Array, itemset: int) -> float:
    """Return n times the least variance of an itemset's estimated support, for uniform truth."""
    return enumerated_variances(channel, [(itemset, itemset)])[0]


def sampled(m: int, asked: int, epsilon: float) -> Array:
    """Return P((J, report) | truth), where J is uniform over all sets of j questions."""
    inner = randomised(asked, epsilon)
    blocks = []
    for chosen in itertools.combinations(range(m), asked):
        seen = [sum(((x >> bit) & 1) << place for place, bit in enumerate(chosen)) for x in range(2**m)]
        blocks.append(inner[:, seen] / math.comb(m, asked))
    return np.concatenate(blocks)


@pytest.mark.parametrize(("m", "asked"), [(3, 3), (3, 2), (4, 2), (4, 3), (4, 4)])
@pytest.mark.parametrize("epsilon", [1.0, math.log(7)])
def test_variances_match_the_best_estimator_on_the_enumerated_channel(
    m: int, asked: int, epsilon: float
) -> None:
    design = SampledDesign(questions=m, asked=asked, epsilon=epsilon)
    channel = sampled(m, asked, epsilon)
    for size in (1, 2, 3):
        wanted = design.variance(size)
        if math.isfinite(wanted) and size <= asked:
            assert wanted == pytest.approx(enumerated_variance(channel, 2**size - 1), rel=1e-9)


def test_split_rows_match_the_variance_of_their_enumerated_channel() -> None:
    parts = randomised(2, 1.0), randomised(1, 1.0)
    channel = np.kron(parts[1], parts[0])
    shares = [enumerated_variance(channel, 1 << bit) for bit in range(3)]
    pairs = [enumerated_variance(channel, mask) for mask in (0b011, 0b101, 0b110)]
    wanted = (np.mean(shares) + np.mean(pairs)) / 2
    assert split_variance([2, 1], 2.0, sizes=(1, 2)) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(
    ("m", "asked", "epsilon", "wanted"),
    [
        (10, 4, 3.0, (2.1122, 2.6402, 3.1682)),
        (10, 4, 4.0, (1.0538, 1.3173, 1.5808)),
        (10, 7, math.log(1 + 0.888647 / 0.111353 * 2**7), (0.4523, 0.3957, 0.2798)),
        (20, 5, 4.0, (2.5505, 4.304, 7.2929)),
    ],
)
def test_variances_match_published_values(
    m: int, asked: int, epsilon: float, wanted: tuple[float, ...]
) -> None:
    design = SampledDesign(questions=m, asked=asked, epsilon=epsilon)
    found = [design.variance(size) for size in (1, 2, 3)]
    assert found == pytest.approx(wanted, abs=6e-5)


def for_questions(m: int, questions: tuple[int, ...], channel: Array) -> Array:
    """Return the channel of some questions, for truths of all m questions."""
    seen = [sum(((x >> q) & 1) << place for place, q in enumerate(questions)) for x in range(2**m)]
    return channel[:, seen]


def coin(questions: int, p: float) -> Array:
    """Return P(report | truth) for a part whose decoys are fair coins."""
    cells = 2**questions
    return p * np.eye(cells) + (1 - p) / cells


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_rotating_block_matches_the_variance_of_its_enumerated_channel(size: int) -> None:
    sets = list(itertools.combinations((0, 1, 2), 2))
    rotating = np.concatenate([for_questions(4, chosen, coin(2, 0.6)) / len(sets) for chosen in sets])
    # Two reports of one truth.
    channel = (rotating[:, None, :] * for_questions(4, (3,), coin(1, 0.4))[None, :, :]).reshape(-1, 2**4)
    parts = [AskedPart(questions=3, truth=0.6, per_person=2), AskedPart(questions=1, truth=0.4)]
    if size == 3:
        # The first part's three questions are never asked together.
        assert variance_of_size(parts, 3) == math.inf
        return
    masks = [sum(1 << bit for bit in chosen) for chosen in itertools.combinations(range(4), size)]
    wanted = np.mean([enumerated_variance(channel, mask) for mask in masks])
    assert variance_of_size(parts, size) == pytest.approx(float(wanted), rel=1e-9)


def test_the_best_ten_question_design_asks_six_at_epsilon_six() -> None:
    assert sampled_designs(10, 6.0, sizes=(1, 2))[0].asked == 6
    # p = 1/2 of 2^8 patterns; 10/8 of a share, (2 x 10/8 + 90/56)/4 of a pair.
    eight = SampledDesign(questions=10, asked=8, epsilon=math.log(257))
    assert eight.mean_variance((1, 2)) == pytest.approx((1.25 + (2.5 + 90 / 56) / 4) / 2)


def test_the_best_split_minimises_variance_over_all_block_sizes() -> None:
    parts, variance = best_split(6, 4.0, sizes=(1, 2))
    others = [[6], [3, 3], [2, 2, 2], [2, 2, 1, 1], [2, 1, 1, 1, 1], [1] * 6]
    assert variance == min(split_variance(way, 4.0, sizes=(1, 2)) for way in others)
    assert sum(parts) == 6


def channels(m: int, epsilon: float, rng: np.random.Generator) -> Iterator[Array]:
    """Yield extreme channels of this epsilon: each report has two probabilities, with ratio e^eps."""
    for _ in range(8):
        weights = np.where(rng.random((40, 2**m)) < rng.uniform(0.1, 0.9), math.exp(epsilon), 1.0)
        # Add complementary reports, so that all truths have the same total and columns can be normalised.
        weights = np.concatenate([weights, math.exp(epsilon) + 1 - weights])
        yield weights / weights.sum(axis=0)
    for asked in range(1, m + 1):
        yield sampled(m, asked, epsilon)


@pytest.mark.soak
@pytest.mark.slow
@settings(max_examples=20)
@given(st.integers(2, 4), st.floats(0.3, 5), st.integers(0, 2**32))
def test_no_channel_has_less_variance_than_the_bound(m: int, epsilon: float, seed: int) -> None:
    bound = least_variance(m, epsilon, sizes=(1, 2))
    for channel in channels(m, epsilon, np.random.default_rng(seed)):
        assert (channel.max(axis=1) <= channel.min(axis=1) * math.exp(epsilon) * (1 + 1e-9)).all()
        if np.linalg.matrix_rank(channel) < 2**m:
            continue
        items = [1 << bit for bit in range(m)]
        pairs = [one | other for one, other in itertools.combinations(items, 2)]
        found = enumerated_variances(channel, [(itemset, itemset) for itemset in [*items, *pairs]])
        assert (np.mean(found[:m]) + np.mean(found[m:])) / 2 >= bound * (1 - 1e-9)


def asks_for_all(epsilon: float) -> Array:
    """Return Warner's channel for one question about two items: "are both true?"."""
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    return np.array([[1 - keep] * 3 + [keep], [keep] * 3 + [1 - keep]])


def test_a_yes_biased_design_beats_only_the_all_patterns_bound() -> None:
    found = enumerated_variance(asks_for_all(1.0), 0b11)
    assert found == pytest.approx(1.108, abs=5e-4)
    assert least_variance(2, 1.0, sizes=(2,)) <= found < least_variance_of_all_patterns(2, 1.0, sizes=(2,))


@settings(max_examples=20)
@given(st.integers(2, 4), st.floats(0.3, 5), st.integers(0, 2**32))
def test_over_all_patterns_no_channel_beats_the_larger_bound(m: int, epsilon: float, seed: int) -> None:
    bound = least_variance_of_all_patterns(m, epsilon, sizes=(2,))
    for channel in channels(m, epsilon, np.random.default_rng(seed)):
        if np.linalg.matrix_rank(channel) < 2**m:
            continue
        pairs = itertools.combinations([1 << bit for bit in range(m)], 2)
        events = [(one | other, pattern) for one, other in pairs for pattern in (0, one, other, one | other)]
        assert np.mean(enumerated_variances(channel, events)) >= bound * (1 - 1e-9)


@pytest.mark.parametrize(
    ("m", "epsilon", "largest", "wanted"),
    [(5, 2.0, 2, 1.69), (10, 3.0, 2, 1.44), (10, 4.0, 2, 0.496), (10, 3.0, 3, 2.34), (30, 4.0, 2, 2.79)],
)
def test_bounds_over_all_patterns_match_published_values(
    m: int, epsilon: float, largest: int, wanted: float
) -> None:
    sizes = range(1, largest + 1)
    found = least_variance_of_all_patterns(m, epsilon, sizes=sizes)
    assert found == pytest.approx(wanted, rel=4e-3)
    assert 0.9 * found < least_variance(m, epsilon, sizes=sizes) <= found


def test_itemsets_larger_than_the_survey_are_refused() -> None:
    with pytest.raises(PrivacyError, match="size of an itemset = 3"):
        least_variance(2, 1.0, sizes=(1, 3))
