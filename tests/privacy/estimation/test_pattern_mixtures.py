"""Rows by pattern as mixtures: the channel of each group, and the most likely shares."""

import itertools
import math

import numpy as np
import pytest

from privacy.estimation import SupportCounts, pattern_terms
from privacy.estimation.mixture import Mixture
from privacy.estimation.pattern_mixtures import mixtures_of
from tests.privacy.estimation.designs import (
    CHOICES,
    ENUMERATED,
    SKIPPABLE,
    STRENGTHS,
    THREE_BLOCKS,
    TWO_BLOCKS,
)
from tests.privacy.estimation.records import count, disguises, sample, true_rows


def mixture_of(counts: SupportCounts, itemset: tuple[int, ...], questionnaire) -> Mixture:
    [(which, _, table)] = mixtures_of(counts, [itemset], questionnaire)
    assert which.tolist() == [0]
    return table


@pytest.mark.parametrize("name", ENUMERATED)
def test_the_channel_is_how_a_device_turns_true_patterns_into_shown_ones(name: str) -> None:
    questionnaire = ENUMERATED[name]
    items = tuple(item for item in range(len(questionnaire.items)))[:4]
    keys = pattern_terms(items, questionnaire)
    for group, direct in enumerate((True, False)):
        rows = true_rows(questionnaire, direct=direct)
        for row in rows[:: max(1, len(rows) // 12)]:
            expected = sum(
                float(chance)
                * mixture_of(count(questionnaire, [sent], keys), items, questionnaire).rows[group]
                for sent, chance in disguises(questionnaire, row)
            )
            table = mixture_of(count(questionnaire, [row], keys), items, questionnaire)
            np.testing.assert_allclose(table.shown(table.rows[group], group), expected, atol=1e-12)


@pytest.mark.parametrize("questionnaire", [TWO_BLOCKS, SKIPPABLE, CHOICES, THREE_BLOCKS, STRENGTHS])
def test_no_other_shares_are_more_likely(questionnaire) -> None:
    items = (0, 1, 2)
    rows = sample(questionnaire, 400, seed=3)
    table = mixture_of(count(questionnaire, rows, pattern_terms(items, questionnaire)), items, questionnaire)
    found = table.fit()
    assert found.sum() == pytest.approx(1)
    assert (found[~table.possible] == 0).all()
    # Concave: at the maximum no direction to a corner of the simplex rises.
    weights = [
        np.divide(table.rows[g], shown := table.shown(found, g), where=shown > 0, out=0 * shown)
        for g in (0, 1)
    ]
    gradient = sum(table.back(weight, group) for group, weight in enumerate(weights))
    slopes = gradient[table.possible] / table.n_by_group.sum() - 1
    assert slopes.max() < 1e-5


def test_a_row_that_cannot_be_is_infinitely_unlikely() -> None:
    table = Mixture(
        rows=np.array([[[5.0, 1.0]], [[0.0, 0.0]]]), truth=[np.ones((2, 1))],
        decoys=[np.zeros((1, 2))], possible=np.ones((1, 2), bool),
    )  # fmt: skip
    assert table.log_likelihood(np.array([[1.0, 0.0]])) == [-math.inf]


def channels_of(rng: np.random.Generator, sizes: tuple[int, ...], n: int) -> Mixture:
    truth = [rng.random((2, n)) for _ in sizes]
    decoys = [rng.dirichlet(np.ones(size), n) for size in sizes]
    shares = rng.random((n, *sizes))
    return Mixture(rows=np.stack([shares, shares]), truth=truth, decoys=decoys, possible=shares > 0)


def test_what_is_shown_went_through_the_channel_of_every_block() -> None:
    table = channels_of(np.random.default_rng(4), (2, 4, 3), 2)
    for row, group in itertools.product(range(2), range(2)):
        channels = [
            p[group, row] * np.eye(q.shape[1]) + (1 - p[group, row]) * np.outer(q[row], np.ones(q.shape[1]))
            for p, q in zip(table.truth, table.decoys, strict=True)
        ]
        shares = table.rows[group]
        expected = np.einsum("ai,bj,ck,ijk->abc", *channels, shares[row])
        assert table.shown(shares, group)[row] == pytest.approx(expected, rel=1e-13)
        backwards = np.einsum("ai,bj,ck,abc->ijk", *channels, shares[row])
        assert table.back(shares, group)[row] == pytest.approx(backwards, rel=1e-13)
