"""Shares of events: the error holds every covariance of their patterns."""

from __future__ import annotations

import math
from itertools import product
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, norm

from privacy.errors import PrivacyError
from privacy.estimation.counts import SupportCounts
from privacy.estimation.events import event_share, skipped_interval
from privacy.estimation.intervals import support_intervals
from privacy.estimation.patterns import pattern_terms
from privacy.estimation.required_counts import required_counts
from privacy.scales.skipping import Skipping, least_refusal
from privacy.scales.window import NumberRange
from privacy.survey.design import Block, Design, GroupPolicy, Question
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.privacy.estimation.designs import (
    MIXED,
    ONE_BLOCK,
    SKIPPABLE,
    THREE_BLOCKS,
    TWO_BLOCKS,
)
from tests.privacy.estimation.pattern_table import event_of, one_pattern, patterns
from tests.privacy.estimation.records import count, sample, score

CASES = [
    (ONE_BLOCK, "a and not b or c"),
    (TWO_BLOCKS, "a and not b or b and not a and c"),
    (SKIPPABLE, "a or not s=o1"),
    (THREE_BLOCKS, "not (a and s=o1) or d"),
    (MIXED, "oa and not a or m=o1"),
]


@pytest.mark.parametrize(("questionnaire", "text"), CASES)
@pytest.mark.parametrize("direct", [0.0, 0.3])
def test_the_estimate_is_the_mean_score_and_its_error_that_of_the_rows(questionnaire, text, direct) -> None:
    rows = sample(questionnaire, 250, seed=8, direct=direct)
    event = event_of(text, questionnaire)
    counts = count(questionnaire, rows, pattern_terms(event.items, questionnaire))
    found = event_share(counts, event, questionnaire)
    true = [
        dict(zip(event.items, map(bool, bits), strict=True)) for bits in np.argwhere(event.holds).tolist()
    ]
    z = np.array([float(sum(score(questionnaire, row, wanted) for wanted in true)) for row in rows])
    n = len(rows)
    assert found.value == pytest.approx(z.mean(), abs=1e-12)
    assert found.standard_error == pytest.approx(math.sqrt(z.var() / n), abs=1e-12)


def test_it_is_the_sum_of_its_patterns() -> None:
    rows = sample(TWO_BLOCKS, 300, seed=4)
    event = event_of("a and not c or b", TWO_BLOCKS)
    counts = count(TWO_BLOCKS, rows, pattern_terms(event.items, TWO_BLOCKS))
    parts = patterns(counts, event.items, TWO_BLOCKS)
    found = event_share(counts, event, TWO_BLOCKS)
    assert found.value == pytest.approx(parts.value[event.holds].sum(), abs=1e-12)


def test_an_itemset_as_an_event_has_the_itemsets_interval() -> None:
    rows = sample(TWO_BLOCKS, 400, seed=6)
    event = event_of("a and c", TWO_BLOCKS)
    counts = count(
        TWO_BLOCKS, rows, (*pattern_terms(event.items, TWO_BLOCKS), *required_counts([(0, 2)], TWO_BLOCKS))
    )
    ours, theirs = (
        event_share(counts, event, TWO_BLOCKS),
        support_intervals(counts, [(0, 2)], TWO_BLOCKS)[0],
    )
    assert (ours.value, ours.low, ours.high) == pytest.approx(
        (theirs.value, theirs.low, theirs.high), abs=1e-9
    )


def test_what_is_always_true_is_true_of_all() -> None:
    rows = sample(TWO_BLOCKS, 100, seed=6)
    event = event_of("a or not a", TWO_BLOCKS)
    counts = count(TWO_BLOCKS, rows, pattern_terms(event.items, TWO_BLOCKS))
    found = event_share(counts, event, TWO_BLOCKS)
    assert (found.value, found.standard_error) == pytest.approx((1, 0), abs=1e-9)


def test_counts_that_nobody_took_are_named() -> None:
    event = event_of("a and c", TWO_BLOCKS)
    with pytest.raises(PrivacyError, match="count of columns"):
        event_share(count(TWO_BLOCKS, [], [()]), event, TWO_BLOCKS)


SIZES: Final = (100, 150, 200, 300, 500, 700, 1000)
SKIPS: Final = tuple(share / 100 for share in range(11))


def part(p: int, *, questions: int = 1, refusal: int | None = None, key: str = "part") -> Block:
    """Return a protected part of yes/no questions with even decoys."""
    return Block(
        key=key, protected=True, truth_probability=p, refusal=refusal, asked_if=None,
        questions=tuple(
            Question(key=f"{key}{number}", kind="yes_no", options=(), unrelated=(5000,))
            for number in range(questions)
        ),
    )  # fmt: skip


