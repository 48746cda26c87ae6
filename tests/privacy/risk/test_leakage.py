import numpy as np
import pytest
from hypothesis import given, settings

from privacy.risk.beliefs import independent
from privacy.risk.row_distribution import (
    LEVELS,
    distortion,
    leakage,
    reidentification,
    row_distribution,
    worst_prior,
)
from privacy.survey.block import BlockAnswers
from privacy.survey.design import Block
from privacy.survey.grouping import block_channel, block_rows
from tests.fixtures.blocks import Array, blocks, even, stated, written_out
from tests.fixtures.refusals import refused
from tests.vectors.designs import shielded, yes_no

Made = tuple[Block, dict[str, list[int]]]


def entropy(shares: Array) -> float:
    kept = shares[shares > 0]
    return float(-(kept * np.log2(kept)).sum())


@pytest.mark.soak
@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(blocks())
def test_information_is_that_of_the_joint_law_written_out(made: Made) -> None:
    block, prevalence = made
    _, prior, joint = written_out(block, prevalence)
    found = leakage(row_distribution(independent(block, prevalence)))
    sent = joint.sum(axis=1)
    after = joint[sent > 0] / sent[sent > 0, None]
    assert found.entropy == pytest.approx(entropy(prior), abs=1e-8)
    assert found.mutual_information == pytest.approx(
        entropy(prior) + entropy(sent) - entropy(joint), abs=1e-8
    )
    apart = [float((row[row > 0] * np.log2(row[row > 0] / prior[row > 0])).sum()) for row in after]
    # The mean distance of the posterior from the prior is the mutual information.
    assert float(sent[sent > 0] @ np.array(apart)) == pytest.approx(found.mutual_information, abs=1e-8)


@pytest.mark.parametrize("p", [1000, 5000, 9000])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_with_fair_decoys_an_even_prior_is_the_worst(p: int, count: int) -> None:
    block = even(p, count)
    found = leakage(row_distribution(independent(block, stated(block, 5000))))
    assert found.worst_prior == pytest.approx(found.mutual_information, abs=1e-8)


def test_the_worst_prior_is_the_capacity_of_the_channel() -> None:
    """No prior that Blahut and Arimoto's iteration reaches has more, and its bound is the same."""
    block = shielded("b", 4000, yes_no("a", 2000), yes_no("c", 3000), refusal=1500)
    found = worst_prior(row_distribution(independent(block, {"a": [1000], "c": [6000]})))
    table = block_channel(block).as_array()
    prior = np.full(table.shape[1], 1 / table.shape[1])
    for _step in range(2_000):
        tells = (table * np.log2(table / (table @ prior)[:, None])).sum(axis=0)
        prior *= np.exp2(tells - tells.max())
        prior /= prior.sum()
    assert found == pytest.approx(float(tells.max()), abs=1e-5)


def differ(sent: BlockAnswers, true: BlockAnswers) -> float:
    if isinstance(sent, str) or isinstance(true, str):
        return float(sent != true)
    parts = [
        float(np.mean([left != right for left, right in zip(one, other, strict=True)]))
        if isinstance(one, tuple) and isinstance(other, tuple)
        else float(one != other)
        for one, other in zip(sent, true, strict=True)
    ]
    return float(np.mean(parts))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(blocks())
def test_distortion_is_the_mean_share_of_changed_answers(made: Made) -> None:
    block, prevalence = made
    rows, _, joint = written_out(block, prevalence)
    if len(rows) <= 40:
        expected = sum(
            joint[y, x] * differ(sent, true) for y, sent in enumerate(rows) for x, true in enumerate(rows)
        )
        assert float(distortion(block, prevalence)) == pytest.approx(expected, abs=1e-9)


def test_perfect_privacy_is_a_row_that_says_nothing() -> None:
    found = leakage(row_distribution(independent(even(0, 2), stated(even(0, 2), 2000))))
    assert (found.mutual_information, found.worst_prior) == (0, 0)


def test_a_block_with_too_many_kinds_of_rows_is_refused() -> None:
    block = even(5000, 30)
    prevalence = {question.key: [100 + 311 * place] for place, question in enumerate(block.questions)}
    with refused("too_large", "different rows"):
        leakage(row_distribution(independent(block, prevalence)))


@pytest.mark.parametrize(
    ("prevalence", "share"), [(500, 0.914), (1000, 0.736), (2000, 0.376), (3000, 0.028), (5000, 0)]
)
def test_ten_rare_items_give_most_truthful_rows_away(prevalence: int, share: float) -> None:
    block = even(5000, 10)
    distribution = row_distribution(independent(block, stated(block, prevalence)))
    assert round(reidentification(distribution).truthful[2], 3) == share


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(blocks())
def test_shares_are_those_of_all_rows_written_out(made: tuple[Block, dict[str, list[int]]]) -> None:
    block, prevalence = made
    found = reidentification(row_distribution(independent(block, prevalence)))
    rows, prior, joint = written_out(block, prevalence)
    p = block.truth_probability / 10_000
    sent = joint.sum(axis=1)
    coin = p * prior / sent
    assert list(block_rows(block)) == rows
    for place, level in enumerate(LEVELS):
        # A row at the very level may fall to either side by rounding.
        if (abs(coin - level) > 1e-9).all():
            assert found.truthful[place] == pytest.approx(prior[coin > level].sum(), abs=1e-9)
            assert found.sent[place] == pytest.approx(sent[coin > level].sum(), abs=1e-9)
    assert found.highest == pytest.approx(coin.max(), abs=1e-9)


def test_a_rough_law_gives_upper_bounds() -> None:
    block = even(5000, 30)
    prevalence = {question.key: [100 + 311 * place] for place, question in enumerate(block.questions)}
    found = reidentification(row_distribution(independent(block, prevalence)))
    assert not found.exact
    assert all(0 < share <= 1 for share in found.truthful)
    assert found.truthful[0] >= found.truthful[1] >= found.truthful[2]
