from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from privacy.channels.channel import Channel
from privacy.risk.channel_audit import audit_channel
from privacy.risk.constrained_prior import independent
from privacy.risk.leakage import (
    distortion,
    entropy_bound,
    leakage,
    mutual_information,
    worst_prior,
)
from privacy.risk.row_distribution import row_distribution
from privacy.survey.block import BlockAnswers
from privacy.survey.design import Block
from privacy.survey.grouping import block_channel
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
    left = np.array([entropy(row) for row in after])
    assert found.entropy == pytest.approx(entropy(prior), abs=1e-8)
    assert found.mutual_information == pytest.approx(
        entropy(prior) + entropy(sent) - entropy(joint), abs=1e-8
    )
    assert found.worst_output == pytest.approx(max(0, entropy(prior) - left.min()), abs=1e-8)
    apart = [float((row[row > 0] * np.log2(row[row > 0] / prior[row > 0])).sum()) for row in after]
    # The mean distance of the posterior from the prior is the mutual information.
    assert float(sent[sent > 0] @ np.array(apart)) == pytest.approx(found.mutual_information, abs=1e-8)


@settings(max_examples=50, deadline=None)
@given(blocks())
def test_the_order_of_the_measures(made: Made) -> None:
    block, prevalence = made
    found = leakage(row_distribution(independent(block, prevalence)))
    assert found.mutual_information <= found.worst_prior + 1e-7
    assert found.mutual_information <= entropy_bound(block, prevalence) + 1e-9
    assert found.mutual_information == pytest.approx(
        mutual_information(row_distribution(independent(block, prevalence)))
    )


@pytest.mark.parametrize("p", [1000, 5000, 9000])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_with_fair_decoys_an_even_prior_is_the_worst(p: int, count: int) -> None:
    block = even(p, count)
    found = leakage(row_distribution(independent(block, stated(block, 5000))))
    assert found.worst_prior == pytest.approx(found.mutual_information, abs=1e-8)


def test_the_worst_prior_is_the_capacity_of_the_channel() -> None:
    block = shielded("b", 4000, yes_no("a", 2000), yes_no("c", 3000), refusal=1500)
    found = worst_prior(row_distribution(independent(block, {"a": [1000], "c": [6000]})))
    assert found == pytest.approx(audit_channel(block_channel(block)).leakage.worst_prior, abs=1e-5)


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
    assert (found.mutual_information, found.worst_output, found.worst_prior) == (
        0,
        pytest.approx(0, abs=1e-12),
        0,
    )


def test_a_block_with_too_many_kinds_of_rows_has_a_bound_only() -> None:
    block = even(5000, 30)
    prevalence = {question.key: [100 + 311 * place] for place, question in enumerate(block.questions)}
    with refused("too_large", "different rows"):
        leakage(row_distribution(independent(block, prevalence)))
    assert 0 < entropy_bound(block, prevalence) < 15


def test_any_channel_is_measured_like_a_block() -> None:
    block = shielded("b", 4000, yes_no("a", 2000), yes_no("c", 3000))
    prevalence = {"a": [1000], "c": [6000]}
    _, prior, _ = written_out(block, prevalence)
    law = row_distribution(independent(block, prevalence))
    found = audit_channel(block_channel(block), prior=prior, rho1=[0.05, 0.3])
    expected = leakage(law)
    assert found.leakage.mutual_information == pytest.approx(expected.mutual_information)
    assert found.leakage.worst_output == pytest.approx(expected.worst_output)
    assert found.amplification == pytest.approx(float(block_channel(block).amplification() or 0))
    for (_, general), share in zip(found.at_prior, (0.05, 0.3), strict=True):
        # The general bound may hold a row in part, the block's own may not.
        assert law.max_posterior(share) <= general + 1e-12


@pytest.mark.parametrize(
    ("table", "prior", "code"),
    [
        (np.ones(3), None, "shape"),
        (np.ones((2, 2)), None, "column_sum"),
        (np.array([[1.5, 0], [-0.5, 1]]), None, "column_sum"),
        (np.eye(2), [0.5, 0.6], "prior"),
        (np.eye(2), [1.0], "prior"),
        (np.zeros((2000, 2000)), None, "too_large"),
    ],
)
def test_what_is_no_channel_or_no_prior_is_refused(
    table: Array, prior: list[float] | None, code: str
) -> None:
    with refused(code):
        audit_channel(table, prior=prior)


def test_a_channel_that_never_leads_somewhere_is_unbounded() -> None:
    found = audit_channel(Channel.of([[1, 0], [0, Fraction(1, 2)], [0, Fraction(1, 2)]]), rho1=[0.5])
    assert (found.amplification, found.epsilon) == (float("inf"), float("inf"))
    assert found.at_prior == ((0.5, 1.0),)
    assert audit_channel(Channel.of([[Fraction(1, 2)] * 2] * 2)).perfect_privacy
