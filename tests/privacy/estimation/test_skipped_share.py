"""The estimated share of skips is unbiased, and has Wilson's interval."""

import numpy as np
import pytest
from scipy.stats import norm

from privacy.estimation.counts import SupportCounts
from privacy.estimation.skipped_share import _skip_patterns, skipped_interval, skipped_terms
from privacy.survey.design import Block, Design, GroupPolicy, Question
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import (
    MIXED,
    ROUTED,
    SKIPPABLE,
)
from tests.privacy.estimation.records import count, disguises, sample, true_rows


def part(p: int, *, questions: int = 1, refusal: int | None = None, key: str = "part") -> Block:
    """Return a protected part of yes/no questions with even decoys."""
    return Block(
        key=key, protected=True, truth_probability=p, refusal=refusal,
        questions=tuple(
            Question(key=f"{key}{number}", kind="yes_no", options=(), unrelated=(5000,))
            for number in range(questions)
        ),
    )  # fmt: skip


def design_of(*blocks: Block, choice: bool = False) -> Design:
    policy = GroupPolicy(policy="choice") if choice else GroupPolicy()
    return Design(group=policy, use="live", blocks=blocks)


def wilson(shown: int, n: int) -> tuple[float, float]:
    """Return Wilson's interval, as in his paper."""
    z = float(norm.isf(0.025))
    share = shown / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * (share * (1 - share) / n + z**2 / (4 * n**2)) ** 0.5
    return middle - half, middle + half


@pytest.mark.parametrize("shown", [0, 1, 20, 57, 100])
def test_skips_of_one_block_have_a_wilson_interval(shown: int) -> None:
    design = design_of(part(6000, refusal=3000))
    counts = SupportCounts({(): (0, 100), (2,): (0, 100 - shown)})
    found = skipped_interval(counts, 0, design)
    ends = [(end - 0.4 * 0.3) / 0.6 for end in wilson(shown, 100)]
    assert (found.low, found.high) == (pytest.approx(ends[0], abs=1e-9), pytest.approx(ends[1], abs=1e-9))


def test_the_skip_share_is_estimated_like_an_answer() -> None:
    # p = .55, r = .15: (40/100 - .45 * .15) / .55
    counts = SupportCounts({(): (0, 100), (SKIPPABLE.answered_column(0),): (0, 60)})
    found = skipped_interval(counts, 0, SKIPPABLE)
    assert found.value == pytest.approx((0.4 - 0.45 * 0.15) / 0.55)
    assert found.standard_error == pytest.approx(np.sqrt(0.4 * 0.6 / 100) / 0.55)


def test_the_mean_skip_estimate_over_all_disguises_is_the_truth() -> None:
    for row in true_rows(SKIPPABLE, direct=False):
        mean = sum(
            float(chance)
            * skipped_interval(count(SKIPPABLE, [sent], skipped_terms(0, SKIPPABLE)), 0, SKIPPABLE).value
            for sent, chance in disguises(SKIPPABLE, row)
        )
        assert mean == pytest.approx(float(dict(row.blocks)[0] is None), abs=1e-12)


def test_direct_skips_are_counted_undisguised() -> None:
    rows = [row for row in sample(MIXED, 50, seed=21, direct=1.0) if row.direct]
    found = skipped_interval(count(MIXED, rows, skipped_terms(1, MIXED)), 1, MIXED)
    assert found.value == np.mean([dict(row.blocks)[1] is None for row in rows])


def test_skip_shares_count_only_respondents_asked() -> None:
    assert skipped_terms(1, ROUTED) == ((ROUTED.asked_column(2),), (ROUTED.answered_column(1),))


def test_a_block_without_a_skip_is_refused_by_name() -> None:
    with refused("skip_not_offered", "block c"):
        skipped_terms(2, MIXED)


@pytest.mark.parametrize("questions", [1, 3])
def test_a_quarter_of_decoys_skip_if_they_skip_with_a_quarter(questions: int) -> None:
    patterns, _columns = _skip_patterns(0, design_of(part(6000, questions=questions, refusal=2500)))
    assert patterns.decoys.tolist() == [0.75, 0.25]


def test_an_unknown_block_is_refused() -> None:
    for number in (-1, 2, 7):
        with refused("block", number):
            skipped_terms(number, design_of(part(6000, refusal=1000), part(6000, key="c")))
    with refused("block", 7):
        skipped_interval(SupportCounts({}), 7, MIXED)