def design_of(*blocks: Block, choice: bool = False) -> Design:
    policy = GroupPolicy(policy="choice") if choice else GroupPolicy()
    return Design(group=policy, use="live", blocks=blocks)


def wilson(shown: int, n: int) -> tuple[float, float]:
    """Return Wilson's interval as his paper has it."""
    z = float(norm.isf(0.025))
    share = shown / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * (share * (1 - share) / n + z**2 / (4 * n**2)) ** 0.5
    return middle - half, middle + half


def chances_of_a_skip() -> list[tuple[float, float]]:
    """Return p and the probability of "skipped", of parts and of all mechanisms of numbers."""
    chances = []
    for p, questions in product((0.3, 0.5, 0.7), (1, 2)):
        chances.append((p, (1 - p) * -(-10_000 // (1 + 2**questions)) / 10_000))
    for mechanism, epsilon in product(sorted(ALL_BY_EPSILON), (1.0, 2.0, 3.0)):
        channel = ALL_BY_EPSILON[mechanism](NumberRange(low=0, high=29), epsilon)
        skipping = Skipping(disguise=channel, refusal=least_refusal(channel))
        chances.append((float(skipping.truth), float(skipping.skip_probability)))
    return chances


@pytest.mark.parametrize("shown", [0, 1, 20, 57, 100])
def test_in_one_part_it_is_wilsons_interval_of_what_is_shown(shown: int) -> None:
    design = design_of(part(6000, refusal=3000))
    counts = SupportCounts({(): (0, 100), (2,): (0, 100 - shown)})
    found = skipped_interval(counts, 0, design)
    ends = [(end - 0.4 * 0.3) / 0.6 for end in wilson(shown, 100)]
    assert (found.low, found.high) == (pytest.approx(ends[0], abs=1e-9), pytest.approx(ends[1], abs=1e-9))


def test_the_share_who_skip_is_held_by_nominally_many_intervals_enumerated() -> None:
    """Skips of 0 to 10%, n 100 to 1,000: each count's interval, weighted by its exact probability.

    A count has no parts, so no set of counts has the nominal probability: if few "skipped" are expected, 1
    more count in the set, or one less, is 2% or more. Normal intervals held .80 to .96 of the same.
    """
    held: list[float] = []
    for p, always in chances_of_a_skip():
        for n in SIZES:
            counts = np.arange(n + 1)
            ends = np.array([wilson(int(shown), n) for shown in counts])
            for share in SKIPS:
                chance = always + p * share
                inside = (ends[:, 0] <= chance) & (chance <= ends[:, 1])
                held.append(float(binom.pmf(counts, n, chance)[inside].sum()))
    measured = np.array(held)
    outside = (measured < 0.935) | (measured > 0.975)
    assert outside.mean() < 0.01
    assert measured.min() > 0.93
    assert measured.max() < 0.98
    assert 0.948 < measured.mean() < 0.956


def _held(design: Design, truth: NDArray[np.float64], n: int, repetitions: int) -> list[float]:
    """Return how often the interval of each pattern of two questions in two parts holds the truth."""
    p = [block.truth_probability / 10_000 for block in design.blocks]
    kept = [share * np.eye(2) + (1 - share) / 2 for share in p]
    law = np.einsum("ax,by,xy->ab", *kept, truth).ravel()
    rng = np.random.default_rng(3)
    held = np.zeros(4)
    for shown in rng.multinomial(n, law, repetitions).reshape(-1, 2, 2):
        counts = SupportCounts({
            (): (0, n), (0,): (0, int(shown[1].sum())), (1,): (0, int(shown[:, 1].sum())),
            (0, 1): (0, int(shown[1, 1])),
        })  # fmt: skip
        for position, pattern in enumerate(product((0, 1), repeat=2)):
            found = event_share(counts, one_pattern((0, 1), pattern), design)
            held[position] += found.low <= truth[pattern] <= found.high
    return [float(share) for share in held / repetitions]


def test_patterns_over_two_parts_are_held_nominally() -> None:
    """1,500 surveys of 200 people: a coverage of .90 or .985 is found with a power of .999 and more.

    Four shares, each with a false alarm of 2e-7: between 5.1 standard errors of .95 to either side.
    """
    truth = np.array([[0.86, 0.06], [0.07, 0.01]])
    for share in _held(design_of(part(7000), part(6000, key="other")), truth, 200, 1500):
        assert 0.92 < share < 0.98
